//! A tag's name is the name of its uid's entry (Rule 11).
//!
//! Names may change, uids may not; a tag whose name differs from the catalogue's must be brought up to date.
//!
//! Example of a violation: `name="dvz-fee"` beside a uid whose entry is now `dvz-handling-fee-d-visa-eur`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "name_uid_mismatch",
    severity: Severity::Error,
    file: include_str!("name_uid_mismatch.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for tag in &cx.skill.document.tags {
        let (Some(uid), Some(name)) = (tag.value(cx.source(), "uid"), tag.value(cx.source(), "name"))
        else {
            continue;
        };
        let catalogue = cx.cx.catalogue;
        let current = match tag.kind {
            TagKind::VV => catalogue.value(&uid).map(|row| row.name.as_str()),
            TagKind::Ref => catalogue.reference(&uid).map(|row| row.name.as_str()),
            TagKind::Observations | TagKind::Path | TagKind::Skill | TagKind::Risk => None,
        };
        if let Some(current) = current.filter(|current| *current != name) {
            report.at(
                cx.source(),
                tag.value_offset(cx.source(), "name"),
                format!("`{uid}` is named `{current}`, not `{name}`"),
                "Write the catalogue's name, or leave the uid empty for a new entry.",
            );
        }
    }
}
