//! Where a branch that begins as numbers do could begin: one automaton, walked from each place for a few symbols.
//!
//! It is for branches of which something else tells more than how they go on: those that need something before
//! them, and those found by a pivot; and for those that are too many to be walked together.
//!
//! 1. A state is the steps that are under way, and those that are done, which stay. What a walk ends in names the
//!    branches that fit so far.
//! 2. When there are too many states, a walk ends where the next one is not known. It then names more branches than
//!    it could have, never fewer. When as many walks have ended so as there may be states, all are thrown away: to make those anew that
//!    are needed now costs no more than these walks did.

use super::automaton::last_before;
use super::nfa::{At, Columns, INNER_COLUMN, Nfa, Step, Stepper};
use super::symbols::{MOST_SYMBOLS, Symbol};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Bytes of a beginning that are looked at.
pub(super) const DEPTH: usize = 17;

/// Bytes that mostly tell whether a certain branch could.
pub(super) const FEW: usize = 2;

/// States at most.
const MOST: usize = 8_192;

/// A transition that is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// Where nothing is under way.
const DEAD: u32 = 0;

/// Where the branches begin.
#[derive(Debug)]
pub(super) struct Beginnings {
    /// The first step of each branch, or of its pivot, in order.
    starts: Box<[At]>,
    /// The first step of each branch's part of the list.
    bodies: Vec<At>,
    columns: Columns,
    column_of: Box<[u16; MOST_SYMBOLS]>,
    /// Rows are as long as two to the power of this.
    shift: u32,
}

impl Beginnings {
    /// Of branches that are looked for from these steps on; the steps of all branches begin at `bodies`.
    pub(super) fn new(nfa: &Nfa, bodies: Vec<At>, mut starts: Vec<At>) -> Self {
        let columns = nfa.columns(&nfa.sets_from(&starts, DEPTH));
        starts.sort_unstable();
        let shift = columns.count().next_power_of_two().trailing_zeros();
        Self { starts: starts.into(), bodies, column_of: columns.table(), columns, shift }
    }

    /// The state whose row this is.
    #[inline]
    fn state(&self, row: u32) -> usize {
        (row >> self.shift) as usize
    }

    fn branch(&self, at: At) -> u16 {
        let after = self.bodies.partition_point(|body| *body <= at);
        u16::try_from(after.saturating_sub(1)).unwrap_or(u16::MAX)
    }
}

/// The states seen so far.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// For each state a row, for each column where it leads.
    rows: Vec<u32>,
    /// The first state by the symbol before.
    starts: Vec<u32>,
    states: Vec<(Symbol, Box<[At]>)>,
    known: FxHashMap<(Symbol, Box<[At]>), u32>,
    /// The branches named by all states, and which of these a state names.
    named: Vec<u16>,
    named_by: Vec<Range<u32>>,
    /// Walks that have ended for want of a state.
    cut_short: usize,
    stepper: Stepper,
}

impl Looks {
    /// Throws the states away if that pays.
    pub(super) fn make_room(&mut self) {
        if self.cut_short >= MOST {
            *self = Self { stepper: std::mem::take(&mut self.stepper), ..Self::default() };
        }
    }

    /// The branches that could begin at a place, in order, told by so many bytes.
    pub(super) fn named(
        &mut self,
        beginnings: &Beginnings,
        nfa: &Nfa,
        symbols: &[Symbol],
        place: usize,
        bytes: usize,
    ) -> &[u16] {
        let mut row = self.start(beginnings, nfa, last_before(symbols, place));
        let ahead = symbols.get(place + 1..).unwrap_or_default();
        let mut left = ahead.get(..bytes).unwrap_or(ahead).iter();
        while let Some((symbol, to)) = self.run(beginnings, &mut row, &mut left) {
            if to == DEAD {
                row = DEAD;
                break;
            }
            let Some(learnt) = self.learn(beginnings, nfa, row, beginnings.columns.of(symbol)) else {
                self.cut_short += 1;
                break;
            };
            row = learnt;
        }
        let named = self.named_by.get(beginnings.state(row)).cloned().unwrap_or_default();
        self.named.get(named.start as usize..named.end as usize).unwrap_or_default()
    }

