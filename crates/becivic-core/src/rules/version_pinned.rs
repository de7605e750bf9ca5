//! A pinned version is a reminder that the automatic version is switched off (§6.1).
//!
//! Example of a violation: `version_pin: true`.

use super::{Check, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "version_pinned",
    severity: Severity::Warning,
    file: include_str!("version_pinned.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if cx.front.version_pin == Some(true) {
        report.at(cx.source(), cx.skill.key_place("/version_pin"), MESSAGE, HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    if cx.path.entry.version_pin == Some(true) {
        report.at(&cx.paths.source, cx.place("/version_pin"), MESSAGE, HELP);
    }
}

const MESSAGE: &str = "the version is pinned: it does not follow the status";
const HELP: &str = "Remove version_pin when the migration it was set for is over.";
