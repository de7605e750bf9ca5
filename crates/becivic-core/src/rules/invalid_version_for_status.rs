//! The version follows the status (Rule 18, §6.1, DECISIONS §5).
//!
//! Always: draft 0.0.x, alpha 0.1.x, beta 0.2.x, stable 1.0.x. With `--base` also the patch: 0 for a new
//! artefact or a new status, one more after a content edit, unchanged otherwise. `version_pin: true` lifts it.
//!
//! Example of a violation: `status: beta` with `version: 0.1.7`.

use super::{Check, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::change::edit_of;
use crate::path::PathEntry;
use crate::version::{self, Before, Edit, Version};
use crate::vocabulary::Status;

/// The rule.
pub const RULE: Rule = Rule {
    id: "invalid_version_for_status",
    severity: Severity::Error,
    file: include_str!("invalid_version_for_status.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let Ok(now) = cx.front.version.parse::<Version>() else {
        return;
    };
    if cx.front.version_pin == Some(true) {
        return;
    }
    let was = cx.cx.change.and_then(|change| change.skill(&cx.skill.folder));
    let before = was.and_then(|was| was.before.as_ref());
    let edit = before.map_or(Edit::Content, |before| edit_of(before, cx.skill, cx.cx.catalogue));
    let before = before.and_then(|before| before.front.as_ref()).and_then(|front| {
        let version = front.version.parse().ok()?;
        Some(Before { status: front.status, version })
    });
    // A bump on a tag-only edit is Rule 14's finding.
    let known = was.filter(|was| (before.is_some() || !was.existed) && edit != Edit::TagOnly);
    if let Some(message) = judge(now, cx.front.status, known.map(|_| (before, edit))) {
        report.at(cx.source(), cx.skill.place("/version"), message, HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let entry = &cx.path.entry;
    let Ok(now) = entry.version.parse::<Version>() else {
        return;
    };
    if entry.version_pin == Some(true) {
        return;
    }
    let was = cx.cx.change.and_then(|change| change.paths());
    let known = was.filter(|was| was.before.is_some() || !was.existed).and_then(|was| {
        let old = was.before.as_ref();
        if old.is_some_and(|old| old.broken.contains(&cx.path.key)) {
            return None;
        }
        let old = old.and_then(|old| old.entries.get(&cx.path.key)).map(|old| &old.entry);
        let edit = match old {
            Some(old) if same_but_version(old, entry) => Edit::Nothing,
            Some(_) | None => Edit::Content,
        };
        let before = old.and_then(|old| {
            let version = old.version.parse().ok()?;
            Some(Before { status: old.status, version })
        });
        Some((before, edit))
    });
    if let Some(message) = judge(now, entry.status, known) {
        report.at(&cx.paths.source, cx.place("/version"), message, HELP);
    }
}

fn same_but_version(old: &PathEntry, new: &PathEntry) -> bool {
    let mut old = old.clone();
    old.version.clone_from(&new.version);
    old == *new
}

const HELP: &str = "Run `becivic bump`, which writes it.";

/// What is wrong with a version, given the change when there is one.
fn judge(now: Version, status: Status, change: Option<(Option<Before>, Edit)>) -> Option<String> {
    let expected = match change {
        Some((before, edit)) => version::expected(before, status, now, edit),
        None => match version::line(status) {
            Some(line) if line != now.line() => version::expected(None, status, now, Edit::Content),
            Some(_) | None => now,
        },
    };
    let message = || format!("the version is {now}, but {status} calls for {expected} here");
    (expected != now).then(message)
}
