//! A published skill has a body (§10.1).
//!
//! Skeletons stay at `draft`; alpha, beta and stable skills have text.
//!
//! Example of a violation: `status: alpha` over an empty body.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "body_missing",
    severity: Severity::Error,
    file: include_str!("body_missing.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if cx.front.status.is_published() && is_empty(cx) {
        report.at(
            cx.source(),
            cx.skill.place("/status"),
            format!("the skill is {} but its body is empty", cx.front.status),
            "Write the body, or keep the skill at `draft`.",
        );
    }
}

/// Whether a body holds nothing but headings and blank lines.
pub fn is_empty(cx: &SkillCx<'_>) -> bool {
    cx.skill.body().lines().all(|line| {
        let line = line.trim();
        line.is_empty() || line.starts_with('#')
    })
}
