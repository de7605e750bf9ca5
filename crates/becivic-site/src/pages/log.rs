//! The newest changes of status, for people: what changed, why, and on which numbers.

use super::{Shown, catalogue, path};
use crate::doc::{Block, Inline, code, heading, link, paragraph, text};
use crate::facts::{Facts, Needs, Transition};
use crate::words::{Words, fill};
use crate::world::World;
use becivic_core::vocabulary::Status;
use serde_json::Value;

/// How many are shown.
const SHOWN: usize = 200;

const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1000.0;

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
        let head = [table.day, table.what, table.change, table.why, table.seen_numbers];
        shown.doc.push(Block::Table {
            caption: table.log.to_owned(),
            head: head.into_iter().map(|it| vec![text(it)]).collect(),
            rows: facts.transitions.iter().take(SHOWN).map(|it| row(world, it, words)).collect(),
        });
    }
    let json = "/api/transitions";
    let label = text(format!("{}{} ", table.for_programs, words.catalogue.colon));
    shown.doc.push(paragraph([label, link(json, json), text(".")]));
    shown
}

fn row(world: &World<'_>, it: &Transition, words: &Words) -> Vec<Vec<Inline>> {
    let why = words.activity.reason(&it.rule).map_or_else(|| code(it.rule.clone()), text);
    vec![
        vec![Inline::Day(it.day.clone())],
        what(world, it, words),
        vec![status(&it.from_status, words), text(" → "), status(&it.to_status, words)],
        vec![why],
        vec![text(numbers(&it.numbers, words).join(", "))],
    ]
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

/// The numbers in words, each beside what it was held against.
fn numbers(numbers: &Value, words: &Words) -> Vec<String> {
    let Some(named) = numbers.as_object() else { return Vec::new() };
    let known = named.iter().filter_map(|(name, value)| Some((name, words.activity.number(name)?, value)));
    known
        .filter_map(|(name, label, value)| {
            let seen = number(name, value, words)?;
            let needed = named.get(&format!("{name}_needed")).and_then(|it| number(name, it, words));
            let shown = match needed {
                Some(needed) => fill(words.activity.needed, &[&seen, &needed]),
                None => seen,
            };
            Some(format!("{label} {shown}"))
        })
        .collect()
}

/// A number; spans of time in days, shares with two digits.
fn number(name: &str, value: &Value, words: &Words) -> Option<String> {
    let number = value.as_f64()?;
    let short = |number: f64| {
        let text = format!("{number:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    Some(match name.ends_with("_ms") {
        true => fill(words.activity.days, &[&short(number / DAY_MS)]),
        false => short(number),
    })
}
