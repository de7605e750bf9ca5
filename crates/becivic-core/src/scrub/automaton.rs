//! One pattern as an automaton, made state by state while it is walked.
//!
//! 1. A state is the set of steps where the pattern may be, and the kind of the symbol read last where one of
//!    them asks for it.
//! 2. What fits is known one symbol late: whether the steps are done may depend on the next symbol. So a
//!    transition, not a state, says that the pattern fits up to here.
//! 3. Where steps ask for conditions, a transition is a question: whoever walks answers it for the place, and what follows may be
//!    another question. A condition is asked only where what follows it could take the next symbol, and after others have not settled the
//!    matter.
//! 4. Symbols that this pattern takes for each other are one column of a small table; most texts need a few
//!    dozen rows. An automaton that has got too many goes on with none, and says so if that was too soon.

mod filling;
mod learning;

use super::nfa::{Asked, At, Columns, Nfa, Stepper};
use super::symbols::{INNER, Symbol, VOID};
pub(super) use filling::Everywhere;
use learning::Learnt;

/// Bytes of a walk at most; patterns that fit more are walked no further.
pub(super) const MAX_WALK: usize = 512;

/// Set in a transition on which the pattern fits.
const FITS: u32 = 1 << 31;

/// Set in a transition that depends on a condition; the rest is the number of the question.
const ASKS: u32 = 1 << 30;

/// A transition that is not known yet. It has both set, so that one comparison finds all that is out of the ordinary.
const UNKNOWN: u32 = u32::MAX;

/// Where nothing can fit any more.
const DEAD: u32 = 0;

/// Up to where a pattern fits, if its parts are tried in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It does not.
    Nowhere,
    /// Up to here.
    At(usize),
    /// Perhaps further than a walk goes.
    Far,
    /// It depends on a condition that could not be told.
    Unanswered,
}

/// A text as it is read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'t> {
    /// The steps that read it.
    pub(super) nfa: &'t Nfa,
    /// Its symbols, with one before it.
    pub(super) symbols: &'t [Symbol],
}

/// What whoever walks brings along.
#[derive(Default)]
pub(super) struct Gear {
    pub(super) stepper: Stepper,
    /// Symbols walked.
    pub(super) walked: u64,
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

impl Automaton {
    /// The automaton of the pattern whose steps begin here.
    pub(super) fn new(start: At) -> Self {
        Self { learnt: Learnt { start, ..Learnt::default() }, ..Self::default() }
    }

    /// One that tells up to where the pattern fits when its parts are tried in order.
    pub(super) fn in_order(start: At) -> Self {
        Self { learnt: Learnt { start, is_in_order: true, ..Learnt::default() }, ..Self::default() }
    }

    /// The same where a condition does not fit anywhere near.
    pub(super) fn in_order_without(start: At, condition: u32) -> Self {
        let assumed = vec![(condition, false)];
        Self { learnt: Learnt { start, is_in_order: true, assumed, ..Learnt::default() }, ..Self::default() }
    }

    /// The automaton of up to 64 patterns, whose steps begin together here and end at these.
    pub(super) fn of_several(start: At, ends: Vec<At>) -> Self {
        Self { learnt: Learnt { start, ends, ..Learnt::default() }, ..Self::default() }
    }

    /// Whether it needs more states than it should.
    pub(super) fn is_overfull(&self) -> bool {
        self.learnt.is_overfull
    }

