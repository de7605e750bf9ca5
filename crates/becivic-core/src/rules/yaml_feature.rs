//! Frontmatter uses plain YAML 1.2 only (§5).
//!
//! One document; no anchors, aliases, tags or complex keys.
//!
//! Example of a violation: `title: &t Hello`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "yaml_feature",
    severity: Severity::Error,
    file: include_str!("yaml_feature.rs"),
    check: Check::Reading,
};
