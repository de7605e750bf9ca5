//! `becivic serve`: the hosted side, in one process.

use crate::{Outcome, UsageError, say};
use becivic_server::config::{Config, DOCUMENTED};
use std::path::PathBuf;

/// Serve the corpus and take submissions
///
/// On first start it makes everything it needs in the data folder, from the corpus that comes with it. Settings come
/// from flags, then BECIVIC_* variables, then the configuration file, then the defaults.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic serve                                     on 127.0.0.1:8080, data in becivic-data\n  becivic serve --data /srv/becivic --listen 0.0.0.0:80\n  becivic serve --database postgres://becivic@db/becivic\n  BECIVIC_STAGING__WINDOW=2s becivic serve          a short window, for trying things out\n  becivic serve --print-config > becivic.toml       every setting with its default"
)]
pub struct Args {
    /// The folder that holds repository, database and keys
    #[arg(long, value_name = "DIR")]
    data: Option<String>,
    /// The corpus an empty data folder begins with [default: the one that comes with the program]
    #[arg(long, value_name = "DIR")]
    corpus: Option<String>,
    /// Where to listen; port 0 takes any free one
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,
    /// sqlite://FILE or postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// A TOML file with settings
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print every setting with its default and what it means, and do nothing
    #[arg(long)]
    print_config: bool,
}

impl Args {
    /// Serves until it is told to stop.
    pub fn run(self) -> anyhow::Result<Outcome> {
        if self.print_config {
            say::text(DOCUMENTED)?;
            return Ok(Outcome::Fine);
        }
        let mut config = configuration(self.config.as_deref())?;
        let flags = [
            (self.data, &mut config.server.data),
            (self.corpus, &mut config.server.corpus),
            (self.listen, &mut config.server.listen),
            (self.database, &mut config.server.database),
        ];
        for (flag, setting) in flags {
            if let Some(flag) = flag {
                *setting = flag;
            }
        }
        becivic_server::serve::run(config, crate::names::bundled()?, &|line| {
            // A reader that has gone away does not end the service.
            let _gone = say::text(&format!("{line}\n"));
        })?;
        Ok(Outcome::Fine)
    }
}

/// The configuration from file and environment; what is wrong in it is wrong usage.
pub fn configuration(file: Option<&std::path::Path>) -> anyhow::Result<Config> {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    Config::load(file, variables).map_err(|error| UsageError(format!("{error:#}")).into())
}
