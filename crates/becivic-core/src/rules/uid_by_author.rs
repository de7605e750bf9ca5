//! Authors never fill uids (Rule 12, §6.11).
//!
//! A uid that the base revision does not have, on a citation of this file, must come from the bot: uids are
//! given by the catalogue when a change is merged. Which commit brought it in is looked up in the history, so
//! an author's tag whose uid the bot filled in a later commit is fine. A path's uid never changes at all.
//!
//! Example of a violation: a new `<VV name="x" uid="val-00042">` in an author's commit. Needs `--base`.

use super::{Check, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "uid_by_author",
    severity: Severity::Error,
    file: include_str!("uid_by_author.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let Some(was) = cx.cx.change.and_then(|change| change.skill(&cx.skill.folder)) else {
        return;
    };
    if was.by_hand.is_empty() {
        return;
    }
    for tag in cx.skill.document.tags.iter().filter(|tag| matches!(tag.kind, TagKind::VV | TagKind::Ref)) {
        let (Some(name), Some(uid)) = (tag.value(cx.source(), "name"), tag.value(cx.source(), "uid")) else {
            continue;
        };
        if was.by_hand.contains(&(name.clone().into_owned(), uid.into_owned())) {
            report.at(
                cx.source(),
                tag.value_offset(cx.source(), "uid"),
                format!("the uid of `{name}` was written by hand"),
                "Leave uid empty; the merge fills it.",
            );
        }
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let was = cx.cx.change.and_then(|change| change.paths());
    let before = was.and_then(|was| was.before.as_ref()?.entries.get(&cx.path.key));
    if before.is_some_and(|before| before.entry.uid != cx.path.entry.uid) {
        report.at(
            &cx.paths.source,
            cx.place("/uid"),
            "the uid of a path never changes",
            "Write the uid it had; a different path gets an entry of its own.",
        );
    }
}
