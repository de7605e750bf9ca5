//! A body holds no expressions: nothing is evaluated (DECISIONS §9b).
//!
//! Example of a violation: `{1 + 1}`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "mdx_expression",
    severity: Severity::Error,
    file: include_str!("mdx_expression.rs"),
    check: Check::Reading,
};
