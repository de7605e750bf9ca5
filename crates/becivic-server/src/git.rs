//! The corpus for any `git clone`, over HTTP and read-only: what `git upload-pack` does, without a `git` binary.
//!
//! 1. A client asks what there is: [`refs`] lists `HEAD`, `main` and the heads of pull requests, and nothing else.
//! 2. It says what it wants and what it has ([`ask`], in lines as [`mod@line`] reads them; versions 0 and 2 of the protocol).
//!    What is wanted must be reachable from something listed: a proposal that was taken back stays unreadable.
//! 3. [`talk`] works out with it what both have, and [`history`] which commits are missing.
//! 4. [`objects`] lists what those commits brought, [`pack`] writes it down, as differences ([`delta`]) where that is
//!    shorter, into a file that has no name and is gone with the process.
//! 5. [`packs`] makes each pack once, however many ask for it at the same time, and few at a time.
//!
//! All of this waits for the disk: it runs on threads that may wait.

pub mod ask;
mod delta;
pub mod history;
pub mod line;
pub mod objects;
mod pack;
pub mod packs;
pub mod refs;
pub mod talk;

use crate::repository::Repository;
use history::History;
use packs::Packs;
use std::path::Path;
use std::sync::Arc;

/// Most questions worked on at the same time; each is a walk over commits that are mostly in memory.
const ASKED_AT_ONCE: usize = 4;

/// What answers `git` clients.
pub struct Git {
    /// The repository.
    pub repository: Repository,
    /// What is known of commits.
    pub history: History,
    /// Packs, made and being made.
    pub packs: Packs,
    /// Permits to work on a question.
    pub questions: tokio::sync::Semaphore,
}

impl Git {
    /// Over a repository; packs lie, nameless, in a folder.
    pub fn new(repository: Repository, folder: &Path) -> Arc<Self> {
        Arc::new(Self {
            repository,
            history: History::default(),
            packs: Packs::new(folder),
            questions: tokio::sync::Semaphore::new(ASKED_AT_ONCE),
        })
    }
}
