//! A submission's target exists and may be targeted (Rule 15, §6.2).
//!
//! `target_type` is one its type permits and `target_id` resolves there; `skill_graph` concerns may
//! name a skill that does not exist yet. Protected fields may not be amended (DECISIONS §9b).
//!
//! Example of a violation: a validation of `con-99999`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "cross_ref_fail",
    severity: Severity::Error,
    file: include_str!("cross_ref_fail.rs"),
    check: Check::Submission,
};
