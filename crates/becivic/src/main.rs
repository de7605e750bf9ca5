//! The `becivic` binary: reads arguments, calls one function per command, turns the answer into an
//! exit code.
//!
//! Exit codes: 0 fine, 1 findings, 2 usage (clap's own, and [`UsageError`]), 3 could not run.

mod base;
mod cmd;
mod folder;
mod names;
mod report;
mod say;
mod site;
mod verify;
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

/// An argument that is wrong for a reason only the command could see.
#[derive(Debug)]
pub struct UsageError(pub String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

fn main() -> ExitCode {
    let cli = cmd::Cli::parse();
    match cli.run() {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) => {
            say::aside(format_args!("becivic: {error:#}"));
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 3 })
        }
    }
}
