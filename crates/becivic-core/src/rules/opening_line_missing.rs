//! A skill opens by sending agents to `/agents` (§13.1).
//!
//! With `--strict`: the first paragraph of a published skill is exactly this line:
//! `Agent: read [/agents](/agents) before you follow this text.` An agent that lands on a skill by search learns
//! there how to use it.
//!
//! Example of a violation: a body whose first paragraph is the disclaimer.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::site::OPENING_LINE;

/// The rule.
pub const RULE: Rule = Rule {
    id: "opening_line_missing",
    severity: Severity::Error,
    file: include_str!("opening_line_missing.rs"),
    check: Check::Strict(&Check::Skill(check)),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !cx.front.status.is_published() || super::body_missing::is_empty(cx) {
        return;
    }
    let first = cx.skill.document.outline.blocks.first();
    let opens = first.is_some_and(|block| cx.source().slice(*block).trim_end() == OPENING_LINE);
    if !opens {
        report.at(
            cx.source(),
            first.map_or(cx.skill.document.body.start, |block| block.start),
            "the skill does not open with the line that sends agents to /agents",
            format!("Write this as the first paragraph: {OPENING_LINE}"),
        );
    }
}
