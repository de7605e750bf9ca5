//! A research report holds nothing the scrub rules find (§9.6).
//!
//! Each rule of `scrub/regex-rules.json` is run over the report, checksums and all. The text itself is not
//! repeated in the message.
//!
//! Example of a violation: a national number in a report.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::scrub::Scrubber;
use crate::scrub_rules::ScrubRules;
use serde::Deserialize;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sidecar_scrub",
    severity: Severity::Error,
    file: include_str!("sidecar_scrub.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let sidecars: Vec<_> = cx.corpus.sidecars.iter().filter(|it| cx.asks_about(&it.source)).collect();
    if sidecars.is_empty() {
        return;
    }
    let Some(data) = cx.corpus.scrub_rules.as_ref().filter(|data| data.fits) else {
        return;
    };
    let Ok(list) = ScrubRules::deserialize(&data.value) else {
        return;
    };
    let Ok(scrubber) = Scrubber::new(list) else {
        return; // said of the rules file itself
    };
    for sidecar in sidecars {
        for hit in scrubber.scan(sidecar.source.text()) {
            let name = scrubber.rules().get(hit.rule).map_or("", |rule| rule.name.as_str());
            report.at(
                &sidecar.source,
                u32::try_from(hit.span.start).unwrap_or(u32::MAX),
                format!("the scrub rule `{name}` finds something here"),
                "Rewrite the sentence without it; nothing personal belongs in a report.",
            );
        }
    }
}
