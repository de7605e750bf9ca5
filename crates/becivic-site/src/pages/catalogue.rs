//! An entry of the catalogue, a value or a reference: what it says now, what stands beside it, who cites it, what it said before.
//!
//! 1. Readers get the stable row; while the current one is not stable, it stands beside it as plain text (DECISIONS §4).
//! 2. What was put away says nothing, now and in the history: `[unresolved]` is what agents know from tags.
//! 3. An entry nobody has heard of is no page.

use super::{Shown, logged, verdicts};
use crate::citations::Cited;
use crate::doc::{Block, Inline, Tone, code, heading, lines, link, outward, paragraph, strong, text};
use crate::facts::{Entry, Facts, Needs, Row};
use crate::observations::{self, Asked};
use crate::words::Words;
use crate::world::{SeenSkill, World};
use becivic_core::mdx::resolve::UNRESOLVED;
use becivic_core::site::slug;
use becivic_core::vocabulary::{Language, Status};

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value.
    Value,
    /// A reference.
    Reference,
}

impl Kind {
    /// The word it is stored with.
    pub fn target_type(self) -> &'static str {
        match self {
            Self::Value => "volatile_value",
            Self::Reference => "reference",
        }
    }

    pub fn api(self) -> &'static str {
        match self {
            Self::Value => "/api/volatile-values",
            Self::Reference => "/api/references",
        }
    }

    fn cited(self, name: &str) -> Cited {
        match self {
            Self::Value => Cited::Value(name.to_owned()),
            Self::Reference => Cited::Reference(name.to_owned()),
        }
    }
}

/// What it needs: the entry with its rows and its source, where it stands, what was said of it.
pub fn needs(kind: Kind, uid: &str) -> Needs {
    let mut needs = Needs { rows_of: Some(uid.to_owned()), with_sources: true, ..Needs::default() };
    needs.entries.insert(uid.to_owned());
    needs.logged = Some((kind.target_type(), uid.to_owned()));
    needs.standings.insert((kind.target_type(), uid.to_owned()));
    needs.said_of.insert((kind.target_type(), uid.to_owned()));
    needs
}

/// The page.
pub fn show(world: &World<'_>, kind: Kind, uid: &str, facts: &Facts, words: &Words) -> Option<Shown> {
    let table = &words.catalogue;
    let entry = facts.entries.get(uid)?;
    let standing = facts.standing(kind.target_type(), uid);
    let (label, about) = match kind {
        Kind::Value => (table.value, table.value_about),
        Kind::Reference => (table.reference, table.reference_about),
    };
    let mut shown = Shown::new(title(entry, label), about, words);
    shown.indexed = entry.shown().is_some_and(|row| row.status == Status::Stable.as_str());
    let doc = &mut shown.doc;
    doc.push(Block::Heading { level: 1, id: uid.to_owned(), text: vec![text(title(entry, label))] });
    doc.push(paragraph([text(about)]));
    doc.extend(banner(entry, words));
    doc.extend(verdicts::warning(standing, words));
    doc.push(Block::Facts(says(world, kind, entry, facts, words)));
    doc.extend(cited_by(world, kind, entry, words));
    doc.extend(verdicts::numbers(standing, words));
    doc.push(heading(2, table.said));
    let targets = [(kind.target_type(), uid.to_owned())].into();
    let asked = Asked { about: (kind.target_type(), uid), targets: &targets, world, facts, words };
    doc.push(observations::blocks(&asked, &mut slug));
    doc.extend(history(kind, facts, words));
    doc.extend(logged::blocks(facts, (kind.target_type(), uid), words));
    Some(shown)
}

/// A reference by its title, a value by its name; nothing of what was put away.
fn title(entry: &Entry, label: &str) -> String {
    let title = entry.shown().and_then(|row| row.title.clone()).filter(|it| !it.is_empty());
    title.unwrap_or_else(|| format!("{label} {}", entry.name.replace('-', " ")))
}

/// What its status means for a reader, who gets the stable row while another one waits.
fn banner(entry: &Entry, words: &Words) -> Option<Block> {
    let table = &words.catalogue;
    let told = |tone, title: &str, said: &str| {
        Some(Block::Callout { tone, title: title.to_owned(), blocks: vec![paragraph([text(said)])] })
    };
    match (entry.shown(), entry.pending()) {
        (None, _) => told(Tone::Alarm, table.nothing_here, table.unresolved_means),
        (Some(_), Some(_)) => told(Tone::Note, table.banner_pending, table.pending_text),
        (Some(row), None) => {
            Status::named(&row.status).map(|status| verdicts::banner(status, Vec::new(), words))
        }
    }
}

/// A name and what belongs to it.
type Fact = (Vec<Inline>, Vec<Inline>);

fn fact(name: &str, value: Vec<Inline>) -> Fact {
    (vec![text(name)], value)
}

fn says(world: &World<'_>, kind: Kind, entry: &Entry, facts: &Facts, words: &Words) -> Vec<Fact> {
    let table = &words.catalogue;
    let mut rows = match kind {
        Kind::Value => value_says(entry, facts, words),
        Kind::Reference => reference_says(entry, words),
    };
    let stands = entry.shown().unwrap_or(&entry.current);
    rows.push(fact(table.status, vec![status(&stands.status)]));
    rows.push(fact(table.since, vec![Inline::Day(stands.committed_at.clone())]));
    rows.push(fact(table.name, vec![code(entry.name.clone())]));
    rows.push(fact(table.uid, vec![code(entry.uid.clone())]));
    if world.is_live {
        let json = format!("{}/{}", kind.api(), entry.uid);
        rows.push(fact(table.for_programs, vec![link(json.clone(), json)]));
    }
    rows
}

