//! `becivic mcp`: the corpus for an agent's host that starts its MCP servers itself.

use super::serve::configuration;
use crate::verify::watch::watch;
use crate::{Outcome, UsageError};
use becivic_core::log::Verifier;
use becivic_server::{logs, mcp};
use std::path::PathBuf;

/// Speak MCP on standard input and output
///
/// For hosts that start their MCP servers themselves. With --server it passes everything on to a server, reading and sending, and checks
/// the proofs of what it reads: an answer about one skill or path that has not the status and the version of its entry in the server's
/// transparency log is not passed on. With
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
    /// Believe proofs of this key and no other, as example.org/log+0a1b2c3d+AbCd…
    #[arg(long, requires = "server")]
    key: Option<String>,
    /// Where the last state of the server's log is remembered
    #[arg(long, requires = "server", value_name = "FILE")]
    memory: Option<PathBuf>,
    /// Pass answers on without checking their proofs against the server's transparency log
    #[arg(long, requires = "server", conflicts_with_all = ["key", "memory"])]
    no_proofs: bool,
    /// The corpus folder to serve: the one that holds skills/ and paths/
    #[arg(long, value_name = "DIR")]
    corpus: Option<String>,
}

impl Args {
    /// Speaks until the other side ends.
    pub fn run(self) -> anyhow::Result<Outcome> {
        if let Some(server) = self.server {
            becivic_server::outward::check_server(&server).map_err(|error| UsageError(error.to_string()))?;
            let read =
                |text: &String| Verifier::read(text).map_err(|error| UsageError(format!("--key: {error}")));
            let key = self.key.as_ref().map(read).transpose()?;
            let look = if self.no_proofs { None } else { Some(watch(&server, key, self.memory)?) };
            mcp::pass_on(&server, look, std::io::stdin().lock(), std::io::stdout())?;
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
