//! Lines end with LF alone (§5).
//!
//! Example of a violation: a file saved with Windows line ends.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "carriage_return",
    severity: Severity::Error,
    file: include_str!("carriage_return.rs"),
    check: Check::Reading,
};
