//! The study: every policy on every scenario of the library, with the same seed, as `docs/trust.md`.
//!
//! 1. Each scenario is run under each policy; three attacks are swept over addresses and days.
//! 2. Alternatives are held against the defaults: where two intervals do not overlap, one is better ([`compare`]).
//! 3. The page is written from these numbers ([`page`]): what it says of them follows from them.

mod compare;
mod page;

use super::library;
use super::policies::{NAMED, Rules};
use super::report::Report;
use super::scenario::Scenario;
use super::sweep::{Grid, Sweep, sweep};
use anyhow::Context;

/// Where chance begins, unless somebody wants it elsewhere.
pub const SEED: u64 = 2026;

/// The scenario that is only timed.
const TIMED: &str = "year";

/// Attacks that are swept: scenario, numbers of addresses, numbers of days, runs of each point.
const SWEPT: &[(&str, &[i64], &[i64], i64)] = &[
    ("planted-draft", &[4, 8, 12, 16, 24, 32], &[10, 30], 4),
    ("patient-amendment", &[4, 8, 12, 16, 24], &[10, 20], 4),
    ("suppressed-stable", &[2, 4, 8, 12, 16, 24, 32], &[1, 5], 4),
    ("false-alarm-on-stable", &[1, 2, 3], &[1, 2, 3], 4),
];

/// What came out.
pub struct Study {
    seed: u64,
    chapters: Vec<Chapter>,
    sweeps: Vec<Sweep>,
}

/// A scenario, and what came out of it under each policy, in the order of [`NAMED`].
struct Chapter {
    name: &'static str,
    scenario: Scenario,
    reports: Vec<Report>,
}

/// Runs the study.
pub fn study(seed: u64) -> anyhow::Result<Study> {
    let names: Vec<&str> =
        library::LIBRARY.iter().map(|(name, _)| *name).filter(|name| *name != TIMED).collect();
    let chapters: anyhow::Result<Vec<Chapter>> = names.into_iter().map(|name| chapter(name, seed)).collect();
    let sweeps: anyhow::Result<Vec<Sweep>> = SWEPT
        .iter()
        .map(|&(name, addresses, days, runs)| {
            let scenario = read(name)?;
            let grid = Grid { addresses, days, runs, seed };
            Ok(sweep(&scenario, name, &rules(&scenario)?, &grid)?)
        })
        .collect();
    Ok(Study { seed, chapters: chapters?, sweeps: sweeps? })
}

fn chapter(name: &'static str, seed: u64) -> anyhow::Result<Chapter> {
    let scenario = read(name)?;
    let reports: anyhow::Result<Vec<Report>> = rules(&scenario)?
        .iter()
        .map(|rules| Ok(super::run(&scenario, name, rules, seed, scenario.runs)?))
        .collect();
    Ok(Chapter { name, scenario, reports: reports? })
}

fn read(name: &str) -> anyhow::Result<Scenario> {
    let text = library::find(name).with_context(|| format!("there is no scenario `{name}`"))?;
    Scenario::read(text).with_context(|| format!("fixtures/simulation/{name}.toml"))
}

fn rules(scenario: &Scenario) -> anyhow::Result<Vec<Rules>> {
    NAMED.iter().map(|it| Rules::of(None, it.name, &scenario.policy)).collect()
}

impl Study {
    /// The page and its pictures, by path below `docs/`.
    pub fn files(&self) -> Vec<(String, String)> {
        let pictures = self.sweeps.iter().map(|it| (format!("trust/{}.svg", it.scenario), it.svg()));
        [("trust.md".to_owned(), page::page(self))].into_iter().chain(pictures).collect()
    }
}
