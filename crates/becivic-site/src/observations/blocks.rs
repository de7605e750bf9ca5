//! What people said, in blocks: the same on the page of a skill, a path, a value and a reference (§6.10).
//!
//! 1. Agents get the tags of §6.10 around everything, with what the cohort adds up to first.
//! 2. One group for each kind of target. What many contradict stands behind a disclosure.
//! 3. Each report has a line in our words — what it is, when it came, when it was seen, who agrees, what and where it is about — and
//!    then what somebody wrote: a quotation for people, a fence for agents. Nothing in it is a link or a tag.

use super::{groups, stats, words as said_in_words};
use crate::body::escape::{attribute, shown};
use crate::communes;
use crate::doc::{Block, Inline, code, link, paragraph, text};
use crate::facts::{Facts, Said};
use crate::pages::to_path;
use crate::words::{Words, fill};
use crate::world::World;
use crate::{dates, doc};
use serde_json::Value;
use std::collections::BTreeSet;

/// What the block is made of.
pub struct Asked<'a> {
    /// What the page is about, as `(type, id)`.
    pub about: (&'static str, &'a str),
    /// What is asked of: it and its parts.
    pub targets: &'a BTreeSet<(&'static str, String)>,
    /// The corpus.
    pub world: &'a World<'a>,
    /// What was found out.
    pub facts: &'a Facts,
    /// The reader's words.
    pub words: &'a Words,
}

/// The block; `name` gives each heading the name that addresses lead to.
pub fn blocks(asked: &Asked<'_>, name: &mut dyn FnMut(&str) -> String) -> Block {
    let words = &asked.words.body;
    let (kind, id) = asked.about;
    let groups = groups(asked.targets, asked.facts);
    let mut inside = vec![for_agents(format!("<Observations {kind}=\"{}\">", attribute(id))), counted(asked)];
    let is_empty = groups.iter().all(|(_, items)| items.is_empty());
    inside.push(paragraph([text(if is_empty { words.nothing_said } else { words.strangers })]));
    for (kind, items) in groups.iter().filter(|(_, items)| !items.is_empty()) {
        let title = title(kind, asked);
        inside.push(Block::Heading { level: 3, id: name(title), text: vec![text(title)] });
        let (hidden, open): (Vec<&Said>, Vec<&Said>) = items.iter().partition(|said| said.hidden);
        inside.extend(open.iter().flat_map(|said| one(said, asked)));
        if !hidden.is_empty() {
            let summary = fill(words.hidden, &[&hidden.len().to_string()]);
            let blocks = hidden.iter().flat_map(|said| one(said, asked)).collect();
            inside.push(Block::Disclosure { summary, blocks });
        }
    }
    inside.push(for_agents("</Observations>".to_owned()));
    Block::Group { class: "observations", blocks: inside }
}

fn for_agents(markdown: String) -> Block {
    Block::Printed { html: String::new(), markdown }
}

