//! Pages that were made, as they are sent: plain and compressed, with their tag.

use super::Thing;
use crate::live::Live;
use crate::sent::Sent;
use crate::served::Served;
use bytes::Bytes;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

/// How long a page is sent without asking whether it is still true. Half of the second within which a change must show.
const MOMENT: Duration = Duration::from_millis(500);

/// The same for lists of everything, which cost more to look at.
const WHILE: Duration = Duration::from_secs(30);

/// Bytes that are kept at most; with more, everything is made anew as it is asked for.
const CAPACITY: usize = 48 << 20;

/// Fast rather than small: a page is made more often than it is worth another tenth.
const COMPRESSION: u32 = 6;

/// A page as it is sent.
pub struct Kept {
    /// The status of the answer.
    pub status: u16,
    /// The page.
    pub sent: Sent,
    live: Weak<Live>,
    withheld: Weak<BTreeSet<(String, String)>>,
    facts: [u8; 32],
    fresh_for: Duration,
    true_at: Mutex<Instant>,
}

impl Kept {
    /// A page that was made now, of what is served and of facts with this digest.
    pub fn new(status: u16, plain: Bytes, served: &Served, facts: [u8; 32], is_a_list: bool) -> Self {
        let sent = Sent::new(plain, COMPRESSION);
        let (live, withheld) = served.origin();
        let (fresh_for, true_at) = (if is_a_list { WHILE } else { MOMENT }, Mutex::new(Instant::now()));
        Self { status, sent, live, withheld, facts, fresh_for, true_at }
    }

    fn is_of(&self, served: &Served) -> bool {
        served.is_of(&self.live, &self.withheld)
    }

    fn is_fresh(&self) -> bool {
        self.true_at.lock().unwrap_or_else(PoisonError::into_inner).elapsed() < self.fresh_for
    }
}

/// Where one page is kept.
#[derive(Default)]
pub struct Slot {
    page: RwLock<Option<Arc<Kept>>>,
    /// Held by whoever makes it.
    pub making: tokio::sync::Mutex<()>,
}

impl Slot {
    /// The page, where it was true a moment ago and nothing else is served since.
    pub fn fresh(&self, served: &Served) -> Option<Arc<Kept>> {
        let page = self.page.read().unwrap_or_else(PoisonError::into_inner);
        page.as_ref().filter(|kept| kept.is_of(served) && kept.is_fresh()).cloned()
    }

    /// The page, where it is made of the same; it is true now.
    pub fn renewed(&self, served: &Served, facts: &[u8; 32]) -> Option<Arc<Kept>> {
        let page = self.page.read().unwrap_or_else(PoisonError::into_inner);
        let kept = page.as_ref().filter(|kept| kept.is_of(served) && kept.facts == *facts)?;
        *kept.true_at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Some(Arc::clone(kept))
    }
}

/// All pages that are kept.
#[derive(Default)]
pub struct Pages {
    slots: RwLock<FxHashMap<Thing, Arc<Slot>>>,
    bytes: AtomicUsize,
}

impl Pages {
    /// Where a page is kept.
    pub fn slot(&self, wanted: &Thing) -> Arc<Slot> {
        if let Some(slot) = self.slots.read().unwrap_or_else(PoisonError::into_inner).get(wanted) {
            return Arc::clone(slot);
        }
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry(wanted.clone()).or_default())
    }

    /// Keeps a page that was made.
    pub fn keep(&self, slot: &Slot, made: Arc<Kept>) {
        let size = made.sent.size();
        let before = slot.page.write().unwrap_or_else(PoisonError::into_inner).replace(made);
        let freed = before.map_or(0, |before| before.sent.size());
        let held = self.bytes.fetch_add(size, Ordering::Relaxed).wrapping_add(size).wrapping_sub(freed);
        self.bytes.fetch_sub(freed, Ordering::Relaxed);
        if held > CAPACITY {
            self.forget();
        }
    }

    /// Forgets all of them: what was put away is on none that is made from now on.
    pub fn forget(&self) {
        self.slots.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.bytes.store(0, Ordering::Relaxed);
    }
}
