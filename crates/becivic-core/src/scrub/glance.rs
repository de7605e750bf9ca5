//! Places where a number could begin, at a glance, and which branches could that something else has to tell of.
//!
//! 1. Symbols are numbered so that what numbers begin with comes last, digits at the end: two comparisons tell a place that is neither
//!    the beginning of a number nor another sign that one begins with. They are made for all places first.
//! 2. Of each branch that is not walked with the others it is worked out once what could stand before it, up to two symbols, and which
//!    symbols some way through it takes as its first, its second and so on. A branch that may be over by then takes everything.
//! 3. How many digits come first is counted: what a branch takes after three digits is not what it takes after one.
//! 4. At a place that is left, the answers for its symbols are put together, a bit for each branch. Mostly none is left, and no automaton is
//!    asked.
//!
//! An automaton has to wait for each symbol before the next; these answers do not depend on each other, and are looked up together.

use super::automaton::last_before;
use super::branches::Branch;
use super::nfa::{At, Nfa, Step};
use super::symbols::{INNER, Members, Symbol, Symbols, VOID};
use std::cmp::Ordering;
use std::ops::Range;

/// Symbols that are looked at.
const DEPTH: usize = 12;

/// Digits at the beginning are counted up to here; so many or more may go on in any way.
const RUNS: usize = 5;

/// So many are looked at before it is asked whether something is left.
const TOGETHER: usize = 4;

/// Which branches are left, each a bit, shared where there are more than bits.
pub(super) type Left = u64;

/// Bits there are.
pub(super) const BITS: usize = Left::BITS as usize;

/// The bit of a branch by its place in its list.
fn bit(number: usize) -> Left {
    1 << (number % BITS)
}

/// What branches take.
#[derive(Debug)]
pub(super) struct Glance {
    /// By the symbol before, and by the one before that.
    before: [Vec<Left>; 2],
    /// By how many digits come first, then by the symbol for each place after another.
    taken: [Vec<[Left; DEPTH]>; RUNS + 1],
    /// The first symbol that something could begin with.
    first: Symbol,
    /// Between two symbols from this one on, nothing begins.
    inside: Symbol,
}

impl Glance {
    /// Of branches that are walked and of others, each looked for from its first step or from its pivot on. `announced` tells where the
    /// steps begin that read backwards what has to stand before a branch, if something has to.
    pub(super) fn new(
        nfa: &Nfa,
        walked: &[&Branch],
        others: &[&Branch],
        announced: impl Fn(&Branch) -> Option<At>,
    ) -> Self {
        let [first, inside] = borders(nfa, walked.iter().chain(others));
        let (mut before, mut announcing) = (vec![0; nfa.symbols], vec![[0; 2]; nfa.symbols]);
        let mut taken: [Vec<[Left; DEPTH]>; RUNS + 1] =
            std::array::from_fn(|_| vec![[0; DEPTH]; nfa.symbols]);
        for (number, branch) in others.iter().enumerate() {
            note_before(nfa, branch, bit(number), &mut before);
            match announced(branch) {
                Some(start) => note_taken(nfa, start, bit(number), &mut announcing, |_, _| true),
                None => announcing.iter_mut().flatten().for_each(|left| *left |= bit(number)),
            }
        }
        before.iter_mut().zip(&announcing).for_each(|(before, [last, _])| *before &= *last);
        let before = [before, announcing.iter().map(|[_, second]| *second).collect()];
        for (run, taken) in taken.iter_mut().enumerate() {
            let is_allowed = |at: usize, symbol: Symbol| match at.cmp(&run) {
                Ordering::Less => symbol >= inside,
                Ordering::Equal => symbol < inside || run == RUNS,
                Ordering::Greater => true,
            };
            for (number, branch) in others.iter().enumerate() {
                note_taken(nfa, branch.looked_for_at(), bit(number), taken, is_allowed);
            }
        }
        Self { before, taken, first, inside }
    }

