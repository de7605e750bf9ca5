//! Each source of a path has an id of its own (§6.12.2).
//!
//! Submissions name a source as `<path>:<source>`.
//!
//! Example of a violation: two sources `commune-desk` on one path.

use super::{Check, PathCx, Report, Rule};
use crate::finding::Severity;
use super::repeated;

/// The rule.
pub const RULE: Rule = Rule {
    id: "source_id_repeated",
    severity: Severity::Error,
    file: include_str!("source_id_repeated.rs"),
    check: Check::Path(check),
};

fn check(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let ids = cx.path.entry.sources.iter().map(|source| source.id.as_str());
    for (i, id) in repeated(ids) {
        report.at(
            &cx.paths.source,
            cx.place(&format!("/sources/{i}/id")),
            format!("the source `{id}` stands twice on this path"),
            "Give each source an id of its own.",
        );
    }
}
