//! Packs: each is made once, however many ask for it, a few at a time, into files without names.

use super::Git;
use super::ask::Ask;
use super::history::Ends;
use super::{objects, pack};
use gix::ObjectId;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::fs::File;
use std::io::BufWriter;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OnceCell, Semaphore};

/// Packs made at the same time; each keeps a core.
const MADE_AT_ONCE: usize = 2;

/// Parts of packs read at the same time, for everybody together.
const READ_AT_ONCE: usize = 4;

/// Different packs that may wait to be made; whoever asks for more is told to come back.
const MOST_WAITING: usize = 64;

/// Packs kept for whoever asks for the same next, and how large they may be together.
const MOST_KEPT: usize = 16;
const LARGEST_KEPT: u64 = 512 << 20;

/// Which pack.
pub struct Order {
    /// What was asked.
    pub ask: Ask,
    /// What both have.
    pub common: Vec<ObjectId>,
    /// Where the history ends.
    pub ends: Option<Ends>,
}

impl Order {
    /// Orders with the same key get the same pack.
    fn key(&self) -> [u8; 32] {
        let Self { ask, common, ends: _ } = self; // ends follow from the rest
        let mut hash = Sha256::new();
        let mut common = common.clone();
        common.sort_unstable();
        common.dedup();
        let groups =
            [ask.wants.iter().collect::<Vec<_>>(), common.iter().collect(), ask.shallow.iter().collect()];
        for group in groups {
            group.iter().for_each(|id| hash.update(id.as_slice()));
            hash.update([0]);
        }
        hash.update(ask.depth.unwrap_or(0).to_le_bytes());
        hash.update([u8::from(ask.thin), u8::from(ask.places)]);
        hash.finalize().into()
    }
}

/// A pack in a file that has no name.
pub struct Pack {
    file: File,
    /// Its length in bytes.
    pub length: u64,
}

impl Pack {
    /// Some bytes of it; fewer at its end.
    pub fn read(&self, at: u64, most: usize) -> std::io::Result<Vec<u8>> {
        let length = usize::try_from(self.length.saturating_sub(at)).map_or(most, |left| left.min(most));
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, at)?;
        Ok(bytes)
    }
}

/// A pack that is made, being made, or will be.
type Slot = Arc<OnceCell<Arc<Pack>>>;

/// Packs that were asked for lately.
pub struct Packs {
    folder: PathBuf,
    making: Arc<Semaphore>,
    waiting: Semaphore,
    reading: Semaphore,
    kept: Mutex<VecDeque<([u8; 32], Slot)>>,
}

/// Why there is no pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPack {
    /// Too many others wait.
    Busy,
    /// It could not be made; why stands in the log.
    Failed,
}

impl Packs {
    /// None yet; they will lie in a folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            making: Arc::new(Semaphore::new(MADE_AT_ONCE)),
            waiting: Semaphore::new(MOST_WAITING),
            reading: Semaphore::new(READ_AT_ONCE),
            kept: Mutex::new(VecDeque::new()),
        }
    }

    /// Whether as many packs wait to be made as may.
    pub fn are_too_many(&self) -> bool {
        self.waiting.available_permits() == 0
    }

    /// Reads on a thread that may wait. Few at a time: each thread keeps memory of its own for what it reads.
    pub async fn reads<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NoPack> {
        let _permit = self.reading.acquire().await.map_err(|_| NoPack::Failed)?;
        tokio::task::spawn_blocking(work).await.map_err(|_| NoPack::Failed)
    }

    /// The slot of an order, the newest asked for first.
    fn slot(&self, key: [u8; 32]) -> Slot {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(other, _)| *other == key);
        let slot = at.and_then(|at| kept.remove(at)).map_or_else(Slot::default, |(_, slot)| slot);
        kept.push_front((key, Arc::clone(&slot)));
        slot
    }

    /// Lets go of what was not asked for lately. A pack that is being sent lives on until it is sent.
    fn forget(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut together = 0;
        let mut number = 0;
        kept.retain(|(_, slot)| {
            let Some(pack) = slot.get() else { return Arc::strong_count(slot) > 1 };
            together += pack.length;
            number += 1;
            number == 1 || (number <= MOST_KEPT && together <= LARGEST_KEPT)
        });
    }
}

impl Git {
    /// The pack of an order.
    pub async fn pack(self: &Arc<Self>, order: Order) -> Result<Arc<Pack>, NoPack> {
        let slot = self.packs.slot(order.key());
        let made = slot
            .get_or_try_init(|| async {
                let _place = self.packs.waiting.try_acquire().map_err(|_| NoPack::Busy)?;
                let permit = Arc::clone(&self.packs.making).acquire_owned().await;
                let git = Arc::clone(self);
                let making = tokio::task::spawn_blocking(move || {
                    // Held until it is made, also when whoever asked has gone away.
                    let _permit = permit;
                    git.make(&order)
                });
                match making.await {
                    Ok(Ok(pack)) => Ok(Arc::new(pack)),
                    Ok(Err(error)) => {
                        tracing::error!(error = %format!("{error:#}"), "could not make a pack");
                        Err(NoPack::Failed)
                    }
                    Err(_) => Err(NoPack::Failed),
                }
            })
            .await
            .cloned();
        drop(slot);
        self.packs.forget();
        made
    }

    fn make(&self, order: &Order) -> anyhow::Result<Pack> {
        let git = self.repository.local();
        let missing = self.history.missing(&git, &order.ask, &order.common, order.ends.as_ref())?;
        let sent = objects::of(&git, &missing)?;
        let file = tempfile::tempfile_in(&self.packs.folder)?;
        let bases = pack::Bases { places: order.ask.places, outside: order.ask.thin };
        let length = pack::write(&git, &sent, bases, BufWriter::with_capacity(1 << 16, &file))?;
        Ok(Pack { file, length })
    }
}
