//! `Requests for contributions` lists gaps, or says that there are none (§6.1).
//!
//! Either bullets, or exactly the line `No outstanding requests at this time.`
//!
//! Example of a violation: the heading with nothing under it.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use super::NO_REQUESTS;

/// The rule.
pub const RULE: Rule = Rule {
    id: "requests_section_empty",
    severity: Severity::Error,
    file: include_str!("requests_section_empty.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !super::has_fixed_sections(cx) {
        return;
    }
    let Some(section) = cx.skill.section("Requests for contributions") else {
        return;
    };
    let bullets = cx.skill.document.outline.items.iter().any(|item| section.content.contains(item.start));
    if !bullets && cx.source().slice(section.content).trim() != NO_REQUESTS {
        report.at(
            cx.source(),
            section.heading.start,
            "the section lists no gaps and does not say that there are none",
            format!("List the gaps as bullets, or write exactly `{NO_REQUESTS}`"),
        );
    }
}
