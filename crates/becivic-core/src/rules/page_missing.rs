//! A published corpus has its entrances (§13.1).
//!
//! With `--strict`: the landing page for people, the page where agents begin, and the phrases that lead to skills.
//! Every skill sends its readers to `/agents`.
//!
//! Example of a violation: a corpus without `agents.mdx`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::layout::{FileKind, classify};

/// The rule.
pub const RULE: Rule = Rule {
    id: "page_missing",
    severity: Severity::Error,
    file: include_str!("page_missing.rs"),
    check: Check::Strict(&Check::Corpus(check)),
};

/// The files of the entrances.
const ENTRANCES: &[&str] = &["index.mdx", "agents.mdx", "agents/triggers.json"];

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for file in ENTRANCES {
        let kind = classify(file);
        let there = match &kind {
            FileKind::Page(address) => cx.corpus.pages.contains_key(address),
            _ => cx.corpus.triggers.is_some(),
        };
        if !there && !cx.corpus.is_unreadable(&kind) {
            report.file(file, format!("the corpus has no {file}"), "Write it, or copy it from the public corpus.");
        }
    }
}
