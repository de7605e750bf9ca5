//! `<Observations>`: what people said, with what the cohort adds up to first (§6.10).
//!
//! For people a list of facts and quotations by kind of target, hidden ones behind a disclosure. For agents the tags of §6.10 around
//! fences: the fence is longer than any run of backticks inside it, and what could be read as a tag is written with entities, so that
//! nothing a stranger writes can end its own quotation.

use super::escape::{self, attribute};
use super::names::Names;
use super::tags::Both;
use crate::doc::{self, Block, Inline, code, link, text};
use crate::facts::{Facts, Said};
use crate::observations::{aggregates, groups, stats, words as said_in_words};
use crate::words::{Words, fill};
use crate::world::{SeenSkill, World};
use serde_json::Value;

/// The block both ways.
pub fn both(
    world: &World<'_>,
    skill: &SeenSkill<'_>,
    facts: &Facts,
    words: &Words,
    names: &mut Names,
) -> Both {
    let groups = groups(&aggregates(world, skill), facts);
    let html = people(skill, &groups, facts, words, names);
    Both { html, markdown: agents(skill, &groups, facts, words), title: String::new() }
}

type Groups<'f> = [(&'static str, Vec<&'f Said>)];

fn people(
    skill: &SeenSkill<'_>,
    groups: &Groups<'_>,
    facts: &Facts,
    words: &Words,
    names: &mut Names,
) -> String {
    let mut blocks = vec![Block::Facts(counted(skill, facts, words))];
    let is_empty = groups.iter().all(|(_, items)| items.is_empty());
    let note = if is_empty { words.body.nothing_said } else { words.body.strangers };
    blocks.push(Block::Paragraph(vec![text(note)]));
    for (kind, items) in groups.iter().filter(|(_, items)| !items.is_empty()) {
        let title = about(kind, words);
        blocks.push(Block::Heading { level: 3, id: names.give(title), text: vec![text(title)] });
        let (hidden, open): (Vec<&&Said>, Vec<&&Said>) = items.iter().partition(|said| said.hidden);
        blocks.extend(open.iter().map(|said| quoted(said, facts, words)));
        if !hidden.is_empty() {
            let summary = fill(words.body.hidden, &[&hidden.len().to_string()]);
            let inside = hidden.iter().map(|said| quoted(said, facts, words)).collect();
            blocks.push(Block::Disclosure { summary, blocks: inside });
        }
    }
    let inside = doc::html::blocks(&blocks, words).into_string();
    format!("<div class=\"observations\">{inside}</div>\n")
}

fn about(kind: &str, words: &Words) -> &'static str {
    match kind {
        "skill" => words.body.of_skill,
        "volatile_value" => words.body.of_values,
        "reference" => words.body.of_references,
        "path" => words.body.of_paths,
        _ => words.body.of_sources,
    }
}

