//! One pattern as an automaton, made state by state while it is walked.
//!
//! 1. A state is the set of steps where the pattern may be, and the kind of the symbol read last where one of
//!    them asks for it.
//! 2. What fits is known one symbol late: whether the steps are done may depend on the next symbol. So a
//!    transition, not a state, says that the pattern fits up to here.
//! 3. Where steps ask for conditions, whoever walks answers for the place, and goes on in the state that these answers
//!    leave.
//! 4. Symbols that this pattern takes for each other are one column of a small table; most texts need a few
//!    dozen rows. An automaton that has got too many says so, and goes on with none.

use super::nfa::{Asked, At, Columns, DENIED, INNER_COLUMN, Nfa, Stepper};
use super::symbols::{INNER, Symbol, VOID};
use rustc_hash::FxHashMap;

/// Rows of an automaton at most.
const MOST: usize = 16_384;

/// Rows of an automaton of several patterns at most.
const MOST_OF_SEVERAL: usize = 4_096;

/// Bytes of a walk at most; patterns that fit more are walked no further.
pub(super) const MAX_WALK: usize = 512;

/// Set in a transition on which the pattern fits.
const FITS: u32 = 1 << 31;

/// Set in a row whose steps ask whether conditions hold, as long as nobody has answered.
const ASKS: u32 = 1 << 30;

/// The last of the places of a state where this has been answered; it is no step, and [`DENIED`].
const ANSWERED: At = At::MAX;

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
    /// Up to several places.
    Many,
    /// Perhaps further than a walk goes.
    Far,
}

/// The states of a pattern seen so far; at first, none.
#[derive(Clone, Debug, Default)]
pub(super) struct Automaton {
    rows: Vec<u32>,
    columns: Columns,
    /// The first state by the symbol before.
    starts: Vec<u32>,
    learnt: Learnt,
}

/// What is needed only when a row is filled in.
#[derive(Clone, Debug, Default)]
struct Learnt {
    start: At,
    states: Vec<Box<[At]>>,
    kinds: Vec<Symbol>,
    known: FxHashMap<(Symbol, Box<[At]>), u32>,
    /// Whether there have been too many rows.
    is_overfull: bool,
    /// Whether a state's steps are in the order in which they are tried.
    is_in_order: bool,
    /// Where the steps of several patterns end, if it is an automaton of several.
    ends: Vec<At>,
    /// Which of these fit on a transition.
    fitting: FxHashMap<(u32, u16), u64>,
    /// The conditions that a row asks.
    asked: FxHashMap<u32, Box<[(At, Asked)]>>,
    /// The row to go on with after answers, a bit for each condition that holds.
    answered: FxHashMap<(u32, u64), u32>,
}

impl Learnt {
    /// Patterns that are done, as bits.
    fn bits(&self, done: &[At]) -> u64 {
        done.iter().filter_map(|at| self.ends.binary_search(at).ok()).fold(0, |bits, index| bits | 1 << index)
    }
}

impl Automaton {
    /// The automaton of the pattern whose steps begin here.
    pub(super) fn new(start: At) -> Self {
        Self { learnt: Learnt { start, ..Learnt::default() }, ..Self::default() }
    }

    /// One that tells up to where the pattern fits when its parts are tried in order.
    pub(super) fn in_order(start: At) -> Self {
        Self { learnt: Learnt { start, is_in_order: true, ..Learnt::default() }, ..Self::default() }
    }

    /// The automaton of up to 64 patterns, whose steps begin together here and end at these.
    pub(super) fn of_several(start: At, ends: Vec<At>) -> Self {
        Self { learnt: Learnt { start, ends, ..Learnt::default() }, ..Self::default() }
    }

    /// Whether it needs more states than it should.
    pub(super) fn is_overfull(&self) -> bool {
        self.learnt.is_overfull
    }

