//! Scrub rules compile, are bounded, and look where there is something (§6.8).
//!
//! Names are unique; each pattern with its flags compiles as JavaScript; no pattern can take unbounded
//! time on a short text; each field path leads into a submission schema.
//!
//! Example of a violation: the pattern `^(a+)+$`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::scrub_rules::{self, ScrubRules};
use serde::Deserialize;

/// The rule.
pub const RULE: Rule = Rule {
    id: "scrub_rule_invalid",
    severity: Severity::Error,
    file: include_str!("scrub_rule_invalid.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let Some(data) = cx.corpus.scrub_rules.as_ref().filter(|data| data.fits) else {
        return;
    };
    let Ok(list) = ScrubRules::deserialize(&data.value) else {
        return;
    };
    for (pointer, message, help) in scrub_rules::check(&list) {
        report.at(&data.source, data.place(&pointer), message, help);
    }
}
