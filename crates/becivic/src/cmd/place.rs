//! Where a server keeps everything: what chores that run beside it are told, and how they open it.

use crate::cmd::serve::configuration;
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::jobs::Lease;
use becivic_server::moment::Clock;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long a chore waits for a process that does the same.
const PATIENCE: Duration = Duration::from_secs(30);

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
    /// Whether any of them was given.
    pub fn is_named(&self) -> bool {
        self.data.is_some() || self.database.is_some() || self.config.is_some()
    }

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
        let names = crate::names::bundled()?;
        let (app, _) = App::open(self.settings()?, names, Clock::of_this_process(), Role::Chore)?;
        Ok(app)
    }
}

/// The right to do a job that a server does too, as soon as it has ended there.
pub fn turn(app: &App, job: &'static str) -> anyhow::Result<Lease> {
    let Some(lease) = Lease::wait(app, job, PATIENCE)? else {
        app.db.close();
        anyhow::bail!("another process does the same and has not ended; ask again when it has (job `{job}`)");
    };
    Ok(lease)
}
