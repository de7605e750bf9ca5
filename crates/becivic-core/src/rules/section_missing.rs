//! A published skill has its sections (§6.1).
//!
//! Every section but Branching layer and Known surprises is required. Skills of category `meta` are free.
//!
//! Example of a violation: no `## Requests for contributions`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use super::{NO_REQUESTS, SECTIONS};

/// The rule.
pub const RULE: Rule = Rule {
    id: "section_missing",
    severity: Severity::Error,
    file: include_str!("section_missing.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !super::has_fixed_sections(cx) {
        return;
    }
    for section in SECTIONS.iter().filter(|section| section.required) {
        if cx.skill.section(section.title).is_none() {
            let help = match section.title {
                "Requests for contributions" => format!(
                    "Add `## {}` at the end; when there are none, the line `{NO_REQUESTS}`.",
                    section.title
                ),
                title => format!("Add `## {title}`."),
            };
            report.at(
                cx.source(),
                cx.skill.document.body.start,
                format!("the section `{}` is missing", section.title),
                help,
            );
        }
    }
}
