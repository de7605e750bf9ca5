//! A process that branches has a diagram (§5, §6.1).
//!
//! When the body has a `Branching layer`, `process.mmd` stands beside `canonical.md`.
//!
//! Example of a violation: `## Branching layer` in a folder without `process.mmd`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "diagram_missing",
    severity: Severity::Error,
    file: include_str!("diagram_missing.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if let Some(section) = cx.skill.section("Branching layer")
        && !cx.cx.corpus.diagrams.contains_key(&cx.skill.folder)
    {
        report.at(
            cx.source(),
            section.heading.start,
            "the process branches, but there is no process.mmd",
            format!("Draw the branches in skills/{}/process.mmd.", cx.skill.folder),
        );
    }
}
