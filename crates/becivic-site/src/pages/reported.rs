//! What people reported of an artefact and of its parts, under one heading.
//!
//! 1. The cohort first, as agents know it from skills.
//! 2. Reports come in groups, one per kind of target, each in the order it was handed over: the best rated first.
//! 3. What was voted down stands behind a disclosure.
//! 4. Every text is a stranger's: labelled by us, escaped, fenced in markdown, never a link.

use super::verdicts;
use crate::doc::{Block, Inline, heading, paragraph, text};
use crate::facts::{Cohort, Facts, Said};
use crate::words::{Words, fill};
use maud::html;

/// A kind of target, by its stored name, and how its group is called.
pub type Group = (&'static str, &'static str);

/// The block: `kind` and `id` are what the page is about.
pub fn show(
    (kind, id): (&str, &str),
    cohort: Option<&Cohort>,
    groups: &[Group],
    facts: &Facts,
    words: &Words,
) -> Vec<Block> {
    let table = &words.catalogue;
    let mut blocks = vec![heading(2, table.said)];
    blocks.push(for_agents(&format!("<Observations {kind}=\"{id}\">")));
    blocks.extend(cohort.map(verdicts::cohort_stats));
    let groups: Vec<(&Group, Vec<&Said>)> = groups
        .iter()
        .map(|group| (group, facts.said.iter().filter(|it| it.target_type == group.0).collect()))
        .filter(|(_, said): &(_, Vec<_>)| !said.is_empty())
        .collect();
    if groups.is_empty() {
        blocks.push(paragraph([text(table.said_none)]));
    } else {
        blocks.push(paragraph([text(table.said_warning)]));
    }
    for ((_, title), said) in groups {
        blocks.push(heading(3, *title));
        blocks.extend(group(&said, id, words));
    }
    blocks.push(for_agents("</Observations>"));
    blocks
}

fn group(said: &[&Said], id: &str, words: &Words) -> Vec<Block> {
    let (hidden, shown): (Vec<&Said>, Vec<&Said>) = said.iter().partition(|it| it.hidden);
    let mut blocks: Vec<Block> = shown.iter().flat_map(|it| one(it, id, words)).collect();
    if !hidden.is_empty() {
        let summary = fill(words.catalogue.hidden, &[&hidden.len().to_string()]);
        let inside = hidden.iter().flat_map(|it| one(it, id, words)).collect();
        blocks.push(Block::Disclosure { summary, blocks: inside });
    }
    blocks
}

fn one(said: &Said, id: &str, words: &Words) -> [Block; 3] {
    let element = html! {
        Observation uid=(said.uid) type=(said.kind) target_type=(said.target_type)
            target_id=[(said.target_id != id).then_some(&said.target_id)]
            net_score=(said.net_score) up=(said.up) down=(said.down) committed_at=(said.committed_at);
    };
    [
        for_agents(&element.into_string()),
        Block::Strangers { label: label(said, id, words), text: words_of(said, words) },
        for_agents("</Observation>"),
    ]
}

/// Who and what, in our words.
fn label(said: &Said, id: &str, words: &Words) -> Vec<Inline> {
    let table = &words.catalogue;
    let kind = if said.kind == "amendment" { table.amendment } else { table.concern };
    let mut parts = vec![format!("{kind} {}", said.uid)];
    if said.target_id != id {
        parts.push(said.target_id.clone());
    }
    parts.push(fill(table.votes, &[&said.up.to_string(), &said.down.to_string()]));
    parts.extend(said.evidence_month.iter().map(|month| fill(table.seen_in, &[month])));
    // Days are all that is published.
    parts.extend(said.committed_at.split('T').next().map(str::to_owned));
    parts.retain(|part| !part.trim().is_empty());
    vec![text(parts.join(" · "))]
}

/// What they wrote: the text or the rationale, the value they saw, and where or for whom it holds.
fn words_of(said: &Said, words: &Words) -> String {
    let holds_for = said.specifier.as_ref().map(|it| format!("{}: {it}", words.catalogue.holds_for));
    let observed = said.observed_value.as_ref().map(|value| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{}: {value}", words.catalogue.observed)
    });
    let written = [said.text.clone(), observed, said.rationale.clone(), holds_for];
    written.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn for_agents(markdown: &str) -> Block {
    Block::Printed { html: String::new(), markdown: markdown.to_owned() }
}
