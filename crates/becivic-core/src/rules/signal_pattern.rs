//! Patterns in signals are regular expressions (§6.12.3).
//!
//! The value of a check whose name ends in `-matches-pattern` is a JavaScript regular
//! expression that can be matched in bounded time.
//!
//! Example of a violation: `{"check": "redirect-chain-matches-pattern", "value": "["}`.

use super::{Check, PathCx, Report, Rule};
use crate::finding::Severity;
use crate::jsregex::Regex;

/// The rule.
pub const RULE: Rule = Rule {
    id: "signal_pattern",
    severity: Severity::Error,
    file: include_str!("signal_pattern.rs"),
    check: Check::Path(check),
};

fn check(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (s, source) in cx.path.entry.sources.iter().enumerate() {
        let signals = &source.validation_path;
        let success = signals.success_signals.iter().map(|signal| (&signal.check, &signal.value)).enumerate();
        let failure = signals.failure_signals.iter().map(|signal| (&signal.check, &signal.value)).enumerate();
        let success = success.map(|(i, signal)| ("success_signals", i, signal));
        let failure = failure.map(|(i, signal)| ("failure_signals", i, signal));
        for (list, i, (check, value)) in success.chain(failure) {
            let pattern = value.as_str().filter(|_| check.ends_with("-matches-pattern"));
            if let Some(Err(refused)) = pattern.map(|pattern| Regex::new(pattern, "")) {
                report.at(
                    &cx.paths.source,
                    cx.place(&format!("/sources/{s}/validation_path/{list}/{i}/value")),
                    format!("this regular expression {refused}"),
                    refused.help(),
                );
            }
        }
    }
}
