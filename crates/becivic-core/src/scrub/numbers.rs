//! Branches that begin as numbers do, walked all together from each place where one could begin.
//!
//! 1. Numbers are written in so many ways that many branches begin alike and few go on so. One automaton of all of
//!    them tells which fit, and up to where, in one walk; most walks are over after a few symbols.
//! 2. A state is the steps that are under way. What fits is known one symbol late, so a transition says which
//!    branches fit up to here, a bit for each.
//! 3. A walk has to wait for each symbol before the next. So the first few symbols are walked from several places side by side; after
//!    these most walks are over.
//! 4. Most symbols that are read are digits and what separates them. Where these lead stands close together.
//! 5. What a symbol leads to is worked out when it is met first, for all symbols at once that the steps under way take for each other.
//! 6. When there are too many states, a walk ends where the next one is not known. Whatever is under way there has
//!    to be walked on its own. When as many walks have ended so as there may be states, all are thrown away: to make those anew that are
//!    needed now costs no more than these walks did.

mod alike;

use super::automaton::{MAX_WALK, last_before};
use super::branches::Branch;
use super::nfa::{At, EVER, INNER_COLUMN, Nfa, Stepper};
use super::symbols::{MOST_SYMBOLS, SetId, Symbol, VOID};
use alike::Alike;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// States at most.
const MOST: usize = 1 << 14;

/// Branches at most: so many bits has a [`Set`].
pub(super) const MOST_BRANCHES: usize = 64;

/// Symbols of a number after which it is asked whether it could count.
const SOON: usize = 8;

/// Places that are walked side by side.
const ABREAST: usize = 8;

/// Set in a transition on which branches fit; the rest is its number among those.
const FITS: u16 = 1 << 15;

/// A transition that is not known yet; it has [`FITS`] set, so that one comparison finds both.
const UNKNOWN: u16 = u16::MAX;

/// Where nothing is under way.
const DEAD: u16 = 0;

/// The branches.
#[derive(Debug)]
pub(super) struct Numbers {
    /// The first step of each, in order; its place is its bit.
    starts: Box<[At]>,
    /// Their numbers.
    branches: Vec<u16>,
    /// Those that ask conditions in their middle.
    asking: Set,
    columns: Box<[u16; MOST_SYMBOLS]>,
    /// Rows are as long as two to the power of this.
    shift: u32,
    alike: Alike,
}

impl Numbers {
    /// Up to [`MOST_BRANCHES`] branches, each with its number, in order.
    pub(super) fn new(nfa: &Nfa, branches: &[(u16, &Branch)]) -> Self {
        let starts: Box<[At]> = branches.iter().map(|(_, branch)| branch.body).collect();
        let asked = nfa.asked_from(&starts, EVER);
        let counted = asked.chunk_by(|a, b| a == b).filter_map(|same| Some((*same.first()?, same.len())));
        let (sets, counts): (Vec<SetId>, Vec<usize>) = counted.unzip();
        let often = |symbol| {
            let counts = sets.iter().zip(&counts).filter(|(set, _)| nfa.has(**set, symbol));
            counts.map(|(_, count)| count).sum::<usize>()
        };
        let columns = nfa.columns_in_order(&sets, |symbol| Reverse(often(symbol)));
        let shift = columns.count().next_power_of_two().trailing_zeros();
        let asking = branches.iter().enumerate().filter(|(_, (_, branch))| branch.asks);
        let asking = asking.fold(0, |set, (bit, _)| set | 1 << bit);
        let branches = branches.iter().map(|(number, _)| *number).collect();
        let alike = Alike::new(nfa, &columns);
        Self { starts, branches, asking, columns: columns.table(), shift, alike }
    }

    /// Where it stands in a table of rows what a symbol leads to.
    #[inline]
    fn cell(&self, state: usize, symbol: Symbol) -> usize {
        (state << self.shift) + usize::from(self.columns[usize::from(symbol) % MOST_SYMBOLS])
    }

    /// The bits of the branches of these steps.
    fn set(&self, steps: &[At]) -> Set {
        let number = |at: &At| self.starts.partition_point(|start| start <= at).checked_sub(1);
        steps.iter().filter_map(number).fold(0, |set, bit| set | 1 << bit)
    }
}

/// Branches, a bit for each.
pub(super) type Set = u64;

/// A branch that could match, and up to where it fits without what it asks at its beginning and its end, if that is one place only.
pub(super) type Fitting = (u16, Option<usize>);

/// A walk from a place that has come through its first symbols.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) place: usize,
    /// Where these lead; [`UNKNOWN`] if that is not all there is to tell of them.
    state: u16,
}

impl Begun {
    /// Whether nothing is under way any more.
    #[inline]
    pub(super) fn is_over(self) -> bool {
        self.state == DEAD
    }
}

