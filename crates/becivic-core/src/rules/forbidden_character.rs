//! Text holds no control, zero-width or direction-changing characters (DECISIONS §9b).
//!
//! They make text look like something it is not.
//!
//! Example of a violation: a right-to-left override inside a fee.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "forbidden_character",
    severity: Severity::Error,
    file: include_str!("forbidden_character.rs"),
    check: Check::Reading,
};
