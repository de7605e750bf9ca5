//! `becivic simulate study`: the policies compared on the library of scenarios, as `docs/trust.md`.

use crate::{Outcome, say, write};
use anyhow::Context;
use becivic_server::simulation::study::{SEED, study};
use std::path::PathBuf;

/// Compare the policies and write docs/trust.md
///
/// Runs every scenario that comes with the program under every policy, with the same seed, and writes what came out, with its
/// pictures. The same seed gives the same bytes on every machine.
#[derive(clap::Args)]
pub struct Args {
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
    /// The folder that `trust.md` and `trust/` are written into
    #[arg(long, value_name = "DIR", default_value = "docs")]
    out: PathBuf,
    /// Write nothing; say which files are not what they should be
    #[arg(long)]
    check: bool,
}

impl Args {
    /// Studies.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let files = study(self.seed)?.files();
        if !self.check {
            for (path, text) in &files {
                write::replace(&self.out, path, text.as_bytes())?;
                say::line(format_args!("{} written", self.out.join(path).display()))?;
            }
            return Ok(Outcome::Fine);
        }
        let mut outcome = Outcome::Fine;
        for (path, text) in &files {
            let path = self.out.join(path);
            let is = match std::fs::read(&path) {
                Ok(bytes) => Some(bytes),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
            };
            if is.as_deref() != Some(text.as_bytes()) {
                say::line(format_args!(
                    "{} is out of date; `becivic simulate study` writes it",
                    path.display()
                ))?;
                outcome = Outcome::Findings;
            }
        }
        if outcome == Outcome::Fine {
            say::line(format_args!("{} files are what they should be", files.len()))?;
        }
        Ok(outcome)
    }
}
