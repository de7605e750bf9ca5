//! `becivic completions`: completions for a shell, from the same definitions as `--help`.

use crate::{Outcome, say};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print completions for a shell
///
/// For bash, for example: `becivic completions bash > ~/.local/share/bash-completion/completions/becivic`
#[derive(clap::Args)]
pub struct Args {
    /// The shell to complete for
    shell: Shell,
}

impl Args {
    /// Prints the completions.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let mut command = super::Cli::command();
        let mut out = Vec::new();
        clap_complete::generate(self.shell, &mut command, "becivic", &mut out);
        say::bytes(&out)?;
        Ok(Outcome::Fine)
    }
}
