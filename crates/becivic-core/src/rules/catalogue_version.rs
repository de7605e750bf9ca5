//! The Path Directory's version follows its highest entry (§6.12.7).
//!
//! 1.0 once any entry is stable, 0.2 when the highest is beta, 0.1 when it is alpha, 0.0 when all are drafts.
//!
//! Example of a violation: `"version": "0.1.4"` with a stable entry.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::version::{self, Version};

/// The rule.
pub const RULE: Rule = Rule {
    id: "catalogue_version",
    severity: Severity::Error,
    file: include_str!("catalogue_version.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    if let Some(paths) = &cx.corpus.paths {
        let Some(version) = paths.version.as_deref().and_then(|text| text.parse::<Version>().ok())
        else {
            return;
        };
        let statuses = paths.entries.values().map(|path| path.entry.status);
        let expected = version::catalogue(statuses, Some(version), false);
        if expected.line() != version.line() && paths.broken.is_empty() {
            report.at(
                &paths.source,
                paths.node.locate("/version").start,
                format!("the catalogue is at {version}, but its entries call for {expected}"),
                "Run `becivic bump`.",
            );
        }
    }
}
