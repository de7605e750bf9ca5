//! Each uid and each name has one row in the seed catalogue (DECISIONS §4).
//!
//! Example of a violation: two rows with `val-00042`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "catalogue_duplicate",
    severity: Severity::Error,
    file: include_str!("catalogue_duplicate.rs"),
    check: Check::Reading,
};
