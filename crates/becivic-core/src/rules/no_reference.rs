//! A published skill cites at least one source (principle 1, DECISIONS §14).
//!
//! Example of a violation: an alpha skill without a single `<Ref>`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "no_reference",
    severity: Severity::Error,
    file: include_str!("no_reference.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let cites = cx.skill.document.tags.iter().any(|tag| tag.kind == TagKind::Ref);
    if cx.front.status.is_published() && !cx.front.is_meta() && !cites && !super::body_missing::is_empty(cx) {
        report.at(
            cx.source(),
            cx.skill.place("/status"),
            format!("the skill is {} and cites no source", cx.front.status),
            "Cite the law or the official page with <Ref …>, or keep the skill at `draft`.",
        );
    }
}
