//! The commands, one file each.

mod build;
mod bump;
mod catalogue;
pub mod check;
mod commit;
mod communes;
mod completions;
mod fmt;
mod given;
mod graph;
mod index;
mod man;
mod mcp;
mod ner;
mod new;
mod place;
mod preview;
mod probe;
mod retract;
mod review;
mod scrub;
mod serve;
mod simulate;
mod tick;
mod token;
mod verify;
mod words;

use crate::Outcome;
use clap::{Parser, Subcommand};

/// Be Civic: procedures of Belgian administration that people's own agents can read, check and improve,
/// without anyone learning who those people are.
#[derive(Parser)]
#[command(
    name = "becivic",
    version,
    propagate_version = true,
    disable_help_subcommand = true,
    after_help = "Exit codes: 0 fine, 1 findings, 2 wrong usage, 3 could not run.\n\nStart with:\n  becivic check corpus             check a corpus folder\n  becivic check --explain RULE     what a rule asks and why\n  becivic new skill my-skill       start a skill\n  becivic scrub note.txt           find personal data in a text\n  becivic ner note.txt             find people's names in a text\n  becivic preview corpus           read a corpus as a site while you write\n  becivic build corpus --out site  write the whole site as files\n  becivic serve                    serve the corpus and take submissions\n  becivic mcp                      speak MCP to an agent's host\n  becivic verify https://becivic.be    check its transparency log"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    New(new::Args),
    Fmt(fmt::Args),
    Bump(bump::Args),
    Index(index::Args),
    Graph(graph::Args),
    Scrub(scrub::Args),
    Ner(ner::Args),
    Build(build::Args),
    Preview(preview::Args),
    Serve(serve::Args),
    Mcp(mcp::Args),
    Commit(commit::Args),
    Tick(tick::Args),
    Simulate(simulate::Args),
    Probe(probe::Args),
    Review(review::Args),
    Catalogue(catalogue::Args),
    Token(token::Args),
    Verify(verify::Args),
    Retract(retract::Args),
    Communes(communes::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<Outcome> {
        match self.command {
            Command::Check(args) => args.run(),
            Command::New(args) => args.run(),
            Command::Fmt(args) => args.run(),
            Command::Bump(args) => args.run(),
            Command::Index(args) => args.run(),
            Command::Graph(args) => args.run(),
            Command::Scrub(args) => args.run(),
            Command::Ner(args) => args.run(),
            Command::Build(args) => args.run(),
            Command::Preview(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Mcp(args) => args.run(),
            Command::Commit(args) => args.run(),
            Command::Tick(args) => args.run(),
            Command::Simulate(args) => args.run(),
            Command::Probe(args) => args.run(),
            Command::Review(args) => args.run(),
            Command::Catalogue(args) => args.run(),
            Command::Token(args) => args.run(),
            Command::Verify(args) => args.run(),
            Command::Retract(args) => args.run(),
            Command::Communes(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(),
        }
    }
}
