//! A published skill shows what the community observed (§6.1, §6.10).
//!
//! `<Observations skill="…" />` stands in the section `Community observations`.
//!
//! Example of a violation: that section without the tag.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "observations_missing",
    severity: Severity::Error,
    file: include_str!("observations_missing.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !super::has_fixed_sections(cx) {
        return;
    }
    let Some(section) = cx.skill.section("Community observations") else {
        return;
    };
    let mut tags = cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Observations);
    if !tags.any(|tag| section.content.contains(tag.open.start)) {
        report.at(
            cx.source(),
            section.heading.start,
            "the section does not hold the observations",
            format!("Write <Observations skill=\"{}\" /> in it.", cx.skill.folder),
        );
    }
}
