//! A corpus has `schemas/types.json` (Rule 9).
//!
//! Without it selector values cannot be compared, so this is a warning.
//!
//! Example of a violation: a corpus folder without `schemas/`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::layout::FileKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "types_missing",
    severity: Severity::Warning,
    file: include_str!("types_missing.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let selects = cx.corpus.skills.values().filter_map(|skill| skill.front.as_ref()).any(|front| {
        front.requires().iter().any(|edge| edge.selects_on.is_some())
            || front.requires_paths().iter().any(|edge| edge.selects_on.is_some())
    });
    if selects && cx.corpus.types.is_none() && !cx.corpus.is_unreadable(&FileKind::Types) {
        report.file(
            "schemas/types.json",
            "selector values cannot be compared: schemas/types.json is missing or unreadable",
            "Copy it from the public corpus.",
        );
    }
}
