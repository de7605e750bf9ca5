//! Wrapping tags wrap, self-closing tags close themselves (§6.10).
//!
//! Example of a violation: `<Path id="x"></Path>`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tag_form",
    severity: Severity::Error,
    file: include_str!("tag_form.rs"),
    check: Check::Reading,
};