    /// Up to where the pattern fits from a place; bytes read are added to `cost`. `symbols` are those of the
    /// text with one before it. `answer` tells whether a condition holds at a place, if that can be told.
    pub(super) fn ends(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        place: usize,
        cost: &mut u64,
        mut answer: impl FnMut(Asked, usize) -> Option<bool>,
    ) -> Ends {
        let mut row = self.start(nfa, last_before(symbols, place));
        let mut ends = Ends::None;
        let ahead = symbols.get(place + 1..).unwrap_or_default();
        for (walked, symbol) in ahead.iter().take(MAX_WALK).enumerate() {
            if row >= ASKS && *symbol != INNER {
                match self.answered(nfa, row, |asked| answer(asked, place + walked)) {
                    Some(answered) => row = answered,
                    None => return Ends::Far,
                }
            }
            let mut to = self.read(nfa, stepper, row & !ASKS, *symbol);
            if to >= FITS {
                if ends != Ends::None {
                    return Ends::Many;
                }
                ends = Ends::One(place + walked);
                to &= !FITS;
            }
            if to == DEAD {
                *cost += walked as u64 + 1;
                return ends;
            }
            row = to;
        }
        *cost += MAX_WALK.min(ahead.len()) as u64;
        Ends::Far
    }

    /// Up to where the pattern fits from a place if its parts are tried in order; `None` if that takes too long
    /// to tell. Only for one made [`Automaton::in_order`].
    pub(super) fn first_end(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        place: usize,
        cost: &mut u64,
        mut answer: impl FnMut(Asked, usize) -> Option<bool>,
    ) -> Option<usize> {
        let mut row = self.start(nfa, last_before(symbols, place));
        let mut end = None;
        for (walked, symbol) in symbols.get(place + 1..)?.iter().take(MAX_WALK).enumerate() {
            if row >= ASKS && *symbol != INNER {
                row = self.answered(nfa, row, |asked| answer(asked, place + walked))?;
            }
            let mut to = self.read(nfa, stepper, row & !ASKS, *symbol);
            if to >= FITS {
                end = Some(place + walked);
                to &= !FITS;
            }
            *cost += 1;
            if to == DEAD {
                return end;
            }
            row = to;
        }
        None
    }

    /// Which of up to 64 patterns, read backwards, fit right before a place, within so many characters: bits in
    /// the order of their ends in the list of steps; and whether more characters could not add any.
    pub(super) fn all_before(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        place: usize,
        characters: usize,
        cost: &mut u64,
    ) -> (u64, bool) {
        let mut row = self.start(nfa, symbols.get(place + 1).copied().unwrap_or(VOID));
        let (mut found, mut left, mut is_all) = (0, characters, false);
        for symbol in symbols.get(..=place).unwrap_or_default().iter().rev() {
            let (to, bits) = self.read_several(nfa, stepper, row, *symbol);
            found |= bits;
            left -= usize::from(*symbol != INNER);
            is_all = to == DEAD;
            if is_all || left == 0 {
                break;
            }
            row = to;
        }
        *cost += (characters - left) as u64;
        (found, is_all)
    }

    /// Reads the whole text and sets a bit for each place up to which the pattern fits. Read backwards, a place
    /// is where a text begins that fits.
    pub(super) fn fill(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        backwards: bool,
        bits: &mut Vec<u64>,
    ) {
        bits.clear();
        bits.resize(symbols.len() / 64 + 1, 0);
        let mut row = self.start(nfa, VOID);
        // Backwards, the place is the end of the character that is read next.
        let mut after = symbols.len() - 1;
        for index in 0..symbols.len() {
            let index = if backwards { symbols.len() - 1 - index } else { index };
            let symbol = symbols[index];
            if symbol == INNER || (index == 0 && !backwards) {
                continue;
            }
            let to = self.read(nfa, stepper, row, symbol);
            if to & FITS != 0 {
                let place = if backwards { after } else { index - 1 };
                bits[place / 64] |= 1 << (place % 64);
            }
            after = index.saturating_sub(1);
            // After the end of the text, or before it, reading starts again.
            row = if to & !FITS == DEAD { self.start(nfa, symbol) } else { to & !FITS };
        }
    }

