//! Scrub rules compile, are bounded, and look where there is something (§6.8).
//!
//! Names are unique; each pattern is JavaScript that can be run in bounded time, here and in an engine
//! that backtracks, and never matches the empty text; each field path leads into a submission schema; each
//! checksum is one the program knows; each example behaves.
//!
//! Example of a violation: the pattern `^(a+)+$`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::scrub;
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
    let Some(data) = cx.corpus.scrub_rules.as_ref().filter(|data| data.fits && cx.asks_about(&data.source)) else {
        return;
    };
    // Judging takes longer than all other rules together; our own file is judged by a test.
    if data.source.text() == scrub::BUNDLED {
        return;
    }
    let Ok(list) = ScrubRules::deserialize(&data.value) else {
        return;
    };
    let problems = scrub_rules::check(&list);
    for (pointer, message, help) in problems.into_iter().chain(scrub_rules::unknown_checksums(&list)) {
        report.at(&data.source, data.place(&pointer), message, help);
    }
}
