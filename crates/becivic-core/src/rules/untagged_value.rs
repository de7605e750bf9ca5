//! An amount, a delay or a threshold is a `<VV>` (§6.3, §16).
//!
//! With `--strict`: a number with a unit of money, time or share (`8 days`, `EUR 20`, `three months`, `aged 18`)
//! stands in a `<VV>`, so that it can be corrected once for every text that states it. What a `<Ref>` wraps is the
//! source's own title and may hold one. Texts that cannot hold a tag (a description, a label, a diagram, the texts
//! of a path) name no amount at all.
//!
//! Example of a violation: `Declare it within 8 working days.`

mod amounts;

use super::{Check, PathCx, Report, Rule, SkillCx, prose};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;
use crate::text::Span;
use crate::vocabulary::Language;
use amounts::amounts;

/// The rule.
pub const RULE: Rule = Rule {
    id: "untagged_value",
    severity: Severity::Error,
    file: include_str!("untagged_value.rs"),
    check: Check::Strict(&Check::Both(check, check_path)),
};

const MESSAGE: &str = "this value changes over time and is not tagged";
const HELP: &str =
    "Put it in the catalogue and write <VV name=\"…\">…</VV>, or ask the reader to look it up.";
const PLAIN: &str = "this value changes over time, and this text cannot hold a tag";
const PLAIN_HELP: &str = "Leave the value to the body, where it can be tagged, or say where it is shown.";

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !super::has_fixed_sections(cx) {
        return;
    }
    for block in prose::blocks(cx) {
        for at in amounts(&block.untagged) {
            report.at(cx.source(), block.span.start + Span::at(at).start, MESSAGE, HELP);
        }
    }
    for tag in cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Risk) {
        if tag.value(cx.source(), "reason").is_some_and(|reason| !amounts(&reason).is_empty()) {
            report.at(cx.source(), tag.value_offset(cx.source(), "reason"), PLAIN, PLAIN_HELP);
        }
    }
    check_frontmatter(cx, report);
    if let Some(Some(diagram)) = cx.cx.corpus.diagrams.get(&cx.skill.folder) {
        for at in amounts(diagram.text()) {
            report.at(diagram, Span::at(at).start, PLAIN, PLAIN_HELP);
        }
    }
}

fn check_frontmatter(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let front = cx.front;
    let mut texts = vec![("/summary".to_owned(), front.summary.as_deref())];
    texts.push(("/description".to_owned(), front.description.as_deref()));
    for (i, required) in front.requires_paths().iter().enumerate() {
        texts.push((format!("/requires_paths/{i}/notes"), required.notes.as_deref()));
    }
    for (i, input) in front.inputs().iter().enumerate() {
        texts.push((format!("/inputs/{i}/label"), input.label.as_deref()));
        texts.push((format!("/inputs/{i}/description"), input.description.as_deref()));
    }
    for (i, output) in front.outputs().iter().enumerate() {
        texts.push((format!("/outputs/{i}/description"), output.description.as_deref()));
    }
    for (pointer, text) in texts {
        if text.is_some_and(|text| !amounts(text).is_empty()) {
            report.at(cx.source(), cx.skill.place(&pointer), PLAIN, PLAIN_HELP);
        }
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let entry = &cx.path.entry;
    if !entry.status.is_published() {
        return;
    }
    let english = |texts: &crate::path::Multilingual| texts.get(&Language::En).cloned();
    let mut texts = vec![("/title".to_owned(), english(&entry.title))];
    texts.push(("/description".to_owned(), english(&entry.description)));
    for (i, source) in entry.sources.iter().enumerate() {
        let handoff = &source.actor.handoff;
        let at = format!("/sources/{i}/actor/handoff");
        texts.push((format!("{at}/agent_responsibility"), Some(handoff.agent_responsibility.clone())));
        texts.push((format!("{at}/user_responsibility"), handoff.user_responsibility.clone()));
        texts.push((format!("{at}/resumption"), handoff.resumption.clone()));
        for (step, text) in source.procedure.steps.iter().flatten().enumerate() {
            texts.push((format!("/sources/{i}/procedure/steps/{step}"), Some(text.clone())));
        }
    }
    for (pointer, text) in texts {
        if text.is_some_and(|text| !amounts(&text).is_empty()) {
            report.at(&cx.paths.source, cx.place(&pointer), PLAIN, PLAIN_HELP);
        }
    }
}
