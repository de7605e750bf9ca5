//! A plain file stands where a file is expected.
//!
//! Links, devices and folders are refused, so that a corpus means the same wherever it is cloned.
//!
//! Example of a violation: a folder named `canonical.md`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "not_a_file",
    severity: Severity::Error,
    file: include_str!("not_a_file.rs"),
    check: Check::Reading,
};
