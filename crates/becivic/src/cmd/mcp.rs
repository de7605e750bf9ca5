//! `becivic mcp`: the corpus for an agent's host that starts its MCP servers itself.

use super::serve::configuration;
use crate::{Outcome, UsageError};
use becivic_server::{logs, mcp};

/// Speak MCP on standard input and output
///
/// For hosts that start their MCP servers themselves. With --server it passes everything on to a server, reading and sending; with
/// --corpus it serves a corpus folder of yours as it is at the start, reading alone; without either, the corpus that comes with the
/// program.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic mcp --server https://becivic.be       everything, through a server\n  becivic mcp --corpus corpus                   a folder, as it is now\n  becivic mcp                                   the bundled corpus, without any network\n\nIn the configuration of a host:\n  {\"mcpServers\": {\"becivic\": {\"command\": \"becivic\", \"args\": [\"mcp\", \"--server\", \"https://becivic.be\"]}}}\n\nExit codes: 0 the other side ended, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The server to pass everything on to
    #[arg(long, value_name = "URL", conflicts_with = "corpus")]
    server: Option<String>,
    /// The corpus folder to serve: the one that holds skills/ and paths/
    #[arg(long, value_name = "DIR")]
    corpus: Option<String>,
}

impl Args {
    /// Speaks until the other side ends.
    pub fn run(self) -> anyhow::Result<Outcome> {
        if let Some(server) = self.server {
            becivic_server::outward::check_server(&server).map_err(|error| UsageError(error.to_string()))?;
            mcp::pass_on(&server, std::io::stdin().lock(), std::io::stdout())?;
            return Ok(Outcome::Fine);
        }
        let folder = self.corpus.unwrap_or_default();
        if !folder.is_empty() && !std::path::Path::new(&folder).join("skills").is_dir() {
            let why = format!("{folder} is no corpus: it holds no skills/; name the folder that does");
            return Err(UsageError(why).into());
        }
        let config = configuration(None)?;
        let _ends = logs::begin(config.server.log);
        mcp::serve_folder(config, crate::names::bundled()?, &folder)?;
        Ok(Outcome::Fine)
    }
}
