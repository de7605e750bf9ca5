//! Where a branch could begin: one automaton for all of them, read over the whole text once.
//!
//! 1. At every place every branch begins anew. After `depth` symbols those that still fit are named, and
//!    forgotten; what they have in common is that they begin at the same place.
//! 2. A state is what is under way: what began at the last place, at the one before and so on (`scrub/groups.rs`). It is
//!    determined by the last few symbols, so ordinary text needs some thousand states.
//! 3. A text made to need more is read with a smaller depth from then on. Less depth means fewer states and
//!    more places to look at. States are thrown away only when so much text has been read that making them anew
//!    does not count.

use super::automaton::last_before;
use super::groups::{Group, Groups, NOTHING, START};
use super::nfa::{At, Columns, INNER_COLUMN, Nfa};
use super::symbols::{MOST_SYMBOLS, Symbol, Symbols};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Symbols of a beginning that are looked at, at most.
pub(super) const DEPTH: usize = 20;

/// The depths a text is read with, the greatest first tried.
pub(super) const OF_WORDS: &[usize] = &[1, 2, 3, 4, 6, 10, DEPTH];

/// States at most, for each depth but the least. Twenty megabytes of prose and manuals on anything at all need ten thousand at the greatest
/// depth; what needs more is soon read with less.
const MOST: usize = 12_000;

/// Symbols read for each state before the states are thrown away.
const READ_PER_STATE: usize = 400;

/// Set in a transition to a state that names branches.
const NAMES: u16 = 1 << 15;

/// A transition that is not known yet.
const UNKNOWN: u16 = u16::MAX;

/// Where the branches begin.
#[derive(Debug)]
pub(super) struct Openings {
    /// The first step of each branch, or of its pivot.
    starts: Vec<At>,
    /// The first step of each branch's part of the list.
    bodies: Vec<At>,
    columns: Columns,
    column_of: Box<[u16; MOST_SYMBOLS]>,
}

impl Openings {
    /// Of branches that are looked for from these steps on; the steps of all branches begin at `bodies`.
    pub(super) fn new(nfa: &Nfa, bodies: Vec<At>, starts: Vec<At>) -> Self {
        let columns = nfa.columns(&nfa.sets_from(&starts, DEPTH));
        Self { starts, bodies, column_of: columns.table(), columns }
    }

    /// Finds the places of a range where branches could begin, in order.
    ///
    /// A step has to wait for the one before it, mostly for memory. So the text is read at several places at the
    /// same time, and each reader goes on until what began in its part is named.
    pub(super) fn scan(&self, nfa: &Nfa, levels: &mut Levels, symbols: Symbols<'_>, places: Range<usize>) {
        let Levels { levels, found } = levels;
        found.iter_mut().for_each(Vec::clear);
        let is_short = places.len() <= SHORT;
        let each = if is_short { places.len() } else { places.len() / READERS + 1 };
        let mut readers: [Reader; READERS] = std::array::from_fn(|index| {
            let border = |index: usize| symbols.character((places.start + index * each).min(places.end));
            Reader { from: border(index), to: border(index + 1) }
        });
        for (number, level) in levels.iter_mut().enumerate().rev() {
            level.make_room(self, places.len());
            let note = |reader: usize, place, state| {
                if let Some(found) = found.get_mut(reader) {
                    found.push(Found { place, level: number, state });
                }
            };
            let text = Text { openings: self, nfa, symbols };
            match &mut readers {
                [all, ..] if is_short => level.read_alone(&text, all, note),
                readers => level.read(&text, readers, note),
            }
            if readers.iter().all(|reader| reader.from >= reader.to) {
                return;
            }
        }
    }

    fn branch(&self, at: At) -> u16 {
        let after = self.bodies.partition_point(|body| *body <= at);
        u16::try_from(after.saturating_sub(1)).unwrap_or(u16::MAX)
    }
}

/// Texts are read at so many places at the same time.
const READERS: usize = 6;

/// A text of so many bytes is read from one place: most of what several readers read would be what began before their parts.
const SHORT: usize = 48;

/// What is read, and for what.
struct Text<'t> {
    openings: &'t Openings,
    nfa: &'t Nfa,
    symbols: Symbols<'t>,
}

/// A part of the text.
struct Reader {
    /// The first place not asked about yet.
    from: usize,
    /// The first place of the next part.
    to: usize,
}

impl Reader {
    /// The indexes of the first symbol to be read and of the first not to be: what begins in this part is named
    /// before that.
    fn indexes(&self, symbols: Symbols<'_>, depth: usize) -> (usize, usize) {
        let from = self.from + 1;
        (from, if self.from < self.to { symbols.forward(self.to, depth) } else { from })
    }

    /// Notes where reading has stopped. What began more than a few symbols before has been named.
    fn stop(&mut self, symbols: Symbols<'_>, depth: usize, at: usize, end: usize) {
        let unnamed = symbols.back(at, depth - 1).saturating_sub(1);
        self.from = if at < end { unnamed.max(self.from) } else { self.to };
    }
}

