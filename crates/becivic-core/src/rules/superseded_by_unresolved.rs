//! `superseded_by` names an existing artefact of the same kind, and not itself (§10.1).
//!
//! Example of a violation: `superseded_by: no-such-skill`.

use super::{Check, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "superseded_by_unresolved",
    severity: Severity::Error,
    file: include_str!("superseded_by_unresolved.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if let Some(id) = &cx.front.superseded_by
        && (!cx.cx.corpus.has_skill(id) || *id == cx.front.id)
    {
        let place = cx.skill.place("/superseded_by");
        report.at(cx.source(), place, format!("there is no other skill `{id}`"), HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    if let Some(id) = &cx.path.entry.superseded_by
        && (!cx.cx.corpus.has_path(id) || *id == cx.path.key)
    {
        let place = cx.place("/superseded_by");
        report.at(&cx.paths.source, place, format!("there is no other path `{id}`"), HELP);
    }
}

const HELP: &str = "Name what readers should use instead, or leave the field out.";
