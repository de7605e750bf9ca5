//! `becivic simulate sweep`: what an attack costs, as numbers or as a picture.

use super::Which;
use crate::{Outcome, UsageError, say};
use anyhow::Context;
use becivic_server::simulation::policies::NAMED;
use becivic_server::simulation::sweep::{Grid, sweep};
use std::path::PathBuf;

/// Try an attack with more and more addresses and days
///
/// Each number of addresses is tried with each number of days, under each policy. The answer is the share of targets on which the
/// goal was reached, and the smallest addresses × days at which it was reached on half of them.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// Numbers of addresses
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,4,8,12,16,24")]
    addresses: Vec<i64>,
    /// Numbers of days
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "5,10,20,40")]
    days: Vec<i64>,
    /// Policies, by name; all where none is given
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    policy: Vec<String>,
    /// Write the curves as SVG
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Sweeps.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let (name, scenario) = self.which.read()?;
        let all = || NAMED.iter().map(|it| it.name.to_owned()).collect();
        let names = if self.policy.is_empty() { all() } else { self.policy };
        let rules: anyhow::Result<Vec<_>> =
            names.iter().map(|policy| self.which.rules(policy, &scenario)).collect();
        let runs = self.which.runs.unwrap_or(scenario.runs);
        let grid = Grid { addresses: &self.addresses, days: &self.days, runs, seed: self.which.seed };
        let found = sweep(&scenario, &name, &rules?, &grid).map_err(|error| UsageError(error.to_string()))?;
        if let Some(file) = &self.out {
            std::fs::write(file, found.svg()).with_context(|| format!("cannot write {}", file.display()))?;
        }
        if self.json {
            say::json(&found)?;
        } else {
            say::text(&found.text())?;
        }
        Ok(Outcome::Fine)
    }
}
