//! No document nests deeper than 64 levels.
//!
//! Example of a violation: a thousand `[` in a row.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "nested_too_deep",
    severity: Severity::Error,
    file: include_str!("nested_too_deep.rs"),
    check: Check::Reading,
};
