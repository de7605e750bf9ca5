//! Where a server keeps everything: what chores that run beside it are told, and how they open it.

use crate::cmd::serve::configuration;
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::moment::Clock;
use std::path::PathBuf;
use std::sync::Arc;

/// The flags that say where.
#[derive(clap::Args)]
pub struct Place {
    /// The folder that holds everything
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<String>,
    /// sqlite://FILE or postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL", global = true)]
    database: Option<String>,
    /// A TOML file with settings
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

impl Place {
    /// The settings: the file, the environment, then these flags.
    pub fn settings(&self) -> anyhow::Result<Config> {
        let mut config = configuration(self.config.as_deref())?;
        if let Some(data) = &self.data {
            config.server.data.clone_from(data);
        }
        if let Some(database) = &self.database {
            config.server.database.clone_from(database);
        }
        Ok(config)
    }

    /// Opens it, as somebody who may work beside a server.
    pub fn open(&self) -> anyhow::Result<Arc<App>> {
        let (app, _) = App::open(self.settings()?, Clock::System, Role::Chore)?;
        Ok(app)
    }
}
