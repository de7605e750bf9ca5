//! What a draft submission created starts at alpha, never at `draft` (Rule 17).
//!
//! A new skill or path committed by the bot came from a draft submission; `status: draft` is reserved for
//! maintainers' skeletons.
//!
//! Example of a violation: a new file by the bot with `status: draft`. Needs `--base`.

use super::{Check, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::vocabulary::Status;

/// The rule.
pub const RULE: Rule = Rule {
    id: "invalid_status_for_draft_submission",
    severity: Severity::Error,
    file: include_str!("invalid_status_for_draft_submission.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let was = cx.cx.change.and_then(|change| change.skill(&cx.skill.folder));
    let created = was.is_some_and(|was| !was.existed && was.by_bot);
    if created && cx.front.status == Status::Draft {
        report.at(cx.source(), cx.skill.place("/status"), MESSAGE, HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let was = cx.cx.change.and_then(|change| change.paths());
    let created = was.is_some_and(|was| {
        was.by_bot && !was.before.as_ref().is_some_and(|before| before.has(&cx.path.key))
    });
    if created && cx.path.entry.status == Status::Draft {
        report.at(&cx.paths.source, cx.place("/status"), MESSAGE, HELP);
    }
}

const MESSAGE: &str = "a draft submission creates an alpha artefact, not a skeleton";
const HELP: &str = "Set `status` to alpha and the version to 0.1.0.";
