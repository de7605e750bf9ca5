//! A skill starts with frontmatter between two `---` lines.
//!
//! Example of a violation: a file whose closing `---` is missing.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "frontmatter_fence",
    severity: Severity::Error,
    file: include_str!("frontmatter_fence.rs"),
    check: Check::Reading,
};
