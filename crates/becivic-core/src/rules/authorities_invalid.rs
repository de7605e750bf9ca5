//! Each authority has an id of its own (Rule 7).
//!
//! Example of a violation: two authorities with the id `dofi`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::authorities::{self, Authorities};
use serde::Deserialize;

/// The rule.
pub const RULE: Rule = Rule {
    id: "authorities_invalid",
    severity: Severity::Error,
    file: include_str!("authorities_invalid.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let Some(data) = cx.corpus.authorities.as_ref().filter(|data| data.fits && cx.asks_about(&data.source)) else {
        return;
    };
    let Ok(list) = Authorities::deserialize(&data.value) else {
        return;
    };
    for (pointer, message, help) in authorities::check(&list) {
        report.at(&data.source, data.place(&pointer), message, help);
    }
}
