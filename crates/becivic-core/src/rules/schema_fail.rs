//! Every document fits its JSON Schema (§6).
//!
//! Field names, types, caps, enums and conditional branches live in `schemas/*.schema.json`; the
//! message names the field and what the schema asks of it.
//!
//! Example of a violation: `status: published`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "schema_fail",
    severity: Severity::Error,
    file: include_str!("schema_fail.rs"),
    check: Check::Reading,
};
