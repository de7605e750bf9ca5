//! A whole site built at once, beside Hugo and mdBook on the same bodies; and built again after one value has changed.
//!
//! Hugo and we take turns, so that both meet the disk in the same mood: each build has a folder of its own, for file systems are slow to
//! give out again what was just deleted, and none begins before what others wrote is on the disk. mdBook, which takes minutes and writes
//! gigabytes, comes last.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::super::check::large_corpus;
use super::super::child::{Cost, best_of, cost};
use super::super::ingest::process::Bench;
use super::super::report::{Bound, Line, bounded, number};
use super::others;
use crate::workspace::must_succeed;

/// Of Hugo's time.
const MOST_OF_HUGO: f64 = 0.5;
/// Peak resident memory, in MB of 10^6 bytes.
const MOST_MEMORY: f64 = 500.0;
/// Of a full build, after one value has changed.
const MOST_OF_FULL: f64 = 0.02;
/// Runs of each; the best counts.
const ROUNDS: usize = 5;

/// Measures.
pub fn run(bench: &Bench) -> Result<Vec<Line>> {
    let folder = bench.folder.parent().context("the bench has a folder")?;
    let corpus = large_corpus(folder, &bench.programs.join("xtask"), "corpus-site")?;
    let hugo = others::Hugo::new(bench, &corpus)?;
    let mut of_hugo = f64::INFINITY;
    let mut out = bench.folder.join("out-0");
    let mut full = Cost { seconds: f64::INFINITY, peak_bytes: 0 };
    for round in 0..ROUNDS {
        settle()?;
        of_hugo = of_hugo.min(hugo.seconds(round)?);
        settle()?;
        out = bench.folder.join(format!("out-{round}"));
        let one = cost(&mut ours(bench, &corpus, &out), &[0])?;
        full.seconds = full.seconds.min(one.seconds);
        full.peak_bytes = full.peak_bytes.max(one.peak_bytes);
    }
    settle()?;
    let unchanged = best_of(ROUNDS, &[0], || ours(bench, &corpus, &out))?;
    let mut again = f64::INFINITY;
    for round in 0..ROUNDS {
        change_one_value(&corpus, round)?;
        again = again.min(cost(&mut ours(bench, &corpus, &out), &[0])?.seconds);
    }
    let mut lines = vec![number("Hugo, 10,000 skills", of_hugo, "s")];
    match others::mdbook(bench, &corpus) {
        Ok(seconds) => lines.push(number("mdBook, the same", seconds, "s")),
        Err(error) => println!("without mdBook: {error:#}"),
    }
    lines.extend([
        number("becivic build, the same, every page in HTML and markdown", full.seconds, "s"),
        bounded("build: ours / Hugo", full.seconds / of_hugo, "×", Bound::AtMost(MOST_OF_HUGO)),
        bounded("peak memory", peak(full), "MB", Bound::AtMost(MOST_MEMORY)),
        number("once more, nothing changed", unchanged.seconds, "s"),
        number("once more, one value changed", again, "s"),
        bounded("one value changed / full", again / full.seconds, "×", Bound::AtMost(MOST_OF_FULL)),
    ]);
    Ok(lines)
}

/// Waits until everything written is on the disk.
fn settle() -> Result<()> {
    must_succeed(&mut Command::new("sync"))
}

fn ours(bench: &Bench, corpus: &Path, out: &Path) -> Command {
    let mut command = Command::new(bench.programs.join("becivic"));
    command.arg("build").arg(corpus).arg("--out").arg(out).env("XDG_CACHE_HOME", bench.folder.join("cache"));
    command
}

/// Another value in the first row of the catalogue.
fn change_one_value(corpus: &Path, round: usize) -> Result<()> {
    let file = corpus.join("catalogue/volatile-values.jsonl");
    let text = std::fs::read_to_string(&file).context("the corpus has values")?;
    let (first, rest) = text.split_once('\n').context("the catalogue has rows")?;
    let mut row: serde_json::Value = serde_json::from_str(first).context("a row is JSON")?;
    row["value"] = format!("€{}", 100_000 + round).into();
    row["value_type"] = "string".into();
    std::fs::write(&file, format!("{row}\n{rest}")).context("the catalogue cannot be written")
}

#[expect(clippy::cast_precision_loss, reason = "a peak of 2^53 bytes is far above any machine")]
fn peak(of: Cost) -> f64 {
    of.peak_bytes as f64 / 1e6
}
