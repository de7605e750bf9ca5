//! Counts over everything (§6.5): how far things have been checked, and what has happened in the last days. Nothing in it is about a
//! person.
//!
//! 1. Numbers first; where nobody has sent anything, that is said and no empty plot is drawn.
//! 2. Pictures (`plot.rs`) are made here as SVG, each with a table that says the same.
//! 3. [`json()`] is the same for programs.

pub mod days;
mod plot;

use super::{Shown, catalogue};
use crate::dates;
use crate::doc::{Block, Inline, code, heading, link, paragraph, text};
use crate::facts::{Activity, Facts, Needs};
use crate::words::{Words, fill};
use crate::world::World;
use becivic_core::vocabulary::Status;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Where the same stands for programs.
pub const JSON_ADDRESS: &str = "/activity.json";

/// How many days are shown.
const DAYS: usize = 30;

/// Kinds of artefacts, in the order they are shown.
const KINDS: [&str; 4] = ["skill", "path", "volatile_value", "reference"];

/// What it needs: the counts.
pub fn needs() -> Needs {
    Needs { activity: true, ..Needs::default() }
}

/// The page.
pub fn show(world: &World<'_>, facts: &Facts, words: &Words) -> Shown {
    let table = &words.activity;
    let mut shown = Shown::new(table.title, table.about, words);
    let doc = &mut shown.doc;
    doc.push(heading(1, table.title));
    doc.push(paragraph([text(table.about)]));
    match &facts.activity {
        None => doc.push(paragraph([text(table.not_counted)])),
        Some(activity) => {
            doc.extend(numbers(activity, facts, words));
            doc.extend(by_status(activity, words));
            doc.extend(by_day(activity, facts, words));
            doc.extend(busiest(world, activity, words));
        }
    }
    doc.push(paragraph([link("/log", table.see_log), text(".")]));
    if world.is_live {
        let label = text(format!("{}{} ", table.for_programs, words.catalogue.colon));
        doc.push(paragraph([label, link(JSON_ADDRESS, JSON_ADDRESS), text(".")]));
    }
    shown
}

/// The same for programs. `skills` and `paths` are what the files hold, `by_status` what the state machine knows.
pub fn json(world: &World<'_>, facts: &Facts) -> Value {
    let empty = Activity::default();
    let activity = facts.activity.as_ref().unwrap_or(&empty);
    let busiest =
        activity.busiest.iter().map(|(id, concerns)| json!({"skill": id, "concerns_30d": concerns}));
    json!({
        "schema_version": 1,
        "day": Some(&facts.today).filter(|day| !day.is_empty()),
        "commit": Some(world.commit).filter(|commit| !commit.is_empty()),
        "skills": world.skills().count(),
        "paths": world.paths().count(),
        "by_status": activity.by_status,
        "total_concerns": activity.concerns,
        "pending_amendments": activity.pending_amendments,
        "verdicts_by_day": activity.verdicts_by_day,
        "concerns_by_day": activity.concerns_by_day,
        "transitions_by_day": activity.transitions_by_day,
        "busiest_skills": busiest.collect::<Vec<_>>(),
    })
}

/// A sum that stays a number, whatever is summed.
fn total<'n>(counts: impl IntoIterator<Item = &'n i64>) -> i64 {
    counts.into_iter().fold(0, |sum, count| sum.saturating_add(*count))
}

/// Whether anybody has sent anything: verdicts, reports or changes that wait.
fn is_quiet(activity: &Activity) -> bool {
    let days = activity.verdicts_by_day.values().chain(activity.concerns_by_day.values());
    activity.concerns == 0 && activity.pending_amendments == 0 && days.into_iter().all(|count| *count == 0)
}

/// The days that are shown: up to today, or up to the last day anything happened.
fn window(activity: &Activity, facts: &Facts) -> Vec<String> {
    let maps = [&activity.verdicts_by_day, &activity.concerns_by_day, &activity.transitions_by_day];
    let newest = maps.into_iter().filter_map(|map| map.keys().next_back()).max();
    let last = if facts.today.is_empty() { newest.map_or("", String::as_str) } else { facts.today.as_str() };
    days::until(last, DAYS)
}

fn numbers(activity: &Activity, facts: &Facts, words: &Words) -> Vec<Block> {
    let table = &words.activity;
    let mut blocks = vec![heading(2, table.numbers)];
    if is_quiet(activity) {
        blocks.push(paragraph([text(table.nothing_sent)]));
    }
    let days = window(activity, facts);
    let sum = |map: &BTreeMap<String, i64>| total(days.iter().filter_map(|day| map.get(day)));
    let rows = [
        (table.reports, activity.concerns),
        (table.waiting, activity.pending_amendments),
        (table.checks_30, sum(&activity.verdicts_by_day)),
        (table.changes_30, sum(&activity.transitions_by_day)),
    ];
    let row = |(name, number): (&str, i64)| (vec![text(name)], vec![text(number.to_string())]);
    blocks.push(Block::Facts(rows.map(row).to_vec()));
    blocks
}

