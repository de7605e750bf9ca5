//! The chores of the workspace, run as `cargo xtask <chore>`.
//!
//! 1. Read the arguments; clap answers `--help` and refuses what it does not know (exit 2).
//! 2. Find the root of the workspace, so that every chore works from any folder inside it.
//! 3. Call one function per chore; it answers whether all was well.
//! 4. Turn the answer into an exit code: 0 fine, 1 findings, 3 could not run.
//!
//! This crate depends on none of ours: it must build when they do not.

// A test may fail by a panic.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

mod bench;
mod corpus;
mod test;
mod tidy;
mod train_ner;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What a chore answers when it could run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing to complain about: exit code 0.
    Fine,
    /// The chore ran and found something wrong, which it has printed: exit code 1.
    Findings,
}

/// Chores of the Be Civic workspace.
///
/// Exit codes: 0 fine, 1 findings (a failed step, an untidy file, a broken bound),
/// 2 wrong usage, 3 the chore itself could not run.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Run every check a change must pass, in order, stopping at the first failure.
    Test(test::Args),
    /// Check that the maps are true: crate arrows, named paths, links, file sizes, dependency list.
    Tidy(tidy::Args),
    /// Write a generated corpus: valid, realistic in size and linkage, equal to the byte for a seed.
    Corpus(corpus::Args),
    /// Measure the workspace against its bounds; without a name, list the benches.
    Bench(bench::Args),
    /// Make the weights of the recogniser of names again, byte for byte, from pinned data.
    TrainNer(train_ner::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let answer = workspace::root().and_then(|root| match cli.chore {
        Chore::Test(args) => test::run(&root, &args),
        Chore::Tidy(args) => tidy::run(&root, &args),
        Chore::Corpus(args) => corpus::run(&root, &args),
        Chore::Bench(args) => bench::run(&root, &args),
        Chore::TrainNer(args) => train_ner::run(&root, &args),
    });
    match answer {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) => {
            eprintln!("cargo xtask: {error:#}");
            ExitCode::from(3)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
