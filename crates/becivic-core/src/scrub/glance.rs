//! Places where a number could begin, at a glance: whether any branch could take the symbols that follow, one by one.
//!
//! 1. Of each branch it is worked out once what could stand before it, and which symbols some way through it takes as its first, its second
//!    and so on. A branch that may be over by then takes everything.
//! 2. Symbols are numbered so that what numbers begin with comes last, digits at the end: two comparisons tell a place that is neither
//!    the beginning of a number nor another sign that one begins with. They are made for all places first.
//! 3. How many digits come first is counted: what a branch takes after three digits is not what it takes after one.
//! 4. At a place that is left, the answers for its symbols are put together, a bit for each branch. Mostly none is left, and no automaton is
//!    asked.
//!
//! An automaton has to wait for each symbol before the next; these answers do not depend on each other, and are looked up together.

use super::automaton::last_before;
use super::branches::Branch;
use super::nfa::{At, Nfa, Step};
use super::symbols::{INNER, Symbol, Symbols, VOID};
use std::cmp::Ordering;
use std::ops::Range;

/// Symbols that are looked at.
const DEPTH: usize = 12;

/// Digits at the beginning are counted up to here; so many or more may go on in any way.
const RUNS: usize = 5;

/// So many are looked at before it is asked whether something is left.
const TOGETHER: usize = 4;

/// Which branches are left: of the first list and of the second, each a bit, shared where there are more than bits.
pub(super) type Left = [u64; 2];

/// Nothing is.
const NONE: Left = [0; 2];

/// The bit of a branch by its place in its list.
fn bit(number: usize) -> u64 {
    1 << (number % 64)
}

/// The bits of those branches of a list that are of some kind.
pub(super) fn bits(list: &[&Branch], is_of_kind: impl Fn(&Branch) -> bool) -> u64 {
    let ours = list.iter().enumerate().filter(|(_, branch)| is_of_kind(branch));
    ours.fold(0, |bits, (number, _)| bits | bit(number))
}

/// What branches take.
#[derive(Debug)]
pub(super) struct Glance {
    /// By the symbol before.
    before: Vec<Left>,
    /// By how many digits come first, then by the symbol for each place after another.
    taken: [Vec<[Left; DEPTH]>; RUNS + 1],
    /// The first symbol that something could begin with.
    first: Symbol,
    /// Between two symbols from this one on, nothing begins.
    inside: Symbol,
}

impl Glance {
    /// Of branches in two lists, each looked for from its first step or from its pivot on.
    pub(super) fn new(nfa: &Nfa, lists: [&[&Branch]; 2]) -> Self {
        let none = || vec![NONE; nfa.symbols];
        let (mut before, mut begins) = (none(), vec![[NONE]; nfa.symbols]);
        let mut taken: [Vec<[Left; DEPTH]>; RUNS + 1] =
            std::array::from_fn(|_| vec![[NONE; DEPTH]; nfa.symbols]);
        let numbered = lists.into_iter().enumerate().flat_map(|(list, branches)| {
            branches.iter().enumerate().map(move |(number, branch)| {
                let mut left = NONE;
                left[list] = bit(number);
                (*branch, left)
            })
        });
        let branches: Vec<(&Branch, Left)> = numbered.collect();
        for (branch, bit) in &branches {
            note_before(nfa, branch, *bit, &mut before);
            note_taken(nfa, branch, *bit, &mut begins, |_, _| true);
        }
        let is_first = |number: &usize| *number != usize::from(INNER) && begins[*number] != [NONE];
        let first = (0..nfa.symbols).find(is_first);
        let begins_between = |one: usize, other: usize| both(before[one], begins[other][0]) != NONE;
        let is_inside = |from: &usize| {
            (*from..nfa.symbols).all(|other| !begins_between(*from, other) && !begins_between(other, *from))
        };
        let inside = (0..nfa.symbols).rev().take_while(is_inside).last();
        let symbol = |number: Option<usize>| number.and_then(|number| Symbol::try_from(number).ok());
        let [first, inside] = [first, inside].map(|number| symbol(number).unwrap_or(Symbol::MAX));
        for (run, taken) in taken.iter_mut().enumerate() {
            let is_allowed = |at: usize, symbol: Symbol| match at.cmp(&run) {
                Ordering::Less => symbol >= inside,
                Ordering::Equal => symbol < inside || run == RUNS,
                Ordering::Greater => true,
            };
            for (branch, bit) in &branches {
                note_taken(nfa, branch, *bit, taken, is_allowed);
            }
        }
        Self { before, taken, first, inside }
    }

