//! Rules that read the same text, run together.
//!
//! 1. The text is read into symbols (`scrub/symbols.rs`).
//! 2. One automaton for all rules names the branches that could begin at each place (`scrub/openings.rs`).
//! 3. Each of them is walked by an automaton of its own, and its conditions by theirs (`scrub/automaton.rs`).
//!    That mostly tells whether the rule matches, and up to where.
//! 4. Where it does not, the rule's machine runs, with JavaScript's meaning (`jsregex.rs`).
//! 5. Branches found by a pivot (`scrub/pivots.rs`) are not found in order; they wait until the whole text is
//!    read.

use super::TooLarge;
use super::automaton::{Automaton, Ends};
use super::branches::{Asked, Branch, Condition, Taken};
use super::nfa::{Nfa, Stepper};
use super::openings::{DEPTH, Levels, Openings};
use super::symbols::{Alphabet, Symbol};
use crate::jsregex::{Machine, Regex};
use regex_automata::util::pool::Pool;
use std::ops::Range;

/// Rules with the flag `u`, or those without, which read UTF-16 units.
pub(super) struct Lane {
    pub(super) unicode: bool,
    /// The place of each in the file.
    rules: Vec<usize>,
    patterns: Vec<Regex>,
    alphabet: Alphabet,
    nfa: Nfa,
    openings: Openings,
    branches: Vec<Branch>,
    conditions: Vec<Condition>,
    /// The branches of each rule.
    of_rule: Vec<Range<usize>>,
    scratch: Pool<Scratch, Box<dyn Fn() -> Scratch + Send + Sync>>,
}

/// What a scan needs and the next can use again.
struct Scratch {
    symbols: Vec<Symbol>,
    levels: Levels,
    matcher: Matcher,
    /// Places where a rule found by its pivot could begin.
    waiting: Vec<(usize, usize)>,
}

/// What decides at a place.
struct Matcher {
    bodies: Vec<Automaton>,
    conditions: Vec<Automaton>,
    /// The last place each condition was asked about, and the answer.
    answers: Vec<(usize, bool)>,
    stepper: Stepper,
    machines: Vec<Machine>,
    /// Machines that hold something of this text.
    used: Vec<usize>,
    /// Where each rule may match next.
    from: Vec<usize>,
    /// Symbols walked.
    walked: u64,
}

/// What the automata say of a branch.
enum Outcome {
    No,
    Match(usize),
    /// Ask the machine.
    Unclear,
}