    /// Reads on as long as a symbol leads to another state; the first that leads to none that is known, or to nothing.
    #[inline]
    fn run(
        &self,
        beginnings: &Beginnings,
        row: &mut u32,
        symbols: &mut std::slice::Iter<'_, Symbol>,
    ) -> Option<(Symbol, u32)> {
        let (rows, columns) = (self.rows.as_slice(), &*beginnings.column_of);
        // As wide as an index is: narrow ones would be widened for each symbol.
        let mut now = *row as usize;
        for symbol in symbols {
            let cell = now + usize::from(columns[usize::from(*symbol) % MOST_SYMBOLS]);
            let to = rows.get(cell).copied().unwrap_or(DEAD);
            if to == DEAD || to == UNKNOWN {
                *row = now as u32;
                return Some((*symbol, to));
            }
            now = to as usize;
        }
        *row = now as u32;
        None
    }

    #[inline]
    fn start(&mut self, beginnings: &Beginnings, nfa: &Nfa, last: Symbol) -> u32 {
        match self.starts.get(usize::from(last)) {
            Some(row) if *row != UNKNOWN => *row,
            _ => self.learn_start(beginnings, nfa, last),
        }
    }

    #[cold]
    fn learn_start(&mut self, beginnings: &Beginnings, nfa: &Nfa, last: Symbol) -> u32 {
        if self.states.is_empty() {
            self.starts = vec![UNKNOWN; nfa.symbols];
            self.state(beginnings, 0, Box::default());
        }
        let row = self.state(beginnings, nfa.any_kind(last), beginnings.starts.clone());
        if let Some(start) = self.starts.get_mut(usize::from(last)) {
            *start = row;
        }
        row
    }

    /// Where a symbol of a column leads; `None` if that would be one state too many.
    #[cold]
    fn learn(&mut self, beginnings: &Beginnings, nfa: &Nfa, row: u32, column: u16) -> Option<u32> {
        if self.states.len() >= MOST {
            return None;
        }
        let (kind, places) = self.states.get(beginnings.state(row))?;
        let symbol = beginnings.columns.example(column);
        self.stepper.step(nfa, places, *kind, symbol);
        let mut after = std::mem::take(&mut self.stepper.after);
        let is_end = |at: &&At| matches!(nfa.steps.get(**at as usize), Some(Step::Done));
        after.extend(self.stepper.done.iter().filter(is_end));
        after.sort_unstable();
        let kind = nfa.kind(&after, symbol);
        let to = self.state(beginnings, kind, after.into());
        if let Some(place) = self.rows.get_mut(row as usize + usize::from(column)) {
            *place = to;
        }
        Some(to)
    }

    /// The row of a state.
    fn state(&mut self, beginnings: &Beginnings, kind: Symbol, places: Box<[At]>) -> u32 {
        if places.is_empty() && !self.states.is_empty() {
            return DEAD;
        }
        let key = (kind, places);
        if let Some(row) = self.known.get(&key) {
            return *row;
        }
        let row = u32::try_from(self.rows.len()).unwrap_or(DEAD);
        let fresh = if key.1.is_empty() { DEAD } else { UNKNOWN };
        self.rows.resize(self.rows.len() + (1 << beginnings.shift), fresh);
        if let Some(inner) = self.rows.get_mut(row as usize + usize::from(INNER_COLUMN)) {
            *inner = row;
        }
        let from = u32::try_from(self.named.len()).unwrap_or(u32::MAX);
        let mut named: Vec<u16> = key.1.iter().map(|at| beginnings.branch(*at)).collect();
        named.dedup();
        self.named.append(&mut named);
        self.named_by.push(from..u32::try_from(self.named.len()).unwrap_or(u32::MAX));
        self.states.push(key.clone());
        self.known.insert(key, row);
        row
    }
}

#[cfg(test)]
mod tests;
