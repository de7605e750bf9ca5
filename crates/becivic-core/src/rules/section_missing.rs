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
    let unknown = cx.skill.document.outline.sections.iter();
    for heading in unknown {
        if let Some(meant) = misspelt(cx, &heading.title) {
            report.at(
                cx.source(),
                heading.heading.start,
                format!("this heading is not quite `{meant}`"),
                format!("Write `## {meant}`."),
            );
        }
    }
    let titles = || cx.skill.document.outline.sections.iter().map(|section| section.title.as_str());
    let absent = |title: &str| cx.skill.section(title).is_none();
    for section in SECTIONS.iter().filter(|section| section.required && absent(section.title)) {
        if titles().any(|title| misspelt(cx, title) == Some(section.title)) {
            continue;
        }
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

/// The section a heading was meant to be: absent under its own name, and within edit distance 2 of it.
pub fn misspelt(cx: &SkillCx<'_>, title: &str) -> Option<&'static str> {
    if title.len() > 60 || SECTIONS.iter().any(|section| section.title == title) {
        return None;
    }
    let near = |section: &&super::Section| {
        let distance = strsim::levenshtein(&section.title.to_lowercase(), &title.to_lowercase());
        distance <= 2 && cx.skill.section(section.title).is_none()
    };
    SECTIONS.iter().find(near).map(|section| section.title)
}
