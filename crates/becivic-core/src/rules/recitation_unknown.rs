//! A re-citation in brackets names a reference of the same body (§6.10, Rule 13).
//!
//! A bracketed word within edit distance 2 of a cited reference's name is most likely a misspelling of it.
//!
//! Example of a violation: `[dofi-arival-page]` after `<Ref name="dofi-arrival-page" …>`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The rule.
pub const RULE: Rule = Rule {
    id: "recitation_unknown",
    severity: Severity::Warning,
    file: include_str!("recitation_unknown.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if cx.skill.document.brackets.is_empty() {
        return;
    }
    let source = cx.source();
    let references = cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Ref);
    let names: BTreeSet<Cow<'_, str>> = references.filter_map(|tag| tag.value(source, "name")).collect();
    let mut judged = BTreeSet::new();
    for bracket in &cx.skill.document.brackets {
        let word = source.slice(*bracket);
        if names.contains(word) || word.len() < 6 || !judged.insert(word) {
            continue;
        }
        let near = |name: &&Cow<'_, str>| {
            name.len().abs_diff(word.len()) <= 2 && strsim::levenshtein(name, word) <= 2
        };
        if let Some(name) = names.iter().find(near) {
            report.at(
                source,
                bracket.start,
                format!("no reference is named `{word}`, but `{name}` is cited here"),
                format!("Write [{name}], or put the brackets in backticks if they are text."),
            );
        }
    }
}
