//! A value or a reference is cited with its full tag first (Rule 13).
//!
//! `[name]` or `[ref-NNNNN]` may stand for a reference only after its `<Ref …>` in the same body. Volatile
//! values have no bracket form at all. Self-closing `<VV/>` and `<Ref/>` break this rule too.
//!
//! Example of a violation: `[dofi-arrival-page]` before any `<Ref name="dofi-arrival-page" …>`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The rule.
pub const RULE: Rule = Rule {
    id: "first_citation_form",
    severity: Severity::Error,
    file: include_str!("first_citation_form.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let source = cx.source();
    let mut cited: HashMap<Cow<'_, str>, u32> = HashMap::new();
    for tag in cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Ref) {
        for attribute in ["name", "uid"] {
            if let Some(key) = tag.value(source, attribute) {
                cited.entry(key).or_insert(tag.open.start);
            }
        }
    }
    let mut judged: HashSet<&str> = HashSet::new();
    for bracket in &cx.skill.document.brackets {
        let word = source.slice(*bracket);
        if !judged.insert(word) {
            continue;
        }
        if is_value(cx, word) {
            report.at(
                source,
                bracket.start,
                "a volatile value is never cited in brackets",
                "Write <VV name=\"…\" uid=\"…\">value</VV>.",
            );
        } else if is_reference(cx, word) || cited.contains_key(word) {
            let before = cited.get(word).is_some_and(|first| *first < bracket.start);
            if !before {
                report.at(
                    source,
                    bracket.start,
                    format!("[{word}] stands before the full citation of that reference"),
                    "Write the <Ref …> tag at the first citation, brackets afterwards.",
                );
            }
        }
    }
}

fn is_value(cx: &SkillCx<'_>, word: &str) -> bool {
    numbered(word, "val-") || cx.cx.catalogue.value_named(word).is_some()
}

fn is_reference(cx: &SkillCx<'_>, word: &str) -> bool {
    numbered(word, "ref-") || cx.cx.catalogue.reference_named(word).is_some()
}

fn numbered(word: &str, prefix: &str) -> bool {
    word.strip_prefix(prefix)
        .is_some_and(|rest| rest.len() >= 5 && rest.bytes().all(|b| b.is_ascii_digit()))
}
