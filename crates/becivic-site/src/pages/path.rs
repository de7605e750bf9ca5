//! A path: whom it is for, what it gives, and the ways to get there, the best one first.
//!
//! 1. Its title, and at once whom it is for (§6.12.5). Texts are in the reader's language, or in the first one that has them.
//! 2. The banner of its status, then what it is for, gives, and whom it comes from.
//! 3. Each source as a card (`source.rs`), in the order an agent tries them.
//! 4. What verdicts add up to, what people reported, which procedures use it.
//!
//! Operators' notes and the signals by which a source is validated are no reader's business and stay out. What was checked and what
//! was not (`verification_notes`) is: a date alone would promise too much.

mod source;

use super::{Shown, logged, verdicts};
use crate::citations::Cited;
use crate::doc::{Block, Inline, code, heading, lines, link, paragraph, text};
use crate::facts::{Facts, Needs};
use crate::observations::{self, Asked};
use crate::words::Words;
use crate::world::{SeenPath, World};
use becivic_core::authorities::Authority;
use becivic_core::path::{Multilingual, PathEntry, PathSource};
use becivic_core::site::slug;
use becivic_core::skill::Output;
use becivic_core::vocabulary::{Language, Status};
use std::collections::BTreeSet;

/// What it needs: where it stands, what was said of it and of each of its sources.
pub fn needs(world: &World<'_>, id: &str) -> Needs {
    let mut needs = Needs::default();
    needs.standings.insert(("path", id.to_owned()));
    needs.logged = Some(("path", id.to_owned()));
    let Some(entry) = world.path(id).and_then(|path| path.entry()) else { return needs };
    needs.sources.insert(id.to_owned());
    needs.said_of = reported_of(entry);
    needs
}

/// The page.
pub fn show(world: &World<'_>, id: &str, facts: &Facts, words: &Words) -> Option<Shown> {
    let standing = facts.standing("path", id);
    let path = world.path(id)?.beside(standing.map(|it| it.status));
    let Some(entry) = path.entry() else { return Some(put_away(&path, words)) };
    let title = of(&entry.title, words);
    let description = of(&entry.description, words);
    let mut shown = Shown::new(title.map_or(id, |it| it.1), description.map_or("", |it| it.1), words);
    shown.indexed = path.status == Status::Stable;
    let doc = &mut shown.doc;
    doc.push(Block::Heading { level: 1, id: id.to_owned(), text: vec![written(title, words)] });
    doc.extend(audience(entry, words));
    doc.push(banner(world, &path, entry, words));
    doc.extend(verdicts::warning(standing, words));
    doc.push(paragraph([written(description, words)]));
    doc.push(Block::Facts(about(world, entry, words)));
    doc.extend(ways(world, entry, facts, words));
    doc.extend(verdicts::numbers(standing, words));
    doc.extend(reports(world, entry, facts, words));
    doc.extend(used_by(world, entry, words));
    doc.extend(logged::blocks(facts, ("path", id), words));
    Some(shown)
}

/// Of what is quarantined, that it is.
fn put_away(path: &SeenPath<'_>, words: &Words) -> Shown {
    let mut shown = Shown::new(path.id(), words.catalogue.quarantined_text, words);
    shown.indexed = false;
    shown.doc.push(heading(1, path.id()));
    shown.doc.push(verdicts::banner(path.status, Vec::new(), words));
    shown
}

/// A text in the reader's language, else in the first of English, French, Dutch and German that has it.
pub fn of<'t>(texts: &'t Multilingual, words: &Words) -> Option<(Language, &'t str)> {
    let order = [words.language, Language::En, Language::Fr, Language::Nl, Language::De];
    let found = order.into_iter().filter_map(|language| Some((language, texts.get(&language)?.as_str())));
    found.into_iter().find(|(_, text)| !text.trim().is_empty())
}

/// A text with its language, where that is not the reader's.
pub fn written(found: Option<(Language, &str)>, words: &Words) -> Inline {
    match found {
        Some((language, it)) if language != words.language => {
            Inline::In { language: language.as_str(), text: it.to_owned() }
        }
        Some((_, it)) => text(it),
        None => text(""),
    }
}

/// A text that is authored in English only.
fn english(it: &str, words: &Words) -> Inline {
    written(Some((Language::En, it)), words)
}

/// Whom a path is for, in a line.
pub fn summary(entry: &PathEntry) -> Option<&str> {
    entry.applies_to.get("audience_summary").and_then(|it| it.as_str())
}

fn audience(entry: &PathEntry, words: &Words) -> Option<Block> {
    let summary = summary(entry)?;
    let label = Inline::Strong(vec![text(words.path.whom)]);
    let line = paragraph([label, text(format!("{} ", words.catalogue.colon)), english(summary, words)]);
    Some(Block::Group { class: "lead", blocks: vec![line] })
}

fn banner(world: &World<'_>, path: &SeenPath<'_>, entry: &PathEntry, words: &Words) -> Block {
    let mut more = Vec::new();
    if let Some(instead) = entry.superseded_by.as_deref().and_then(|id| world.path(id)) {
        let label = text(format!("{}{} ", words.catalogue.instead, words.catalogue.colon));
        more.push(paragraph([label, to_path(&instead, words)]));
    }
    if let Some(commit) = entry.previous_stable_sha.as_deref() {
        let label = text(format!("{} ", words.catalogue.previous_stable));
        more.push(paragraph([label, code(commit), text(".")]));
    }
    verdicts::banner(path.status, more, words)
}

