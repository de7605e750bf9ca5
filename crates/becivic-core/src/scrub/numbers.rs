//! Branches that begin as numbers do, walked all together from each place where one could begin.
//!
//! 1. Numbers are written in so many ways that many branches begin alike and few go on so. One automaton of all of
//!    them tells which fit, and up to where, in one walk; most walks are over after a few symbols.
//! 2. A state is the steps that are under way. What fits is known one symbol late, so a transition says which
//!    branches fit up to here.
//! 3. When there are too many states, a walk ends where the next one is not known. Whatever is under way there has
//!    to be walked on its own.

use super::automaton::{Ends, MAX_WALK, last_before};
use super::nfa::{At, Columns, INNER_COLUMN, Nfa, Stepper};
use super::symbols::Symbol;
use rustc_hash::FxHashMap;

/// States at most.
const MOST: usize = 1 << 14;

/// Set in a transition on which branches fit.
const FITS: u16 = 1 << 15;

/// A transition that is not known yet; it has [`FITS`] set, so that one comparison finds both.
const UNKNOWN: u16 = u16::MAX;

/// Where nothing is under way.
const DEAD: u16 = 0;

/// The branches.
#[derive(Debug)]
pub(super) struct Numbers {
    /// The first step of each, in order.
    starts: Box<[At]>,
    /// The first step of each branch's part of the list.
    bodies: Vec<At>,
    columns: Columns,
    /// Rows are as long as two to the power of this.
    shift: u32,
}

impl Numbers {
    /// Branches that begin with these steps; the steps of all branches of the list begin at `bodies`.
    pub(super) fn new(nfa: &Nfa, bodies: Vec<At>, mut starts: Vec<At>) -> Self {
        let columns = nfa.columns(&nfa.sets_from(&starts, usize::MAX - 1));
        starts.sort_unstable();
        let shift = columns.count().next_power_of_two().trailing_zeros();
        Self { starts: starts.into(), bodies, columns, shift }
    }

    fn branch(&self, at: At) -> u16 {
        let after = self.bodies.partition_point(|body| *body <= at);
        u16::try_from(after.saturating_sub(1)).unwrap_or(u16::MAX)
    }
}

/// A branch that could match, and up to where it fits, where that is known.
pub(super) type Fitting = (u16, Option<Ends>);

/// The states seen so far.
#[derive(Debug, Default)]
pub(super) struct Walks {
    /// For each state a row, for each column where it leads.
    rows: Vec<u16>,
    /// For each of these transitions, which branches fit: an index into `sets`.
    fits: Vec<u16>,
    /// Sets of branches; the first is empty.
    sets: Vec<Box<[u16]>>,
    set_numbers: FxHashMap<Box<[u16]>, u16>,
    /// The first state by the symbol before.
    starts: Vec<u16>,
    states: Vec<(Symbol, Box<[At]>)>,
    known: FxHashMap<(Symbol, Box<[At]>), u16>,
    stepper: Stepper,
}

impl Walks {
    /// The branches that could match at a place, in order; symbols read are added to `cost`.
    pub(super) fn walk(
        &mut self,
        numbers: &Numbers,
        nfa: &Nfa,
        symbols: &[Symbol],
        place: usize,
        cost: &mut u64,
        fitting: &mut Vec<Fitting>,
    ) {
        fitting.clear();
        let mut state = self.start(numbers, nfa, last_before(symbols, place));
        let ahead = symbols.get(place + 1..).unwrap_or_default();
        let mut open = None;
        let mut walked = 0;
        for symbol in ahead.iter().take(MAX_WALK) {
            let column = numbers.columns.of(*symbol);
            let cell = (usize::from(state) << numbers.shift) + usize::from(column);
            let mut to = self.rows.get(cell).copied().unwrap_or(DEAD);
            if to >= FITS {
                if to == UNKNOWN {
                    match self.learn(numbers, nfa, state, column) {
                        Some(learnt) => to = learnt,
                        None => {
                            open = Some(None);
                            break;
                        }
                    }
                }
                if to >= FITS {
                    self.note(cell, place + walked, fitting);
                    to &= !FITS;
                }
            }
            walked += 1;
            state = to;
            if state == DEAD {
                break;
            }
        }
        *cost += walked as u64;
        if walked == MAX_WALK && state != DEAD {
            open = Some(Some(Ends::Far));
        }
        if let (Some(ends), Some((_, places))) = (open, self.states.get(usize::from(state))) {
            for at in places {
                put(fitting, numbers.branch(*at), ends);
            }
        }
        fitting.sort_unstable_by_key(|(branch, _)| *branch);
    }