    /// Up to where the pattern fits from a place when its parts are tried in order. `answer` tells whether a condition holds at a place, if
    /// that can be told. Only for one made [`Automaton::in_order`].
    #[inline]
    pub(super) fn first_end(
        &mut self,
        reading: &Reading<'_>,
        place: usize,
        gear: &mut Gear,
        mut answer: impl FnMut(Asked, usize) -> Option<bool>,
    ) -> End {
        let mut row = self.start(reading.nfa, last_before(reading.symbols, place));
        let mut end = End::Nowhere;
        let ahead = reading.symbols.get(place + 1..).unwrap_or_default();
        let ahead = ahead.get(..MAX_WALK).unwrap_or(ahead);
        let mut left = 0;
        while let Some((walked, symbol, to)) = self.run_on(&mut row, ahead, left) {
            left = walked + 1;
            let told = match to {
                DEAD => Some(DEAD),
                _ => self.told(reading, gear, row, symbol, to, |asked| answer(asked, place + walked)),
            };
            let Some(known) = told else {
                gear.walked += walked as u64 + 1;
                return End::Unanswered;
            };
            if known >= FITS {
                end = End::At(place + walked);
            }
            row = known & !FITS;
            if row == DEAD {
                gear.walked += walked as u64 + 1;
                self.learnt.read += walked as u64;
                return end;
            }
        }
        gear.walked += ahead.len() as u64;
        End::Far
    }

    /// Where the pattern ends from a place, if it can end at one place only; `None` if it can end at several. Only for one whose steps ask
    /// no conditions, and are not in order.
    pub(super) fn only_end(&mut self, reading: &Reading<'_>, place: usize, gear: &mut Gear) -> Option<End> {
        let mut row = self.start(reading.nfa, last_before(reading.symbols, place));
        let mut end = End::Nowhere;
        let ahead = reading.symbols.get(place + 1..).unwrap_or_default();
        let ahead = ahead.get(..MAX_WALK).unwrap_or(ahead);
        let mut left = 0;
        while let Some((walked, symbol, mut to)) = self.run_on(&mut row, ahead, left) {
            left = walked + 1;
            if to == UNKNOWN {
                to = self.learn(reading.nfa, &mut gear.stepper, row, symbol);
            }
            if to >= FITS {
                if end != End::Nowhere {
                    return None;
                }
                end = End::At(place + walked);
            }
            row = to & !FITS;
            if row == DEAD {
                gear.walked += walked as u64 + 1;
                return Some(end);
            }
        }
        gear.walked += ahead.len() as u64;
        Some(End::Far)
    }

    /// Which of up to 64 patterns, read backwards, fit right before a place, within so many characters: bits in
    /// the order of their ends in the list of steps. And of which that is known: the walk is over once it is of those asked for.
    pub(super) fn all_before(
        &mut self,
        reading: &Reading<'_>,
        place: usize,
        characters: usize,
        asked: u64,
        gear: &mut Gear,
    ) -> (u64, u64) {
        let mut row = self.start(reading.nfa, reading.symbols.get(place + 1).copied().unwrap_or(VOID));
        let (mut found, mut told, mut left) = (0, u64::MAX, characters);
        'walk: for few in reading.symbols.get(..=place).unwrap_or_default().rchunks(OFTEN) {
            gear.walked += few.len() as u64;
            for symbol in few.iter().rev() {
                let mut to = self.known(row, *symbol);
                if is_special(to) {
                    if to != DEAD {
                        let (known, bits) = self.told_of_several(reading, gear, row, *symbol);
                        (found, to) = (found | bits, known);
                    }
                    if to == DEAD {
                        break 'walk;
                    }
                }
                row = to;
            }
            // What fits with a few characters more is no harm: what could hold is asked again by itself.
            left = left.saturating_sub(few.iter().filter(|symbol| **symbol != INNER).count());
            let open = self.under_way(row) & !found;
            if left == 0 || open & asked == 0 {
                told = if left == 0 { u64::MAX } else { !open };
                break;
            }
        }
        (found, told)
    }

    /// Whether the few symbols before a place tell that none of these patterns, read backwards, fits there.
    #[inline]
    pub(super) fn none_before(&self, symbols: &[Symbol], place: usize, asked: u64) -> bool {
        let start = symbols.get(place + 1).and_then(|next| self.starts.get(usize::from(*next)));
        let Some(mut row) = start.copied().filter(|row| *row != UNKNOWN) else { return false };
        let before = symbols.get(..=place).unwrap_or_default();
        for symbol in before.iter().rev().take(FEW) {
            row = self.known(row, *symbol);
            if is_special(row) {
                return row == DEAD;
            }
        }
        self.under_way(row) & asked == 0
    }

