//! Checking a log from outside: where it is read, and what is remembered of it.
//!
//! 1. A log is read from a server (`verify/server.rs`), from a folder that somebody keeps a copy in (`verify/copy.rs`), or from the
//!    data folder of a server (`becivic_server::transparency::stored`).
//! 2. The core audits it (`becivic_core::log::audit`).
//! 3. Or each answer is held against it as it comes (`verify/watch.rs`).
//! 4. The last state that was good is remembered (`verify/memory.rs`), so that the next look finds a log that lost something.

pub mod copy;
pub mod memory;
pub mod server;
pub mod watch;

use becivic_core::log::{Source, Tile, Verifier};
use becivic_server::transparency::stored::{Statuses, Stored};

/// A log, wherever it is.
pub enum Log {
    /// On a server.
    Server(server::Server),
    /// In a copy.
    Copy(copy::Copy),
    /// In a data folder.
    Stored(Box<Stored>),
}

impl Log {
    /// The key it says it is signed with.
    pub fn key(&mut self) -> anyhow::Result<Verifier> {
        match self {
            Self::Server(it) => it.key(),
            Self::Copy(it) => it.key(),
            Self::Stored(it) => Ok(it.key().clone()),
        }
    }

    /// Keeps the key with a copy, where one is made.
    pub fn keep_key(&self, key: &Verifier) -> anyhow::Result<()> {
        match self {
            Self::Server(it) => it.keep_key(key),
            Self::Copy(_) | Self::Stored(_) => Ok(()),
        }
    }

    /// Its signed state.
    pub fn checkpoint(&mut self) -> anyhow::Result<String> {
        match self {
            Self::Server(it) => it.checkpoint(),
            Self::Copy(it) => it.checkpoint(),
            Self::Stored(it) => it.checkpoint(),
        }
    }

    /// What is served beside it.
    pub fn served(&mut self) -> anyhow::Result<Statuses> {
        match self {
            Self::Server(it) => it.served(),
            Self::Copy(it) => it.served(),
            Self::Stored(it) => it.served(),
        }
    }

    /// What is answered about an artefact, with its proof; only servers do.
    pub fn told(&mut self, artefact: &str) -> anyhow::Result<Option<server::Told>> {
        match self {
            Self::Server(it) => it.told(artefact),
            Self::Copy(_) | Self::Stored(_) => Ok(None),
        }
    }
}

impl Source for Log {
    type Error = anyhow::Error;

    fn tile(&mut self, tile: Tile) -> anyhow::Result<Option<Vec<u8>>> {
        match self {
            Self::Server(it) => it.tile(tile),
            Self::Copy(it) => it.tile(tile),
            Self::Stored(it) => it.tile(tile),
        }
    }
}
