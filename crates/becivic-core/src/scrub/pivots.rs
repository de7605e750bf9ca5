//! Rules that can begin at any word.
//!
//! Looking at every word for an e-mail address costs more than everything else together. Such a pattern
//! begins with a run of ordinary characters, and what follows the run is rare: `@`, or the `straat` of a
//! street. So the text is searched for what follows (the pivot); from there the run is walked back, and the
//! pattern is tried at its start.

use super::automaton::last_before;
use super::nfa::{At, Nfa};
use super::steps::Builder;
use super::symbols::{INNER, MOST_SYMBOLS, SetId, Symbol};
use crate::jsregex::first::{ascii, first};
use crate::jsregex::tree::Node;
use regex_syntax::hir::ClassUnicode;

/// Characters of a run at most.
pub(super) const MAX_REACH: u64 = 256;

/// Letters of which a set that may begin any word has most.
const MOST: usize = 20;

/// Characters looked at.
const DEPTH: usize = 4;

/// How a branch is found by its pivot.
#[derive(Debug)]
pub(super) struct Pivot {
    /// Where the steps of the pivot begin.
    pub(super) at: At,
    /// What the run before it is made of.
    run: SetId,
    /// Whether it is, of each symbol, or is within a character.
    of_run: Box<[bool; MOST_SYMBOLS]>,
    /// Characters of the run at most.
    reach: usize,
    /// Whether the run may be left out.
    may_be_empty: bool,
    /// Where the body begins: what it asks of the character before is asked first.
    conditions: Vec<SetId>,
    /// Whether this forbids every character of the run, so that the body can begin only where the run does.
    is_whole: bool,
}

/// Where a body is best divided into a run and a pivot, with the length of the run; `None` if it does not begin
/// like any word.
pub(super) fn split(body: &[&Node]) -> Option<(usize, usize)> {
    let from = body.iter().position(|part| part.most() != Some(0))?;
    let runs: Vec<(ClassUnicode, u64)> = body[from..].iter().map_while(|part| run_of(part)).collect();
    let mut characters = runs.iter().flat_map(|(class, most)| (0..*most).map(move |_| class)).take(DEPTH);
    let has_most =
        |class: &ClassUnicode, is_one: fn(&u8) -> bool| ascii(class).filter(is_one).count() >= MOST;
    let first = characters.next()?;
    let begins = has_most(first, u8::is_ascii_lowercase) || has_most(first, u8::is_ascii_uppercase);
    if !begins || characters.filter(|class| has_most(class, u8::is_ascii_lowercase)).count() + 1 < DEPTH {
        return None;
    }
    let after = |taken: &usize| frequency(body.get(from + taken..).unwrap_or_default());
    // What may be empty is nothing to look for.
    let has_rest = |taken: &usize| body.iter().skip(from + taken).any(|part| part.least() > 0);
    let splits = (1..=runs.len()).filter(has_rest);
    let taken = splits.min_by(|a, b| after(a).total_cmp(&after(b)))?;
    let reach: u64 = runs.iter().take(taken).map(|(_, most)| most).sum();
    (reach <= MAX_REACH).then_some((from + taken, reach as usize))
}

/// How often the first few bytes of these parts are met in prose, roughly.
fn frequency(parts: &[&Node]) -> f64 {
    let often = |byte: usize| match u8::try_from(byte) {
        Ok(b' ') => 0.16,
        Ok(b'a'..=b'z') => 0.03,
        Ok(b'.' | b',' | b'-' | b'\'') => 0.01,
        _ => 0.002,
    };
    first::<DEPTH>(parts).iter().map(|bytes| bytes.iter().map(often).sum::<f64>()).product()
}

