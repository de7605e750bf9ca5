//! What verdicts made of an artefact, for paths and entries of the catalogue: the banner of its status, and the numbers.
//!
//! 1. The banner says what the status means and what to do about it; a warning nobody has decided on has one of its own.
//! 2. The numbers are those of the cohort, then what is still missing for the next step, one line each.

use crate::doc::{Block, Inline, Tone, heading, lines, paragraph, text};
use crate::facts::{Cohort, Standing};
use crate::words::{Words, fill};
use becivic_core::consensus::Rule;
use becivic_core::vocabulary::Status;
use serde_json::Value;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The banner of a status, with what else there is to say about it.
pub fn banner(status: Status, more: Vec<Block>, words: &Words) -> Block {
    let table = &words.catalogue;
    let (tone, sentences) = match status {
        Status::Stable => (Tone::Good, vec![table.stable_text]),
        Status::Beta => (Tone::Note, vec![table.check_it]),
        Status::Draft | Status::Alpha => (Tone::Care, vec![table.check_it, table.agents_review]),
        Status::Quarantined => (Tone::Alarm, vec![table.quarantined_text]),
        Status::Deprecated => (Tone::Alarm, vec![table.deprecated_text]),
    };
    let said = sentences.into_iter().map(|sentence| paragraph([text(sentence)]));
    let blocks = said.chain(more).collect();
    Block::Callout { tone, title: table.banner(status).to_owned(), blocks }
}

/// The banner of a warning that nobody has decided on yet.
pub fn warning(standing: Option<&Standing>, words: &Words) -> Option<Block> {
    let is_open = standing.is_some_and(|it| it.flagged && it.status != Status::Quarantined);
    is_open.then(|| Block::Callout {
        tone: Tone::Care,
        title: words.catalogue.flagged_title.to_owned(),
        blocks: vec![paragraph([text(words.catalogue.flagged_text)])],
    })
}

/// The numbers, under a heading.
pub fn numbers(standing: Option<&Standing>, words: &Words) -> Vec<Block> {
    let mut blocks = vec![heading(2, words.catalogue.verdicts)];
    match standing {
        None => blocks.push(paragraph([text(words.catalogue.unknown_standing)])),
        Some(standing) => {
            blocks.extend(counts(&standing.cohort, words));
            blocks.extend(missing(&standing.cohort, words));
        }
    }
    blocks
}

fn counts(cohort: &Cohort, words: &Words) -> Vec<Block> {
    let table = &words.catalogue;
    let mut blocks = Vec::new();
    if cohort.n == 0 {
        blocks.push(paragraph([text(table.nobody_yet)]));
    }
    let row = |name: &str, value: String| (vec![text(name)], vec![text(value)]);
    let day = |name: &str, at: &str| (vec![text(name)], vec![Inline::Day(at.to_owned())]);
    let mut rows = Vec::new();
    if cohort.n > 0 {
        rows.push(row(table.confirms, cohort.affirms.to_string()));
        rows.push(row(table.rejects, cohort.rejects.to_string()));
        rows.push(row(table.senders, cohort.distinct_ips.to_string()));
    }
    if cohort.injection_flags > 0 {
        rows.push(row(table.warnings, cohort.injection_flags.to_string()));
    }
    if cohort.probe_confirms > 0 || cohort.probe_rejects > 0 {
        let (worked, failed) = (cohort.probe_confirms.to_string(), cohort.probe_rejects.to_string());
        rows.push(row(table.probes, fill(table.probes_of, &[&worked, &failed])));
    }
    if !cohort.cohort_started_at.is_empty() {
        rows.push(day(table.counted_since, &cohort.cohort_started_at));
    }
    rows.extend(cohort.last_validation_at.iter().map(|at| day(table.last_check, at)));
    if !rows.is_empty() {
        blocks.push(Block::Facts(rows));
    }
    blocks
}

/// What the next step needs, one line each; nothing where there is no next step.
pub fn missing(cohort: &Cohort, words: &Words) -> Vec<Block> {
    let named = cohort.standing.iter().flat_map(|it| &it.missing).filter_map(Value::as_object);
    let needed: Vec<Vec<Inline>> = named
        .flat_map(|it| it.iter().filter_map(|(name, value)| one_missing(name, value, words)))
        .map(|sentence| vec![text(sentence)])
        .collect();
    if cohort.standing.as_ref().is_some_and(|it| it.rule == Rule::Contested.as_str()) {
        return vec![paragraph([text(words.catalogue.contested)])];
    }
    if needed.is_empty() {
        return Vec::new();
    }
    vec![paragraph([text(format!("{}{}", words.catalogue.missing, words.catalogue.colon))]), lines(needed)]
}

fn one_missing(name: &str, value: &Value, words: &Words) -> Option<String> {
    let table = &words.catalogue;
    let Some(number) = value.as_i64() else {
        return (name == "rate").then(|| table.missing_rate_never.to_owned());
    };
    let days = number.div_euclid(DAY_MS) + i64::from(number.rem_euclid(DAY_MS) != 0);
    let (sentence, number) = match name {
        "confirms" => (table.missing_confirms, number),
        "submitters" => (table.missing_senders, number),
        "days" => (table.missing_days, number),
        "rate" => (table.missing_rate, number),
        "rejects" => (table.standing_rejects, number),
        "time" => (table.missing_time, days),
        _ => return None,
    };
    Some(fill(sentence, &[&number.to_string()]))
}
