//! Every tag can be read (§6.10).
//!
//! Attributes are `name="value"` with double quotes, on one line each; no expressions.
//!
//! Example of a violation: `<Path id=x />`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tag_malformed",
    severity: Severity::Error,
    file: include_str!("tag_malformed.rs"),
    check: Check::Reading,
};
