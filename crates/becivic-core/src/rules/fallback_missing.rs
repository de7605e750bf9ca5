//! A corpus has the fallback skill `meta-no-skill-fallback` (§24.2).
//!
//! It is where an agent goes when nothing else fits; a corpus without it cannot be published.
//!
//! Example of a violation: a corpus without `skills/meta-no-skill-fallback/`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::skill::FALLBACK;

/// The rule.
pub const RULE: Rule = Rule {
    id: "fallback_missing",
    severity: Severity::Error,
    file: include_str!("fallback_missing.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let empty = cx.corpus.skills.is_empty() && cx.corpus.unreadable_skills.is_empty();
    if !empty && !cx.corpus.has_skill(FALLBACK) {
        report.file(
            "skills",
            format!("the corpus has no skill `{FALLBACK}`"),
            "Add it: agents fall back to it when no other skill fits.",
        );
    }
}
