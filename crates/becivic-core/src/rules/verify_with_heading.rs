//! The section `Verify with` was retired (§6.1).
//!
//! Verification belongs inline, in Branching layer and Process.
//!
//! Example of a violation: `## Verify with`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "verify_with_heading",
    severity: Severity::Error,
    file: include_str!("verify_with_heading.rs"),
    check: Check::Skill(check),
};

/// Whether a heading is the retired one, however it is dressed: `## [Verify with]:`.
pub fn is_retired(title: &str) -> bool {
    title.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case("Verify with")
}

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for heading in &cx.skill.document.outline.headings {
        if heading.level == 2 && is_retired(&heading.title) {
            report.at(
                cx.source(),
                heading.span.start,
                "the section `Verify with` was retired",
                "Move each check to the step it belongs to, with a <Ref> or a <Risk>.",
            );
        }
    }
}
