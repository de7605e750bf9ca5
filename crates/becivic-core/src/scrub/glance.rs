//! Places where a number could begin, at a glance: whether any branch could take the symbols that follow, one by one.
//!
//! 1. Of each branch it is worked out once what could stand before it, and which symbols some way through it takes as its first, its second
//!    and so on. A branch that may be over by then takes everything.
//! 2. Symbols are numbered so that what numbers begin with comes last, digits at the end: two comparisons tell a place that is neither
//!    the beginning of a number nor another sign that one begins with. They are made for all places first.
//! 3. At a place that is left, the answers for its symbols are put together, a bit for each branch. Mostly none is left, and no automaton is
//!    asked.
//!
//! An automaton has to wait for each symbol before the next; these answers do not depend on each other, and are looked up together.

use super::automaton::last_before;
use super::branches::Branch;
use super::nfa::{At, Nfa, Step};
use super::symbols::{INNER, Symbol};
use std::ops::Range;

/// Symbols that are looked at.
const DEPTH: usize = 12;

/// So many are looked at before it is asked whether something is left.
const TOGETHER: usize = 4;

/// Which branches are left: of the first list and of the second, each a bit, shared where there are more than bits.
pub(super) type Left = [u64; 2];

/// Nothing is.
const NONE: Left = [0; 2];

/// What branches take.
#[derive(Debug)]
pub(super) struct Glance {
    /// By the symbol before.
    before: Vec<Left>,
    /// By the symbol, for each place after another.
    taken: [Vec<Left>; DEPTH],
    /// The first symbol that something could begin with.
    first: Symbol,
    /// Between two symbols from this one on, nothing begins.
    inside: Symbol,
}

impl Glance {
    /// Of branches in two lists, each looked for from its first step or from its pivot on.
    pub(super) fn new(nfa: &Nfa, lists: [&[&Branch]; 2]) -> Self {
        let mut glance = Self {
            before: vec![NONE; nfa.symbols],
            taken: std::array::from_fn(|_| vec![NONE; nfa.symbols]),
            first: Symbol::MAX,
            inside: Symbol::MAX,
        };
        for (list, branches) in lists.into_iter().enumerate() {
            for (number, branch) in branches.iter().enumerate() {
                glance.add(nfa, branch, list, 1 << (number % 64));
            }
        }
        let (before, begins) = (&glance.before, &glance.taken[0]);
        let is_first = |number: &usize| *number != usize::from(INNER) && begins[*number] != NONE;
        let first = (0..nfa.symbols).find(is_first);
        let begins_between = |one: usize, other: usize| both(before[one], begins[other]) != NONE;
        let is_inside = |from: &usize| {
            (*from..nfa.symbols).all(|other| !begins_between(*from, other) && !begins_between(other, *from))
        };
        let inside = (0..nfa.symbols).rev().take_while(is_inside).last();
        let symbol = |number: Option<usize>| number.and_then(|number| Symbol::try_from(number).ok());
        (glance.first, glance.inside) =
            (symbol(first).unwrap_or(Symbol::MAX), symbol(inside).unwrap_or(Symbol::MAX));
        glance
    }

    fn add(&mut self, nfa: &Nfa, branch: &Branch, list: usize, bit: u64) {
        let start = branch.pivot.as_ref().map_or(branch.body, |pivot| pivot.at);
        let symbols = || (0..nfa.symbols).filter_map(|symbol| Symbol::try_from(symbol).ok());
        let mut answers: Vec<Option<bool>> = Vec::new();
        for (symbol, left) in symbols().zip(&mut self.before) {
            let kind = usize::from(nfa.any_kind(symbol));
            answers.resize(answers.len().max(kind + 1), None);
            let goes_on =
                answers[kind].get_or_insert_with(|| !reached(nfa, &[start], Some(symbol)).is_empty());
            let follows = branch.pivot.as_ref().is_none_or(|pivot| pivot.may_follow(nfa, symbol));
            left[list] |= if *goes_on && follows { bit } else { 0 };
        }
        let mut at = reached(nfa, &[start], None);
        let mut is_over = false;
        for taken in &mut self.taken {
            is_over |= at.iter().any(|at| matches!(nfa.steps.get(*at as usize), Some(Step::Done)));
            let sets: Vec<_> = at
                .iter()
                .filter_map(|at| match nfa.steps.get(*at as usize) {
                    Some(Step::Take(set)) => Some(*set),
                    _ => None,
                })
                .collect();
            for (symbol, left) in symbols().zip(taken) {
                let takes = is_over || symbol == INNER || sets.iter().any(|set| nfa.has(*set, symbol));
                left[list] |= if takes { bit } else { 0 };
            }
            let next: Vec<At> = at.iter().map(|at| at + 1).collect();
            at = if is_over { Vec::new() } else { reached(nfa, &next, None) };
        }
    }

    /// The places where some branch could begin, in order; `could` is overwritten.
    pub(super) fn over<'t>(
        &'t self,
        symbols: &'t [Symbol],
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
        Places { glance: self, symbols, from, could: memchr::memchr_iter(1, could) }
    }

    /// Which branches could begin at a place.
    #[inline]
    fn at(&self, symbols: &[Symbol], place: usize) -> Left {
        let before = self.before.get(usize::from(last_before(symbols, place)));
        let mut left = before.copied().unwrap_or(NONE);
        let ahead = symbols.get(place + 1..).unwrap_or_default();
        for (symbols, taken) in ahead.chunks(TOGETHER).zip(self.taken.chunks(TOGETHER)) {
            for (symbol, taken) in symbols.iter().zip(taken) {
                if *symbol == INNER {
                    return left;
                }
                let takes = taken.get(usize::from(*symbol)).copied().unwrap_or(NONE);
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
    from: usize,
    /// Those that the comparisons leave open, counted from there.
    could: memchr::Memchr<'t>,
}

impl Iterator for Places<'_> {
    type Item = (usize, Left);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let place = self.from + self.could.next()?;
            let left = self.glance.at(self.symbols, place);
            if left != NONE {
                return Some((place, left));
            }
        }
    }
}

fn both(one: Left, other: Left) -> Left {
    [one[0] & other[0], one[1] & other[1]]
}

/// The steps that read a symbol or are the end, before anything is read; conditions on what follows are taken to hold, and on what was read
/// last where that is not known.
fn reached(nfa: &Nfa, from: &[At], last: Option<Symbol>) -> Vec<At> {
    let (mut stack, mut seen, mut found) = (from.to_vec(), Vec::new(), Vec::new());
    while let Some(at) = stack.pop() {
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        match nfa.steps.get(at as usize) {
            Some(Step::Take(_) | Step::Done) => found.push(at),
            Some(Step::Next(_)) => stack.push(at + 1),
            Some(Step::Last(set)) if last.is_none_or(|last| nfa.has(*set, last)) => stack.push(at + 1),
            Some(Step::Last(_)) | None => {}
            Some(Step::Fork(a, b)) => stack.extend([*a, *b]),
            Some(Step::Jump(to)) => stack.push(*to),
        }
    }
    found
}
