//! The uid of a `<VV>` or `<Ref>` names a catalogue entry (Rule 8).
//!
//! An empty uid is fine on an authoring branch: it is filled before merge.
//!
//! Example of a violation: `<VV name="x" uid="val-99999">`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "uid_unresolved",
    severity: Severity::Error,
    file: include_str!("uid_unresolved.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for tag in &cx.skill.document.tags {
        let Some(uid) = tag.value(cx.source(), "uid") else {
            continue;
        };
        let known = match tag.kind {
            TagKind::VV => cx.cx.catalogue.value(&uid).is_some(),
            TagKind::Ref => cx.cx.catalogue.reference(&uid).is_some(),
            TagKind::Observations | TagKind::Path | TagKind::Skill | TagKind::Risk => true,
        };
        if !known && !cx.cx.corpus.catalogue_unreadable() {
            report.at(
                cx.source(),
                tag.value_offset(cx.source(), "uid"),
                format!("the catalogue has no entry `{uid}`"),
                "Leave the uid empty; it is filled when the change is merged.",
            );
        }
    }
}
