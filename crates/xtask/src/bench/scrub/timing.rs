//! One run of `becivic scrub`, timed from start to end.
//!
//! Its answers are thrown away: with --json it writes every hit, and a text full of hits makes an answer
//! larger than itself. Making that answer is part of the time, writing it to a disk is not. Exit code 1 says
//! that something was found and is no failure here.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::super::child;

/// How one file is scrubbed.
#[derive(Debug, Clone, Copy)]
pub struct Scrub<'a> {
    /// The program.
    pub program: &'a Path,
    /// Whether each line is a text of its own.
    pub lines: bool,
    /// Whether all processors may be used, as they are where nobody forbids it; otherwise one.
    pub all: bool,
}

impl Scrub<'_> {
    /// The best time of several runs, in seconds.
    pub fn best_of(&self, rounds: usize, file: &Path) -> Result<f64> {
        Ok(child::best_of(rounds, &[0, 1], || self.command(file))?.seconds)
    }

    /// The same with all processors.
    pub fn by_all(self) -> Self {
        Self { all: true, ..self }
    }

    /// Whether nothing is found in a file.
    pub fn is_clean(&self, file: &Path) -> Result<bool> {
        let mut command = self.command(file);
        let status = command.stdout(Stdio::null()).status().context("becivic did not start")?;
        Ok(status.success())
    }

    fn command(&self, file: &Path) -> Command {
        let mut command = Command::new(self.program);
        command.arg("scrub").arg("--json");
        match self.all {
            true => command.env_remove("RAYON_NUM_THREADS"),
            false => command.env("RAYON_NUM_THREADS", "1"),
        };
        if self.lines {
            command.arg("--lines");
        }
        command.arg(file);
        command
    }
}
