//! Signal values hold no long digit runs (§6.12.8).
//!
//! Eight digits or more look like a national number or a document number from somebody's session. Use
//! `XXXXXXXX` to show a format. The value is not repeated in the message.
//!
//! Example of a violation: `{"check": "page-text-contains", "value": "85073003328", …}`.

use super::{Check, PathCx, Report, Rule};
use crate::finding::Severity;
use serde_json::Value;

/// The rule.
pub const RULE: Rule = Rule {
    id: "path_pii_guard",
    severity: Severity::Error,
    file: include_str!("path_pii_guard.rs"),
    check: Check::Path(check),
};

/// §6.12.8: shorter runs are years, counts, pages or fees.
const SUSPICIOUS_RUN: usize = 8;

fn check(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (s, source) in cx.path.entry.sources.iter().enumerate() {
        let signals = &source.validation_path;
        let success = signals.success_signals.iter().map(|signal| &signal.value);
        let failure = signals.failure_signals.iter().map(|signal| &signal.value);
        let success = success.enumerate().map(|(i, value)| ("success_signals", i, value));
        let failure = failure.enumerate().map(|(i, value)| ("failure_signals", i, value));
        for (list, i, value) in success.chain(failure) {
            let text = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            if has_long_digit_run(&text) {
                let place = cx.place(&format!("/sources/{s}/validation_path/{list}/{i}/value"));
                report.at(
                    &cx.paths.source,
                    place,
                    "this value holds a run of eight or more digits",
                    "Replace it by a placeholder such as XXXXXXXX.",
                );
            }
        }
    }
}

/// `\\b\\d{8,}\\b` as JavaScript reads it: a run of ASCII digits with no word character beside it.
fn has_long_digit_run(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .any(|word| word.len() >= SUSPICIOUS_RUN && word.bytes().all(|b| b.is_ascii_digit()))
}
