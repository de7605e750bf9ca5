//! The newest changes of status, for people: what changed, and why.

use super::why::why;
use super::{Shown, catalogue, path};
use crate::doc::{Block, Inline, code, heading, link, paragraph, text};
use crate::facts::{Facts, Needs, Transition};
use crate::words::Words;
use crate::world::World;
use becivic_core::vocabulary::Status;

/// How many are shown.
const SHOWN: usize = 200;

/// What it needs: the newest changes.
pub fn needs() -> Needs {
    Needs { transitions: SHOWN, ..Needs::default() }
}

/// The page.
pub fn show(world: &World<'_>, facts: &Facts, words: &Words) -> Shown {
    let table = &words.activity;
    let mut shown = Shown::new(table.log, table.log_about, words);
    shown.doc.push(heading(1, table.log));
    shown.doc.push(paragraph([text(table.log_about)]));
    if facts.transitions.is_empty() {
        shown.doc.push(paragraph([text(table.log_empty)]));
    } else {
        let head = [table.day, table.what, table.change, table.why, table.log_entry];
        shown.doc.push(Block::Table {
            caption: table.log.to_owned(),
            head: head.into_iter().map(|it| vec![text(it)]).collect(),
            rows: facts.transitions.iter().take(SHOWN).map(|it| row(world, it, words)).collect(),
        });
    }
    if world.is_live {
        let json = "/api/transitions";
        let label = text(format!("{}{} ", table.for_programs, words.catalogue.colon));
        shown.doc.push(paragraph([label, link(json, json), text(".")]));
        let command = code(format!("becivic verify {}", world.base));
        shown.doc.push(paragraph([
            text(format!("{} ", table.log_check)),
            command,
            text(" ("),
            link("/log/checkpoint", "/log/checkpoint"),
            text(", "),
            link("/log/key", "/log/key"),
            text(")."),
        ]));
    }
    shown
}

fn row(world: &World<'_>, it: &Transition, words: &Words) -> Vec<Vec<Inline>> {
    vec![
        vec![Inline::Day(it.day.clone())],
        what(world, it, words),
        vec![status(&it.from_status, words), text(" → "), status(&it.to_status, words)],
        explained(it, words),
        it.log_index.map(|index| vec![text(index.to_string())]).unwrap_or_default(),
    ]
}

/// Why, and under which policy it was decided.
fn explained(it: &Transition, words: &Words) -> Vec<Inline> {
    let mut told = why(it, words);
    if !it.policy.is_empty() {
        told.push(text(format!(" ({}{} ", words.activity.policy, words.catalogue.colon)));
        told.extend([code(it.policy.clone()), text(")")]);
    }
    told
}

/// A link to what changed; what is gone is named.
fn what(world: &World<'_>, it: &Transition, words: &Words) -> Vec<Inline> {
    let id = it.target_id.as_str();
    let label = || vec![code(id)];
    match it.target_type.as_str() {
        "skill" => world.skill(id).and_then(|skill| catalogue::to_skill(&skill, words).into_iter().next()),
        "path" => world.path(id).map(|it| path::to_path(&it, words)),
        "volatile_value" => Some(Inline::Link { to: format!("/values/{id}"), label: label() }),
        "reference" => Some(Inline::Link { to: format!("/references/{id}"), label: label() }),
        _ => None,
    }
    .map_or_else(label, |link| vec![link])
}

fn status(word: &str, words: &Words) -> Inline {
    match Status::named(word) {
        Some(status) => Inline::Status(status),
        None if word.is_empty() => text(words.activity.new),
        None => code(word),
    }
}
