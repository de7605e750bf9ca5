//! Each path has a uid of its own (§6.11).
//!
//! Example of a violation: two entries with `pth-00004`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use super::repeated;

/// The rule.
pub const RULE: Rule = Rule {
    id: "path_uid_repeated",
    severity: Severity::Error,
    file: include_str!("path_uid_repeated.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    if let Some(paths) = &cx.corpus.paths {
        let uids = paths.entries.values().filter_map(|path| path.entry.uid.as_deref());
        let keys: Vec<&str> = paths.entries.keys().map(String::as_str).collect();
        for (index, uid) in repeated(uids) {
            let key = keys.get(index).copied().unwrap_or_default();
            report.at(
                &paths.source,
                paths.place(key, "/uid"),
                format!("{uid} belongs to another path already"),
                "Leave uids to the catalogue: take the next free number only as a maintainer.",
            );
        }
    }
}