fn title(kind: &str, asked: &Asked<'_>) -> &'static str {
    let words = &asked.words.body;
    match kind {
        "skill" => words.of_skill,
        kind if kind == asked.about.0 => words.of_itself,
        "volatile_value" => words.of_values,
        "reference" => words.of_references,
        "path" => words.of_paths,
        _ => words.of_sources,
    }
}

/// What the cohort adds up to: a tag for agents. People read it here on the page of a skill; on others it stands under a heading of
/// its own.
fn counted(asked: &Asked<'_>) -> Block {
    let (kind, id) = asked.about;
    let stats = stats(asked.facts, kind, id);
    let attributes = stats.iter().map(|(name, value)| format!(" {name}=\"{}\"", attribute(&plain(value))));
    let markdown = format!("<CohortStats{} />", attributes.collect::<String>());
    let html = match kind {
        "skill" => {
            doc::html::blocks(&[Block::Facts(in_words(&stats, asked.words))], asked.words).into_string()
        }
        _ => String::new(),
    };
    Block::Printed { html, markdown }
}

type Fact = (Vec<Inline>, Vec<Inline>);

fn in_words(stats: &[(&'static str, Value)], words: &Words) -> Vec<Fact> {
    let table = &words.body;
    let of = |name: &str| stats.iter().find(|(known, _)| *known == name).map(|(_, value)| plain(value));
    let number = |name: &str| of(name).map(text);
    let quality = of("skill_quality_avg").zip(of("skill_quality_n"));
    let rows = [
        (table.affirms, number("affirms")),
        (table.rejects, number("rejects")),
        (table.verdicts, number("n")),
        (table.distinct, number("distinct_ips")),
        (table.flags, number("injection_flags")),
        (table.since, of("cohort_started_at").map(Inline::Day)),
        (table.last, of("last_validation_at").map(Inline::Day)),
        (table.quality, quality.map(|(average, n)| text(fill(table.quality_of, &[&average, &n])))),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((vec![text(name)], vec![value?]))).collect()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn one(said: &Said, asked: &Asked<'_>) -> [Block; 3] {
    let place = place(said, asked);
    let mut written = said_in_words(said);
    // Where we know no name for the place, it is words of a stranger too.
    if let Some(specifier) = specifier(said).filter(|_| place.is_none()) {
        written = format!("[{specifier}] {written}");
    }
    [
        for_agents(opening(said, asked)),
        Block::Strangers { label: label(said, place, asked), text: shown(&written) },
        for_agents("</Observation>".to_owned()),
    ]
}

fn opening(said: &Said, asked: &Asked<'_>) -> String {
    let (score, up, down) = (said.net_score.to_string(), said.up.to_string(), said.down.to_string());
    let is_itself = asked.about == (said.target_type.as_str(), said.target_id.as_str());
    let attributes = [
        ("type", Some(said.kind.as_str())),
        ("uid", Some(said.uid.as_str())),
        ("target_type", Some(said.target_type.as_str())),
        ("target_id", (!is_itself).then_some(said.target_id.as_str())),
        ("score", Some(&score)),
        ("net_score", Some(&score)),
        ("up", Some(&up)),
        ("down", Some(&down)),
        ("committed_at", Some(dates::day_of(&said.committed_at))),
        ("evidence_month", said.evidence_month.as_deref()),
        ("hidden", said.hidden.then_some("true")),
    ];
    let written =
        attributes.into_iter().filter_map(|(name, value)| Some(format!(" {name}=\"{}\"", attribute(value?))));
    format!("<Observation{}>", written.collect::<String>())
}

/// The line in our words.
fn label(said: &Said, place: Option<Inline>, asked: &Asked<'_>) -> Vec<Inline> {
    let words = &asked.words.body;
    let is_report = said.kind != "amendment";
    let kind = if is_report { words.concern } else { words.amendment };
    let mut line = vec![text(format!("{kind} ")), code(&said.uid)];
    let mut add = |pieces: Vec<Inline>| {
        line.push(text(" · "));
        line.extend(pieces);
    };
    add(vec![Inline::Day(said.committed_at.clone())]);
    if let Some(month) = said.evidence_month.as_deref().filter(|it| !it.is_empty()) {
        add(vec![text(fill(words.seen_in, &[&dates::in_words(month, asked.words)]))]);
    }
    if is_report {
        add(vec![text(fill(words.votes, &[&said.up.to_string(), &said.down.to_string()]))]);
    }
    if said.observed_value.as_ref().is_some_and(|it| !it.is_null()) {
        add(vec![text(words.observed)]);
    }
    target(said, asked).into_iter().chain(place.map(|place| vec![place])).for_each(add);
    line
}

/// What somebody spoke of, where it is not what the page is about.
fn target(said: &Said, asked: &Asked<'_>) -> Option<Vec<Inline>> {
    let id = said.target_id.as_str();
    if asked.about == (said.target_type.as_str(), id) {
        return None;
    }
    let name = || asked.facts.entries.get(id).map_or(id, |entry| entry.name.as_str());
    let path = |id: &str| asked.world.path(id).map_or_else(|| code(id), |path| to_path(&path, asked.words));
    match said.target_type.as_str() {
        "volatile_value" => Some(vec![link(format!("/values/{id}"), name())]),
        "reference" => Some(vec![link(format!("/references/{id}"), name())]),
        "path" => Some(vec![path(id)]),
        "path_source" => match id.split_once(':') {
            Some((of, source)) if asked.about == ("path", of) => Some(vec![code(source)]),
            Some((of, source)) => Some(vec![path(of), text(" "), code(source)]),
            None => Some(vec![code(id)]),
        },
        _ => None,
    }
}

fn specifier(said: &Said) -> Option<&str> {
    said.specifier.as_deref().filter(|it| !it.is_empty())
}

/// Where it holds, by a name we know: a commune's or a region's.
fn place(said: &Said, asked: &Asked<'_>) -> Option<Inline> {
    let code = specifier(said)?;
    communes::commune(asked.world, code, asked.words).or_else(|| communes::region(code, asked.words))
}
