//! A body uses only the six authored tags (§6.10).
//!
//! VV, Ref, Observations, Path, Skill, Risk.
//!
//! Example of a violation: `<Note>…</Note>`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tag_unknown",
    severity: Severity::Error,
    file: include_str!("tag_unknown.rs"),
    check: Check::Reading,
};
