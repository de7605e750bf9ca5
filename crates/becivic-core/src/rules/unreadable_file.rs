//! Every file of a corpus can be read.
//!
//! Example of a violation: a file without read permission.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "unreadable_file",
    severity: Severity::Error,
    file: include_str!("unreadable_file.rs"),
    check: Check::Reading,
};
