//! Old addresses lead somewhere, in one step (privacy §8.4).
//!
//! In `redirects.json`: no address stands twice in `from`, none is the address of a page, and each leads to something that
//! is there and does not lead on.
//!
//! Example of a violation: `{"from": "/skills/change-of-address", "to": "/skills/moving"}`, while the skill is still there.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::redirects;
use serde::Deserialize;

/// The rule.
pub const RULE: Rule = Rule {
    id: "redirect_invalid",
    severity: Severity::Error,
    file: include_str!("redirect_invalid.rs"),
    check: Check::Corpus(check),
};

// What a redirect leads to can go away with any change, so every check looks at all of them.
fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let Some(data) = cx.corpus.redirects.as_ref().filter(|data| data.fits) else {
        return;
    };
    let Ok(list) = Vec::deserialize(&data.value) else {
        return;
    };
    for (pointer, message, help) in redirects::check(cx.corpus, &list) {
        report.at(&data.source, data.place(&pointer), message, help);
    }
}
