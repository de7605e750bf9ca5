//! One pattern as an automaton, made state by state while it is walked.
//!
//! 1. A state is the set of steps where the pattern may be, and the kind of the symbol read last where one of
//!    them asks for it.
//! 2. What fits is known one symbol late: whether the steps are done may depend on the next symbol. So a
//!    transition, not a state, says that the pattern fits up to here.
//! 3. Symbols that this pattern takes for each other are one column of a small table; most texts need a few
//!    dozen rows. When there are too many rows they are all thrown away.

use super::nfa::{At, Nfa, Stepper};
use super::symbols::{INNER, Symbol, VOID};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Rows of an automaton at most.
const MOST: usize = 4_096;

/// The column of [`INNER`].
const INNER_COLUMN: u16 = 0;

/// Bytes of a walk at most; patterns that fit more are walked no further.
const MAX_WALK: usize = 2_048;

/// Set in a transition on which the pattern fits.
const FITS: u32 = 1 << 31;

/// A transition that is not known yet; it has [`FITS`] set, so that one comparison finds both.
const UNKNOWN: u32 = u32::MAX;

/// Where nothing can fit any more.
const DEAD: u32 = 0;

/// Where a pattern fits, seen from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// Nowhere.
    None,
    /// Up to one place only.
    One(usize),
    /// Up to several places, or further than a walk goes.
    Many,
}

/// The states of a pattern seen so far.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    start: At,
    columns: Arc<Columns>,
    /// The first state by the kind of the symbol before.
    starts: Vec<u32>,
    rows: Vec<u32>,
    states: Vec<Box<[At]>>,
    kinds: Vec<Symbol>,
    known: FxHashMap<(Symbol, Box<[At]>), u32>,
}

/// The column of each symbol.
#[derive(Debug)]
struct Columns {
    of: Vec<u16>,
    /// A symbol of each.
    examples: Vec<Symbol>,
}

impl Columns {
    fn new(nfa: &Nfa, start: At) -> Self {
        let sets = nfa.sets_from(start);
        let mut known: FxHashMap<Vec<bool>, u16> = FxHashMap::default();
        let (mut of, mut examples) = (Vec::new(), vec![INNER]);
        for symbol in (0..nfa.symbols).filter_map(|symbol| Symbol::try_from(symbol).ok()) {
            if symbol == INNER {
                of.push(INNER_COLUMN);
                continue;
            }
            let answers = sets.iter().map(|set| nfa.has(*set, symbol)).chain([symbol == VOID]).collect();
            let next = u16::try_from(examples.len()).unwrap_or(u16::MAX);
            let column = *known.entry(answers).or_insert(next);
            if column == next {
                examples.push(symbol);
            }
            of.push(column);
        }
        Self { of, examples }
    }
}

