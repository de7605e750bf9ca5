//! `becivic preview`: a checkout as a site, while its author writes.
//!
//! 1. Read the folder and run the rules; that is what every page is made of ([`watch`]).
//! 2. Three times a second, look whether a file has another time, size or name. Looking works on every file system and with every
//!    editor, and costs a millisecond for a corpus; a watcher of the system would be a dependency for each system.
//! 3. Answer on this machine alone ([`door`]): pages with what the rules found in their files on top ([`answer`]).
//! 4. A script in each page waits for the next reading (`/preview/events`) and loads the page again.

mod answer;
mod door;
mod watch;

use crate::{Outcome, say};
use anyhow::Context;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use watch::Watched;

/// Read a corpus as a site while you write it
///
/// Serves the pages of a corpus folder on this machine. A change in a file shows in the browser by itself, and what the rules find
/// stands on top of the page it is about; /preview lists everything.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic preview corpus\n  becivic preview corpus --listen 127.0.0.1:0     any free port\n\nExit codes: 2 wrong usage, 3 could not run. Ctrl-C ends it."
)]
pub struct Args {
    /// The corpus folder: the one that holds skills/ and paths/
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,

    /// Where to listen; port 0 takes any free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8090")]
    listen: String,
}

impl Args {
    /// Serves until it is stopped.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let listener =
            TcpListener::bind(&self.listen).with_context(|| format!("cannot listen on {}", self.listen))?;
        let base = format!("http://{}", listener.local_addr()?);
        let watched = Arc::new(Watched::open(self.dir)?);
        let watching = Arc::clone(&watched);
        std::thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || watching.look_again_and_again())?;
        say::line(&base)?;
        say::line(format_args!("  {base}/preview  what the rules find"))?;
        door::serve(&listener, &base, &watched)
    }
}
