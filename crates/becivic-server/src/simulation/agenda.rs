//! What happens in a run, and when.

use super::cohort::Voter;
use super::readers::Reading;
use becivic_core::consensus::Millis;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Somebody read something, and says how it was.
    Read(Reading),
    /// The attacker votes.
    Attack(Voter, usize),
    /// The tick looks at an artefact.
    Look(usize),
    /// Somebody sends an amendment of what is wrong, or was when they began to write.
    Amend(usize),
    /// An amendment is merged.
    Merge {
        /// Of which artefact.
        skill: usize,
        /// Whether it is right.
        is_right: bool,
        /// Who wrote it: a person, or an address of the attacker.
        author: Author,
    },
    /// A maintainer looks at an artefact.
    Review(usize),
}

/// Who wrote an amendment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Author {
    Reader(Voter),
    Attacker(Voter),
}

/// An event with its time; of two at the same time the one that was planned first comes first.
struct Due {
    at: Millis,
    number: u64,
    event: Event,
}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

/// What is planned, soonest first.
#[derive(Default)]
pub struct Agenda {
    due: BinaryHeap<Reverse<Due>>,
    planned: u64,
}

impl Agenda {
    /// Plans an event.
    pub fn plan(&mut self, at: Millis, event: Event) {
        self.planned += 1;
        self.due.push(Reverse(Due { at, number: self.planned, event }));
    }

    /// The next event before a moment.
    pub fn next_before(&mut self, end: Millis) -> Option<(Millis, Event)> {
        let Reverse(due) = self.due.peek().filter(|Reverse(due)| due.at < end)?;
        let next = (due.at, due.event);
        self.due.pop();
        Some(next)
    }
}
