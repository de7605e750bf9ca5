//! `cargo xtask bench [NAME]`: numbers with bounds.
//!
//! 1. Without a name, list the benches of [`BENCHES`].
//! 2. With one, run it: it builds what it measures in release, prints a table, and keeps a
//!    machine-readable copy under `target/bench/`.
//! 3. A broken bound is a finding (exit code 1); timings come from the same run on the same machine.

mod baseline;
mod check;
mod child;
mod commit;
mod consensus;
mod ingest;
mod mcp;
mod names;
mod report;
mod scrub;
mod search;
mod site;
mod trust;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::Outcome;

/// Arguments of `cargo xtask bench`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bench to run; without one, the benches are listed.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(BENCHES.iter().map(|b| b.name)))]
    name: Option<String>,
    /// The corpus the `baseline` bench reads.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    #[command(flatten)]
    ingest: ingest::Options,
}

struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Path, &Args) -> Result<Outcome>,
}

/// Every bench.
const BENCHES: &[Bench] = &[
    Bench {
        name: "check",
        about: "becivic check on 1,000 and 10,000 generated skills, against a bare CommonMark parser",
        run: |root, _| check::run(root),
    },
    Bench {
        name: "baseline",
        about: "the bare CommonMark parser alone, over the bodies of --corpus DIR, on one thread",
        run: |_, args| baseline::run(args.corpus.as_deref()),
    },
    Bench {
        name: "scrub",
        about: "becivic scrub on prose, notes and malicious texts, beside Presidio's pattern recognisers",
        run: |root, _| scrub::run(root),
    },
    Bench {
        name: "search",
        about: "labelled queries in four languages over the public corpus, and what they cost over 10,000 skills",
        run: |root, _| search::run(root),
    },
    Bench {
        name: "names",
        about: "people's names in marked lines of four languages, beside Presidio; speed, memory, size",
        run: |root, _| names::run(root),
    },
    Bench {
        name: "ingest",
        about: "becivic serve under load, beside a bare handler and a Worker; many rows, start, memory, PostgreSQL",
        run: |root, args| ingest::run(root, &args.ingest),
    },
    Bench {
        name: "commit",
        about: "the commit job over 100 and 1,000 due items on 10,000 skills, beside bare commits",
        run: |root, _| commit::run(root),
    },
    Bench {
        name: "consensus",
        about: "1,000,000 verdicts on 100,000 values: landing one beside its bare row, ticks, counting again",
        run: |root, _| consensus::run(root),
    },
    Bench {
        name: "trust",
        about: "the transparency log: an entry beside its transition, proofs, a whole check; a simulated year",
        run: |root, _| trust::run(root),
    },
    Bench {
        name: "mcp",
        about: "tools over MCP beside the same over HTTP",
        run: |root, args| mcp::run(root, args.ingest.seconds),
    },
    Bench {
        name: "site",
        about: "10,000 skills built beside Hugo and mdBook, a page served beside a bare handler, what it weighs",
        run: |root, args| site::run(root, args.ingest.only.as_deref(), args.ingest.seconds),
    },
];

/// Lists the benches or runs one.
pub fn run(root: &Path, args: &Args) -> Result<Outcome> {
    match BENCHES.iter().find(|bench| Some(bench.name) == args.name.as_deref()) {
        Some(bench) => (bench.run)(root, args),
        None => {
            for bench in BENCHES {
                println!("{:<10} {}", bench.name, bench.about);
            }
            Ok(Outcome::Fine)
        }
    }
}
