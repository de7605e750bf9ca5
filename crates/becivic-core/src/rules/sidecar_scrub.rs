//! A research report holds nothing the scrub rules find (§9.6).
//!
//! Each pattern of `scrub/regex-rules.json` is run over the report; a pattern that cannot be run counts as
//! found. The text itself is not repeated in the message.
//!
//! Example of a violation: a national number in a report.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::scrub_rules::{self, ScrubRules};
use serde::Deserialize;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sidecar_scrub",
    severity: Severity::Error,
    file: include_str!("sidecar_scrub.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    if cx.corpus.sidecars.is_empty() {
        return;
    }
    let Some(data) = cx.corpus.scrub_rules.as_ref().filter(|data| data.fits) else {
        return;
    };
    let Ok(list) = ScrubRules::deserialize(&data.value) else {
        return;
    };
    let bounded = scrub_rules::check(&list).is_empty();
    for rule in list.rules.iter().filter(|_| bounded) {
        let Ok(pattern) = regress::Regex::with_flags(&rule.pattern, rule.flags.as_str()) else {
            continue;
        };
        for sidecar in &cx.corpus.sidecars {
            for found in pattern.find_iter(sidecar.source.text()) {
                report.at(
                    &sidecar.source,
                    u32::try_from(found.start()).unwrap_or(u32::MAX),
                    format!("the scrub rule `{}` finds something here", rule.name),
                    "Rewrite the sentence without it; nothing personal belongs in a report.",
                );
            }
        }
    }
}
