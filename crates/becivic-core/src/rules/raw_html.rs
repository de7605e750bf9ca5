//! A body holds no raw HTML (DECISIONS §9b).
//!
//! Example of a violation: `<b>now</b>` instead of `**now**`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "raw_html",
    severity: Severity::Error,
    file: include_str!("raw_html.rs"),
    check: Check::Reading,
};
