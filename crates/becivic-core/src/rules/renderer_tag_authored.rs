//! `<Observation>` and `<CohortStats>` are written by the renderer, never by authors (§6.10).
//!
//! Example of a violation: `<CohortStats affirms="12" />` in a body.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "renderer_tag_authored",
    severity: Severity::Error,
    file: include_str!("renderer_tag_authored.rs"),
    check: Check::Reading,
};
