//! The search page: a form, what was found, and what to do when it was nothing. Works without JavaScript; with it, results
//! come while one types (`assets/search.js`).

use super::Shown;
use crate::assets;
use crate::doc::{Block, Inline, heading, lines, link, paragraph, text};
use crate::facts::Facts;
use crate::files::Made;
use crate::search::{Hit, Index, Kind, find};
use crate::words::{Words, fill};
use crate::world::World;
use becivic_core::vocabulary::{Language, Status};
use maud::html;
use std::collections::BTreeSet;

/// How many pages are shown.
const SHOWN: usize = 30;

/// The page.
pub fn show(world: &World<'_>, facts: &Facts, words: &Words) -> Shown {
    let said = &words.search;
    let query = facts.query.trim();
    let mut shown = Shown::new(said.title, said.intro, words);
    // Results are of no use in the results of others.
    shown.indexed = query.is_empty();
    shown.doc.push(heading(1, said.title));
    shown.doc.push(paragraph([text(said.intro)]));
    shown.doc.push(form(query, words));
    if !query.is_empty() {
        shown.doc.push(results(&found(world, query, words.language), words));
    }
    shown.doc.extend(help(words));
    shown
}

/// What is found; nothing that a flag has put away since the index was made.
fn found(world: &World<'_>, query: &str, reader: Language) -> Vec<Hit> {
    let Some(index) = world.index else { return find(&Index::of(world), query, SHOWN, reader) };
    let away: BTreeSet<String> = world.withheld.iter().map(|(kind, id)| format!("/{kind}s/{id}")).collect();
    let mut hits = find(index, query, SHOWN + away.len(), reader);
    hits.retain(|hit| !away.contains(&hit.address));
    hits.truncate(SHOWN);
    hits
}

/// The form; agents are told the address instead.
fn form(query: &str, words: &Words) -> Block {
    let said = &words.search;
    let statuses =
        [Status::Stable, Status::Beta, Status::Alpha, Status::Draft, Status::Deprecated, Status::Quarantined];
    let statuses = statuses.map(|status| words.status(status)).join("|");
    let kinds = [Kind::Skill, Kind::Path, Kind::Doc].map(|kind| kind_of(kind, words)).join("|");
    let html = html! {
        form class="search" role="search" action="/search" method="get" data-index=(Made::SearchIndex.address())
            data-none=(said.none) data-some=(said.found) data-kinds=(kinds) data-statuses=(statuses) {
            label for="search-words" { (said.label) }
            input id="search-words" name="q" type="search" value=(query) maxlength="100" autocomplete="off" spellcheck="false";
            button type="submit" { (said.button) }
            p id="search-count" role="status" aria-live="polite" {}
            ul id="search-found" role="listbox" aria-label=(said.results) hidden {}
        }
        script src=(assets::address("search.js")) defer {}
    };
    let markdown = format!("`GET /search.md?q=…` · `GET {}`", Made::SearchIndex.address());
    Block::Printed { html: html.into_string(), markdown }
}

fn results(hits: &[Hit], words: &Words) -> Block {
    let said = &words.search;
    let blocks = if hits.is_empty() {
        vec![paragraph([text(said.none)])]
    } else {
        vec![
            paragraph([text(fill(said.found, &[&hits.len().to_string()]))]),
            lines(hits.iter().map(|hit| line(hit, words))),
        ]
    };
    // A name by which the script finds it: what comes while typing takes its place.
    let html = html! { div id="search-results" { (crate::doc::html::blocks(&blocks, words)) } };
    Block::Printed { html: html.into_string(), markdown: crate::doc::markdown::blocks(&blocks, words) }
}

fn line(hit: &Hit, words: &Words) -> Vec<Inline> {
    let title = Inline::In { language: hit.language.as_str(), text: hit.title.clone() };
    let mut line = vec![Inline::Link { to: hit.address.clone(), label: vec![title] }, text(" ")];
    line.push(Inline::Badge { class: "kind", text: kind_of(hit.kind, words).to_owned() });
    line.extend(hit.status.iter().flat_map(|status| [text(" "), Inline::Status(*status)]));
    if !hit.why.is_empty() {
        line.push(text(format!(" {}", fill(words.search.also, &[&hit.why]))));
    }
    line
}

fn kind_of(kind: Kind, words: &Words) -> &'static str {
    match kind {
        Kind::Skill => words.search.kind_skill,
        Kind::Path => words.search.kind_path,
        Kind::Doc => words.search.kind_doc,
    }
}

fn help(words: &Words) -> [Block; 4] {
    let said = &words.search;
    let lists = [("/skills/", words.frame.skills), ("/paths/", words.frame.paths)];
    [
        heading(2, said.help),
        paragraph([text(said.help_words)]),
        paragraph([text(said.help_lists)]),
        lines(lists.map(|(to, label)| vec![link(to, label)])),
    ]
}
