//! No file starts with a byte order mark (§5).
//!
//! Example of a violation: a skill saved as "UTF-8 with BOM".

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "byte_order_mark",
    severity: Severity::Error,
    file: include_str!("byte_order_mark.rs"),
    check: Check::Reading,
};
