//! A number stands beside its source (principle 1).
//!
//! With `--strict`: a paragraph or list item that holds a digit, tagged or not, also holds a `<Ref>` or the name
//! of one in brackets. Code, links and the numbers of list items do not count; nor do requests for
//! contributions, which state nothing, and skills about the corpus itself, which state no facts about Belgium.
//!
//! Example of a violation: `The card costs <VV …>12</VV> euros.` without a `<Ref>` in the same paragraph or item. (An item
//! is covered by what it cites itself, not by the items inside it.)

use super::{Check, Report, Rule, SkillCx, prose};
use crate::finding::Severity;
use crate::text::Span;

/// The rule.
pub const RULE: Rule = Rule {
    id: "uncited_number",
    severity: Severity::Error,
    file: include_str!("uncited_number.rs"),
    check: Check::Strict(&Check::Skill(check)),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !super::has_fixed_sections(cx) {
        return;
    }
    for block in prose::blocks(cx) {
        let number = block.text.bytes().position(|byte| byte.is_ascii_digit());
        if let (Some(at), false) = (number, block.cited) {
            report.at(
                cx.source(),
                block.span.start + Span::at(at).start,
                "this number has no source beside it",
                "Cite the source in the same paragraph or item: <Ref …>…</Ref>, or [its-name] after the first time.",
            );
        }
    }
}
