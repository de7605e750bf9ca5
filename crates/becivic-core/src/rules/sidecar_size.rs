//! A research report stays within 50 KB (§9.6).
//!
//! Example of a violation: an appended section that takes the report to 60 KB.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sidecar_size",
    severity: Severity::Error,
    file: include_str!("sidecar_size.rs"),
    check: Check::Corpus(check),
};

/// §9.6: 50 KB after the write or the append.
const LIMIT: usize = 50 * 1024;

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for sidecar in &cx.corpus.sidecars {
        let size = sidecar.source.text().len();
        if size > LIMIT {
            report.at(
                &sidecar.source,
                0,
                format!("the report has {size} bytes; {LIMIT} are allowed"),
                "Shorten the older sections; Git keeps them.",
            );
        }
    }
}