/// A link to a path, by its title.
pub fn to_path(path: &SeenPath<'_>, words: &Words) -> Inline {
    let title = path.entry().and_then(|entry| of(&entry.title, words));
    let label = title.map_or_else(|| text(path.id()), |title| written(Some(title), words));
    Inline::Link { to: format!("/paths/{}", path.id()), label: vec![label] }
}

fn about(world: &World<'_>, entry: &PathEntry, words: &Words) -> Vec<(Vec<Inline>, Vec<Inline>)> {
    let table = &words.path;
    let row = |name: &str, value: Vec<Inline>| (vec![text(name)], value);
    let mut rows = vec![row(table.what_for, vec![text(table.purpose(entry.purpose))])];
    rows.push(row(table.gives, gives(&entry.outputs, words)));
    rows.push(row(table.authority, authority(world, &entry.authority_id, words)));
    let themes = entry
        .themes
        .iter()
        .map(|theme| vec![link(format!("/paths/themes/{}/", theme.as_str()), table.theme_name(*theme))]);
    rows.push(row(table.themes, with_commas(themes)));
    rows.push(row(table.version, vec![text(entry.version.clone())]));
    rows.push(row(table.last_verified, vec![Inline::Day(entry.last_verified.clone())]));
    let notes = entry.verification_notes.as_deref();
    rows.extend(notes.map(|notes| row(table.how_verified, vec![english(notes, words)])));
    if world.is_live {
        let json = format!("/api/paths/{}", entry.id);
        rows.push(row(table.for_programs, vec![link(json.clone(), json)]));
    }
    rows
}

/// What one gets: as its author describes it, with the name that programs use.
pub fn gives(outputs: &[Output], words: &Words) -> Vec<Inline> {
    if outputs.is_empty() {
        return vec![text(words.path.gives_nothing)];
    }
    with_commas(outputs.iter().map(|output| {
        let described = output.description.as_deref().map(|it| english(it.trim_end_matches('.'), words));
        let named = || english(&output.name.replace('_', " "), words);
        vec![described.unwrap_or_else(named)]
    }))
}

fn with_commas(items: impl IntoIterator<Item = Vec<Inline>>) -> Vec<Inline> {
    let mut line: Vec<Inline> = Vec::new();
    for item in items {
        if !line.is_empty() {
            line.push(text(", "));
        }
        line.extend(item);
    }
    line
}

fn authority(world: &World<'_>, id: &str, words: &Words) -> Vec<Inline> {
    let listed = world.corpus.authorities.as_ref().and_then(|file| file.value.get("authorities")?.as_array());
    let found = listed.into_iter().flatten().find(|it| it.get("id").and_then(|it| it.as_str()) == Some(id));
    match found.and_then(|it| serde_json::from_value::<Authority>(it.clone()).ok()) {
        Some(it) => {
            let name = match words.language {
                Language::En => it.name_en,
                Language::Fr => it.name_fr,
                Language::Nl => it.name_nl,
                Language::De => it.name_de.unwrap_or(it.name_fr),
            };
            vec![link(format!("https://{}/", it.domain), name)]
        }
        None => vec![code(id)],
    }
}

/// The sources in the order an agent tries them: fallbacks last, then by priority.
fn in_order(entry: &PathEntry) -> Vec<&PathSource> {
    let mut sources: Vec<&PathSource> = entry.sources.iter().collect();
    sources.sort_by_key(|it| {
        (it.fallback_only.unwrap_or(false), std::cmp::Reverse(it.priority), it.id.as_str())
    });
    sources
}

fn ways(world: &World<'_>, entry: &PathEntry, facts: &Facts, words: &Words) -> Vec<Block> {
    let mut blocks = vec![heading(2, words.path.ways), paragraph([text(words.path.ways_intro)])];
    for (at, source) in in_order(entry).into_iter().enumerate() {
        let said = facts.sources.get(&format!("{}:{}", entry.id, source.id));
        blocks.push(Block::Group { class: "card", blocks: source::card(world, at + 1, source, said, words) });
    }
    blocks
}

fn reports(world: &World<'_>, entry: &PathEntry, facts: &Facts, words: &Words) -> [Block; 2] {
    let targets = reported_of(entry);
    let asked = Asked { about: ("path", &entry.id), targets: &targets, world, facts, words };
    [heading(2, words.catalogue.said), observations::blocks(&asked, &mut slug)]
}

/// The path and its sources.
fn reported_of(entry: &PathEntry) -> BTreeSet<(&'static str, String)> {
    let sources = entry.sources.iter().map(|source| ("path_source", format!("{}:{}", entry.id, source.id)));
    [("path", entry.id.clone())].into_iter().chain(sources).collect()
}

fn used_by(world: &World<'_>, entry: &PathEntry, words: &Words) -> Vec<Block> {
    let mut blocks = vec![heading(2, words.path.used_by)];
    let citing = world.citing(&[Cited::Path(entry.id.clone())]);
    let mut ids: BTreeSet<&str> = citing.iter().map(|skill| skill.id()).collect();
    ids.extend(entry.related_skills.iter().map(String::as_str));
    let skills: Vec<Vec<Inline>> = ids
        .into_iter()
        .filter_map(|id| world.skill(id))
        .map(|skill| super::catalogue::to_skill(&skill, words))
        .collect();
    blocks.push(match skills.is_empty() {
        true => paragraph([text(words.path.used_by_none)]),
        false => lines(skills),
    });
    blocks
}