fn by_status(activity: &Activity, words: &Words) -> Vec<Block> {
    let table = &words.activity;
    let of = |kind: &str, status: Status| {
        activity.by_status.get(kind).and_then(|it| it.get(status.as_str())).copied().unwrap_or(0)
    };
    let kinds: Vec<(&str, &str)> = KINDS
        .iter()
        .filter(|kind| activity.by_status.contains_key(**kind))
        .filter_map(|kind| Some((*kind, table.artefacts(kind)?)))
        .collect();
    if kinds.is_empty() {
        return Vec::new();
    }
    let bars: Vec<plot::Stack> = kinds
        .iter()
        .map(|(kind, label)| plot::Stack {
            label: (*label).to_owned(),
            parts: Status::ALL
                .iter()
                .map(|status| (status.as_str(), words.status(*status), of(kind, *status)))
                .collect(),
        })
        .collect();
    let mut head = vec![vec![text(table.kind)]];
    head.extend(Status::ALL.iter().map(|status| vec![Inline::Status(*status)]));
    head.push(vec![text(table.total)]);
    let number = |number: i64| vec![text(number.to_string())];
    let rows = kinds.iter().map(|(kind, label)| {
        let counts: Vec<i64> = Status::ALL.iter().map(|status| of(kind, *status)).collect();
        let total = number(total(&counts));
        std::iter::once(vec![text(*label)])
            .chain(counts.iter().map(|it| number(*it)))
            .chain([total])
            .collect()
    });
    let caption = table.by_status_picture.to_owned();
    let instead = vec![Block::Table { caption: caption.clone(), head, rows: rows.collect() }];
    vec![
        heading(2, table.by_status),
        Block::Picture { svg: plot::stacks(&bars), title: vec![text(caption)], instead },
    ]
}

fn by_day(activity: &Activity, facts: &Facts, words: &Words) -> Vec<Block> {
    let table = &words.activity;
    let days = window(activity, facts);
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Vec::new() };
    let series = [
        ("verdicts", table.verdicts_picture, &activity.verdicts_by_day),
        ("concerns", table.concerns_picture, &activity.concerns_by_day),
        ("transitions", table.transitions_picture, &activity.transitions_by_day),
    ];
    let mut blocks = Vec::new();
    for (class, title, map) in series {
        let title = fill(title, &[&dates::in_words(first, words), &dates::in_words(last, words)]);
        let counts: Vec<(&str, i64)> =
            days.iter().map(|day| (day.as_str(), map.get(day).copied().unwrap_or(0))).collect();
        blocks.extend(series_block(class, title, &counts, words));
    }
    blocks.insert(0, heading(2, table.by_day));
    blocks
}

/// The days on which something happened; a plot of nothing is a sentence.
fn series_block(class: &'static str, title: String, counts: &[(&str, i64)], words: &Words) -> Vec<Block> {
    let table = &words.activity;
    let busy: Vec<&(&str, i64)> = counts.iter().filter(|(_, count)| *count > 0).collect();
    if busy.is_empty() {
        return vec![paragraph([text(format!("{title}{} {}", words.catalogue.colon, table.none_in_window))])];
    }
    let rows = busy
        .iter()
        .map(|(day, count)| vec![vec![Inline::Day((*day).to_owned())], vec![text(count.to_string())]]);
    let instead = vec![Block::Table {
        caption: title.clone(),
        head: vec![vec![text(table.day)], vec![text(table.count)]],
        rows: rows.collect(),
    }];
    vec![Block::Picture { svg: plot::days(class, counts, words), title: vec![text(title)], instead }]
}

fn busiest(world: &World<'_>, activity: &Activity, words: &Words) -> Vec<Block> {
    let table = &words.activity;
    if activity.busiest.is_empty() {
        return Vec::new();
    }
    let rows = activity.busiest.iter().map(|(id, count)| {
        let skill = world.skill(id).map(|skill| catalogue::to_skill(&skill, words));
        vec![skill.unwrap_or_else(|| vec![code(id.clone())]), vec![text(count.to_string())]]
    });
    let head = vec![vec![text(table.procedure)], vec![text(table.count)]];
    let block = Block::Table { caption: table.busiest.to_owned(), head, rows: rows.collect() };
    vec![heading(2, table.busiest), block]
}
