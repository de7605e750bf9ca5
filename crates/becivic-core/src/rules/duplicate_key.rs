//! No object holds the same key twice.
//!
//! Readers disagree about which one counts, so neither does.
//!
//! Example of a violation: two `status:` lines in one frontmatter.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "duplicate_key",
    severity: Severity::Error,
    file: include_str!("duplicate_key.rs"),
    check: Check::Reading,
};
