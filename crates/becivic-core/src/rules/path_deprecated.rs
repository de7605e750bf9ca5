//! A skill should not require a deprecated path (DECISIONS §14).
//!
//! It still works where an offline source remains, so this is a warning.
//!
//! Example of a violation: `requires_paths: [{id: retired-portal-form}]` where that path is deprecated.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::vocabulary::Status;

/// The rule.
pub const RULE: Rule = Rule {
    id: "path_deprecated",
    severity: Severity::Warning,
    file: include_str!("path_deprecated.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    super::requires_path_at(cx, Status::Deprecated, report);
}
