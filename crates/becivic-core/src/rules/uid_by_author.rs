//! Authors never fill uids (Rule 12).
//!
//! A uid that the base revision does not have, on a tag of this file, must come from the bot: uids are given
//! by the catalogue when a change is merged.
//!
//! Example of a violation: a new `<VV name="x" uid="val-00042">` in an author's commit. Needs `--base`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::corpus::Skill;
use crate::mdx::tag::TagKind;
use std::collections::HashSet;

/// The rule.
pub const RULE: Rule = Rule {
    id: "uid_by_author",
    severity: Severity::Error,
    file: include_str!("uid_by_author.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let Some(was) = cx.cx.change.and_then(|change| change.skill(&cx.skill.folder)) else {
        return;
    };
    if was.by_bot {
        return;
    }
    let known: HashSet<(String, String)> = was.before.iter().flat_map(citations).map(|c| c.1).collect();
    for (place, (name, uid)) in citations(cx.skill) {
        if !known.contains(&(name.clone(), uid.clone())) {
            report.at(
                cx.source(),
                place,
                format!("the uid of `{name}` was written by hand"),
                "Leave uid empty; the merge fills it.",
            );
        }
    }
}

type Identity = (String, String);

fn citations(skill: &Skill) -> impl Iterator<Item = (u32, Identity)> + '_ {
    let cited = |kind| matches!(kind, TagKind::VV | TagKind::Ref);
    let tags = skill.document.tags.iter().filter(move |tag| cited(tag.kind));
    tags.filter_map(|tag| {
        let uid = tag.value(&skill.source, "uid")?.into_owned();
        let name = tag.value(&skill.source, "name")?.into_owned();
        Some((tag.value_offset(&skill.source, "uid"), (name, uid)))
    })
}
