//! `cargo xtask bench commit`: how long do due items take, and does an item cost more when there are more of them?
//!
//! 1. Build the load (`commit_load`) and this program in release.
//! 2. Generate a corpus of 10,000 skills under `target/bench/`; the load gives it its rollups.
//! 3. Commit 100 and 1,000 due items on it, each on a fresh data folder: six in ten concerns, three in ten corrections of
//!    values, one in ten amendments of skills. Beside them, bare commits of the same files: what Git alone costs.
//! 4. Print the table, keep a copy in `target/bench/commit.json`, complain where a bound is broken.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::check;
use super::report::{Bound, bounded, number, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};

/// Seconds that 1,000 items may take.
const BOUND_SECONDS: f64 = 20.0;

/// Megabytes above what the process holds when idle.
const BOUND_MEMORY: f64 = 300.0;

/// An item among 1,000 may cost this many times one among 100.
const BOUND_GROWTH: f64 = 1.25;

/// Runs the bench.
pub fn run(root: &Path) -> Result<Outcome> {
    println!("building in release …");
    must_succeed(
        cargo(root).args("build --quiet --release -p becivic-server --example commit_load".split(' ')),
    )?;
    must_succeed(cargo(root).args("build --quiet --release -p xtask".split(' ')))?;
    let target = target_dir(root)?;
    let (bench, programs) = (target.join("bench"), target.join("release"));
    let corpus = check::large_corpus(&bench, &programs.join("xtask"), "corpus-commit")?;
    println!("measuring …");
    let few = load(&bench, &programs, &corpus, 100)?;
    let many = load(&bench, &programs, &corpus, 1_000)?;
    let get = |said: &Value, name: &str| said.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let seconds = get(&many, "seconds");
    let lines = [
        bounded("1,000 items on 10,000 skills", seconds, "s", Bound::AtMost(BOUND_SECONDS)),
        number("100 items", get(&few, "seconds"), "s"),
        bounded(
            "an item among 1,000 against one among 100",
            seconds / 10.0 / get(&few, "seconds"),
            "×",
            Bound::AtMost(BOUND_GROWTH),
        ),
        number("bare commits of the same files", get(&many, "bare_seconds"), "s"),
        number("the job against bare commits", seconds / get(&many, "bare_seconds"), "×"),
        number("memory when idle", get(&many, "idle_mb"), "MB"),
        bounded(
            "memory above that",
            get(&many, "peak_mb") - get(&many, "idle_mb"),
            "MB",
            Bound::AtMost(BOUND_MEMORY),
        ),
    ];
    publish(&lines, &bench.join("commit.json"))
}

/// Commits so many items on a fresh data folder.
fn load(bench: &Path, programs: &Path, corpus: &Path, items: usize) -> Result<Value> {
    let folder = bench.join("commit-data");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("an old data folder cannot be removed")?;
    }
    let link = folder.with_extension("corpus");
    if !link.exists() {
        std::os::unix::fs::symlink(corpus, &link)?;
    }
    let ran =
        Command::new(programs.join("examples/commit_load")).arg(&folder).arg(items.to_string()).output()?;
    if !ran.status.success() {
        bail!("commit_load failed: {}", String::from_utf8_lossy(&ran.stderr));
    }
    serde_json::from_slice(&ran.stdout).context("commit_load printed something else")
}
