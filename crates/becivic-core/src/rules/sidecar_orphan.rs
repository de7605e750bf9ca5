//! A research report belongs to a skill or a path that exists (§9.6).
//!
//! Example of a violation: `paths/research-reports/no-such-path.md`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::layout::FileKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sidecar_orphan",
    severity: Severity::Error,
    file: include_str!("sidecar_orphan.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for sidecar in &cx.corpus.sidecars {
        let (kind, id, exists) = match &sidecar.of {
            FileKind::SkillReport(id) => ("skill", id, cx.corpus.has_skill(id)),
            FileKind::PathReport(id) => ("path", id, cx.corpus.has_path(id)),
            _ => continue,
        };
        if !exists {
            report.at(
                &sidecar.source,
                0,
                format!("there is no {kind} `{id}` for this report"),
                "Move the report beside its artefact, or remove it.",
            );
        }
    }
}
