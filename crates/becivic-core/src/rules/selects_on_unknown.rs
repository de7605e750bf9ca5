//! Selector values are known words (Rule 9).
//!
//! Each value of `selects_on` is in the list `schemas/types.json` gives for its key, or fits the pattern of
//! an open key. Without `types.json` nothing is compared, and `types_missing` says so.
//!
//! Example of a violation: `selects_on: {region: [bruxelles]}`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::skill::SelectsOn;
use serde_json::Value;

/// The rule.
pub const RULE: Rule = Rule {
    id: "selects_on_unknown",
    severity: Severity::Error,
    file: include_str!("selects_on_unknown.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let requires = cx.front.requires().iter().map(|edge| &edge.selects_on);
    let paths = cx.front.requires_paths().iter().map(|edge| &edge.selects_on);
    for (i, selects) in requires.enumerate() {
        check_edge(cx, &format!("/requires/{i}"), selects.as_ref(), report);
    }
    for (i, selects) in paths.enumerate() {
        check_edge(cx, &format!("/requires_paths/{i}"), selects.as_ref(), report);
    }
}

fn check_edge(cx: &SkillCx<'_>, edge: &str, selects: Option<&SelectsOn>, report: &mut Report<'_>) {
    let Some(types) = &cx.cx.corpus.types else {
        return;
    };
    for (key, values) in selects.into_iter().flatten() {
        for (i, value) in values.iter().enumerate() {
            if !known(types.selects_on.get(key.as_str()), value) {
                report.at(
                    cx.source(),
                    cx.skill.place(&format!("{edge}/selects_on/{key}/{i}")),
                    format!("`{value}` is not a known {key}"),
                    "Use a value of schemas/types.json, or add it there first.",
                );
            }
        }
    }
}

fn known(allowed: Option<&Value>, value: &str) -> bool {
    match allowed {
        Some(Value::Array(words)) => words.iter().any(|word| word.as_str() == Some(value)),
        // Open keys carry a pattern that the schema of skills already enforces.
        Some(Value::Object(_)) => true,
        _ => false,
    }
}
