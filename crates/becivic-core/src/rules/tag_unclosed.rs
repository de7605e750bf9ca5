//! Every opening tag has its end, and every end its beginning (§6.10).
//!
//! Example of a violation: `<Risk>` without `</Risk>`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tag_unclosed",
    severity: Severity::Error,
    file: include_str!("tag_unclosed.rs"),
    check: Check::Reading,
};
