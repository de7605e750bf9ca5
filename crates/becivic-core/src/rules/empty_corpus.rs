//! A corpus holds at least one skill.
//!
//! An empty folder is most likely the wrong folder.
//!
//! Example of a violation: `becivic check .` in an empty directory.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "empty_corpus",
    severity: Severity::Error,
    file: include_str!("empty_corpus.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    if cx.corpus.skills.is_empty() && cx.corpus.unreadable_skills.is_empty() {
        report.file(
            "skills",
            "there are no skills here",
            "Check the folder that holds skills/ and paths/, or start one with `becivic new skill`.",
        );
    }
}
