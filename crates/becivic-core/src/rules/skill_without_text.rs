//! A skill folder holds a `canonical.md` (§6.1).
//!
//! Example of a violation: `skills/x/process.mmd` alone.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use std::collections::BTreeSet;

/// The rule.
pub const RULE: Rule = Rule {
    id: "skill_without_text",
    severity: Severity::Error,
    file: include_str!("skill_without_text.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let folders: BTreeSet<&String> = cx.corpus.diagrams.keys().chain(cx.corpus.templates.keys()).collect();
    for id in folders.into_iter().filter(|id| !cx.corpus.has_skill(id)) {
        report.file(
            &format!("skills/{id}"),
            format!("the folder `{id}` has no canonical.md"),
            "Write it (`becivic new skill` makes a start), or remove the folder.",
        );
    }
}
