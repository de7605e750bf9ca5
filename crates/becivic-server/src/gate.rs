//! The gate before anything is read: those who are known to have sent too much wait outside, at no cost to the store.
//!
//! What decides is counted in the store, in the transaction that it guards. The gate only remembers its answers, and
//! holds what this process has taken of the hour everybody shares: a piece at a time when the limit is large, one by one
//! when it is small.

use crate::moment::Moment;
use crate::secrets::Bytes32;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// More addresses than this are not remembered; the store still is.
const MOST_REMEMBERED: usize = 20_000;

/// The memory of who waits.
pub struct Gate {
    waiting: Mutex<HashMap<Bytes32, Moment>>,
    world: Mutex<World>,
    piece: i64,
}

struct World {
    minute: i64,
    left: i64,
    closed_until: Moment,
}

impl Gate {
    /// A gate before a limit for everybody.
    pub fn new(global_per_hour: i64) -> Self {
        let world = World { minute: 0, left: 0, closed_until: Moment(0) };
        // What is left of a piece at the end of a minute is lost: sixty ten-thousandths of the limit at most.
        Self { waiting: Mutex::default(), world: Mutex::new(world), piece: (global_per_hour / 10_000).max(1) }
    }

    /// Until when this address, or everybody, has to wait.
    pub fn closed(&self, address: &Bytes32, now: Moment) -> Option<Moment> {
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner).closed_until;
        let own = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).get(address).copied();
        own.into_iter().chain([world]).max().filter(|until| *until > now)
    }

    /// Remembers that an address has to wait.
    pub fn close(&self, address: Bytes32, until: Moment, now: Moment) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= MOST_REMEMBERED {
            waiting.retain(|_, until| *until > now);
        }
        if waiting.len() < MOST_REMEMBERED {
            waiting.insert(address, until);
        }
    }

    /// Remembers that everybody has to wait.
    pub fn close_to_all(&self, until: Moment) {
        self.world.lock().unwrap_or_else(PoisonError::into_inner).closed_until = until;
    }

    /// Takes from the piece this process holds; otherwise says how much to take from the store.
    pub fn take(&self, wanted: i64, now: Moment) -> Result<(), i64> {
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        if world.minute == now.minute() && world.left >= wanted {
            world.left -= wanted;
            return Ok(());
        }
        Err(self.piece.max(wanted))
    }

    /// Keeps what was taken from the store and not used yet.
    pub fn keep(&self, left: i64, now: Moment) {
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        if world.minute != now.minute() {
            world.minute = now.minute();
            world.left = 0;
        }
        world.left += left;
    }
}
