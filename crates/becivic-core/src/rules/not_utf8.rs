//! Every file is UTF-8 text (§5).
//!
//! Example of a violation: a skill saved as Latin-1.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "not_utf8",
    severity: Severity::Error,
    file: include_str!("not_utf8.rs"),
    check: Check::Reading,
};
