//! `cargo xtask bench trust`: what the transparency log costs those who write it and those who check it, and what a simulation takes.
//!
//! 1. Build the load (`trust_load`) and the binary in release.
//! 2. Append: promotions of values as they mostly come, one by one, each durable before the next, and what of that their entries take;
//!    beside it 2,000 at once, a hundred in a transaction.
//! 3. Proofs from the tiles of a tree of 10 million leaves.
//! 4. `becivic verify` with replay over a data folder with 1 million entries about 100,000 values: wall time and peak memory.
//! 5. `becivic simulate` over a year of 1,000 artefacts and 100,000 validations.
//! 6. Print the table, keep a copy in `target/bench/trust.json`, complain where a bound is broken.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::child::{best_of, cost, said};
use super::report::{Bound, bounded, number, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};

/// An entry may take this share of the transition it records.
const MOST_APPEND: f64 = 0.10;
/// Milliseconds for a proof, 99 of 100.
const MOST_PROOF: f64 = 1.0;
/// Seconds and megabytes of 10^6 bytes for a whole check.
const MOST_VERIFY: f64 = 20.0;
const MOST_MEMORY: f64 = 300.0;
/// Seconds for a simulated year.
const MOST_YEAR: f64 = 5.0;

const YEAR: &str = "fixtures/simulation/year.toml";

/// Runs the bench.
pub fn run(root: &Path) -> Result<Outcome> {
    println!("building in release …");
    must_succeed(
        cargo(root).args("build --quiet --release -p becivic-server --example trust_load".split(' ')),
    )?;
    must_succeed(cargo(root).args("build --quiet --release -p becivic".split(' ')))?;
    let target = target_dir(root)?;
    let (load, becivic) = (target.join("release/examples/trust_load"), target.join("release/becivic"));
    let folder = target.join("bench/trust-data");
    let get = |said: &Value, name: &str| said.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN);

    println!("promoting values …");
    empty(&folder)?;
    let appended = said(Command::new(&load).arg("append").arg(&folder).arg("2000"))?;
    println!("proving in a tree of 10,000,000 …");
    let proved = said(Command::new(&load).args(["proofs", "10000000"]))?;
    println!("writing 1,000,000 entries; this takes a minute or two …");
    empty(&folder)?;
    must_succeed(Command::new(&load).arg("fill").arg(&folder).args(["100000", "1000000"]))?;
    println!("checking them …");
    let mut verify = Command::new(&becivic);
    verify.arg("verify").arg(&folder).args(["--forget", "--json"]);
    let verdict = said(&mut verify)?;
    if verdict.get("verdict").and_then(Value::as_str) != Some("good") || get(&verdict, "size") < 1e6 {
        bail!("the log is not good: {verdict}");
    }
    let checked = cost(&mut verify, &[0])?;
    empty(&folder)?;
    println!("simulating a year …");
    let year = || {
        let mut simulate = Command::new(&becivic);
        simulate
            .arg("simulate")
            .arg("--scenario")
            .arg(root.join(YEAR))
            .args(["--seed", "1", "--runs", "1", "--json"]);
        simulate
    };
    let simulated = said(&mut year())?;
    let simulating = best_of(3, &[0], year)?;

    let (append, transition) = (get(&appended, "append_us"), get(&appended, "transition_us"));
    let (append_of_many, of_many) =
        (get(&appended, "append_of_many_us"), get(&appended, "transition_of_many_us"));
    let lines = [
        number("one promotion of a value, without its entry", transition, "µs"),
        number("its entry", append, "µs"),
        bounded("the entry, of the promotion", append / transition, "", Bound::AtMost(MOST_APPEND)),
        number("a tick of 2,000 promotions: each, without its entry", of_many, "µs"),
        number("a tick of 2,000 promotions: each entry", append_of_many, "µs"),
        bounded(
            "a tick of 2,000 promotions: what entries add",
            append_of_many / of_many,
            "",
            Bound::AtMost(MOST_APPEND),
        ),
        number("a proof of 10,000,000, half of them", get(&proved, "p50_us") / 1e3, "ms"),
        bounded(
            "a proof of 10,000,000, 99 of 100",
            get(&proved, "p99_us") / 1e3,
            "ms",
            Bound::AtMost(MOST_PROOF),
        ),
        number("entries checked", get(&verdict, "size"), ""),
        bounded("verify with replay", checked.seconds, "s", Bound::AtMost(MOST_VERIFY)),
        bounded("its memory", checked.peak_bytes as f64 / 1e6, "MB", Bound::AtMost(MOST_MEMORY)),
        number("artefacts simulated", get(&simulated, "artefacts"), ""),
        number("validations simulated", get(&simulated, "validations"), ""),
        bounded("a simulated year", simulating.seconds, "s", Bound::AtMost(MOST_YEAR)),
    ];
    publish(&lines, &target.join("bench/trust.json"))
}

fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).context("an old data folder cannot be removed")?;
    }
    Ok(())
}
