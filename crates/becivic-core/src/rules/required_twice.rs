//! Each skill and each path is required once, and no id stands in both lists (§6.1).
//!
//! Example of a violation: `household-certificate` under `requires` and under `requires_paths`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use super::repeated;

/// The rule.
pub const RULE: Rule = Rule {
    id: "required_twice",
    severity: Severity::Error,
    file: include_str!("required_twice.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let skills: Vec<&str> = cx.front.requires().iter().map(|r| r.id.as_str()).collect();
    let paths: Vec<&str> = cx.front.requires_paths().iter().map(|r| r.id.as_str()).collect();
    for (list, ids) in [("requires", &skills), ("requires_paths", &paths)] {
        for (i, id) in repeated(ids.iter().copied()) {
            report.at(
                cx.source(),
                cx.skill.place(&format!("/{list}/{i}/id")),
                format!("`{id}` stands twice in {list}"),
                "Keep one entry; put all selector values into it.",
            );
        }
    }
    for (i, id) in paths.iter().enumerate().filter(|(_, id)| skills.contains(*id)) {
        report.at(
            cx.source(),
            cx.skill.place(&format!("/requires_paths/{i}/id")),
            format!("`{id}` stands in requires and in requires_paths"),
            "It is either a skill or a path; keep it in one list.",
        );
    }
}
