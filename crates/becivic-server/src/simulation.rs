//! Simulation: what the policy makes of people who err, do not look, or attack (`becivic simulate`).
//!
//! 1. A [`scenario::Scenario`] says who reads, what is true and who attacks; [`policies`] are the rules, by name.
//! 2. A run (`world.rs`) lets them act on a virtual clock, through the same functions that the server works with: the limits
//!    ([`crate::limits`]), landing and deciding (`becivic_core::consensus`), and where a rollback leads to.
//! 3. Many runs, each with chances of its own, are summed up with their intervals ([`report`]).
//! 4. A sweep over addresses and days draws what an attack costs ([`sweep`], `svg.rs`); the study ([`study`]) compares the
//!    policies on the scenarios of the [`library`] and writes `docs/trust.md`.
//!
//! The same seed gives the same bytes on every machine: whole numbers for chance, no function of the mathematical library but the
//! square root, and no order that depends on hashing.

mod addresses;
mod agenda;
mod artefact;
mod attack;
mod cohort;
mod content;
pub mod library;
pub mod policies;
mod random;
mod readers;
pub mod report;
pub mod scenario;
pub mod statistics;
pub mod study;
mod svg;
pub mod sweep;
#[cfg(test)]
mod tests;
mod world;

use policies::Rules;
use report::{Gathered, Report};
use scenario::{Scenario, ScenarioError};
use world::World;

/// Runs a scenario so many times.
pub fn run(
    scenario: &Scenario,
    name: &str,
    rules: &Rules,
    seed: u64,
    runs: i64,
) -> Result<Report, ScenarioError> {
    scenario.check_size(runs)?;
    let mut gathered = Gathered::default();
    for run in 0..runs as u64 {
        let seed = random::Random::new(seed, "run", run).next();
        gathered.add(World::run(scenario, rules, seed));
    }
    Ok(gathered.report(scenario, name, rules, seed))
}
