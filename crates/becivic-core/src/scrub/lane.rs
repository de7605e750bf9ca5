//! Rules that read the same text, run together.
//!
//! 1. The text is read into symbols (`scrub/symbols.rs`).
//! 2. One automaton for all rules names the branches that could begin at each place (`scrub/openings.rs`), one
//!    more those that begin as numbers do.
//! 3. Each of them is matched there (`scrub/matcher.rs`).
//! 4. Branches found by a pivot (`scrub/pivots.rs`) are not found in order; they wait until the whole text is
//!    read.

use super::TooLarge;
use super::branches::Branch;
use super::matcher::{Matcher, Plan};
use super::openings::{DEPTH, Levels, OF_NUMBERS, OF_WORDS, Openings};
use super::symbols::{Alphabet, Symbol};
use crate::jsregex::Regex;
use regex_automata::util::pool::Pool;
use std::ops::Range;
use std::sync::Arc;

/// Bytes that are searched for beginnings before these are looked at: as many as stay close at hand.
const BLOCK: usize = 16 << 10;

/// Rules with the flag `u`, or those without, which read UTF-16 units.
pub(super) struct Lane {
    pub(super) unicode: bool,
    /// The place of each in the file.
    rules: Vec<usize>,
    plan: Arc<Plan>,
    alphabet: Alphabet,
    /// Those of rules of which some branch can begin as words do, and those of the others: each rule is in one,
    /// so that its beginnings are found in order.
    openings: [Openings; 2],
    scratch: Pool<Scratch, Box<dyn Fn() -> Scratch + Send + Sync>>,
}

/// What a scan needs and the next can use again.
struct Scratch {
    symbols: Vec<Symbol>,
    /// For each of the lane's openings.
    levels: [Levels; 2],
    matcher: Matcher,
    /// Places where a branch found by its pivot could begin.
    waiting: Vec<(usize, u16)>,
}

impl Lane {
    /// The rules of one kind, if there are any.
    pub(super) fn new(patterns: &[Regex], unicode: bool) -> Result<Option<Self>, TooLarge> {
        let ours = |pattern: &&Regex| pattern.is_unicode() == unicode;
        let rules: Vec<usize> = (0..patterns.len()).filter(|index| ours(&&patterns[*index])).collect();
        if rules.is_empty() {
            return Ok(None);
        }
        let (plan, alphabet) = Plan::new(patterns.iter().filter(ours).cloned().collect())?;
        let start = |branch: &Branch| branch.pivot.as_ref().map_or(branch.body, |pivot| pivot.at);
        let mut has_words = vec![false; plan.rules()];
        plan.branches.iter().filter(|branch| branch.is_word).for_each(|branch| has_words[branch.rule] = true);
        let openings = [true, false].map(|words| {
            let ours = plan.branches.iter().filter(|branch| has_words[branch.rule] == words);
            let bodies = plan.branches.iter().map(|branch| branch.body).collect();
            Openings::new(&plan.nfa, bodies, ours.map(start).collect(), !words)
        });
        let plan = Arc::new(plan);
        let of_scratch = Arc::clone(&plan);
        let fresh = move || Scratch {
            symbols: Vec::new(),
            levels: [OF_WORDS, OF_NUMBERS].map(Levels::new),
            matcher: Matcher::new(&of_scratch),
            waiting: Vec::new(),
        };
        let scratch = Pool::new(Box::new(fresh) as Box<dyn Fn() -> Scratch + Send + Sync>);
        Ok(Some(Self { unicode, rules, plan, alphabet, openings, scratch }))
    }

    /// Offers every match of the rules asked for; `take` tells whether it counts.
    pub(super) fn scan(
        &self,
        text: &str,
        is_asked: &impl Fn(usize) -> bool,
        mut take: impl FnMut(usize, Range<usize>) -> bool,
    ) {
        let plan = &*self.plan;
        let mut scratch = self.scratch.get();
        let Scratch { symbols, levels, matcher, waiting } = &mut *scratch;
        self.alphabet.read(text, DEPTH, symbols);
        matcher.reset(symbols.len());
        let mut try_at = |matcher: &mut Matcher, rule: usize, branches: &[u16], place: usize| {
            if let Some(number) = self.rules.get(rule)
                && matcher.from.get(rule).is_some_and(|from| place >= *from)
                && is_asked(*number)
                && let Some(end) = matcher.match_at(plan, text, symbols, rule, branches, place)
                && take(*number, place..end)
                && let Some(from) = matcher.from.get_mut(rule)
            {
                *from = end;
            }
        };
        let mut left: Vec<u16> = Vec::new();
        for from in (0..text.len()).step_by(BLOCK) {
            for (openings, levels) in self.openings.iter().zip(&mut *levels) {
                openings.scan(&plan.nfa, levels, symbols, from..text.len().min(from + BLOCK));
                for (place, named) in levels.found() {
                    matcher.sift(plan, named, symbols, place, &mut left);
                    for ours in left.chunk_by(|a, b| plan.rule_of(*a) == plan.rule_of(*b)) {
                        match ours.first().and_then(|first| plan.branches.get(usize::from(*first))) {
                            Some(first) if first.waits => self.wait(symbols, ours, place, waiting),
                            Some(first) => try_at(matcher, first.rule, ours, place),
                            None => {}
                        }
                    }
                }
            }
        }
        waiting.sort_unstable();
        waiting.dedup();
        let mut branches = Vec::new();
        let is_together = |(place, a): &(usize, u16), (other, b): &(usize, u16)| {
            place == other && plan.rule_of(*a) == plan.rule_of(*b)
        };
        for ours in waiting.chunk_by(is_together) {
            branches.clear();
            branches.extend(ours.iter().map(|(_, branch)| *branch));
            if let Some((place, branch)) = ours.first() {
                try_at(matcher, plan.rule_of(*branch), &branches, *place);
            }
        }
        waiting.clear();
        matcher.forget();
    }

    /// Notes where branches could begin that have been found by their pivots, or could not be tried yet.
    fn wait(&self, symbols: &[Symbol], branches: &[u16], place: usize, waiting: &mut Vec<(usize, u16)>) {
        for number in branches {
            match self.plan.branches.get(usize::from(*number)).and_then(|branch| branch.pivot.as_ref()) {
                Some(pivot) => {
                    pivot.starts(&self.plan.nfa, symbols, place, |start| waiting.push((start, *number)));
                }
                None => waiting.push((place, *number)),
            }
        }
    }

    /// Steps taken so far by whoever had this thread's scratch.
    pub(super) fn steps(&self) -> u64 {
        self.scratch.get().matcher.steps()
    }
}
