//! A level-2 heading is one of the known sections (§6.1).
//!
//! Branches and details belong under level-3 headings. `Verify with` has a rule of its own.
//!
//! Example of a violation: `## Tips`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use super::section_missing::misspelt;
use super::verify_with_heading::is_retired;
use super::SECTIONS;

/// The rule.
pub const RULE: Rule = Rule {
    id: "section_unknown",
    severity: Severity::Warning,
    file: include_str!("section_unknown.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !super::has_fixed_sections(cx) {
        return;
    }
    for section in &cx.skill.document.outline.sections {
        let title = section.title.as_str();
        let known = SECTIONS.iter().any(|known| known.title == title);
        if !known && !is_retired(title) && misspelt(cx, title).is_none() {
            report.at(
                cx.source(),
                section.heading.start,
                "this is not one of the sections of a skill",
                "Make it a level-3 heading inside a known section.",
            );
        }
    }
}
