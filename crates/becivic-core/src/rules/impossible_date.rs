//! Dates exist in the calendar.
//!
//! Looked at: `walked_at` and `last_verified` of skills and paths. The date of a `<Ref>` has a rule of its own.
//!
//! Example of a violation: `last_verified: 2026-02-30`.

use super::{Check, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::date;

/// The rule.
pub const RULE: Rule = Rule {
    id: "impossible_date",
    severity: Severity::Error,
    file: include_str!("impossible_date.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let fields = [("walked_at", &cx.front.walked_at), ("last_verified", &cx.front.last_verified)];
    for (field, day) in fields {
        if day.as_ref().is_some_and(|day| !date::is_real(day)) {
            report.at(cx.source(), cx.skill.place(&format!("/{field}")), MESSAGE, HELP);
        }
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    if !date::is_real(&cx.path.entry.last_verified) {
        report.at(&cx.paths.source, cx.place("/last_verified"), MESSAGE, HELP);
    }
}

const MESSAGE: &str = "this day is not in the calendar";
const HELP: &str = "Write the day on which somebody looked, as YYYY-MM-DD.";