impl Lane {
    /// The rules of one kind, if there are any.
    pub(super) fn new(patterns: &[Regex], unicode: bool) -> Result<Option<Self>, TooLarge> {
        let ours = |pattern: &&Regex| pattern.is_unicode() == unicode;
        let rules: Vec<usize> = (0..patterns.len()).filter(|index| ours(&&patterns[*index])).collect();
        if rules.is_empty() {
            return Ok(None);
        }
        let patterns: Vec<Regex> = patterns.iter().filter(ours).cloned().collect();
        let mut taken = Taken::default();
        let mut of_rule = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let from = taken.branches.len();
            taken.add(index, pattern.tree())?;
            of_rule.push(from..taken.branches.len());
        }
        let Taken { steps, branches, conditions } = taken;
        let (nfa, alphabet) = steps.finish()?;
        let start = |branch: &Branch| branch.pivot.as_ref().map_or(branch.body, |pivot| pivot.at);
        let openings = Openings::new(
            branches.iter().map(|branch| branch.body).collect(),
            branches.iter().map(start).collect(),
        );
        let bodies: Vec<Automaton> =
            branches.iter().map(|branch| Automaton::new(&nfa, branch.body)).collect();
        let asked: Vec<Automaton> =
            conditions.iter().map(|condition| Automaton::new(&nfa, condition.start)).collect();
        let count = patterns.len();
        let fresh = move || Scratch {
            symbols: Vec::new(),
            levels: Levels::new(),
            matcher: Matcher {
                bodies: bodies.clone(),
                conditions: asked.clone(),
                answers: vec![(usize::MAX, false); asked.len()],
                stepper: Stepper::default(),
                machines: (0..count).map(|_| Machine::new()).collect(),
                used: Vec::new(),
                from: vec![0; count],
                walked: 0,
            },
            waiting: Vec::new(),
        };
        let scratch = Pool::new(Box::new(fresh) as Box<dyn Fn() -> Scratch + Send + Sync>);
        Ok(Some(Self {
            unicode,
            rules,
            patterns,
            alphabet,
            nfa,
            openings,
            branches,
            conditions,
            of_rule,
            scratch,
        }))
    }

    /// Offers every match of the rules asked for; `take` tells whether it counts.
    pub(super) fn scan(
        &self,
        text: &str,
        is_asked: &impl Fn(usize) -> bool,
        mut take: impl FnMut(usize, Range<usize>) -> bool,
    ) {
        let mut scratch = self.scratch.get();
        let Scratch { symbols, levels, matcher, waiting } = &mut *scratch;
        self.alphabet.read(text, DEPTH, symbols);
        matcher.reset();
        waiting.clear();
        matcher.walked += symbols.len() as u64;
        let mut try_at =
            |matcher: &mut Matcher, rule: usize, branches: &mut dyn Iterator<Item = usize>, place| {
                if let Some(number) = self.rules.get(rule)
                    && matcher.from.get(rule).is_some_and(|from| place >= *from)
                    && is_asked(*number)
                    && let Some(end) = self.match_at(matcher, text, symbols, rule, branches, place)
                    && take(*number, place..end)
                    && let Some(from) = matcher.from.get_mut(rule)
                {
                    *from = end;
                }
            };
        self.openings.scan(&self.nfa, levels, symbols, text.len());
        for (place, named) in levels.found() {
            let branch = |number: &u16| self.branches.get(usize::from(*number));
            for ours in named.chunk_by(|a, b| branch(a).map(|a| a.rule) == branch(b).map(|b| b.rule)) {
                let Some(first) = ours.first().and_then(branch) else { continue };
                if !first.waits {
                    try_at(matcher, first.rule, &mut ours.iter().map(|number| usize::from(*number)), place);
                    continue;
                }
                for branch in ours.iter().filter_map(branch) {
                    match &branch.pivot {
                        Some(pivot) => {
                            pivot
                                .starts(&self.nfa, symbols, place, |start| waiting.push((start, first.rule)));
                        }
                        None => waiting.push((place, first.rule)),
                    }
                }
            }
        }
        waiting.sort_unstable();
        waiting.dedup();
        for (place, rule) in waiting {
            let mut branches = self.of_rule.get(*rule).cloned().unwrap_or_default();
            try_at(matcher, *rule, &mut branches, *place);
        }
        matcher.forget();
    }

    /// Where the match of a rule at this place ends, if there is one. Only these branches could match.
    fn match_at(
        &self,
        matcher: &mut Matcher,
        text: &str,
        symbols: &[Symbol],
        rule: usize,
        branches: &mut dyn Iterator<Item = usize>,
        place: usize,
    ) -> Option<usize> {
        let mut found = None;
        for index in branches {
            let branch = self.branches.get(index)?;
            let is_clear = match matcher.ask(self, branch, index, symbols, place) {
                Outcome::No => true,
                Outcome::Match(end) if branch.is_in_order => return Some(end),
                Outcome::Match(end) => *found.get_or_insert(end) == end,
                Outcome::Unclear => false,
            };
            if !is_clear {
                matcher.used.push(rule);
                return matcher.machines.get_mut(rule)?.match_at(self.patterns.get(rule)?, text, place);
            }
        }
        found
    }

    /// Steps taken so far by whoever had this thread's scratch.
    pub(super) fn steps(&self) -> u64 {
        let scratch = self.scratch.get();
        scratch.matcher.walked + scratch.matcher.machines.iter().map(Machine::steps).sum::<u64>()
    }
}

impl Matcher {
    fn reset(&mut self) {
        self.from.fill(0);
        self.answers.fill((usize::MAX, false));
    }

    /// Forgets the text.
    fn forget(&mut self) {
        for rule in self.used.drain(..) {
            if let Some(machine) = self.machines.get_mut(rule) {
                machine.forget();
            }
        }
    }

    fn ask(
        &mut self,
        lane: &Lane,
        branch: &Branch,
        index: usize,
        symbols: &[Symbol],
        place: usize,
    ) -> Outcome {
        // What has to stand before is rarely there, and that is told soon.
        let (first, others): (&[Asked], &[Asked]) = branch.lead.split_at(branch.first);
        for asked in first {
            if self.holds(lane, *asked, symbols, place) == Some(false) {
                return Outcome::No;
            }
        }
        let Some(body) = self.bodies.get_mut(index) else { return Outcome::Unclear };
        let end = match body.ends(&lane.nfa, &mut self.stepper, symbols, place, &mut self.walked) {
            Ends::None => return Outcome::No,
            Ends::One(end) => Some(end),
            Ends::Many => None,
        };
        let mut is_clear = branch.is_exact && end.is_some();
        let lead = others.iter().map(|asked| (asked, place));
        let tail = branch.tail.iter().filter_map(|asked| Some((asked, end?)));
        for (asked, place) in lead.chain(tail) {
            match self.holds(lane, *asked, symbols, place) {
                Some(true) => {}
                Some(false) => return Outcome::No,
                None => is_clear = false,
            }
        }
        end.filter(|_| is_clear).map_or(Outcome::Unclear, Outcome::Match)
    }

    /// Whether a condition holds at a place; `None` if that takes too long to tell.
    fn holds(&mut self, lane: &Lane, asked: Asked, symbols: &[Symbol], place: usize) -> Option<bool> {
        let known = self.answers.get_mut(asked.condition)?;
        if known.0 != place {
            let condition = lane.conditions.get(asked.condition)?;
            let automaton = self.conditions.get_mut(asked.condition)?;
            let read = if condition.behind { Automaton::fits_before } else { Automaton::fits_after };
            let fits = read(automaton, &lane.nfa, &mut self.stepper, symbols, place, &mut self.walked)?;
            *known = (place, fits);
        }
        Some(known.1 != asked.negated)
    }
}
