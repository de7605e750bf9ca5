//! A new artefact enters as a draft or at alpha (DECISIONS §14).
//!
//! Beta and stable are earned by confirmations. Skills of category `meta` may start at stable.
//!
//! Example of a violation: a new skill with `status: stable`. Needs `--base`.

use super::{Check, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::vocabulary::Status;

/// The rule.
pub const RULE: Rule = Rule {
    id: "first_status",
    severity: Severity::Error,
    file: include_str!("first_status.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let was = cx.cx.change.and_then(|change| change.skill(&cx.skill.folder));
    if was.is_some_and(|was| !was.existed) && !cx.front.is_meta() && earned(cx.front.status) {
        report.at(cx.source(), cx.skill.place("/status"), message(cx.front.status), HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let was = cx.cx.change.and_then(|change| change.paths());
    let new = was.is_some_and(|was| {
        let known = was.before.as_ref().is_some_and(|before| before.has(&cx.path.key));
        !known && (was.before.is_some() || !was.existed)
    });
    if new && earned(cx.path.entry.status) {
        report.at(&cx.paths.source, cx.place("/status"), message(cx.path.entry.status), HELP);
    }
}

const HELP: &str = "Set `status` to alpha and the version to 0.1.0.";

fn message(status: Status) -> String {
    format!("a new artefact cannot be {status}")
}

fn earned(status: Status) -> bool {
    match status {
        Status::Beta | Status::Stable => true,
        Status::Draft | Status::Alpha | Status::Quarantined | Status::Deprecated => false,
    }
}
