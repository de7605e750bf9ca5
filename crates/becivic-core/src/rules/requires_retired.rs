//! A skill does not require a deprecated or quarantined skill (§10.1).
//!
//! Example of a violation: `requires: [{id: old-registration}]` where that skill is deprecated.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "requires_retired",
    severity: Severity::Error,
    file: include_str!("requires_retired.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for (i, required) in cx.front.requires().iter().enumerate() {
        let target = cx.cx.corpus.skills.get(&required.id).and_then(|skill| skill.front.as_ref());
        if let Some(target) = target.filter(|target| target.status.is_retired()) {
            let instead = target.superseded_by.as_deref().unwrap_or("another skill");
            report.at(
                cx.source(),
                cx.skill.place(&format!("/requires/{i}/id")),
                format!("`{}` is {} and may not be required", required.id, target.status),
                format!("Require {instead} instead."),
            );
        }
    }
}
