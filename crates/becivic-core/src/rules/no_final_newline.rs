//! A file ends with a newline (§5).
//!
//! Example of a violation: `}` as the last byte of `paths/index.json`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "no_final_newline",
    severity: Severity::Error,
    file: include_str!("no_final_newline.rs"),
    check: Check::Reading,
};
