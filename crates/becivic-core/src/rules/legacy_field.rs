//! Retired frontmatter fields are refused (§6.1, §6.5).
//!
//! routing_risk, cohort_stats, volatile_values, references, lifecycle, proposal_id, version_status,
//! corpus_status. What they said lives in tags, the catalogue or `status` now.
//!
//! Example of a violation: `routing_risk: high`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "legacy_field",
    severity: Severity::Error,
    file: include_str!("legacy_field.rs"),
    check: Check::Reading,
};
