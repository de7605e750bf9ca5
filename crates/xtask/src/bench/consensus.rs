//! `cargo xtask bench consensus`: what counting costs, and what a tick does.
//!
//! 1. Build the load (`consensus_load`) in release.
//! 2. Land 1,000,000 verdicts on 100,000 values in a fresh data folder; then time one verdict against the bare insert of its
//!    row, a transaction each and a thousand to a transaction; count everything again; tick with a look at everything, with
//!    nothing to do, and with 1,000 promotions.
//! 3. Print the table, keep a copy in `target/bench/consensus.json`, complain where a bound is broken.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::report::{Bound, bounded, number, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};

/// A verdict that lands may take this many times the bare insert of its row.
const BOUND_LAND: f64 = 1.3;

/// Milliseconds that a tick with nothing to do may take.
const BOUND_IDLE: f64 = 50.0;

/// Seconds that a tick with 1,000 transitions of rows may take.
const BOUND_TRANSITIONS: f64 = 2.0;

/// Seconds that counting everything may take.
const BOUND_RECOUNT: f64 = 10.0;

/// Memory at all of the verdicts may be this many times what it was at half of them.
const BOUND_MEMORY: f64 = 1.1;

/// Runs the bench.
pub fn run(root: &Path) -> Result<Outcome> {
    println!("building in release …");
    must_succeed(
        cargo(root).args("build --quiet --release -p becivic-server --example consensus_load".split(' ')),
    )?;
    let target = target_dir(root)?;
    let bench = target.join("bench");
    std::fs::create_dir_all(&bench)?;
    let folder = bench.join("consensus-data");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("an old data folder cannot be removed")?;
    }
    println!("landing 1,000,000 verdicts on 100,000 values; this takes minutes …");
    let ran = Command::new(target.join("release/examples/consensus_load"))
        .arg(&folder)
        .args(["100000", "1000000"])
        .output()?;
    if !ran.status.success() {
        bail!("consensus_load failed: {}", String::from_utf8_lossy(&ran.stderr));
    }
    let said: Value = serde_json::from_slice(&ran.stdout).context("consensus_load said something else")?;
    std::fs::remove_dir_all(&folder).context("the data folder cannot be removed")?;
    let get = |name: &str| said.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN);
    if get("transitions") != 1_000.0 {
        bail!("{} artefacts were promoted instead of 1,000", get("transitions"));
    }
    let lines = [
        number("one verdict lands", get("land_ms"), "ms"),
        number("its bare row is inserted", get("bare_ms"), "ms"),
        bounded(
            "a verdict against its bare row",
            get("land_ms") / get("bare_ms"),
            "×",
            Bound::AtMost(BOUND_LAND),
        ),
        number("the same, a thousand to a transaction", get("together_land_s") / get("together_bare_s"), "×"),
        bounded("tick with nothing to do", get("idle_tick_ms"), "ms", Bound::AtMost(BOUND_IDLE)),
        bounded(
            "tick with 1,000 transitions of rows",
            get("transitions_s"),
            "s",
            Bound::AtMost(BOUND_TRANSITIONS),
        ),
        number("tick that looks at 100,000 artefacts", get("first_tick_s"), "s"),
        bounded("count everything again", get("recount_s"), "s", Bound::AtMost(BOUND_RECOUNT)),
        number("memory at 500,000 verdicts", get("half_mb"), "MB"),
        bounded(
            "memory at all of them against that",
            get("full_mb") / get("half_mb"),
            "×",
            Bound::AtMost(BOUND_MEMORY),
        ),
        number("memory in the end", get("peak_mb"), "MB"),
    ];
    publish(&lines, &bench.join("consensus.json"))
}