    /// Whether the pattern, read backwards, fits right before a place; `None` if so many bytes do not tell.
    pub(super) fn fits_before(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        place: usize,
        most: usize,
        cost: &mut u64,
    ) -> Option<bool> {
        let last = symbols.get(place + 1).copied().unwrap_or(VOID);
        let before = symbols.get(..=place).unwrap_or_default().iter().rev();
        self.fits(nfa, stepper, last, before.take(most), cost)
    }

    /// Whether the pattern fits right after a place.
    pub(super) fn fits_after(
        &mut self,
        nfa: &Nfa,
        stepper: &mut Stepper,
        symbols: &[Symbol],
        place: usize,
        most: usize,
        cost: &mut u64,
    ) -> Option<bool> {
        let last = last_before(symbols, place);
        let after = symbols.get(place + 1..).unwrap_or_default().iter();
        self.fits(nfa, stepper, last, after.take(most), cost)
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
        for symbol in symbols {
            *cost += 1;
            let to = self.read(nfa, stepper, row, *symbol);
            if to >= FITS || to == DEAD {
                return Some(to >= FITS);
            }
            row = to;
        }
        None
    }

    /// The transition from a row on a symbol.
    #[inline]
    fn read(&mut self, nfa: &Nfa, stepper: &mut Stepper, row: u32, symbol: Symbol) -> u32 {
        let column = self.columns.of(symbol);
        match self.rows.get(row as usize + usize::from(column)).copied().unwrap_or(DEAD) {
            UNKNOWN => self.learn(nfa, stepper, row, column),
            known => known,
        }
    }

