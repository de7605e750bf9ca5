//! Triggers belong to skills that exist (§24.2).
//!
//! `agents/triggers.json` sends a conversation to a skill; one that is gone would send it nowhere.
//!
//! Example of a violation: phrases for `chnage-of-address`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use serde_json::Value;

/// The rule.
pub const RULE: Rule = Rule {
    id: "trigger_unresolved",
    severity: Severity::Error,
    file: include_str!("trigger_unresolved.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let Some(file) = cx.corpus.triggers.as_ref().filter(|file| file.fits) else {
        return;
    };
    let skills = file.value.get("skills").and_then(Value::as_object);
    for id in skills.into_iter().flat_map(|skills| skills.keys()).filter(|id| !cx.corpus.has_skill(id)) {
        report.at(
            &file.source,
            file.node.locate_key(&format!("/skills/{id}")).start,
            format!("there is no skill `{id}`"),
            "Name an existing folder of skills/, or remove these phrases.",
        );
    }
}
