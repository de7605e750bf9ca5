//! `cargo xtask bench check`: is `becivic check` fast, linear and small?
//!
//! 1. Build `becivic` and this program in release.
//! 2. Generate the two corpora of [`SMALL`] and [`LARGE`] under `target/bench/`; one made by the
//!    same generator with the same size and seed is reused.
//! 3. Time the bare CommonMark parser over the large corpus' bodies (best of 5, one thread).
//! 4. Time `becivic check DIR --format json` on both corpora (best of 5, all threads) and on the large
//!    one with a single thread (best of 3); take the peak memory of the large runs.
//! 5. Print the table, keep a copy in `target/bench/check.json`, complain where a bound is broken.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::child::{Cost, best_of};
use super::report::{Bound, Line, bounded, number, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};

/// The size of a generated corpus.
#[derive(Debug, Clone, Copy)]
struct Size {
    skills: usize,
    paths: usize,
}

const SMALL: Size = Size { skills: 1_000, paths: 100 };
const LARGE: Size = Size { skills: 10_000, paths: 1_000 };
const SEED: u64 = 7;

/// `check` may take this many times what a bare parser takes for the same bodies.
const BOUND_BASELINE: f64 = 4.0;
/// Ten times the skills may take this many times as long: linear, with a tenth to spare.
const BOUND_GROWTH: f64 = 11.0;
/// Peak resident memory on the large corpus, in MB of 10^6 bytes.
const BOUND_PEAK_MB: f64 = 400.0;

const MB: f64 = 1e6;

/// Runs the bench.
pub fn run(root: &Path) -> Result<Outcome> {
    println!("building in release …");
    must_succeed(cargo(root).args("build --quiet --release -p becivic -p xtask".split(' ')))?;
    let target = target_dir(root)?;
    let bench = target.join("bench");
    std::fs::create_dir_all(&bench).context("target/bench cannot be made")?;
    let programs = target.join("release");
    let small = corpus(&bench, &programs.join("xtask"), SMALL)?;
    let large = corpus(&bench, &programs.join("xtask"), LARGE)?;

    println!("measuring …");
    let (bytes, baseline) = baseline(&programs.join("xtask"), &large)?;
    let check = |corpus: &Path| {
        let mut command = Command::new(programs.join("becivic"));
        command.arg("check").arg(corpus).args(["--format", "json"]);
        command
    };
    let small_cost = best_of(5, &[0], || check(&small))?;
    let large_cost = best_of(5, &[0], || check(&large))?;
    let single_cost = best_of(3, &[0], || {
        let mut command = check(&large);
        command.env("RAYON_NUM_THREADS", "1");
        command
    })?;
    let lines = lines(bytes, baseline, small_cost, large_cost, single_cost);
    publish(&lines, &bench.join("check.json"))
}

fn lines(bytes: f64, baseline: f64, small: Cost, large: Cost, single: Cost) -> Vec<Line> {
    let peak = large.peak_bytes.max(single.peak_bytes);
    vec![
        number("bodies of 10,000 skills", bytes / MB, "MB"),
        number("bare CommonMark parser, one thread", baseline, "s"),
        number("bare CommonMark parser", bytes / MB / baseline, "MB/s"),
        number("check of 1,000 skills", small.seconds, "s"),
        number("check of 10,000 skills", large.seconds, "s"),
        number("check of 10,000 skills, one thread", single.seconds, "s"),
        bounded("check / bare parser", large.seconds / baseline, "×", Bound::AtMost(BOUND_BASELINE)),
        number("check on one thread / bare parser", single.seconds / baseline, "×"),
        bounded(
            "10,000 skills / 1,000 skills",
            large.seconds / small.seconds,
            "×",
            Bound::AtMost(BOUND_GROWTH),
        ),
        bounded("peak memory", peak_mb(peak), "MB", Bound::AtMost(BOUND_PEAK_MB)),
        number("speed-up of all threads over one", single.seconds / large.seconds, "×"),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "a peak of 2^53 bytes is far above any machine")]
fn peak_mb(bytes: u64) -> f64 {
    bytes as f64 / MB
}

/// The bytes of all bodies and the seconds the bare parser needs for them.
fn baseline(xtask: &Path, corpus: &Path) -> Result<(f64, f64)> {
    let output = Command::new(xtask)
        .args(["bench", "baseline", "--corpus"])
        .arg(corpus)
        .stderr(Stdio::inherit())
        .output()
        .context("the baseline did not start")?;
    if !output.status.success() {
        bail!("the baseline failed; its message stands above");
    }
    let line: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("the baseline did not print JSON")?;
    let read = |key: &str| line[key].as_f64().filter(|value| *value > 0.0);
    read("bytes").zip(read("seconds")).context("the baseline measured nothing")
}

/// The folder of a generated corpus of this size, made unless a fitting one is there.
fn corpus(bench: &Path, xtask: &Path, size: Size) -> Result<PathBuf> {
    named_corpus(bench, xtask, size, &format!("corpus-{}", size.skills))
}

/// A large corpus of one's own, to be changed.
pub fn large_corpus(bench: &Path, xtask: &Path, name: &str) -> Result<PathBuf> {
    std::fs::create_dir_all(bench).context("target/bench cannot be made")?;
    named_corpus(bench, xtask, LARGE, name)
}

fn named_corpus(bench: &Path, xtask: &Path, size: Size, name: &str) -> Result<PathBuf> {
    let folder = bench.join(name);
    let marker = bench.join(format!("{name}.marker"));
    let wanted = marker_text(xtask, size)?;
    if folder.is_dir() && std::fs::read_to_string(&marker).is_ok_and(|text| text == wanted) {
        return Ok(folder);
    }
    must_succeed(
        Command::new(xtask)
            .args(["corpus", "--force", "--skills", &size.skills.to_string()])
            .args(["--paths", &size.paths.to_string()])
            .args(["--seed", &SEED.to_string(), "--out"])
            .arg(&folder),
    )?;
    std::fs::write(&marker, wanted).context("the marker cannot be written")?;
    Ok(folder)
}

/// Size, seed and the generator itself: a rebuilt generator may write other bytes.
fn marker_text(xtask: &Path, size: Size) -> Result<String> {
    let program = std::fs::metadata(xtask).context("the generator was not built")?;
    Ok(format!(
        "skills {} paths {} seed {SEED} generator {} bytes of {:?}\n",
        size.skills,
        size.paths,
        program.len(),
        program.modified()?
    ))
}
