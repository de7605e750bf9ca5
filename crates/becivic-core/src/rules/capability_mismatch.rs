//! A submission declares the capabilities its type asks for (§6.7).
//!
//! An amendment of a skill needs `web_fetch` and `tool_execution`; a concern does not.
//!
//! Example of a violation: an amendment that declares only `multi_turn`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "capability_mismatch",
    severity: Severity::Error,
    file: include_str!("capability_mismatch.rs"),
    check: Check::Submission,
};
