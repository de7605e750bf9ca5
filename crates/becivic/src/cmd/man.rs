//! `becivic man`: manual pages, from the same definitions as `--help`.

use crate::{Outcome, say};
use anyhow::Context;
use clap::CommandFactory;
use std::path::PathBuf;

/// Print the manual page, or write all of them into a folder
///
/// `becivic man | man -l -` reads it; `becivic man --out DIR` writes one page per command.
#[derive(clap::Args)]
pub struct Args {
    /// Folder for one page per command
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Args {
    /// Prints or writes the pages.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let command = super::Cli::command();
        match self.out {
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(command).render(&mut page)?;
                say::bytes(&page)?;
            }
            Some(out) => {
                std::fs::create_dir_all(&out)
                    .with_context(|| format!("cannot make the folder {}", out.display()))?;
                clap_mangen::generate_to(command, &out)
                    .with_context(|| format!("cannot write pages to {}", out.display()))?;
            }
        }
        Ok(Outcome::Fine)
    }
}
