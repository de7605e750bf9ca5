//! The preferred way to authenticate is one of those supported (§6.12.2).
//!
//! Example of a violation: `preferred_auth_provider: "itsme"` with `supported_providers: ["eid"]`.

use super::{Check, PathCx, Report, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "provider_unlisted",
    severity: Severity::Error,
    file: include_str!("provider_unlisted.rs"),
    check: Check::Path(check),
};

fn check(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (s, source) in cx.path.entry.sources.iter().enumerate() {
        if let Some(preferred) = &source.preferred_auth_provider
            && !source.auth.supported_providers.contains(preferred)
        {
            report.at(
                &cx.paths.source,
                cx.place(&format!("/sources/{s}/preferred_auth_provider")),
                format!("`{preferred}` is not among the supported providers"),
                "Add it to auth.supported_providers, or prefer one that is there.",
            );
        }
    }
}
