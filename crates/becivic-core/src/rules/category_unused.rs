//! Listed categories are in use (§6.1, G.3).
//!
//! Looked at by the audit `becivic check categories`, not by every check: a category may wait for its first
//! skill.
//!
//! Example of a violation: `belgium-communal` in `schemas/categories.json` and in no skill or path.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "category_unused",
    severity: Severity::Warning,
    file: include_str!("category_unused.rs"),
    check: Check::Reading,
};
