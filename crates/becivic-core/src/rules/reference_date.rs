//! `last_verified` of a `<Ref>` is a date, or empty (§6.10).
//!
//! Empty says that nobody has read the live page yet.
//!
//! Example of a violation: `last_verified="May 2026"`.

use super::{Check, Report, Rule, SkillCx};
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
        if let Some(date) = tag.value(cx.source(), "last_verified")
            && !is_date(&date)
        {
            report.at(
                cx.source(),
                tag.value_offset(cx.source(), "last_verified"),
                "the date of verification is not a date",
                "Write it as YYYY-MM-DD, or leave it empty.",
            );
        }
    }
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut part = |length: usize| {
        let part = parts.next().filter(|part| part.len() == length)?;
        part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    let (year, month, day) = (part(4), part(2), part(2));
    year.is_some()
        && month.is_some_and(|month| (1..=12).contains(&month))
        && day.is_some_and(|day| (1..=31).contains(&day))
        && parts.next().is_none()
}
