//! Research sources are well-formed https addresses (§9.6, DECISIONS §9b).
//!
//! They are never fetched; only their form is checked.
//!
//! Example of a violation: `url: see the website`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::url_policy;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sidecar_url",
    severity: Severity::Error,
    file: include_str!("sidecar_url.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for sidecar in cx.corpus.sidecars.iter().filter(|it| cx.asks_about(&it.source)) {
        for (place, url) in &sidecar.urls {
            if let Err(refused) = url_policy::host(url) {
                let help = "Write the full https:// address of the page.";
                report.at(&sidecar.source, *place, refused.to_string(), help);
            }
        }
    }
}
