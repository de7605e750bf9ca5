//! A published skill says what it is (§6.1, §24.2, principles 2 and 5).
//!
//! With `--strict`: it has a summary, a description, a domain, tags and verification notes; one heading of level 1,
//! which is its title; and, if it describes a procedure, an opening that says it is a starting point to be verified.
//!
//! Example of a violation: a skill without `verification_notes`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "skill_thin",
    severity: Severity::Error,
    file: include_str!("skill_thin.rs"),
    check: Check::Strict(&Check::Skill(check)),
};

/// How a disclaimer calls the text.
const DISCLAIMER: &str = crate::site::STARTING_POINT;

/// Blocks at the beginning of a body in which the disclaimer stands.
const OPENING: usize = 3;

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !cx.front.status.is_published() || super::body_missing::is_empty(cx) {
        return;
    }
    let front = cx.front;
    let fields = [
        ("summary", front.summary.is_some()),
        ("description", front.description.is_some()),
        ("domain", front.domain.is_some()),
        ("tags", front.tags.as_ref().is_some_and(|tags| !tags.is_empty())),
        ("verification_notes", front.verification_notes.is_some()),
    ];
    for (field, _) in fields.iter().filter(|(_, there)| !there) {
        let help = "Readers and agents choose and trust a skill by it.";
        report.at(cx.source(), cx.skill.place("/id"), format!("the skill has no `{field}`"), help);
    }
    let outline = &cx.skill.document.outline;
    let mut titles = outline.headings.iter().filter(|heading| heading.level == 1);
    let is_title = titles.next().is_some_and(|heading| heading.title.trim() == front.title);
    if !is_title || titles.next().is_some() {
        let place = outline.headings.first().map_or(cx.skill.document.body.start, |heading| heading.span.start);
        let help = "Begin the body with one line: # and the title.";
        report.at(cx.source(), place, "the body has not its title as its only heading of level 1", help);
    }
    let mut opening = outline.blocks.iter().take(OPENING).map(|block| cx.source().slice(*block));
    if !front.is_meta() && !opening.any(|block| block.contains(DISCLAIMER)) {
        report.at(
            cx.source(),
            outline.blocks.first().map_or(cx.skill.document.body.start, |block| block.start),
            "the opening does not say that the text is a starting point",
            "Say after the first line that it is a starting point, not legal advice, and whom to ask.",
        );
    }
}