/// Something that was found.
#[derive(Clone, Copy, Debug)]
struct Found {
    place: usize,
    level: usize,
    state: u16,
}

/// States for each depth, the greatest last, and what was found with them.
#[derive(Debug)]
pub(super) struct Levels {
    levels: Vec<Level>,
    found: [Vec<Found>; READERS],
}

impl Levels {
    /// Nothing known yet.
    pub(super) fn new(depths: &[usize]) -> Self {
        Self { levels: depths.iter().copied().map(Level::new).collect(), found: Default::default() }
    }

    /// What was found: places in order, and the branches that could begin there.
    pub(super) fn found(&self) -> impl Iterator<Item = (usize, &[u16])> {
        self.found.iter().flatten().filter_map(|found| {
            let level = self.levels.get(found.level)?;
            Some((found.place, level.groups.branches(level.states.get(usize::from(found.state))?.named)))
        })
    }
}

#[derive(Debug)]
struct Level {
    depth: usize,
    /// For each state a row, for each symbol a state; rows are as long as the next power of two.
    rows: Vec<u16>,
    /// That power.
    shift: u32,
    /// Symbols read since there were no states.
    read: usize,
    states: Vec<State>,
    /// The states with nothing under way, by the kind of the symbol before.
    fresh: Vec<u16>,
    known: FxHashMap<State, u16>,
    groups: Groups,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// The kind of the symbol read last.
    kind: Symbol,
    /// What began at the place before, at the one before that and so on.
    under_way: Box<[Group]>,
    /// The number of the branches named.
    named: u32,
}

impl Level {
    fn new(depth: usize) -> Self {
        Self {
            depth,
            rows: Vec::new(),
            shift: 0,
            read: 0,
            states: Vec::new(),
            fresh: Vec::new(),
            known: FxHashMap::default(),
            groups: Groups::new(&[]),
        }
    }

    /// Throws the states away if there are too many and so much is to be read that this pays.
    fn make_room(&mut self, openings: &Openings, reading: usize) {
        if self.states.is_empty() || (self.states.len() >= MOST && self.read > MOST * READ_PER_STATE) {
            let shift = openings.columns.count().next_power_of_two().trailing_zeros();
            *self = Self { shift, groups: Groups::new(&openings.starts), ..Self::new(self.depth) };
        }
        self.read += reading;
    }

    /// Reads one part, as far as the states suffice.
    fn read_alone(&mut self, text: &Text<'_>, reader: &mut Reader, mut note: impl FnMut(usize, usize, u16)) {
        let (mut at, end) = reader.indexes(text.symbols, self.depth);
        let mut state = self.fresh(text.nfa.any_kind(last_before(text.symbols.all, reader.from)));
        let note = &mut |place, state| note(0, place, state);
        while at < end && self.step(text, &mut at, &mut state, note) {}
        reader.stop(text.symbols, self.depth, at, end);
    }

    /// Reads all parts, as far as the states suffice.
    fn read(
        &mut self,
        text: &Text<'_>,
        readers: &mut [Reader; READERS],
        mut note: impl FnMut(usize, usize, u16),
    ) {
        // The symbols to be read next and last: the index of a place's symbol is one more than the place.
        let mut at = [0; READERS];
        let mut end = [0; READERS];
        let mut states = [0; READERS];
        for (index, reader) in readers.iter().enumerate() {
            (at[index], end[index]) = reader.indexes(text.symbols, self.depth);
            states[index] = self.fresh(text.nfa.any_kind(last_before(text.symbols.all, reader.from)));
        }
        // All together, as long as all have something to read; then one after the other.
        let left = at.iter().zip(&end).map(|(at, end)| end.saturating_sub(*at)).min().unwrap_or(0);
        let from = at;
        let ahead = at.map(|at| text.symbols.all.get(at..at + left).unwrap_or_default());
        let mut read = 0;
        while read < left {
            read +=
                self.read_known(&text.openings.column_of, &ahead, read, &mut states, |reader, at, state| {
                    let at = from[reader] + at;
                    note(reader, text.symbols.back(at, self.depth - 1).saturating_sub(1), state);
                });
            let mut all = read < left;
            for (index, state) in states.iter_mut().enumerate().filter(|_| read < left) {
                at[index] = from[index] + read;
                all &= self.step(text, &mut at[index], state, &mut |place, state| note(index, place, state));
            }
            if !all {
                break;
            }
            read += 1;
        }
        if read >= left {
            at = from.map(|from| from + left);
        }
        for (index, reader) in readers.iter_mut().enumerate() {
            let note = &mut |place, state| note(index, place, state);
            while at[index] < end[index] && self.step(text, &mut at[index], &mut states[index], note) {}
            reader.stop(text.symbols, self.depth, at[index], end[index]);
        }
    }

