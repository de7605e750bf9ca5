//! Communes are named by a NIS code that exists (§6.4).
//!
//! Looked at: `applies_to.communes` of skills; `audience.communes` and the predicates on `user.commune_nis5`
//! of path sources. The word `all-19-rbc-communes` stands for the nineteen of Brussels.
//!
//! Example of a violation: `communes: ["99999"]`.

use super::{Check, Cx, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::text::Source;
use serde_json::Value;

/// The rule.
pub const RULE: Rule = Rule {
    id: "commune_unknown",
    severity: Severity::Error,
    file: include_str!("commune_unknown.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let communes = cx.front.applies_to.as_ref().and_then(|applies| applies.communes.as_ref());
    for (i, code) in communes.into_iter().flatten().enumerate() {
        let place = || cx.skill.place(&format!("/applies_to/communes/{i}"));
        unknown(cx.cx, cx.source(), place, code, report);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (s, source) in cx.path.entry.sources.iter().enumerate() {
        for (i, code) in source.audience.communes.iter().flatten().enumerate() {
            let place = || cx.place(&format!("/sources/{s}/audience/communes/{i}"));
            unknown(cx.cx, &cx.paths.source, place, code, report);
        }
        for (i, predicate) in source.audience.predicates.iter().enumerate() {
            if predicate.field != "user.commune_nis5" {
                continue;
            }
            let codes = match &predicate.value {
                Value::Array(codes) => codes.iter().filter_map(Value::as_str).collect(),
                Value::String(code) => vec![code.as_str()],
                _ => Vec::new(),
            };
            for code in codes {
                let place = || cx.place(&format!("/sources/{s}/audience/predicates/{i}/value"));
                unknown(cx.cx, &cx.paths.source, place, code, report);
            }
        }
    }
}

/// All communes of the Brussels-Capital Region in one word.
const ALL_OF_BRUSSELS: &str = "all-19-rbc-communes";

fn unknown(
    cx: &Cx<'_>,
    source: &Source,
    place: impl FnOnce() -> u32,
    code: &str,
    report: &mut Report<'_>,
) {
    let known = match &cx.facts.communes {
        Some(codes) => codes.contains(code),
        // A list that is missing or unreadable has a finding of its own.
        None => true,
    };
    if !known && code != ALL_OF_BRUSSELS {
        report.at(
            source,
            place(),
            format!("there is no commune with the NIS code {code}"),
            "Use a code of data/communes.json; codes change when communes merge.",
        );
    }
}
