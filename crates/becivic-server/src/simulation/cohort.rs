//! The verdicts of one cohort, counted by the core as the server lets it count them.
//!
//! Of a voter's earlier verdicts only those that still have marks are looked at: the others change nothing when a new one lands,
//! so landing takes the same time however often somebody votes.

use crate::moment::Moment;
use becivic_core::consensus::{Ballot, Earlier, Marks, Millis, SourceTally, Tally};
use std::collections::{BTreeMap, BTreeSet};

/// A person or an address of an attacker.
pub type Voter = u32;

/// A verdict, as the server keeps it.
#[derive(Clone, Copy, Debug)]
struct Row {
    voter: Voter,
    ballot: Ballot,
    marks: Marks,
    day: Millis,
}

/// A cohort.
#[derive(Clone, Debug)]
pub struct Cohort {
    /// When it began.
    pub started_at: Millis,
    /// Its counts.
    pub tally: Tally,
    rows: Vec<Row>,
    /// The verdicts of those who are recognised, by place; only those with marks.
    recognised: BTreeMap<Voter, Vec<usize>>,
}

impl Cohort {
    /// One in which nobody has voted.
    pub fn new(started_at: Millis) -> Self {
        let (tally, rows, recognised) = (Tally::default(), Vec::new(), BTreeMap::new());
        Self { started_at, tally, rows, recognised }
    }

    /// Whether a voter is known to have voted.
    pub fn knows(&self, voter: Voter) -> bool {
        self.recognised.contains_key(&voter)
    }

    /// Lands a verdict.
    pub fn land(&mut self, voter: Voter, ballot: Ballot, now: Millis) {
        let before = self.recognised.remove(&voter).unwrap_or_default();
        let rows = before.iter().filter_map(|place| self.rows.get(*place));
        let earlier: Vec<Earlier> =
            rows.map(|row| Earlier { ballot: row.ballot, marks: row.marks, same_source: true }).collect();
        let day = self.tally.day_of(Moment(now).day().0);
        let landed = self.tally.land(&mut SourceTally::default(), ballot, &earlier, day);
        let mut places = Vec::with_capacity(before.len() + 1);
        for (place, marks) in before.into_iter().zip(landed.earlier) {
            if let Some(row) = self.rows.get_mut(place) {
                row.marks = marks;
            }
            if marks != Marks::default() {
                places.push(place);
            }
        }
        places.push(self.rows.len());
        self.rows.push(Row { voter, ballot, marks: landed.marks, day });
        self.recognised.insert(voter, places);
    }

    /// The cohort that follows when an amendment resets this one: rejects and flags are carried over.
    pub fn carried(&self, started_at: Millis) -> Self {
        let mut next = Self::new(started_at);
        // Whoever was forgotten stays a stranger, also where they have voted again since.
        let known: BTreeSet<usize> = self.recognised.values().flatten().copied().collect();
        for (place, row) in self.rows.iter().enumerate() {
            if let Some(marks) = row.marks.carried(row.ballot) {
                if known.contains(&place) {
                    next.recognised.entry(row.voter).or_default().push(next.rows.len());
                }
                next.rows.push(Row { marks, ..*row });
            }
        }
        next.tally = next.recount();
        next
    }

    /// Whoever voted is forgotten, and a stranger from here on.
    pub fn forget_voters(&mut self) {
        self.recognised.clear();
    }

    /// Takes the open flags out of the count: somebody decided on them. Says whose they were.
    pub fn settle_flags(&mut self) -> Vec<Voter> {
        let Self { tally, rows, .. } = self;
        let open = rows.iter_mut().filter(|row| row.marks.has(Marks::FIRST_FLAG));
        open.map(|row| {
            row.marks = tally.settle_flag(row.marks);
            row.voter
        })
        .collect()
    }

    /// The counts, from the verdicts and their marks alone.
    pub fn recount(&self) -> Tally {
        Tally::recount(self.rows.iter().map(|row| (row.ballot, row.marks, row.day)))
    }
}