    /// Reads on in all parts as long as every transition is known; how far.
    #[inline]
    fn read_known(
        &self,
        column_of: &[u16; MOST_SYMBOLS],
        ahead: &[&[Symbol]; READERS],
        from: usize,
        states: &mut [u16; READERS],
        mut note: impl FnMut(usize, usize, u16),
    ) -> usize {
        // Equally long, so that one comparison tells the end of all.
        let ahead = ahead.map(|ahead| ahead.get(from..).unwrap_or_default());
        let least = ahead.iter().map(|ahead| ahead.len()).min().unwrap_or(0);
        let ahead = ahead.map(|ahead| &ahead[..least]);
        let (rows, shift) = (self.rows.as_slice(), self.shift);
        // As wide as an index is: narrow ones would be packed together and taken apart again for each symbol.
        let to = |state: usize, symbol: Symbol| {
            let cell = (state << shift) + usize::from(column_of[usize::from(symbol) % MOST_SYMBOLS]);
            usize::from(rows.get(cell).copied().unwrap_or(UNKNOWN))
        };
        let mut now = states.map(usize::from);
        let mut read = 0;
        while read < least {
            let mut next: [usize; READERS] = std::array::from_fn(|index| to(now[index], ahead[index][read]));
            if next.iter().fold(0, |all, next| all | next) >= usize::from(NAMES) {
                if next.contains(&usize::from(UNKNOWN)) {
                    break;
                }
                for (index, next) in
                    next.iter_mut().enumerate().filter(|(_, next)| **next >= usize::from(NAMES))
                {
                    *next &= usize::from(!NAMES);
                    note(index, from + read, *next as u16);
                }
            }
            now = next;
            read += 1;
        }
        let now = now.map(|state| state as u16);
        *states = now;
        read
    }

    /// Reads one symbol, if the states suffice.
    #[inline]
    fn step(
        &mut self,
        text: &Text<'_>,
        at: &mut usize,
        state: &mut u16,
        note: &mut impl FnMut(usize, u16),
    ) -> bool {
        let Some(symbol) = text.symbols.all.get(*at) else { return false };
        let column = text.openings.columns.of(*symbol);
        let cell = (usize::from(*state) << self.shift) + usize::from(column);
        let mut to = self.rows.get(cell).copied().unwrap_or(0);
        if to >= NAMES {
            if to == UNKNOWN {
                if self.states.len() >= MOST && self.depth > 1 {
                    return false;
                }
                to = self.learn(text.openings, text.nfa, *state, column);
            }
            if to & NAMES != 0 {
                to &= !NAMES;
                note(text.symbols.back(*at, self.depth - 1).saturating_sub(1), to);
            }
        }
        *state = to;
        *at += 1;
        true
    }

    /// The state with nothing under way after a symbol of this kind.
    fn fresh(&mut self, kind: Symbol) -> u16 {
        match self.fresh.get(usize::from(kind)) {
            Some(number) if *number != UNKNOWN => *number,
            _ => {
                let number = self.state(State { kind, under_way: Box::default(), named: 0 });
                self.fresh.resize(self.fresh.len().max(usize::from(kind) + 1), UNKNOWN);
                self.fresh[usize::from(kind)] = number;
                number
            }
        }
    }

    #[cold]
    fn learn(&mut self, openings: &Openings, nfa: &Nfa, from: u16, column: u16) -> u16 {
        let symbol = openings.columns.example(column);
        let Some(state) = self.states.get(usize::from(from)).cloned() else { return 0 };
        let before = std::iter::once(START).chain(state.under_way.iter().copied());
        let after = before.map(|group| self.groups.after(nfa, group, state.kind, symbol));
        let mut under_way: Vec<Group> = after.collect();
        // What has its full age is named and forgotten.
        let old = if under_way.len() == self.depth { under_way.pop().unwrap_or(NOTHING) } else { NOTHING };
        let named = self.groups.named(old, |at| openings.branch(at));
        let is_any = |group: &Group| *group != NOTHING;
        under_way.truncate(under_way.iter().rposition(is_any).map_or(0, |last| last + 1));
        let names = if named == 0 { 0 } else { NAMES };
        let kind = nfa.any_kind(symbol);
        let to = self.state(State { kind, under_way: under_way.into(), named }) | names;
        if let Some(place) = self.rows.get_mut((usize::from(from) << self.shift) + usize::from(column)) {
            *place = to;
        }
        to
    }

    fn state(&mut self, state: State) -> u16 {
        if let Some(number) = self.known.get(&state) {
            return *number;
        }
        // At the least depth a state is two symbols, so there are far fewer than this.
        let number = u16::try_from(self.states.len()).unwrap_or(NAMES - 1).min(NAMES - 1);
        self.rows.resize(self.rows.len() + (1 << self.shift), UNKNOWN);
        if let Some(inner) =
            self.rows.get_mut((usize::from(number) << self.shift) + usize::from(INNER_COLUMN))
        {
            *inner = number;
        }
        self.states.push(state.clone());
        self.known.insert(state, number);
        number
    }
}
