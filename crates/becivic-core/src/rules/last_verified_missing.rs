//! A published skill says when it was last verified (principle 2, DECISIONS §14).
//!
//! Example of a violation: an alpha skill without `last_verified`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "last_verified_missing",
    severity: Severity::Warning,
    file: include_str!("last_verified_missing.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if cx.front.status.is_published() && cx.front.last_verified.is_none() && !cx.front.is_meta() {
        report.at(
            cx.source(),
            cx.skill.key_place("/status"),
            "the skill does not say when it was last verified",
            "Add `last_verified: YYYY-MM-DD` once somebody has read the sources.",
        );
    }
}
