//! What people search in exists in four languages (§6.12.1, §24.2).
//!
//! With `--strict`: synonyms of published skills and paths, titles and descriptions of paths, and the triggers of
//! every published skill are there in French, Dutch, German and English.
//!
//! Example of a violation: a path without a German title.

use super::{Check, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::text::Source;
use crate::vocabulary::{Language, Phrases};

/// The rule.
pub const RULE: Rule = Rule {
    id: "language_missing",
    severity: Severity::Error,
    file: include_str!("language_missing.rs"),
    check: Check::Strict(&Check::Both(check, check_path)),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if cx.front.status.is_published() {
        let languages = languages(&cx.front.synonyms);
        missing(cx.source(), || cx.skill.key_place("/synonyms"), "the synonyms", &languages, report);
        check_triggers(cx, report);
    }
}

fn check_triggers(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let Some(file) = cx.cx.corpus.triggers.as_ref().filter(|file| file.fits) else {
        return;
    };
    let pointer = format!("/skills/{}", cx.skill.folder);
    let phrases = file.value.pointer(&pointer).and_then(|phrases| phrases.as_object());
    let has = |language: &&Language| phrases.is_some_and(|phrases| phrases.contains_key(language.as_str()));
    let languages: Vec<Language> = Language::ALL.iter().filter(has).copied().collect();
    let what = format!("the triggers of `{}`", cx.skill.folder);
    missing(&file.source, || file.place(&pointer), &what, &languages, report);
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let entry = &cx.path.entry;
    if entry.status.is_published() {
        let title: Vec<Language> = entry.title.keys().copied().collect();
        let description: Vec<Language> = entry.description.keys().copied().collect();
        for (field, what, languages) in [
            ("title", "the title", title),
            ("description", "the description", description),
            ("synonyms", "the synonyms", languages(&entry.synonyms)),
        ] {
            missing(&cx.paths.source, || cx.place(&format!("/{field}")), what, &languages, report);
        }
    }
}

fn languages(phrases: &Option<Phrases>) -> Vec<Language> {
    phrases.iter().flat_map(|phrases| phrases.keys().copied()).collect()
}

fn missing(
    source: &Source,
    place: impl FnOnce() -> u32,
    what: &str,
    there: &[Language],
    report: &mut Report<'_>,
) {
    let absent = Language::ALL.iter().filter(|language| !there.contains(language));
    let absent: Vec<&str> = absent.map(|language| language.as_str()).collect();
    if !absent.is_empty() {
        let message = format!("{what}: no {}", absent.join(", no "));
        report.at(source, place(), message, "Write what people say in that language; all four are searched.");
    }
}
