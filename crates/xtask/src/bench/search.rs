//! `cargo xtask bench search`: does the search of agents find what people ask for, and how fast?
//!
//! 1. Build the measure (`search_score`) in release.
//! 2. Quality: the labelled queries of `fixtures/search/queries.json` over the public corpus: how many find what they should
//!    among the first three, the mean of one over the place, and how many of those about something else find nothing. Queries
//!    of the set `held_out` were written before the ranking; the tables of phrases written later had them in sight. Those of `later` are
//!    what people asked and did not find: the tables were mended for them, so they say that it stays found, and nothing more.
//! 3. Cost: the same queries over 10,000 generated skills with the public table of synonyms.
//! 4. Print the table, keep a copy in `target/bench/search.json`, complain where a bound is broken.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::check::large_corpus;
use super::child::said;
use super::report::{Bound, Line, bounded, number, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};

/// The labelled queries.
const QUERIES: &str = "fixtures/search/queries.json";
/// The share of queries that find what they should among the first three.
const LEAST_FOUND: f64 = 0.90;
/// The same, of queries in another language than the skills'.
const LEAST_ACROSS: f64 = 0.80;
/// The share of queries about something else that find nothing.
const LEAST_OUTSIDE: f64 = 0.90;
/// Milliseconds of half of the questions.
const MOST_P50: f64 = 3.0;
/// Megabytes of 10^6 bytes.
const MOST_MEMORY: f64 = 120.0;
/// Milliseconds after one changed skill.
const MOST_UPDATE: f64 = 100.0;

/// Runs the bench.
pub fn run(root: &Path) -> Result<Outcome> {
    let program = measure(root)?;
    println!("measuring …");
    let queries = root.join(QUERIES);
    let quality = said(Command::new(&program).arg("quality").arg(root.join("corpus")).arg(&queries))?;
    let mut lines: Vec<Line> = quality.as_array().into_iter().flatten().flat_map(quality_lines).collect();
    lines.extend(cost(root)?);
    publish(&lines, &target_dir(root)?.join("bench/search.json"))
}

/// What finding costs at 10,000 skills.
pub fn cost(root: &Path) -> Result<Vec<Line>> {
    let program = measure(root)?;
    let target = target_dir(root)?;
    let large = large_corpus(&target.join("bench"), &target.join("release/xtask"), "corpus-search")?;
    let (table, there) = (root.join("corpus/data/synonyms.json"), large.join("data/synonyms.json"));
    std::fs::copy(table, there).context("the table of synonyms cannot be copied")?;
    println!("measuring: 10,000 skills …");
    let cost = said(Command::new(&program).arg("speed").arg(&large).arg(root.join(QUERIES)))?;
    Ok(cost_lines(&cost))
}

/// Builds the measure, and the program that makes corpora.
fn measure(root: &Path) -> Result<PathBuf> {
    println!("building in release …");
    must_succeed(cargo(root).args("build --quiet --release -p xtask".split(' ')))?;
    must_succeed(
        cargo(root).args("build --quiet --release -p becivic-core --example search_score".split(' ')),
    )?;
    Ok(target_dir(root)?.join("release/examples/search_score"))
}

/// What a program says, as JSON.
fn quality_lines(row: &Value) -> Vec<Line> {
    let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    let get = |name: &str| row.get(name).and_then(Value::as_f64);
    let (set, language) = (text("set"), text("language"));
    let queries = get("queries").unwrap_or(0.0);
    let bound = match (set, language) {
        ("all", "all") => Some(LEAST_FOUND),
        ("all", "across") => Some(LEAST_ACROSS),
        ("all", "outside") => Some(LEAST_OUTSIDE),
        _ => None,
    };
    let share = |name: String, value: f64| match bound {
        Some(least) => bounded(name, value, "", Bound::AtLeast(least)),
        None => number(name, value, ""),
    };
    let found = get("recall_at_3")
        .map(|value| share(format!("{set}, {language} ({queries}): in the first three"), value));
    let place = get("mrr").map(|value| number(format!("{set}, {language}: one over the place"), value, ""));
    let nothing =
        get("fallback").map(|value| share(format!("{set}, {language} ({queries}): nothing fits"), value));
    [found, place, nothing].into_iter().flatten().collect()
}

fn cost_lines(cost: &Value) -> Vec<Line> {
    let get = |name: &str| cost.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN);
    vec![
        number("documents", get("documents"), ""),
        number("index made in", get("build_s"), "s"),
        bounded("memory of the index", get("memory_mb"), "MB", Bound::AtMost(MOST_MEMORY)),
        bounded("a question, half of them", get("p50_ms"), "ms", Bound::AtMost(MOST_P50)),
        number("a question, 99 of 100", get("p99_ms"), "ms"),
        number("a question of five megabytes", get("five_megabytes_ms"), "ms"),
        bounded("one skill changed, half of them", get("update_p50_ms"), "ms", Bound::AtMost(MOST_UPDATE)),
        number("one skill changed, the slowest", get("update_slowest_ms"), "ms"),
    ]
}
