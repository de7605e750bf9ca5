//! `last_verified` of a `<Ref>` is a date, or empty (§6.10).
//!
//! Empty says that nobody has read the live page yet.
//!
//! Example of a violation: `last_verified="May 2026"`.

use super::{Check, Report, Rule, SkillCx};
use crate::date;
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "reference_date",
    severity: Severity::Error,
    file: include_str!("reference_date.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for tag in cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Ref) {
        if let Some(day) = tag.value(cx.source(), "last_verified")
            && !date::is_real(&day)
        {
            report.at(
                cx.source(),
                tag.value_offset(cx.source(), "last_verified"),
                "the date of verification is not a day of the calendar",
                "Write it as YYYY-MM-DD, or leave it empty.",
            );
        }
    }
}
