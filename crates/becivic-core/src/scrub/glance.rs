//! A glance at a place where a number could begin: whether any branch could take the symbols that follow, one by one.
//!
//! 1. Of each branch it is worked out once what could stand before it, and which symbols some way through it takes as its first, its second
//!    and so on. A branch that may be over by then takes everything.
//! 2. At a place the answers for its symbols are put together, a bit for each branch. Mostly none is left, and no automaton is asked.
//!
//! An automaton has to wait for each symbol before the next; these answers do not depend on each other, and are looked up together.

use super::automaton::last_before;
use super::nfa::{At, Nfa, Step};
use super::symbols::{INNER, Symbol};

/// Symbols that are looked at.
const DEPTH: usize = 12;

/// So many are looked at before it is asked whether something is left.
const TOGETHER: usize = 4;

/// Which branches are left: of the first list and of the second, each a bit, shared where there are more than bits.
pub(super) type Left = [u64; 2];

/// Nothing is.
pub(super) const NONE: Left = [0; 2];

/// What branches take.
#[derive(Debug)]
pub(super) struct Glance {
    /// By the symbol before.
    before: Vec<Left>,
    /// By the symbol, for each place after another.
    taken: [Vec<Left>; DEPTH],
}

impl Glance {
    /// Of branches in two lists, each by its first step.
    pub(super) fn new(nfa: &Nfa, lists: [&[At]; 2]) -> Self {
        let mut glance =
            Self { before: vec![NONE; nfa.symbols], taken: std::array::from_fn(|_| vec![NONE; nfa.symbols]) };
        for (list, starts) in lists.into_iter().enumerate() {
            for (number, start) in starts.iter().enumerate() {
                glance.add(nfa, *start, list, 1 << (number % 64));
            }
        }
        glance
    }

    fn add(&mut self, nfa: &Nfa, start: At, list: usize, bit: u64) {
        let symbols = || (0..nfa.symbols).filter_map(|symbol| Symbol::try_from(symbol).ok());
        let mut answers: Vec<Option<bool>> = Vec::new();
        for (symbol, left) in symbols().zip(&mut self.before) {
            let kind = usize::from(nfa.any_kind(symbol));
            answers.resize(answers.len().max(kind + 1), None);
            let goes_on =
                answers[kind].get_or_insert_with(|| !reached(nfa, &[start], Some(symbol)).is_empty());
            left[list] |= if *goes_on { bit } else { 0 };
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

    /// Which branches could begin at a place.
    #[inline]
    pub(super) fn at(&self, symbols: &[Symbol], place: usize) -> Left {
        let before = self.before.get(usize::from(last_before(symbols, place)));
        let mut left = before.copied().unwrap_or(NONE);
        let ahead = symbols.get(place + 1..).unwrap_or_default();
        for (symbols, taken) in ahead.chunks(TOGETHER).zip(self.taken.chunks(TOGETHER)) {
            for (symbol, taken) in symbols.iter().zip(taken) {
                if *symbol == INNER {
                    return left;
                }
                let takes = taken.get(usize::from(*symbol)).copied().unwrap_or(NONE);
                left = [left[0] & takes[0], left[1] & takes[1]];
            }
            if left == NONE {
                break;
            }
        }
        left
    }
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
