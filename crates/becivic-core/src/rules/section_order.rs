//! The sections of a skill come in their order, once each (§6.1).
//!
//! Authoritative basis, Branching layer, Required documents, Process, Known surprises, Community
//! observations, Requests for contributions. Skills of category `meta` and drafts are free.
//!
//! Example of a violation: `## Process` before `## Required documents`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use super::SECTIONS;

/// The rule.
pub const RULE: Rule = Rule {
    id: "section_order",
    severity: Severity::Error,
    file: include_str!("section_order.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !super::has_fixed_sections(cx) {
        return;
    }
    let mut latest: Option<usize> = None;
    for section in &cx.skill.document.outline.sections {
        let title = section.title.as_str();
        let Some(rank) = SECTIONS.iter().position(|known| known.title == title) else {
            continue;
        };
        match latest {
            Some(seen) if seen == rank => report.at(
                cx.source(),
                section.heading.start,
                format!("the section `{title}` stands twice"),
                "Merge the two.",
            ),
            Some(seen) if seen > rank => {
                let before = SECTIONS.get(seen).map_or("", |section| section.title);
                report.at(
                    cx.source(),
                    section.heading.start,
                    format!("the section `{title}` comes after `{before}`"),
                    "Put the sections in the order of the skill conventions.",
                );
            }
            Some(_) | None => latest = Some(rank),
        }
    }
}
