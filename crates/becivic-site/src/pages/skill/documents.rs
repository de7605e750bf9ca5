//! The documents, desks and tools that a skill requires (§6.1): what each is for, when, for whom.

use super::{Section, Subject, authored, selects};
use crate::doc::{Block, Inline, text};
use crate::words::Words;
use becivic_core::path::{Multilingual, PathEntry};
use becivic_core::skill::RequiresPath;
use becivic_core::vocabulary::{Language, Role, Timing};

/// The table; nothing where nothing is required.
pub fn section(subject: &Subject<'_>) -> Option<Section> {
    let required = subject.seen.front().map(|front| front.requires_paths()).unwrap_or_default();
    if required.is_empty() {
        return None;
    }
    let words = &subject.words.skill;
    let head = [words.document, words.role, words.timing, words.only_for, words.notes];
    let table = Block::Table {
        caption: words.documents_are.to_owned(),
        head: head.map(|title| vec![text(title)]).to_vec(),
        rows: required.iter().map(|path| row(subject, path)).collect(),
    };
    Some(Section { name: "documents", title: words.documents, blocks: vec![table] })
}

fn row(subject: &Subject<'_>, required: &RequiresPath) -> Vec<Vec<Inline>> {
    let words = subject.words;
    let entry = subject.world.path(&required.id).and_then(|path| path.entry());
    let role = required.role.or(entry.map(|entry| entry.purpose));
    let timing = required.timing.unwrap_or(Timing::Any);
    let only_for = selects::in_words(required.selects_on.as_ref(), words);
    vec![
        named(subject, &required.id, entry),
        vec![text(role.map_or(words.skill.unknown, |role| role_in_words(role, words)))],
        vec![text(timing_in_words(timing, words))],
        vec![text(only_for.unwrap_or_else(|| words.skill.everyone.to_owned()))],
        vec![required.notes.as_deref().map_or_else(|| text(words.skill.no_notes), authored)],
    ]
}

/// The path by its title, with its status; one that is put away by its id.
fn named(subject: &Subject<'_>, id: &str, entry: Option<&PathEntry>) -> Vec<Inline> {
    let Some(seen) = subject.world.path(id) else { return vec![Inline::Code(id.to_owned())] };
    let label = entry.and_then(|entry| in_language(&entry.title, subject.words.language));
    let label = label.unwrap_or_else(|| Inline::Code(id.to_owned()));
    vec![
        Inline::Link { to: format!("/paths/{id}"), label: vec![label] },
        text(" "),
        Inline::Status(seen.status),
    ]
}

/// A text in the reader's language, else in English, else in the first there is.
fn in_language(texts: &Multilingual, language: Language) -> Option<Inline> {
    let own = [language, Language::En].into_iter().find_map(|it| texts.get_key_value(&it));
    let (language, text) = own.or_else(|| texts.iter().next())?;
    Some(Inline::In { language: language.as_str(), text: text.clone() })
}

fn role_in_words(role: Role, words: &Words) -> &'static str {
    let words = &words.skill;
    match role {
        Role::Submission => words.role_submission,
        Role::Preparation => words.role_preparation,
        Role::CheckOnly => words.role_check_only,
        Role::Informational => words.role_informational,
        Role::Tool => words.role_tool,
    }
}

fn timing_in_words(timing: Timing, words: &Words) -> &'static str {
    let words = &words.skill;
    match timing {
        Timing::PreFiling => words.timing_pre_filing,
        Timing::MonthsBeforeFiling => words.timing_months_before,
        Timing::AtFiling => words.timing_at_filing,
        Timing::PostFiling => words.timing_post_filing,
        Timing::Any => words.timing_any,
    }
}