/// What the cohort adds up to, in words. Times are days: nothing finer is published.
fn counted(skill: &SeenSkill<'_>, facts: &Facts, words: &Words) -> Vec<(Vec<Inline>, Vec<Inline>)> {
    let stats = stats(facts, "skill", skill.id());
    let of = |name: &str| stats.iter().find(|(known, _)| *known == name).map(|(_, value)| plain(value));
    let rows = [
        (words.body.affirms, of("affirms")),
        (words.body.rejects, of("rejects")),
        (words.body.verdicts, of("n")),
        (words.body.distinct, of("distinct_ips")),
        (words.body.flags, of("injection_flags")),
        (words.body.since, of("cohort_started_at").map(|at| day(&at).to_owned())),
        (words.body.last, of("last_validation_at").map(|at| day(&at).to_owned())),
        (
            words.body.quality,
            of("skill_quality_avg")
                .zip(of("skill_quality_n"))
                .map(|(average, n)| fill(words.body.quality_of, &[&average, &n])),
        ),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((vec![text(name)], vec![text(value?)]))).collect()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn day(time: &str) -> &str {
    time.split('T').next().unwrap_or(time)
}

/// One quotation, with who, when and about what before it, in our words.
fn quoted(said: &Said, facts: &Facts, words: &Words) -> Block {
    let kind = if said.kind == "amendment" { words.body.amendment } else { words.body.concern };
    let mut label =
        vec![text(kind), text(" "), code(&said.uid), text(format!(" · {}", day(&said.committed_at)))];
    if said.kind != "amendment" {
        let votes = fill(words.body.votes, &[&said.up.to_string(), &said.down.to_string()]);
        label.push(text(format!(" · {votes}")));
    }
    if let Some(target) = target(said, facts) {
        label.extend([text(" · "), target]);
    }
    if let Some(specifier) = said.specifier.as_deref().filter(|it| !it.is_empty()) {
        label.extend([text(" · "), Inline::Strange(escape::shown(specifier))]);
    }
    Block::Strangers { label, text: escape::shown(&said_in_words(said)) }
}

/// What somebody spoke of, where it is not the skill itself.
fn target(said: &Said, facts: &Facts) -> Option<Inline> {
    let id = said.target_id.as_str();
    let name = || facts.entries.get(id).map_or(id, |entry| entry.name.as_str());
    match said.target_type.as_str() {
        "volatile_value" => Some(link(format!("/values/{id}"), name())),
        "reference" => Some(link(format!("/references/{id}"), name())),
        "path" => Some(link(format!("/paths/{id}"), id)),
        "path_source" => {
            let (path, _) = id.split_once(':').unwrap_or((id, ""));
            Some(link(format!("/paths/{path}"), id))
        }
        _ => None,
    }
}

fn agents(skill: &SeenSkill<'_>, groups: &Groups<'_>, facts: &Facts, words: &Words) -> String {
    let mut out = format!("<Observations skill=\"{}\">\n\n<CohortStats", attribute(skill.id()));
    for (name, value) in stats(facts, "skill", skill.id()) {
        out.push_str(&format!(" {name}=\"{}\"", attribute(&plain(&value))));
    }
    out.push_str(" />\n\n");
    let mut items = groups.iter().flat_map(|(_, items)| items).peekable();
    let note = if items.peek().is_none() { words.body.nothing_said } else { words.body.strangers };
    out.push_str(&escape::markdown(note));
    out.push_str("\n\n");
    items.for_each(|said| observation(said, skill.id(), &mut out));
    out.push_str("</Observations>");
    out
}

fn observation(said: &Said, skill: &str, out: &mut String) {
    out.push_str(&format!(
        "<Observation type=\"{}\" uid=\"{}\" target_type=\"{}\"",
        attribute(&said.kind),
        attribute(&said.uid),
        attribute(&said.target_type)
    ));
    if said.target_type != "skill" || said.target_id != skill {
        out.push_str(&format!(" target_id=\"{}\"", attribute(&said.target_id)));
    }
    let (score, up, down) = (said.net_score, said.up, said.down);
    out.push_str(&format!(" score=\"{score}\" net_score=\"{score}\" up=\"{up}\" down=\"{down}\""));
    let more = [("committed_at", Some(day(&said.committed_at))), ("hidden", said.hidden.then_some("true"))];
    for (name, value) in more {
        out.extend(value.map(|value| format!(" {name}=\"{}\"", attribute(value))));
    }
    out.push_str(">\n\n");
    fenced(said, out);
    out.push_str("\n\n</Observation>\n\n");
}

fn fenced(said: &Said, out: &mut String) {
    let mut written = escape::shown(&said_in_words(said));
    if let Some(specifier) = said.specifier.as_deref().filter(|it| !it.is_empty()) {
        written = format!("[{}] {written}", escape::shown(specifier));
    }
    let written = written.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let longest = written.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    out.push_str(&format!("{fence}text untrusted\n{written}\n{fence}"));
}
