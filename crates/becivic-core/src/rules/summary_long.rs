//! A summary is one line: at most 200 characters (§6.1).
//!
//! Above 400 the schema refuses it.
//!
//! Example of a violation: a summary of 250 characters.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "summary_long",
    severity: Severity::Warning,
    file: include_str!("summary_long.rs"),
    check: Check::Skill(check),
};

/// Above this a summary no longer reads as one line.
const COMFORTABLE: usize = 200;

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let length = cx.front.summary.as_ref().map_or(0, |summary| summary.chars().count());
    if length > COMFORTABLE {
        report.at(
            cx.source(),
            cx.skill.place("/summary"),
            format!("the summary has {length} characters"),
            format!("Shorten it to {COMFORTABLE}; details belong in the body."),
        );
    }
}
