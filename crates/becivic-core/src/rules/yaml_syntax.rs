//! Frontmatter is YAML that can be read.
//!
//! Example of a violation: a list bracket that is never closed.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "yaml_syntax",
    severity: Severity::Error,
    file: include_str!("yaml_syntax.rs"),
    check: Check::Reading,
};
