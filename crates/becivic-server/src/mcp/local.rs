//! `becivic mcp --corpus DIR`: a folder of a corpus, read-only, on standard input and output.
//!
//! Everything is opened as a server does it, in a folder that goes when the process ends. What is sent would reach nobody, so the tools
//! that send are not there.

use super::{Access, Door, lines};
use crate::app::{App, Role};
use crate::config::Config;
use crate::moment::Clock;
use anyhow::Context;
use becivic_core::names::Names;
use rmcp::ServiceExt;
use std::time::Duration;

/// How long the end may take.
const ENDING: Duration = Duration::from_secs(1);

/// Serves a folder until the other side ends; an empty name is the corpus that comes with the program.
pub fn serve_folder(mut config: Config, names: &'static Names<'static>, folder: &str) -> anyhow::Result<()> {
    let data = tempfile::tempdir().context("cannot make a folder to work in")?;
    config.server.data = data.path().join("data").display().to_string();
    config.server.corpus = folder.to_owned();
    config.server.database = String::new();
    config.forge.kind = crate::config::ForgeKind::Local;
    let (app, _) = App::open(config, names, Clock::System, Role::Serve)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let door = Door::new(app.clone(), Access::Reading);
    let served = runtime.block_on(async {
        let (input, output) = rmcp::transport::stdio();
        let lines = lines::guarded(input, output);
        let served = async { anyhow::Ok(door.serve((lines.input, lines.output)).await?.waiting().await?) };
        let served = served.await;
        // What was said is written before the process ends, if anybody reads it.
        let _written = tokio::time::timeout(ENDING, lines.written).await;
        served.map(drop)
    });
    runtime.shutdown_timeout(ENDING);
    app.db.close();
    // Whoever closes the line before saying anything has only looked whether the program starts.
    match served {
        Err(error) if error.to_string().contains("connection closed") => Ok(()),
        other => other,
    }
}
