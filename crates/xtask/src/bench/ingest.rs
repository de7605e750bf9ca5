//! `cargo xtask bench ingest`: how many submissions does the server take, and what do many rows, a start and another
//! process cost?
//!
//! 1. Build `becivic`, the yardstick and this program in release; the release build of this program does the rest, so
//!    that the load it makes costs little beside what it measures.
//! 2. Measure the parts of [`PARTS`], or the one named by `--only`. Two servers that are compared run beside each other
//!    and are put under load in turns ([`rounds`]); medians count.
//! 3. The load ([`load`]) is 64 connections kept open, over loopback; every answer is checked. Writes are durable.
//! 4. Print the table, keep a copy in `target/bench/ingest.json`, complain where a bound is broken.

pub(super) mod cluster;
mod load;
mod parts;
pub(super) mod process;
mod request;
pub(super) mod rounds;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::report::{Line, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};
use process::Bench;

/// What can be asked of this bench.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// `ingest`, `site`: measure this part alone.
    #[arg(long, value_name = "PART")]
    pub(super) only: Option<String>,
    /// `ingest`, `site`: how long each measurement lasts.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(super) seconds: u32,
    /// `ingest`: how many rows the full store has.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    rows: u64,
}

type Part = (&'static str, fn(&Bench) -> Result<Vec<Line>>);

/// Every part.
const PARTS: &[Part] = &[
    ("post", parts::post),
    ("get", parts::get),
    ("memory", parts::memory),
    ("substrate", parts::substrate),
    ("rows", parts::rows),
    ("postgres", parts::postgres),
];

/// Runs the bench.
pub fn run(root: &Path, options: &Options) -> Result<Outcome> {
    let target = target_dir(root)?;
    if let Some(only) = options.only.as_deref().filter(|only| PARTS.iter().all(|(name, _)| name != only)) {
        let names: Vec<&str> = PARTS.iter().map(|part| part.0).collect();
        bail!("this bench has no part `{only}`; it has {}", names.join(", "));
    }
    if cfg!(debug_assertions) {
        return hand_over(root, &target, options);
    }
    let results = target.join("bench");
    let bench = Bench {
        root: root.to_path_buf(),
        programs: target.join("release"),
        folder: results.join("ingest"),
        seconds: f64::from(options.seconds.max(1)),
        rows: options.rows,
    };
    let mut lines = Vec::new();
    for (name, measure) in PARTS {
        if options.only.as_deref().is_none_or(|only| only == *name) {
            println!("measuring: {name} …");
            cluster::remove(&bench.folder)?;
            lines.extend(measure(&bench).with_context(|| format!("the part {name} could not be measured"))?);
        }
    }
    cluster::remove(&bench.folder)?;
    publish(&lines, &results.join("ingest.json"))
}

/// Builds everything in release and lets the release build of this program measure.
fn hand_over(root: &Path, target: &Path, options: &Options) -> Result<Outcome> {
    println!("building in release …");
    let build = "build --quiet --release -p becivic -p becivic-server -p xtask --bins --example yardstick";
    must_succeed(cargo(root).args(build.split(' ')))?;
    let mut command = Command::new(target.join("release/xtask"));
    command.args(["bench", "ingest", "--seconds", &options.seconds.to_string()]);
    command.args(["--rows", &options.rows.to_string()]);
    if let Some(only) = &options.only {
        command.args(["--only", only]);
    }
    let status = command.current_dir(root).status().context("the release build did not start")?;
    match status.code() {
        Some(0) => Ok(Outcome::Fine),
        Some(1) => Ok(Outcome::Findings),
        _ => bail!("the measurement ended with {status}"),
    }
}
