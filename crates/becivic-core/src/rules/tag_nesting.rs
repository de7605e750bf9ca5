//! Only `<Risk>` may hold other tags (§6.10).
//!
//! Example of a violation: `<VV …>€5 <Path id="x" /></VV>`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tag_nesting",
    severity: Severity::Error,
    file: include_str!("tag_nesting.rs"),
    check: Check::Reading,
};
