//! Who reads what and when, and what they say of it.

use super::cohort::Voter;
use super::content::Content;
use super::random::Random;
use super::scenario::{Popularity, Readers, Scenario};
use crate::moment::DAY;
use becivic_core::consensus::{Ballot, Millis, Verdict};

/// Somebody reads something. What chance has to do with it is drawn already.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Who.
    pub voter: Voter,
    /// What.
    pub skill: usize,
    /// Whether they try a pending version where a stable one is offered.
    pub tries_pending: bool,
    is_lazy: bool,
    judges: f64,
    flags: f64,
}

impl Reading {
    /// What they say.
    pub fn ballot(&self, content: &Content, readers: &Readers) -> Ballot {
        if self.is_lazy {
            return ballot(Verdict::Confirm, false);
        }
        if content.is_right {
            // Who flags by mistake rejects by mistake.
            let flag = self.flags < readers.false_flags;
            let rejects = flag || self.judges < readers.mistakes;
            return ballot(if rejects { Verdict::Reject } else { Verdict::Confirm }, flag);
        }
        if self.judges < readers.misses {
            return ballot(Verdict::Confirm, false);
        }
        ballot(Verdict::Reject, content.is_harmful && self.flags < readers.flags)
    }
}

/// A confirmation, or a rejection that may flag.
pub fn ballot(verdict: Verdict, flag: bool) -> Ballot {
    Ballot { verdict, flag, probe: false, handoff: false }
}

/// Everybody who reads: those who look first, then those who do not.
pub struct Crowd {
    honest: u32,
    people: u32,
    verdicts: f64,
    pending: f64,
    /// How often each artefact is read, added up.
    read_up_to: Vec<u64>,
    random: Random,
}

/// How often the most popular artefact is read, in parts; whole numbers, so that every machine draws the same.
const PARTS: u64 = 1_000_000_000;

impl Crowd {
    /// The crowd of a scenario.
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let readers = &scenario.readers;
        let mut sum = 0;
        let read_up_to = (0..scenario.artefacts as u64)
            .map(|rank| {
                sum += match readers.popularity {
                    Popularity::Even => PARTS,
                    Popularity::Uneven => PARTS / (rank + 1),
                };
                sum
            })
            .collect();
        Self {
            honest: readers.honest as u32,
            people: (readers.honest + readers.lazy) as u32,
            verdicts: readers.verdicts,
            pending: readers.pending,
            read_up_to,
            random: Random::new(seed, "readers", 0),
        }
    }

    /// How many there are.
    pub fn people(&self) -> u32 {
        self.people
    }

    /// What is read on a day, and when.
    pub fn day(&mut self, start: Millis) -> Vec<(Millis, Reading)> {
        let mut readings = Vec::new();
        for voter in 0..self.people {
            for _ in 0..self.random.times(self.verdicts) {
                let at = start + self.random.below(DAY as u64) as Millis;
                let part = self.random.below(self.read_up_to.last().copied().unwrap_or(0));
                let reading = Reading {
                    voter,
                    skill: self.read_up_to.partition_point(|up_to| *up_to <= part),
                    tries_pending: self.random.share() < self.pending,
                    is_lazy: voter >= self.honest,
                    judges: self.random.share(),
                    flags: self.random.share(),
                };
                readings.push((at, reading));
            }
        }
        readings
    }
}
