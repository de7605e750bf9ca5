//! A file's findings are listed up to a thousand.
//!
//! What is beyond is counted, not listed, so that a broken file cannot flood a report.
//!
//! Example of a violation: a body with ten thousand braces.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "too_many_findings",
    severity: Severity::Error,
    file: include_str!("too_many_findings.rs"),
    check: Check::Reading,
};
