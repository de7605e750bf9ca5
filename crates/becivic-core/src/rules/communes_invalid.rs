//! The list of communes is consistent (§6.4).
//!
//! NIS codes and slugs are unique, an ordinary postal code belongs to one commune, the list is in NIS
//! order, provinces and languages fit the region.
//!
//! Example of a violation: the same postal code in two communes.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::communes::{self, Communes};
use serde::Deserialize;

/// The rule.
pub const RULE: Rule = Rule {
    id: "communes_invalid",
    severity: Severity::Error,
    file: include_str!("communes_invalid.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let Some(data) = cx.corpus.communes.as_ref().filter(|data| data.fits && cx.asks_about(&data.source)) else {
        return;
    };
    let Ok(list) = Communes::deserialize(&data.value) else {
        return;
    };
    for (pointer, message, help) in communes::check(&list) {
        report.at(&data.source, data.place(&pointer), message, help);
    }
}
