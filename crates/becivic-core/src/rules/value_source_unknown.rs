//! The source of a seed value is a reference of the catalogue (DECISIONS §4).
//!
//! A source is named, not addressed: the reference can move to another page without touching the value.
//!
//! Example of a violation: `"source": "ibz-certficates"` where no reference has that name.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "value_source_unknown",
    severity: Severity::Error,
    file: include_str!("value_source_unknown.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for (source, place, row) in cx.corpus.placed_values() {
        let unknown = row.source.as_ref().filter(|name| cx.catalogue.reference_named(name).is_none());
        if let Some(name) = unknown.filter(|_| !cx.corpus.catalogue_unreadable()) {
            let message = format!("no reference is named `{name}`");
            let help = "Name a row of catalogue/references.jsonl, or add one.";
            report.at(source, place, message, help);
        }
    }
}