    /// Notes the places where some branch could begin, in order; `could` is overwritten.
    pub(super) fn open(
        &self,
        symbols: &[Symbol],
        places: Range<usize>,
        could: &mut Vec<u8>,
        open: &mut Vec<usize>,
    ) {
        // The symbol of a place is one further on, and that before it is at its number.
        let before = symbols.get(places.clone()).unwrap_or_default();
        let at = symbols.get(places.start + 1..=places.end).unwrap_or_default();
        let (first, inside) = (self.first, self.inside);
        could.clear();
        could.extend(before.iter().zip(at).map(|(before, symbol)| {
            u8::from((*symbol >= first) & !((*symbol >= inside) & (*before >= inside)))
        }));
        could.resize(could.len().next_multiple_of(WORD), 0);
        open.clear();
        for (index, word) in could.as_chunks::<WORD>().0.iter().enumerate() {
            let mut word = u64::from_le_bytes(*word);
            while word != 0 {
                open.push(places.start + index * WORD + word.trailing_zeros() as usize / 8);
                word &= word - 1;
            }
        }
    }

    /// Which of the others could begin at a place.
    #[inline]
    pub(super) fn others(&self, Symbols { all: symbols, is_ascii }: Symbols<'_>, place: usize) -> Left {
        if is_ascii { self.at::<true>(symbols, place) } else { self.at::<false>(symbols, place) }
    }

    /// Those of which what stands before a place tells nothing.
    #[inline]
    fn before(&self, symbols: &[Symbol], place: usize) -> Left {
        let [first, second] = &self.before;
        let last = last_before(symbols, place);
        let left = first.get(usize::from(last)).copied().unwrap_or(0);
        // Within a character it is not known where the one before it begins.
        if symbols.get(place) == Some(&INNER) {
            return left;
        }
        let before = place.checked_sub(1).and_then(|place| symbols.get(place)).copied().unwrap_or(VOID);
        left & second.get(usize::from(before)).copied().unwrap_or(0)
    }

    /// The same; with one symbol for each character, none is [`INNER`].
    #[inline]
    fn at<const IS_ASCII: bool>(&self, symbols: &[Symbol], place: usize) -> Left {
        let mut left = self.before(symbols, place);
        if left == 0 {
            return 0;
        }
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
                left &= taken.get(usize::from(ahead[at])).map_or(0, |taken| taken[at]);
            }
            if left == 0 {
                break;
            }
        }
        left
    }
}

/// Bytes that are read at once.
const WORD: usize = 8;

/// The first symbol that one of these branches could begin with, and the first of those between which none begins.
fn borders<'b>(nfa: &Nfa, branches: impl Iterator<Item = &'b &'b Branch>) -> [Symbol; 2] {
    let (mut before, mut begins) = (vec![0; nfa.symbols], vec![[0]; nfa.symbols]);
    let mut between = vec![Members::default(); nfa.symbols];
    for branch in branches {
        before.fill(0);
        begins.fill([0]);
        note_before(nfa, branch, 1, &mut before);
        note_taken(nfa, branch.looked_for_at(), 1, &mut begins, |_, _| true);
        let firsts = begins.iter().enumerate().filter(|(_, begins)| **begins != [0]);
        let firsts = firsts.fold(Members::default(), |mut all, (symbol, _)| {
            all.add(symbol);
            all
        });
        let could = between.iter_mut().zip(&before).filter(|(_, before)| **before != 0);
        could.for_each(|(between, _)| between.add_all(Some(&firsts)));
    }
    let begins = |one: usize, other: usize| {
        let other = Symbol::try_from(other).unwrap_or(VOID);
        between.get(one).is_some_and(|firsts| firsts.has(other))
    };
    let is_first = |symbol: &usize| {
        *symbol != usize::from(INNER) && (0..nfa.symbols).any(|before| begins(before, *symbol))
    };
    let first = (0..nfa.symbols).find(is_first);
    let is_inside =
        |from: &usize| (*from..nfa.symbols).all(|other| !begins(*from, other) && !begins(other, *from));
    let inside = (0..nfa.symbols).rev().take_while(is_inside).last();
    [first, inside]
        .map(|symbol| symbol.and_then(|symbol| Symbol::try_from(symbol).ok()).unwrap_or(Symbol::MAX))
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
            *left |= bit;
        }
    }
}

/// Notes what is taken from a step on, symbol after symbol, if these are the ones that may come at each place.
fn note_taken<const PLACES: usize>(
    nfa: &Nfa,
    start: At,
    bit: Left,
    taken: &mut [[Left; PLACES]],
    is_allowed: impl Fn(usize, Symbol) -> bool,
) {
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
            taken[place] |= bit;
        }
        at = if is_over { Vec::new() } else { nfa.reached(&next, None) };
    }
}
