//! A tag has the attributes its kind needs, once each, and no others (§6.10).
//!
//! Example of a violation: `<Ref name="x">label</Ref>` without title and url.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tag_attribute",
    severity: Severity::Error,
    file: include_str!("tag_attribute.rs"),
    check: Check::Reading,
};
