//! A skill should not require a quarantined path (DECISIONS §14).
//!
//! Quarantined content is shown to nobody.
//!
//! Example of a violation: `requires_paths: [{id: retired-portal-form}]` where that path is quarantined.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::vocabulary::Status;

/// The rule.
pub const RULE: Rule = Rule {
    id: "path_quarantined",
    severity: Severity::Error,
    file: include_str!("path_quarantined.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    super::requires_path_at(cx, Status::Quarantined, report);
}
