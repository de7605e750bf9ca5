//! Links lead to https addresses (DECISIONS §9b).
//!
//! Example of a violation: `[form](http://example.org)`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "link_not_https",
    severity: Severity::Error,
    file: include_str!("link_not_https.rs"),
    check: Check::Reading,
};