fn value_says(entry: &Entry, facts: &Facts, words: &Words) -> Vec<Fact> {
    let table = &words.catalogue;
    let shown = entry.shown();
    let value = shown.map_or_else(|| code(UNRESOLVED), |row| strong(row.text()));
    let mut rows = vec![fact(table.value, vec![value])];
    rows.extend(entry.pending().map(|row| fact(table.pending, pending(&row.text(), row, words))));
    let kind = shown.and_then(|row| row.value_type.as_deref());
    rows.extend(kind.map(|kind| fact(table.kind, vec![text(table.value_kind(kind).unwrap_or(kind))])));
    let source = shown.and_then(|row| row.source.as_deref());
    rows.extend(source.map(|name| fact(table.taken_from, taken_from(name, facts))));
    let as_of = shown.and_then(|row| row.as_of.as_deref()).filter(|it| !it.is_empty());
    rows.extend(as_of.map(|it| fact(table.as_of, vec![Inline::Day(it.to_owned())])));
    rows
}

fn reference_says(entry: &Entry, words: &Words) -> Vec<Fact> {
    let table = &words.catalogue;
    let shown = entry.shown();
    let url = shown.and_then(|row| row.url.as_deref());
    let mut rows =
        vec![fact(table.address, vec![url.map_or_else(|| code(UNRESOLVED), |url| outward(url, url))])];
    rows.extend(entry.pending().map(|row| fact(table.pending, pending(&cited_as(row), row, words))));
    let archived = shown.and_then(|row| row.archived_url.as_deref()).filter(|url| !url.is_empty());
    rows.extend(archived.map(|url| fact(table.archived, vec![outward(url, url)])));
    let read = shown.and_then(|row| row.last_verified.as_deref()).filter(|it| !it.is_empty());
    let read = read.map_or_else(|| text(table.not_read), |it| Inline::Day(it.to_owned()));
    rows.push(fact(table.last_verified, vec![read]));
    rows
}

/// A reference in plain text.
fn cited_as(row: &Row) -> String {
    [row.title.as_deref(), row.url.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" – ")
}

/// What is proposed, as plain text with its status: never a link, for nobody has confirmed it.
fn pending(proposed: &str, row: &Row, words: &Words) -> Vec<Inline> {
    let since = text(format!(" {} ", words.catalogue.since.to_lowercase()));
    vec![text(format!("{proposed} ")), status(&row.status), since, Inline::Day(row.committed_at.clone())]
}

/// A status by its word; what is none as it is written.
pub fn status(word: &str) -> Inline {
    Status::named(word).map_or_else(|| code(word), Inline::Status)
}

/// The reference a value was taken from: by its title where it is known.
fn taken_from(name: &str, facts: &Facts) -> Vec<Inline> {
    let Some(entry) = facts.entries.get(name) else { return vec![code(name)] };
    let title = entry.shown().and_then(|row| row.title.as_deref()).unwrap_or(name);
    vec![link(format!("/references/{}", entry.uid), title)]
}

/// A skill in a list: its title, its status.
pub fn to_skill(skill: &SeenSkill<'_>, words: &Words) -> Vec<Inline> {
    let title = super::path::written(Some((Language::En, skill.title())), words);
    let to = format!("/skills/{}", skill.id());
    vec![Inline::Link { to, label: vec![title] }, text(" "), Inline::Status(skill.status)]
}

fn cited_by(world: &World<'_>, kind: Kind, entry: &Entry, words: &Words) -> Vec<Block> {
    let citing = world.citing(&[kind.cited(&entry.uid), kind.cited(&entry.name)]);
    let skills: Vec<Vec<Inline>> = citing.iter().map(|skill| to_skill(skill, words)).collect();
    let listed = match skills.is_empty() {
        true => paragraph([text(words.catalogue.cited_by_none)]),
        false => lines(skills),
    };
    vec![heading(2, words.catalogue.cited_by), listed]
}

fn history(kind: Kind, facts: &Facts, words: &Words) -> Vec<Block> {
    if facts.rows.is_empty() {
        return Vec::new();
    }
    let table = &words.catalogue;
    let head = [table.what, table.status, table.from, table.until, table.why_ended];
    let rows = facts.rows.iter().map(|row| {
        let until = row.superseded_at.clone().map_or_else(|| text(table.now), Inline::Day);
        let end = row.ended_by.as_deref().map_or("", |word| table.end(word).unwrap_or(word));
        vec![
            vec![text(once_said(kind, row, words))],
            vec![status(&row.status)],
            vec![Inline::Day(row.committed_at.clone())],
            vec![until],
            vec![text(end)],
        ]
    });
    let table_of = Block::Table {
        caption: table.history_caption.to_owned(),
        head: head.into_iter().map(|it| vec![text(it)]).collect(),
        rows: rows.collect(),
    };
    vec![heading(2, table.history), table_of]
}

/// What a row said; nothing of one that a warning ended.
fn once_said(kind: Kind, row: &Row, words: &Words) -> String {
    let was_flagged = row.ended_by.as_deref() == Some(Status::Quarantined.as_str());
    let said = match kind {
        Kind::Value => row.text(),
        Kind::Reference => cited_as(row),
    };
    let is_shown = !was_flagged && row.status != Status::Quarantined.as_str() && !said.is_empty();
    if is_shown { said } else { words.catalogue.withheld.to_owned() }
}
