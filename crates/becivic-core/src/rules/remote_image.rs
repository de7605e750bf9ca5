//! Images come from the skill's own `templates/` only (DECISIONS §9b).
//!
//! A remote image tells its host who reads the page.
//!
//! Example of a violation: `![map](https://example.org/map.png)`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "remote_image",
    severity: Severity::Error,
    file: include_str!("remote_image.rs"),
    check: Check::Reading,
};
