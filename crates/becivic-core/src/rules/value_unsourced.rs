//! A seed value says where it comes from and for when (principle 1).
//!
//! With `--strict`: every row of `catalogue/volatile-values.jsonl` has a `source` and an `as_of`.
//!
//! Example of a violation: `{"uid": "val-00001", …, "value": 20}` without `source`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "value_unsourced",
    severity: Severity::Error,
    file: include_str!("value_unsourced.rs"),
    check: Check::Strict(&Check::Corpus(check)),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for (source, place, row) in cx.corpus.placed_values() {
        let lacks = [("source", row.source.is_none()), ("as_of", row.as_of.is_none())];
        for (field, _) in lacks.iter().filter(|(_, lacks)| *lacks) {
            let message = format!("the value `{}` has no `{field}`", row.name);
            let help = "Name the reference it was taken from, and the date that reference speaks for.";
            report.at(source, place, message, help);
        }
    }
}