    /// The places where some branch could begin, in order; `could` is overwritten.
    pub(super) fn over<'t>(
        &'t self,
        Symbols { all: symbols, is_ascii }: Symbols<'t>,
        places: Range<usize>,
        could: &'t mut Vec<u8>,
    ) -> Places<'t> {
        // The symbol of a place is one further on, and that before it is at its number.
        let from = places.start;
        let before = symbols.get(places.clone()).unwrap_or_default();
        let at = symbols.get(from + 1..=places.end).unwrap_or_default();
        let (first, inside) = (self.first, self.inside);
        could.clear();
        could.extend(before.iter().zip(at).map(|(before, symbol)| {
            u8::from((*symbol >= first) & !((*symbol >= inside) & (*before >= inside)))
        }));
        could.resize(could.len().next_multiple_of(WORD), 0);
        Places { glance: self, symbols, is_ascii, from, could, read: 0, word: 0 }
    }

    /// Which branches could begin at a place. With one symbol for each character, none is [`INNER`].
    #[inline]
    fn at<const IS_ASCII: bool>(&self, symbols: &[Symbol], place: usize) -> Left {
        let before = self.before.get(usize::from(last_before(symbols, place)));
        let mut left = before.copied().unwrap_or(NONE);
        let ahead = symbols.get(place + 1..).unwrap_or_default();
        let padded;
        let ahead: &[Symbol; DEPTH] = match ahead.first_chunk() {
            Some(ahead) => ahead,
            None => {
                padded = std::array::from_fn(|at| ahead.get(at).copied().unwrap_or(VOID));
                &padded
            }
        };
        let is_digit = (0..RUNS).fold(0_u32, |bits, at| bits | u32::from(ahead[at] >= self.inside) << at);
        let taken = self.taken.get(is_digit.trailing_ones() as usize).map_or(&[][..], |taken| taken);
        for together in 0..DEPTH / TOGETHER {
            for at in together * TOGETHER..(together + 1) * TOGETHER {
                if !IS_ASCII && ahead[at] == INNER {
                    return left;
                }
                let takes = taken.get(usize::from(ahead[at])).map_or(NONE, |taken| taken[at]);
                left = both(left, takes);
            }
            if left == NONE {
                break;
            }
        }
        left
    }
}

/// Places of a text where some branch could begin, each with which.
pub(super) struct Places<'t> {
    glance: &'t Glance,
    symbols: &'t [Symbol],
    is_ascii: bool,
    from: usize,
    /// A one for each that the comparisons leave open, counted from there.
    could: &'t [u8],
    /// So many of these have been read.
    read: usize,
    /// What is left of those read last.
    word: u64,
}

/// Bytes that are read at once.
const WORD: usize = 8;

impl Places<'_> {
    /// The next place that the comparisons leave open.
    #[inline]
    fn open(&mut self) -> Option<usize> {
        while self.word == 0 {
            while self.could.get(self.read..self.read + 4 * WORD) == Some(&[0; 4 * WORD]) {
                self.read += 4 * WORD;
            }
            let bytes = self.could.get(self.read..)?.first_chunk::<WORD>()?;
            self.word = u64::from_le_bytes(*bytes);
            self.read += WORD;
        }
        let first = self.word.trailing_zeros() as usize / 8;
        self.word &= self.word - 1;
        Some(self.from + self.read - WORD + first)
    }
}

impl Iterator for Places<'_> {
    type Item = (usize, Left);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let place = self.open()?;
            let left = if self.is_ascii {
                self.glance.at::<true>(self.symbols, place)
            } else {
                self.glance.at::<false>(self.symbols, place)
            };
            if left != NONE {
                return Some((place, left));
            }
        }
    }
}

fn both(one: Left, other: Left) -> Left {
    [one[0] & other[0], one[1] & other[1]]
}

/// Notes what could stand before a branch, or before its pivot.
fn note_before(nfa: &Nfa, branch: &Branch, bit: Left, before: &mut [Left]) {
    let mut answers: Vec<Option<bool>> = Vec::new();
    for (symbol, left) in (0..).zip(before) {
        let kind = usize::from(nfa.any_kind(symbol));
        answers.resize(answers.len().max(kind + 1), None);
        let goes_on = answers[kind]
            .get_or_insert_with(|| !nfa.reached(&[branch.looked_for_at()], Some(symbol)).is_empty());
        if *goes_on && branch.pivot.as_ref().is_none_or(|pivot| pivot.may_follow(nfa, symbol)) {
            *left = either(*left, bit);
        }
    }
}

/// Notes what a branch takes, symbol after symbol, if these are the ones that may come at each place.
fn note_taken<const PLACES: usize>(
    nfa: &Nfa,
    branch: &Branch,
    bit: Left,
    taken: &mut [[Left; PLACES]],
    is_allowed: impl Fn(usize, Symbol) -> bool,
) {
    let start = branch.looked_for_at();
    let mut at = nfa.reached(&[start], None);
    let mut is_over = false;
    for place in 0..PLACES {
        is_over |= at.iter().any(|at| matches!(nfa.steps.get(*at as usize), Some(Step::Done)));
        let mut next: Vec<At> = Vec::new();
        let mut takes = vec![is_over; taken.len()];
        for at in &at {
            let Some(Step::Take(set)) = nfa.steps.get(*at as usize) else { continue };
            let mut goes_on = false;
            for (symbol, takes) in (0..).zip(&mut takes) {
                let is_taken = is_allowed(place, symbol)
                    && nfa.has(*set, symbol)
                    && (place > 0 || nfa.lets_begin(start, symbol));
                goes_on |= is_taken;
                *takes |= is_taken || symbol == INNER;
            }
            next.extend(goes_on.then_some(at + 1));
        }
        for (taken, _) in taken.iter_mut().zip(takes).filter(|(_, takes)| *takes) {
            taken[place] = either(taken[place], bit);
        }
        at = if is_over { Vec::new() } else { nfa.reached(&next, None) };
    }
}

fn either(one: Left, other: Left) -> Left {
    [one[0] | other[0], one[1] | other[1]]
}
