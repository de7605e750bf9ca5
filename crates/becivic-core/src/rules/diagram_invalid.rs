//! `process.mmd` is a flowchart, and nothing else (§5, DECISIONS §9b).
//!
//! Its first line names a diagram (`flowchart`, `graph`, `stateDiagram` or `sequenceDiagram`); it holds no HTML
//! but `<br>`, no addresses and no click actions.
//!
//! Example of a violation: a diagram with `click A "javascript:…"`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "diagram_invalid",
    severity: Severity::Error,
    file: include_str!("diagram_invalid.rs"),
    check: Check::Corpus(check),
};

/// How a diagram may begin.
const KINDS: &[&str] = &["flowchart", "graph", "stateDiagram", "sequenceDiagram"];

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for diagram in cx.corpus.diagrams.values().flatten().filter(|it| cx.asks_about(it)) {
        let lines = || diagram.text().lines().map(str::trim);
        let first = lines().find(|line| !line.is_empty() && !line.starts_with("%%")).unwrap_or("");
        if !KINDS.iter().any(|kind| first.starts_with(kind)) {
            report.at(
                diagram,
                0,
                "this does not begin like a diagram",
                "Begin with `flowchart TD` and draw the branches of the process.",
            );
        }
        let mut offset = 0;
        for line in diagram.text().split_inclusive('\n') {
            if let Some(reason) = refused(line.trim()) {
                report.at(diagram, offset, reason, "Keep to nodes, arrows and plain labels.");
            }
            offset += u32::try_from(line.len()).unwrap_or(0);
        }
    }
}

fn refused(line: &str) -> Option<&'static str> {
    let lower = line.to_ascii_lowercase();
    let without_breaks = lower.replace("<br>", " ").replace("<br/>", " ").replace("<br />", " ");
    let mut after_angle = without_breaks.match_indices('<').map(|(at, _)| without_breaks.as_bytes().get(at + 1));
    let html = after_angle.any(|next| next.is_some_and(|b| b.is_ascii_alphabetic() || *b == b'/' || *b == b'!'));
    if html {
        Some("a diagram holds no HTML")
    } else if lower.starts_with("click ") || lower.starts_with("href ") {
        Some("a diagram holds no click actions")
    } else if lower.contains("://") || lower.contains("javascript:") {
        Some("a diagram holds no addresses")
    } else {
        None
    }
}
