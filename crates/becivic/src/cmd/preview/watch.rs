//! The folder as it was read last, and word of every new reading.

use crate::{folder, say};
use becivic_core::corpus::Corpus;
use becivic_core::finding::Finding;
use becivic_core::rules;
use becivic_site::citations::Citations;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often the folder is looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// A folder that is watched.
pub struct Watched {
    dir: PathBuf,
    now: Mutex<Arc<Reading>>,
    changed: Condvar,
}

/// The folder at one moment.
pub struct Reading {
    /// The corpus.
    pub corpus: Corpus,
    /// Who cites what in it.
    pub citations: Citations,
    /// What the rules find in it.
    pub findings: Vec<Finding>,
    /// Which reading it is, from 1.
    pub number: u64,
    stamp: u64,
}

impl Watched {
    /// Reads the folder for the first time.
    pub fn open(dir: PathBuf) -> anyhow::Result<Self> {
        let first = read(&dir, folder::stamp(&dir), 1)?;
        Ok(Self { dir, now: Mutex::new(Arc::new(first)), changed: Condvar::new() })
    }

    /// The last reading.
    pub fn now(&self) -> Arc<Reading> {
        Arc::clone(&self.now.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for a reading after this one, at most so long; the last one in any case.
    pub fn after(&self, number: u64, most: Duration) -> Arc<Reading> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(now, most, |now| now.number <= number);
        Arc::clone(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Reads the folder again whenever it has changed.
    pub fn look_again_and_again(&self) {
        loop {
            std::thread::sleep(PAUSE);
            let before = self.now();
            let stamp = folder::stamp(&self.dir);
            if stamp == before.stamp {
                continue;
            }
            match read(&self.dir, stamp, before.number + 1) {
                Ok(reading) => {
                    *self.now.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(reading);
                    self.changed.notify_all();
                }
                // The folder may be on its way to another place; the last reading stays.
                Err(error) => say::aside(format_args!("becivic: {error:#}")),
            }
        }
    }
}

/// The stamp is taken before the files are read: what changes meanwhile is seen the next time.
fn read(dir: &Path, stamp: u64, number: u64) -> anyhow::Result<Reading> {
    let corpus = folder::read(dir, None)?.corpus;
    let findings = rules::check(&corpus, &corpus.catalogue, None);
    let citations = Citations::of(&corpus);
    Ok(Reading { corpus, citations, findings, number, stamp })
}
