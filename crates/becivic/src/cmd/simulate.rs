//! `becivic simulate`: what the policy makes of people who err, do not look, or attack.
//!
//! 1. A scenario is a file, or one of those that come with the program, by its name.
//! 2. It is run under a policy, by name or from a configuration; `sweep` runs it under several, with more and more addresses
//!    and days; `study` runs the whole library under all of them and writes `docs/trust.md`.

mod study;
mod sweep;

use crate::{Outcome, UsageError, say};
use anyhow::Context;
use becivic_server::simulation::policies::{DEFAULT, NAMED, Rules};
use becivic_server::simulation::scenario::Scenario;
use becivic_server::simulation::{self, library};
use std::path::PathBuf;

/// Simulate what people and attackers make of the policy
///
/// Runs the rules and limits of the server on a virtual clock, over people who look, people who confirm without looking, and
/// attackers with a number of addresses and days, and says what became of right and wrong content, with 95 % intervals, and
/// what an attack cost in addresses × days. The same seed gives the same answer on every machine. Nothing is read or written but
/// the files that are named.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "A scenario is a TOML file; what may stand in it is told in fixtures/simulation/README.md. Those that come with the program go by their names; --list shows them.\n\nExamples:\n  becivic simulate --list\n  becivic simulate --scenario planted-draft --seed 1\n  becivic simulate --scenario my.toml --policy raw --runs 50 --json\n  becivic simulate sweep --scenario planted-draft --addresses 4,8,12,16 --days 20,40 --out cost.svg\n  becivic simulate study --check                 is docs/trust.md what the code says?\n\nExit codes: 0 fine, 1 docs/trust.md is out of date, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    #[command(subcommand)]
    more: Option<More>,
    #[command(flatten)]
    which: Which,
    /// The policy, by name
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    policy: String,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
    /// List the scenarios and the policies that come with the program
    #[arg(long)]
    list: bool,
}

#[derive(clap::Subcommand)]
enum More {
    Sweep(sweep::Args),
    Study(study::Args),
}

/// What is run, and how often.
#[derive(clap::Args)]
struct Which {
    /// A TOML file, or the name of a scenario that comes with the program
    #[arg(long, value_name = "FILE")]
    scenario: Option<String>,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How often it is run; as often as the scenario says where this is not given
    #[arg(long, value_name = "R")]
    runs: Option<i64>,
    /// A configuration whose `[consensus]` and `[limits]` apply
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Args {
    /// Simulates.
    pub fn run(self) -> anyhow::Result<Outcome> {
        match self.more {
            Some(More::Sweep(args)) => return args.run(),
            Some(More::Study(args)) => return args.run(),
            None => {}
        }
        if self.list {
            return list();
        }
        let (name, scenario) = self.which.read()?;
        let rules = self.which.rules(&self.policy, &scenario)?;
        let runs = self.which.runs.unwrap_or(scenario.runs);
        let report = simulation::run(&scenario, &name, &rules, self.which.seed, runs)
            .map_err(|error| UsageError(error.to_string()))?;
        if self.json {
            say::json(&report)?;
        } else {
            say::text(&report.text())?;
        }
        Ok(Outcome::Fine)
    }
}

impl Which {
    /// The scenario and its name.
    fn read(&self) -> anyhow::Result<(String, Scenario)> {
        let unnamed = || {
            UsageError(
                "name a scenario with --scenario; `becivic simulate --list` lists those there are".to_owned(),
            )
        };
        let given = self.scenario.as_deref().ok_or_else(unnamed)?;
        let path = std::path::Path::new(given);
        let (name, text) = match library::find(given).filter(|_| !path.exists()) {
            Some(text) => (given.to_owned(), text.to_owned()),
            None => {
                let text = std::fs::read_to_string(path).with_context(|| {
                    format!(
                        "cannot read {}; `becivic simulate --list` names those there are",
                        say::shown(given)
                    )
                })?;
                (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text)
            }
        };
        let scenario = Scenario::read(&text).map_err(|error| UsageError(format!("{given}: {error}")))?;
        Ok((name, scenario))
    }

    /// The rules it is run under.
    fn rules(&self, policy: &str, scenario: &Scenario) -> anyhow::Result<Rules> {
        let rules = Rules::of(self.config.as_deref(), policy, &scenario.policy);
        rules.map_err(|error| UsageError(format!("{error:#}")).into())
    }
}

fn list() -> anyhow::Result<Outcome> {
    say::line("Scenarios:")?;
    for (name, text) in library::LIBRARY {
        let scenario = Scenario::read(text)?;
        let story = scenario.story.split_whitespace().collect::<Vec<_>>().join(" ");
        say::line(format_args!("  {name:<22} {story}"))?;
    }
    say::line("")?;
    say::line("Policies:")?;
    for it in NAMED {
        say::line(format_args!("  {:<22} {}", it.name, it.means))?;
    }
    Ok(Outcome::Fine)
}
