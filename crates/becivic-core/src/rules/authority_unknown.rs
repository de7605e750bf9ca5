//! `authority_id` names an entry of `data/authorities.json` (Rule 7).
//!
//! Example of a violation: `authority_id: ministry-of-magic`.

use super::{Check, Cx, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "authority_unknown",
    severity: Severity::Error,
    file: include_str!("authority_unknown.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if let Some(id) = &cx.front.authority_id
        && !known(cx.cx, id)
    {
        report.at(cx.source(), cx.skill.place("/authority_id"), message(id), HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let id = &cx.path.entry.authority_id;
    if !known(cx.cx, id) {
        report.at(&cx.paths.source, cx.place("/authority_id"), message(id), HELP);
    }
}

const HELP: &str = "Use an id of data/authorities.json, or add the authority there.";

fn message(id: &str) -> String {
    format!("there is no authority `{id}`")
}

/// Unknown only when the list can be read: an unreadable list has findings of its own.
fn known(cx: &Cx<'_>, id: &str) -> bool {
    match &cx.facts.authorities {
        Some(ids) => ids.contains(id),
        // A list that is missing or unreadable has a finding of its own.
        None => true,
    }
}
