//! A research report stays within 50 KB (§9.6).
//!
//! Counted are the characters of its text, as in the submission it came with: notes that fit there fit here. The header of a
//! report, which is written by whoever merges it, is not counted.
//!
//! Example of a violation: an appended section that takes the report to 60 KB.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::frontmatter;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sidecar_size",
    severity: Severity::Error,
    file: include_str!("sidecar_size.rs"),
    check: Check::Corpus(check),
};

/// §9.6: 50 KB after the write or the append; the schema's `maxLength` of the notes (§6.2.2x).
const LIMIT: usize = 50 * 1024;

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for sidecar in cx.corpus.sidecars.iter().filter(|it| cx.asks_about(&it.source)) {
        let text = sidecar.source.text();
        let notes = frontmatter::split(text).map_or(text, |parts| text.get(parts.body.range()).unwrap_or(text));
        let size = notes.trim().chars().count();
        if size > LIMIT {
            report.at(
                &sidecar.source,
                0,
                format!("the report has {size} characters; {LIMIT} are allowed"),
                "Shorten the older sections; Git keeps them.",
            );
        }
    }
}
