//! Pages are prose: they hold none of the tags of a skill (§6.10).
//!
//! Tags are resolved in skills only. A page links to a skill or a path instead.
//!
//! Example of a violation: `<Skill id="change-of-address" />` in `docs/privacy.mdx`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "page_tag",
    severity: Severity::Error,
    file: include_str!("page_tag.rs"),
    check: Check::Reading,
};