/// The numbers of the bits of a set, in order.
pub(super) fn bits(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

/// The states seen so far.
#[derive(Debug, Default)]
pub(super) struct Walks {
    /// For each state a row, for each column where it leads.
    rows: Vec<u16>,
    /// The transitions on which branches fit: where they lead, and which do.
    fits: Vec<(u16, Set)>,
    fits_known: FxHashMap<(u16, Set), u16>,
    /// The first state by the symbol before.
    starts: Vec<u16>,
    /// Symbols walked.
    pub(super) walked: u64,
    /// Up to where branches have fitted first in the walk under way, and which.
    ends: Vec<(usize, Set)>,
    /// The steps of each, and after them the kind of the symbol read last.
    states: Vec<Arc<[At]>>,
    /// The branches of each.
    under_way: Vec<Set>,
    known: FxHashMap<Arc<[At]>, u16>,
    /// Walks that have ended for want of a state.
    cut_short: usize,
    stepper: Stepper,
}

impl Walks {
    /// Begins the walks from some places, several side by side.
    pub(super) fn begin(
        &mut self,
        numbers: &Numbers,
        nfa: &Nfa,
        symbols: &[Symbol],
        places: &[usize],
        begun: &mut Vec<Begun>,
    ) {
        begun.clear();
        self.make_room();
        let (abreast, left) = places.as_chunks::<ABREAST>();
        for places in abreast {
            begun.extend(self.begin_all(numbers, nfa, symbols, *places));
        }
        let alone = |place: &usize| self.begin_all(numbers, nfa, symbols, [*place]);
        begun.extend(left.iter().flat_map(alone));
    }

    #[inline]
    fn begin_all<const PLACES: usize>(
        &mut self,
        numbers: &Numbers,
        nfa: &Nfa,
        symbols: &[Symbol],
        places: [usize; PLACES],
    ) -> [Begun; PLACES] {
        // As wide as an index is: narrow ones would be packed together and taken apart again for each symbol.
        let mut states =
            places.map(|place| usize::from(self.start(numbers, nfa, last_before(symbols, place))));
        // At least as many stand after the last place of a text.
        const { assert!(SOON <= super::openings::DEPTH) };
        let ahead: [&[Symbol; SOON]; PLACES] = places.map(|place| {
            symbols.get(place + 1..).and_then(|ahead| ahead.first_chunk()).unwrap_or(&[VOID; SOON])
        });
        for first in (0..SOON).step_by(SOON / 2) {
            for walked in first..first + SOON / 2 {
                for (state, ahead) in states.iter_mut().zip(ahead) {
                    // Nothing follows a transition that says more: it is no state.
                    let to = self.rows.get(numbers.cell(*state, ahead[walked])).copied();
                    *state = usize::from(to.unwrap_or(UNKNOWN));
                }
            }
            self.walked += (SOON / 2 * PLACES) as u64;
            if states.iter().all(|state| *state == usize::from(DEAD)) {
                break;
            }
        }
        let begun =
            |index| Begun { place: places[index], state: u16::try_from(states[index]).unwrap_or(UNKNOWN) };
        std::array::from_fn(begun)
    }

    /// Throws the states away if that pays.
    fn make_room(&mut self) {
        if self.cut_short >= MOST {
            let (walked, stepper) = (self.walked, std::mem::take(&mut self.stepper));
            *self = Self { walked, stepper, ..Self::default() };
        }
    }

    /// Adds those of the branches that could match where a walk has begun, in order. After a few symbols, `could_count` is asked whether a
    /// match of those that are left could.
    pub(super) fn walk(
        &mut self,
        numbers: &Numbers,
        nfa: &Nfa,
        symbols: &[Symbol],
        Begun { place, state }: Begun,
        mut could_count: impl FnMut(Set) -> bool,
        fitting: &mut Vec<Fitting>,
    ) {
        let is_clear = state < FITS;
        let mut state = if is_clear { state } else { self.start(numbers, nfa, last_before(symbols, place)) };
        let ahead = symbols.get(place + 1..).unwrap_or_default();
        let ahead = ahead.get(..MAX_WALK).unwrap_or(ahead);
        let mut in_sight = ahead.get(..SOON).unwrap_or(ahead);
        // Which fit once or more, and which more than once.
        let (mut once, mut again): (Set, Set) = (0, 0);
        self.ends.clear();
        let mut walked = if is_clear { in_sight.len() } else { 0 };
        while state != DEAD {
            let to = self.run(numbers, in_sight, &mut walked, &mut state);
            let to = match in_sight.get(walked) {
                None if walked == ahead.len() => break,
                None if could_count(once | self.under_way(state)) => {
                    in_sight = ahead;
                    continue;
                }
                None => {
                    self.walked += walked as u64;
                    return;
                }
                Some(symbol) if to == UNKNOWN => self.learn(numbers, nfa, state, *symbol),
                Some(_) => Some(to),
            };
            let Some(mut to) = to else {
                self.cut_short += 1;
                break;
            };
            if to >= FITS {
                let (then, set) = self.fits.get(usize::from(to & !FITS)).copied().unwrap_or_default();
                if set & !once != 0 {
                    self.ends.push((place + walked, set & !once));
                }
                again |= once & set;
                once |= set;
                to = then;
            }
            state = to;
            walked += 1;
        }
        self.walked += walked as u64;
        // What is under way may fit further on, and what asks on its way has to be asked.
        again |= numbers.asking;
        let set = self.under_way(state);
        (once, again) = (once | set, again | set);
        for bit in bits(once) {
            let is_only = again >> bit & 1 == 0;
            let end = self.ends.iter().find(|(_, set)| is_only && set >> bit & 1 == 1).map(|(end, _)| *end);
            fitting.extend(numbers.branches.get(bit).map(|branch| (*branch, end)));
        }
    }

    /// The branches that are under way in a state.
    #[inline]
    fn under_way(&self, state: u16) -> Set {
        self.under_way.get(usize::from(state)).copied().unwrap_or(0)
    }

    /// Walks on as long as a transition leads to another state and says nothing else; the one that does not.
    #[inline]
    fn run(&self, numbers: &Numbers, ahead: &[Symbol], walked: &mut usize, state: &mut u16) -> u16 {
        let mut now = *state;
        let mut left = ahead.get(*walked..).unwrap_or_default().iter();
        while let Some(symbol) = left.as_slice().first() {
            let to = self.rows.get(numbers.cell(usize::from(now), *symbol)).copied().unwrap_or(DEAD);
            if to.wrapping_sub(1) >= FITS - 1 {
                (*walked, *state) = (ahead.len() - left.len(), now);
                return to;
            }
            left.next();
            now = to;
        }
        (*walked, *state) = (ahead.len(), now);
        DEAD
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
            self.add(numbers, &[0], DEAD);
        }
        let mut state = numbers.starts.to_vec();
        state.push(nfa.any_kind(last).into());
        let state = self.state(numbers, &state);
        if let Some(start) = self.starts.get_mut(usize::from(last)) {
            *start = state;
        }
        state
    }

    /// Where a symbol leads; `None` if that could be one state too many.
    #[cold]
    fn learn(&mut self, numbers: &Numbers, nfa: &Nfa, state: u16, symbol: Symbol) -> Option<u16> {
        if self.states.len() >= MOST {
            return None;
        }
        let (kind, steps) = self.states.get(usize::from(state))?.split_last()?;
        let kind = Symbol::try_from(*kind).ok()?;
        let mut stepper = std::mem::take(&mut self.stepper);
        let mut alike = numbers.alike.to(numbers.columns[usize::from(symbol) % MOST_SYMBOLS]);
        stepper.step_noting(nfa, steps, kind, symbol, |set| alike.note(set));
        let set = numbers.set(&stepper.done);
        let mut to = DEAD;
        if !stepper.after.is_empty() {
            let kind = nfa.kind(&stepper.after, symbol);
            if nfa.asks_last(&stepper.after) {
                alike.note_kind();
            }
            stepper.after.push(kind.into());
            to = self.state(numbers, &stepper.after);
        }
        self.stepper = stepper;
        if set != 0 {
            to = self.fitting(to, set)?;
        }
        if let Some(cell) = self.rows.get_mut(numbers.cell(usize::from(state), symbol)) {
            *cell = to;
        }
        let row = usize::from(state) << numbers.shift;
        for column in bits(alike.columns) {
            if let Some(cell) = self.rows.get_mut(row + column) {
                *cell = to;
            }
        }
        Some(to)
    }

    /// The transition to a state on which branches fit; `None` if that would be one too many.
    fn fitting(&mut self, to: u16, set: Set) -> Option<u16> {
        if let Some(known) = self.fits_known.get(&(to, set)) {
            return Some(*known);
        }
        let number = u16::try_from(self.fits.len()).ok().filter(|number| *number < UNKNOWN - FITS)? | FITS;
        self.fits.push((to, set));
        self.fits_known.insert((to, set), number);
        Some(number)
    }

    /// The state of these steps, after which stands the kind of the symbol read last.
    fn state(&mut self, numbers: &Numbers, state: &[At]) -> u16 {
        match self.known.get(state) {
            Some(number) => *number,
            None => self.add(numbers, state, UNKNOWN),
        }
    }

    /// Adds a state whose transitions are all so.
    fn add(&mut self, numbers: &Numbers, state: &[At], transitions: u16) -> u16 {
        let number = u16::try_from(self.states.len()).unwrap_or(DEAD);
        let from = self.rows.len();
        self.rows.resize(from + (1 << numbers.shift), transitions);
        if let Some(inner) = self.rows.get_mut(from + usize::from(INNER_COLUMN)) {
            *inner = number;
        }
        let (_, steps) = state.split_last().unwrap_or((&0, &[]));
        self.under_way.push(numbers.set(steps));
        let state: Arc<[At]> = state.into();
        self.states.push(Arc::clone(&state));
        self.known.insert(state, number);
        number
    }
}

#[cfg(test)]
mod tests;
