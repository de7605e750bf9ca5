//! NIS codes in YAML are quoted (§5).
//!
//! An unquoted five-digit code is a number to YAML, and `01234` would lose its zero.
//!
//! Example of a violation: `communes: [21004]` instead of `communes: ["21004"]`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "unquoted_nis",
    severity: Severity::Error,
    file: include_str!("unquoted_nis.rs"),
    check: Check::Reading,
};