    /// Of several patterns, those under way in a row, as bits: they stand after its columns, in two halves.
    #[inline]
    fn under_way(&self, row: u32) -> u64 {
        match self.rows.get(row as usize + self.columns.count()..) {
            Some([low, high, ..]) => u64::from(*low) | u64::from(*high) << 32,
            _ => u64::MAX,
        }
    }

    /// Reads on as long as a transition leads to another row and says nothing else; the first that does not, and its symbol.
    #[inline]
    fn run<'s>(
        &self,
        row: &mut u32,
        symbols: &mut impl Iterator<Item = &'s Symbol>,
    ) -> Option<(Symbol, u32)> {
        // As wide as an index is: narrow ones would be widened for each symbol.
        let (rows, mut now) = (self.rows.as_slice(), *row as usize);
        for symbol in symbols {
            let to = self.columns.get(*symbol).and_then(|column| rows.get(now + usize::from(column)));
            let to = to.copied().unwrap_or(DEAD);
            if is_special(to) {
                *row = now as u32;
                return Some((*symbol, to));
            }
            now = to as usize;
        }
        *row = now as u32;
        None
    }

    /// The same from one of some symbols on; its place among them too.
    #[inline]
    fn run_on(&self, row: &mut u32, symbols: &[Symbol], from: usize) -> Option<(usize, Symbol, u32)> {
        let (rows, mut now, mut at) = (self.rows.as_slice(), *row as usize, from);
        while let Some(symbol) = symbols.get(at) {
            let to = self.columns.get(*symbol).and_then(|column| rows.get(now + usize::from(column)));
            let to = to.copied().unwrap_or(DEAD);
            if is_special(to) {
                *row = now as u32;
                return Some((at, *symbol, to));
            }
            (now, at) = (to as usize, at + 1);
        }
        *row = now as u32;
        None
    }

    /// Whether a few symbols tell that the pattern fits right after a place, or that it does not, and all that they lead to is known.
    #[inline]
    pub(super) fn fits_soon_after(&self, symbols: &[Symbol], place: usize) -> Option<bool> {
        let ahead = symbols.get(place + 1..)?;
        self.fits_soon(*symbols.get(place)?, ahead.get(..SOON)?.iter())
    }

    /// The same right before a place, for a pattern that is read backwards.
    #[inline]
    pub(super) fn fits_soon_before(&self, symbols: &[Symbol], place: usize) -> Option<bool> {
        let before = symbols.get((place + 1).checked_sub(SOON)?..=place)?;
        self.fits_soon(*symbols.get(place + 1)?, before.iter().rev())
    }

    #[inline]
    fn fits_soon<'s>(&self, last: Symbol, symbols: impl Iterator<Item = &'s Symbol>) -> Option<bool> {
        let mut row = *self.starts.get(usize::from(last)).filter(|_| last != INNER)?;
        for symbol in symbols {
            row = *self.rows.get(row as usize + usize::from(self.columns.get(*symbol)?))?;
            if is_special(row) {
                return (row != UNKNOWN).then_some(row >= FITS);
            }
        }
        None
    }

    /// Whether the pattern, read backwards, fits right before a place; `None` if so many bytes do not tell.
    pub(super) fn fits_before(
        &mut self,
        reading: &Reading<'_>,
        place: usize,
        most: usize,
        gear: &mut Gear,
    ) -> Option<bool> {
        let last = reading.symbols.get(place + 1).copied().unwrap_or(VOID);
        let before = reading.symbols.get((place + 1).saturating_sub(most)..=place).unwrap_or_default();
        self.fits(reading, last, before.iter().rev(), gear)
    }

    /// Whether the pattern fits right after a place.
    pub(super) fn fits_after(
        &mut self,
        reading: &Reading<'_>,
        place: usize,
        most: usize,
        gear: &mut Gear,
    ) -> Option<bool> {
        let last = last_before(reading.symbols, place);
        let after = reading.symbols.get(place + 1..).unwrap_or_default();
        self.fits(reading, last, after.get(..most).unwrap_or(after).iter(), gear)
    }

    #[inline]
    fn fits<'s>(
        &mut self,
        reading: &Reading<'_>,
        last: Symbol,
        mut symbols: impl ExactSizeIterator<Item = &'s Symbol>,
        gear: &mut Gear,
    ) -> Option<bool> {
        let mut row = self.start(reading.nfa, last);
        let length = symbols.len();
        let mut fits = None;
        while let Some((symbol, mut to)) = self.run(&mut row, &mut symbols) {
            if to == UNKNOWN {
                to = self.learn(reading.nfa, &mut gear.stepper, row, symbol);
            }
            if to >= FITS || to == DEAD {
                fits = Some(to >= FITS);
                break;
            }
            row = to;
        }
        gear.walked += (length - symbols.len()) as u64;
        fits
    }

    /// The transition from a row on a symbol, as far as it is known.
    #[inline]
    fn known(&self, row: u32, symbol: Symbol) -> u32 {
        let column = self.columns.of(symbol);
        self.rows.get(row as usize + usize::from(column)).copied().unwrap_or(DEAD)
    }

    /// What a transition comes to by the answers, where it depends on conditions; `None` if one of them cannot be answered.
    #[inline(always)]
    fn told(
        &mut self,
        reading: &Reading<'_>,
        gear: &mut Gear,
        row: u32,
        symbol: Symbol,
        mut to: u32,
        mut answer: impl FnMut(Asked) -> Option<bool>,
    ) -> Option<u32> {
        if to == UNKNOWN {
            to = self.learn(reading.nfa, &mut gear.stepper, row, symbol);
        }
        while to & (FITS | ASKS) == ASKS {
            let number = (to & !ASKS) as usize;
            let question = self.learnt.questions.get(number)?;
            let fits = answer(Asked { condition: question.condition, negated: false })?;
            to = question.to[usize::from(fits)];
            if to == UNKNOWN {
                to = self.learn_answer(reading.nfa, &mut gear.stepper, number, fits)?;
            }
        }
        (to != UNKNOWN).then_some(to)
    }

    /// In an automaton of several patterns: the row that a transition leads to, and which of them fit.
    fn told_of_several(
        &mut self,
        reading: &Reading<'_>,
        gear: &mut Gear,
        row: u32,
        symbol: Symbol,
    ) -> (u32, u64) {
        match self.known(row, symbol) {
            UNKNOWN => {
                let to = self.learn(reading.nfa, &mut gear.stepper, row, symbol);
                (to & !FITS, self.learnt.bits(&gear.stepper.done))
            }
            known if known < FITS => (known, 0),
            known => {
                let fitting = self.learnt.fitting.get(&(row, self.columns.of(symbol)));
                (known & !FITS, fitting.copied().unwrap_or(0))
            }
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
}

/// Symbols that tell most places before which nothing is.
const FEW: usize = 5;

/// Symbols that tell most conditions.
pub(super) const SOON: usize = 16;

/// After so many symbols each time, it is looked what is still under way.
const OFTEN: usize = 8;

/// Whether a transition is more than a way to another row.
#[inline]
fn is_special(to: u32) -> bool {
    to.wrapping_sub(1) >= ASKS - 1
}

/// The symbol of the character before a place.
#[inline]
pub(super) fn last_before(symbols: &[Symbol], place: usize) -> Symbol {
    match symbols.get(place) {
        Some(symbol) if *symbol != INNER => *symbol,
        _ => last_of(symbols.get(..=place).unwrap_or_default()),
    }
}

#[cold]
fn last_of(before: &[Symbol]) -> Symbol {
    before.iter().rev().copied().find(|symbol| *symbol != INNER).unwrap_or(VOID)
}