    /// The same in an automaton of several patterns: the row it leads to, and which of them fit.
    #[inline]
    fn read_several(&mut self, nfa: &Nfa, stepper: &mut Stepper, row: u32, symbol: Symbol) -> (u32, u64) {
        let column = self.columns.of(symbol);
        match self.rows.get(row as usize + usize::from(column)).copied().unwrap_or(DEAD) {
            UNKNOWN => (self.learn(nfa, stepper, row, column) & !FITS, self.learnt.bits(&stepper.done)),
            known if known < FITS => (known, 0),
            known => (known & !FITS, self.learnt.fitting.get(&(row, column)).copied().unwrap_or(0)),
        }
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
            self.columns = nfa.columns(&nfa.sets_from(&[self.learnt.start], usize::MAX - 1));
            self.clear();
        }
        let start = self.learnt.start;
        let row = self.state(nfa, nfa.kind(&[start], last), Box::new([start]));
        if let Some(start) = self.starts.get_mut(usize::from(last)) {
            *start = row;
        }
        row
    }

    /// Throws all states away but the dead one, which is the first.
    fn clear(&mut self) {
        let Learnt { start, is_overfull, is_in_order, ends, .. } = std::mem::take(&mut self.learnt);
        self.learnt = Learnt { start, is_overfull, is_in_order, ends, ..Learnt::default() };
        self.rows.clear();
        self.starts.fill(UNKNOWN);
        self.add(0, Box::default(), 0);
    }

    /// The row to go on with where a row asks for conditions; `None` if one cannot be answered.
    fn answered(
        &mut self,
        nfa: &Nfa,
        row: u32,
        mut answer: impl FnMut(Asked) -> Option<bool>,
    ) -> Option<u32> {
        let asked = self.learnt.asked.get(&row)?;
        let mut holding = 0;
        for (index, (_, asked)) in asked.iter().enumerate() {
            holding |= u64::from(answer(*asked)?).checked_shl(u32::try_from(index).ok()?)?;
        }
        if let Some(known) = self.learnt.answered.get(&(row, holding)) {
            return Some(*known);
        }
        let state = (row & !ASKS) as usize / self.columns.count();
        let denied = asked.iter().enumerate().filter(|(index, _)| holding >> index & 1 == 0);
        let denied = denied.map(|(_, (at, _))| at | DENIED);
        let places = self.learnt.states.get(state)?.iter().copied();
        let places: Box<[At]> = places.chain(denied).chain([ANSWERED]).collect();
        let kind = *self.learnt.kinds.get(state)?;
        let is_full = self.learnt.states.len() >= MOST;
        if is_full {
            self.learnt.is_overfull = true;
            self.clear();
        }
        let to = self.state(nfa, kind, places);
        if !is_full {
            self.learnt.answered.insert((row, holding), to);
        }
        Some(to)
    }

    #[cold]
    fn learn(&mut self, nfa: &Nfa, stepper: &mut Stepper, row: u32, column: u16) -> u32 {
        let Learnt { states, kinds, .. } = &self.learnt;
        let most = if self.learnt.ends.is_empty() { MOST } else { MOST_OF_SEVERAL };
        let is_full = states.len() >= most;
        let state = row as usize / self.columns.count();
        let symbol = self.columns.example(column);
        let (Some(places), Some(kind)) = (states.get(state), kinds.get(state)) else { return DEAD };
        if self.learnt.is_in_order {
            stepper.step_in_order(nfa, places, *kind, symbol);
        } else {
            stepper.step(nfa, places, *kind, symbol);
        }
        let fits = if stepper.done.is_empty() { 0 } else { FITS };
        if fits != 0 && !self.learnt.ends.is_empty() {
            let bits = self.learnt.bits(&stepper.done);
            self.learnt.fitting.insert((row, column), bits);
        }
        if stepper.after.is_empty() {
            self.put(row, column, DEAD | fits);
            return DEAD | fits;
        }
        let kind = nfa.kind(&stepper.after, symbol);
        let after: Box<[At]> = stepper.after.as_slice().into();
        if is_full {
            self.learnt.is_overfull = true;
            self.clear();
            return self.state(nfa, kind, after) | fits;
        }
        let to = self.state(nfa, kind, after) | fits;
        self.put(row, column, to);
        to
    }

    fn put(&mut self, row: u32, column: u16, to: u32) {
        if let Some(place) = self.rows.get_mut(row as usize + usize::from(column)) {
            *place = to;
        }
    }

    /// The row of a state.
    fn state(&mut self, nfa: &Nfa, kind: Symbol, places: Box<[At]>) -> u32 {
        let key = (kind, places);
        if let Some(row) = self.learnt.known.get(&key) {
            return *row;
        }
        let asked = if key.1.last() == Some(&ANSWERED) { Vec::new() } else { nfa.asked(&key.1) };
        let row = self.add(key.0, key.1, if asked.is_empty() { 0 } else { ASKS });
        if !asked.is_empty() {
            self.learnt.asked.insert(row, asked.into());
        }
        row
    }

    fn add(&mut self, kind: Symbol, places: Box<[At]>, asks: u32) -> u32 {
        let row = u32::try_from(self.rows.len()).unwrap_or(DEAD);
        let fresh = if places.is_empty() { DEAD } else { UNKNOWN };
        self.rows.resize(self.rows.len() + self.columns.count(), fresh);
        let row = row | asks;
        self.put(row & !ASKS, INNER_COLUMN, row);
        self.learnt.states.push(places.clone());
        self.learnt.kinds.push(kind);
        self.learnt.known.insert((kind, places), row);
        row
    }
}

/// The symbol of the character before a place.
pub(super) fn last_before(symbols: &[Symbol], place: usize) -> Symbol {
    let before = symbols.get(..=place).unwrap_or_default();
    before.iter().rev().copied().find(|symbol| *symbol != INNER).unwrap_or(VOID)
}
