//! `cargo xtask bench site`: what do pages cost, built all at once and served one at a time?
//!
//! 1. Build `becivic`, the yardstick and this program in release; the release build of this program does the rest.
//! 2. `build` ([`build`]): 10,000 generated skills by `becivic build`, beside Hugo and mdBook on the same bodies; then once more
//!    after one value has changed.
//! 3. `serve` ([`serve`]): a skill page from `becivic serve`, beside a bare handler that returns the same bytes, in turns.
//! 4. `weight` ([`weight`]): what a skill page weighs on the wire, with styles, scripts and fonts.
//! 5. `lighthouse` ([`lighthouse`]): what Lighthouse makes of a stable skill page.
//! 6. Print the table, keep a copy in `target/bench/site.json`, complain where a bound is broken.

mod build;
mod lighthouse;
mod others;
mod serve;
mod weight;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::ingest::process::Bench;
use super::report::{Line, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};

type Part = (&'static str, fn(&Bench) -> Result<Vec<Line>>);

/// Every part.
const PARTS: &[Part] =
    &[("weight", weight::run), ("serve", serve::run), ("build", build::run), ("lighthouse", lighthouse::run)];

/// Runs the bench, or the part that is named.
pub fn run(root: &Path, only: Option<&str>, seconds: u32) -> Result<Outcome> {
    let target = target_dir(root)?;
    if let Some(only) = only.filter(|only| PARTS.iter().all(|(name, _)| name != only)) {
        bail!("this bench has no part `{only}`; it has weight, serve, build and lighthouse");
    }
    if cfg!(debug_assertions) {
        return hand_over(root, &target, only, seconds);
    }
    let results = target.join("bench");
    let bench = Bench {
        root: root.to_path_buf(),
        programs: target.join("release"),
        folder: results.join("site"),
        seconds: f64::from(seconds.max(1)),
        rows: 0,
    };
    let mut lines = Vec::new();
    for (name, measure) in PARTS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        println!("measuring: {name} …");
        super::ingest::cluster::remove(&bench.folder)?;
        std::fs::create_dir_all(&bench.folder).context("the folder of the bench cannot be made")?;
        lines.extend(measure(&bench).with_context(|| format!("the part {name} could not be measured"))?);
    }
    super::ingest::cluster::remove(&bench.folder)?;
    publish(&lines, &results.join("site.json"))
}

/// Builds everything in release and lets the release build of this program measure.
fn hand_over(root: &Path, target: &Path, only: Option<&str>, seconds: u32) -> Result<Outcome> {
    println!("building in release …");
    let build = "build --quiet --release -p becivic -p becivic-server -p xtask --bins --example yardstick";
    must_succeed(cargo(root).args(build.split(' ')))?;
    let mut command = Command::new(target.join("release/xtask"));
    command.args(["bench", "site", "--seconds", &seconds.to_string()]);
    if let Some(only) = only {
        command.args(["--only", only]);
    }
    let status = command.current_dir(root).status().context("the release build did not start")?;
    match status.code() {
        Some(0) => Ok(Outcome::Fine),
        Some(1) => Ok(Outcome::Findings),
        _ => bail!("the measurement ended with {status}"),
    }
}
