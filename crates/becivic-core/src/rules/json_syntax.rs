//! JSON files are strict JSON.
//!
//! Example of a violation: a trailing comma in `paths/index.json`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "json_syntax",
    severity: Severity::Error,
    file: include_str!("json_syntax.rs"),
    check: Check::Reading,
};
