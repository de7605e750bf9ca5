//! `skills/` and `paths/` hold nothing but what belongs there (§5).
//!
//! One `canonical.md` per skill: there is no `proposals/` and no `archive/`.
//!
//! Example of a violation: `skills/x/proposals/draft.md`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "misplaced_file",
    severity: Severity::Error,
    file: include_str!("misplaced_file.rs"),
    check: Check::Reading,
};