    /// Notes which branches fit up to here, on this transition.
    fn note(&self, cell: usize, end: usize, fitting: &mut Vec<Fitting>) {
        let set = self.fits.get(cell).copied().unwrap_or(0);
        for branch in self.sets.get(usize::from(set)).into_iter().flatten() {
            match fitting.iter_mut().find(|(known, _)| known == branch) {
                Some((_, ends)) => *ends = Some(Ends::Many),
                None => fitting.push((*branch, Some(Ends::One(end)))),
            }
        }
    }

    #[inline]
    fn start(&mut self, numbers: &Numbers, nfa: &Nfa, last: Symbol) -> u16 {
        match self.starts.get(usize::from(last)) {
            Some(state) if *state != UNKNOWN => *state,
            _ => self.learn_start(numbers, nfa, last),
        }
    }

    #[cold]
    fn learn_start(&mut self, numbers: &Numbers, nfa: &Nfa, last: Symbol) -> u16 {
        if self.states.is_empty() {
            self.starts = vec![UNKNOWN; nfa.symbols];
            self.set(Box::default());
            self.add(numbers, (0, Box::default()), DEAD);
        }
        let state = self.state(numbers, (nfa.any_kind(last), numbers.starts.clone()));
        if let Some(start) = self.starts.get_mut(usize::from(last)) {
            *start = state;
        }
        state
    }

    /// Where a symbol of a column leads; `None` if that could be one state too many.
    #[cold]
    fn learn(&mut self, numbers: &Numbers, nfa: &Nfa, state: u16, column: u16) -> Option<u16> {
        if self.states.len() >= MOST {
            return None;
        }
        let (kind, places) = self.states.get(usize::from(state))?;
        let symbol = numbers.columns.example(column);
        self.stepper.step(nfa, places, *kind, symbol);
        let mut done: Vec<u16> = self.stepper.done.iter().map(|at| numbers.branch(*at)).collect();
        done.sort_unstable();
        done.dedup();
        let set = self.set(done.into());
        let kind = nfa.kind(&self.stepper.after, symbol);
        let after: Box<[At]> = self.stepper.after.as_slice().into();
        let to = if after.is_empty() { DEAD } else { self.state(numbers, (kind, after)) };
        let to = if set == 0 { to } else { to | FITS };
        let cell = (usize::from(state) << numbers.shift) + usize::from(column);
        if let (Some(row), Some(fits)) = (self.rows.get_mut(cell), self.fits.get_mut(cell)) {
            (*row, *fits) = (to, set);
        }
        Some(to)
    }

    fn set(&mut self, branches: Box<[u16]>) -> u16 {
        let next = u16::try_from(self.sets.len()).unwrap_or(u16::MAX);
        *self.set_numbers.entry(branches).or_insert_with_key(|branches| {
            self.sets.push(branches.clone());
            next
        })
    }

    fn state(&mut self, numbers: &Numbers, state: (Symbol, Box<[At]>)) -> u16 {
        match self.known.get(&state) {
            Some(number) => *number,
            None => self.add(numbers, state, UNKNOWN),
        }
    }

    /// Adds a state whose transitions are all so.
    fn add(&mut self, numbers: &Numbers, state: (Symbol, Box<[At]>), transitions: u16) -> u16 {
        let number = u16::try_from(self.states.len()).unwrap_or(DEAD);
        let from = self.rows.len();
        self.rows.resize(from + (1 << numbers.shift), transitions);
        self.fits.resize(self.rows.len(), 0);
        if let Some(inner) = self.rows.get_mut(from + usize::from(INNER_COLUMN)) {
            *inner = number;
        }
        self.states.push(state.clone());
        self.known.insert(state, number);
        number
    }
}

/// Adds a branch, or says of it what is known now.
fn put(fitting: &mut Vec<Fitting>, branch: u16, ends: Option<Ends>) {
    match fitting.iter_mut().find(|(known, _)| *known == branch) {
        Some((_, known)) => *known = ends,
        None => fitting.push((branch, ends)),
    }
}