impl Automaton {
    /// The automaton of the pattern whose steps begin here.
    pub(super) fn new(nfa: &Nfa, start: At) -> Self {
        Self {
            start,
            columns: Arc::new(Columns::new(nfa, start)),
            starts: Vec::new(),
            rows: Vec::new(),
            states: Vec::new(),
            kinds: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// Up to where the pattern fits from a place; bytes read are added to `cost`. `symbols` are those of the
    /// text with one before it.
    pub(super) fn ends(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        place: usize,
        cost: &mut u64,
    ) -> Ends {
        let mut row = self.start(nfa, last_before(symbols, place));
        let mut ends = Ends::None;
        let ahead = symbols.get(place + 1..).unwrap_or_default();
        for (walked, symbol) in ahead.iter().take(MAX_WALK).enumerate() {
            let column = self.columns.of.get(usize::from(*symbol)).copied().unwrap_or(INNER_COLUMN);
            let mut to = self.rows.get(row as usize + usize::from(column)).copied().unwrap_or(DEAD);
            if to >= FITS {
                if to == UNKNOWN {
                    to = self.learn(nfa, stepper, row, column);
                }
                if to & FITS != 0 {
                    if ends != Ends::None {
                        return Ends::Many;
                    }
                    ends = Ends::One(place + walked);
                    to &= !FITS;
                }
            }
            if to == DEAD {
                *cost += walked as u64 + 1;
                return ends;
            }
            row = to;
        }
        *cost += MAX_WALK.min(ahead.len()) as u64;
        Ends::Many
    }

    /// Whether the pattern, read backwards, fits right before a place; `None` if that takes too long to tell.
    pub(super) fn fits_before(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        place: usize,
        cost: &mut u64,
    ) -> Option<bool> {
        let last = symbols.get(place + 1).copied().unwrap_or(VOID);
        let before = symbols.get(..=place).unwrap_or_default().iter().rev();
        self.fits(nfa, stepper, last, before, cost)
    }

    /// Whether the pattern fits right after a place.
    pub(super) fn fits_after(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        place: usize,
        cost: &mut u64,
    ) -> Option<bool> {
        let last = last_before(symbols, place);
        let after = symbols.get(place + 1..).unwrap_or_default().iter();
        self.fits(nfa, stepper, last, after, cost)
    }

    #[inline]
    fn fits<'s>(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        last: Symbol,
        symbols: impl Iterator<Item = &'s Symbol>,
        cost: &mut u64,
    ) -> Option<bool> {
        let mut row = self.start(nfa, last);
        for (walked, symbol) in symbols.take(MAX_WALK).enumerate() {
            let column = self.columns.of.get(usize::from(*symbol)).copied().unwrap_or(INNER_COLUMN);
            let mut to = self.rows.get(row as usize + usize::from(column)).copied().unwrap_or(DEAD);
            if to == UNKNOWN {
                to = self.learn(nfa, stepper, row, column);
            }
            if to >= FITS || to == DEAD {
                *cost += walked as u64 + 1;
                return Some(to >= FITS);
            }
            row = to;
        }
        *cost += MAX_WALK as u64;
        None
    }

    /// The first state after a symbol.
    #[inline]
    fn start(&mut self, nfa: &Nfa, last: Symbol) -> u32 {
        match self.starts.get(usize::from(last)) {
            Some(row) if *row != UNKNOWN => *row,
            _ => self.learn_start(nfa, last),
        }
    }

    #[cold]
    fn learn_start(&mut self, nfa: &Nfa, last: Symbol) -> u32 {
        if self.starts.is_empty() {
            self.starts = vec![UNKNOWN; nfa.symbols];
            self.add(0, Box::default()); // the dead state is the first
        }
        let kind = nfa.kind(&[self.start], last);
        let row = self.state(kind, Box::new([self.start]));
        if let Some(start) = self.starts.get_mut(usize::from(last)) {
            *start = row;
        }
        row
    }

    #[cold]
    fn learn(&mut self, nfa: &Nfa, stepper: &mut Stepper, row: u32, column: u16) -> u32 {
        let state = row as usize / self.columns.examples.len();
        let symbol = self.columns.examples.get(usize::from(column)).copied().unwrap_or(VOID);
        let (Some(places), Some(kind)) = (self.states.get(state), self.kinds.get(state)) else { return DEAD };
        stepper.step(nfa, places, *kind, symbol);
        let fits = if stepper.done.is_empty() { 0 } else { FITS };
        if stepper.after.is_empty() {
            self.put(row, column, DEAD | fits);
            return DEAD | fits;
        }
        let kind = nfa.kind(&stepper.after, symbol);
        let after: Box<[At]> = stepper.after.as_slice().into();
        if self.states.len() >= MOST {
            self.states.clear();
            self.kinds.clear();
            self.rows.clear();
            self.known.clear();
            self.starts.fill(UNKNOWN);
            self.add(0, Box::default());
            return self.state(kind, after) | fits;
        }
        let to = self.state(kind, after) | fits;
        self.put(row, column, to);
        to
    }

    fn put(&mut self, row: u32, column: u16, to: u32) {
        if let Some(place) = self.rows.get_mut(row as usize + usize::from(column)) {
            *place = to;
        }
    }

    /// The row of a state.
    fn state(&mut self, kind: Symbol, places: Box<[At]>) -> u32 {
        if let Some(row) = self.known.get(&(kind, places.clone())) {
            return *row;
        }
        self.add(kind, places)
    }

    fn add(&mut self, kind: Symbol, places: Box<[At]>) -> u32 {
        let row = u32::try_from(self.rows.len()).unwrap_or(DEAD);
        let fresh = if places.is_empty() { DEAD } else { UNKNOWN };
        self.rows.resize(self.rows.len() + self.columns.examples.len(), fresh);
        self.put(row, INNER_COLUMN, row);
        self.states.push(places.clone());
        self.kinds.push(kind);
        self.known.insert((kind, places), row);
        row
    }
}

/// The symbol of the character before a place.
pub(super) fn last_before(symbols: &[Symbol], place: usize) -> Symbol {
    let before = symbols.get(..=place).unwrap_or_default();
    before.iter().rev().copied().find(|symbol| *symbol != INNER).unwrap_or(VOID)
}