/// A part that is nothing but characters in a row, once or more often: which, and how many.
fn run_of(part: &Node) -> Option<(ClassUnicode, u64)> {
    match part {
        Node::One(class) => Some((ClassUnicode::clone(class), 1)),
        Node::Sequence(parts) => {
            let mut all = (ClassUnicode::empty(), 0_u64);
            for part in parts {
                let (class, most) = run_of(part)?;
                all.0.union(&class);
                all.1 = all.1.saturating_add(most);
            }
            Some(all)
        }
        Node::Repeat { child, most: Some(most), .. } => {
            let (class, each) = run_of(child)?;
            Some((class, each.saturating_mul(u64::from(*most))))
        }
        Node::Repeat { .. } | Node::Choice(_) | Node::Look { .. } | Node::Edge(_) => None,
    }
}

/// Whether a part is nothing but characters in a row.
pub(super) fn is_run(part: &Node) -> bool {
    run_of(part).is_some()
}

impl Pivot {
    /// The pivot whose steps begin here, after these parts.
    pub(super) fn new(steps: &mut Builder, before: &[&Node], reach: usize) -> Self {
        let mut run = ClassUnicode::empty();
        before.iter().filter_map(|part| run_of(part)).for_each(|(class, _)| run.union(&class));
        let leading = before.iter().take_while(|part| part.most() == Some(0));
        let conditions = leading.filter_map(|part| steps.last_asked(part)).collect();
        let may_be_empty = before.iter().all(|part| part.least() == 0);
        let (at, run, of_run) = (steps.here(), steps.set(&run), Box::new([false; MOST_SYMBOLS]));
        Self { at, run, of_run, reach, may_be_empty, conditions, is_whole: false }
    }

    /// Notes what can be told once it is known which symbols there are.
    pub(super) fn note(&mut self, nfa: &Nfa) {
        for (symbol, is_of_run) in (0..).zip(self.of_run.iter_mut()) {
            *is_of_run = symbol == INNER || nfa.has(self.run, symbol);
        }
        let could_begin_after = |symbol: &Symbol| {
            nfa.has(self.run, *symbol) && self.conditions.iter().all(|set| nfa.has(*set, *symbol))
        };
        self.is_whole =
            !self.may_be_empty && !(0..).take(nfa.symbols).any(|symbol| could_begin_after(&symbol));
    }

    /// Whether it could come right after a symbol.
    pub(super) fn may_follow(&self, nfa: &Nfa, symbol: Symbol) -> bool {
        self.may_be_empty || nfa.has(self.run, symbol)
    }

    /// Calls `found` for each place where the body could begin if the pivot is at `place`.
    pub(super) fn starts(&self, nfa: &Nfa, symbols: &[Symbol], place: usize, mut found: impl FnMut(usize)) {
        let mut offer = |at: usize| {
            let last = last_before(symbols, at);
            let holds = |set: &SetId| nfa.members.get(*set as usize).is_some_and(|set| set.has(last));
            if self.conditions.iter().all(holds) {
                found(at);
            }
        };
        if self.may_be_empty {
            offer(place);
        }
        let from = self.run_begins(symbols, place);
        let run = symbols.get(from + 1..=place).unwrap_or_default();
        let mut characters = (from..).zip(run).filter(|(_, symbol)| **symbol != INNER).map(|(at, _)| at);
        match self.is_whole {
            true => characters.next().into_iter().for_each(offer),
            false => characters.for_each(offer),
        }
    }

    /// Where the run before a place begins; perhaps within a character that is not of it.
    #[inline]
    fn run_begins(&self, symbols: &[Symbol], place: usize) -> usize {
        let before = symbols.get(1..=place).unwrap_or_default();
        let is_of_run = |symbol: &&Symbol| self.of_run[usize::from(**symbol) % MOST_SYMBOLS];
        let near = &before[before.len().saturating_sub(self.reach)..];
        let length = near.iter().rev().take_while(is_of_run).count();
        if length < near.len() || near.len() == before.len() {
            return place - length;
        }
        // As many characters may be more bytes.
        let mut left = self.reach;
        let is_near = |symbol: &&Symbol| {
            let is_character = **symbol != INNER;
            let goes_on = left > 0 || !is_character;
            left -= usize::from(is_character && goes_on);
            goes_on
        };
        place - before.iter().rev().take_while(is_of_run).take_while(is_near).count()
    }
}
