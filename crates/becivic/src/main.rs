//! The `becivic` binary: reads arguments, calls one function per command, turns the answer into an
//! exit code.
//!
//! Exit codes: 0 fine, 1 findings, 2 usage (clap's own), 3 could not run.

mod base;
mod cmd;
mod folder;
mod report;
mod write;

use clap::Parser;
use std::process::ExitCode;

/// Reading a corpus makes many small allocations; this allocator makes them cheap.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a command that ran ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing to report.
    Fine,
    /// Something was found.
    Findings,
}

fn main() -> ExitCode {
    let cli = cmd::Cli::parse();
    match cli.run() {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("becivic: {error:#}");
            ExitCode::from(3)
        }
    }
}

/// `becivic … | head` is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
