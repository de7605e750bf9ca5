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
use super::automaton::{Automaton, Ends, MAX_WALK};
use super::branches::{Asked, Branch, Condition, Taken, Together};
use super::nfa::{Nfa, Stepper};
use super::openings::{DEPTH, Levels, OF_NUMBERS, OF_WORDS, Openings};
use super::symbols::{Alphabet, Symbol};
use crate::jsregex::{Machine, Regex};
use regex_automata::util::pool::Pool;
use std::ops::Range;

/// Bytes that are searched for beginnings before these are looked at: as many as stay close at hand.
const BLOCK: usize = 16 << 10;

/// Bytes that a condition which may read far walks at each place. One that would go further is answered for the
/// whole text at once, so that many such walks cost no more than the text is long.
const NEAR: usize = 192;

/// Rules with the flag `u`, or those without, which read UTF-16 units.
pub(super) struct Lane {
    pub(super) unicode: bool,
    /// The place of each in the file.
    rules: Vec<usize>,
    patterns: Vec<Regex>,
    alphabet: Alphabet,
    nfa: Nfa,
    /// Those of rules of which some branch can begin as words do, and those of the others: each rule is in one, so
    /// that its beginnings are found in order.
    openings: [Openings; 2],
    branches: Vec<Branch>,
    conditions: Vec<Condition>,
    together: Together,
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

/// What decides at a place.
struct Matcher {
    bodies: Vec<Automaton>,
    /// Those that try things in order.
    in_order: Vec<Automaton>,
    /// Which bodies do not count.
    is_wide: Vec<bool>,
    conditions: Vec<Automaton>,
    /// The conditions that are asked together.
    all_before: Automaton,
    /// The last place these were asked about, and which hold.
    before: (usize, u64),
    /// The last place each condition was asked about, and the answer.
    answers: Vec<(usize, bool)>,
    /// The answers of those that read far.
    far: Vec<Far>,
    /// The conditions for which these are known.
    known_far: Vec<usize>,
    stepper: Stepper,
    machines: Vec<Machine>,
    /// Machines that hold something of this text.
    used: Vec<usize>,
    /// Where each rule may match next.
    from: Vec<usize>,
    /// Symbols walked.
    walked: u64,
}

/// The answers of a condition for a whole text.
#[derive(Clone, Debug, Default)]
struct Far {
    bits: Vec<u64>,
    is_known: bool,
    /// Reads the text towards the places.
    towards: Option<Automaton>,
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
        for (index, pattern) in patterns.iter().enumerate() {
            taken.add(index, pattern.tree())?;
        }
        let together = taken.together()?;
        let Taken { steps, branches, conditions } = taken;
        let (nfa, alphabet) = steps.finish()?;
        let common = alphabet.of_ascii((b'A'..=b'Z').chain(b'a'..=b'z').chain(*b" .,-'"));
        let start = |branch: &Branch| branch.pivot.as_ref().map_or(branch.body, |pivot| pivot.at);
        let is_word = |branch: &Branch| common.iter().any(|symbol| nfa.begins(start(branch), *symbol));
        let mut has_words = vec![false; patterns.len()];
        branches.iter().filter(|branch| is_word(branch)).for_each(|branch| has_words[branch.rule] = true);
        let openings = [true, false].map(|words| {
            let ours = branches.iter().filter(|branch| has_words[branch.rule] == words);
            let bodies = branches.iter().map(|branch| branch.body).collect();
            Openings::new(&nfa, bodies, ours.map(start).collect(), !words)
        });
        let bodies: Vec<Automaton> = branches.iter().map(|branch| Automaton::new(branch.body)).collect();
        let in_order: Vec<Automaton> =
            branches.iter().map(|branch| Automaton::in_order(branch.body)).collect();
        let asked: Vec<Automaton> =
            conditions.iter().map(|condition| Automaton::new(condition.start)).collect();
        let all_before = Automaton::of_several(together.start, together.ends.clone());
        let count = patterns.len();
        let fresh = move || Scratch {
            symbols: Vec::new(),
            levels: [OF_WORDS, OF_NUMBERS].map(Levels::new),
            matcher: Matcher {
                bodies: bodies.clone(),
                in_order: in_order.clone(),
                is_wide: Vec::new(),
                conditions: asked.clone(),
                all_before: all_before.clone(),
                before: (usize::MAX, 0),
                answers: vec![(usize::MAX, false); asked.len()],
                far: vec![Far::default(); asked.len()],
                known_far: Vec::new(),
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
            together,
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
        matcher.walked += symbols.len() as u64;
        let mut try_at = |matcher: &mut Matcher, rule: usize, branches: &[u16], place: usize| {
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
        for from in (0..text.len()).step_by(BLOCK) {
            for (openings, levels) in self.openings.iter().zip(&mut *levels) {
                openings.scan(&self.nfa, levels, symbols, from..text.len().min(from + BLOCK));
                for (place, named) in levels.found() {
                    for ours in named.chunk_by(|a, b| self.rule_of(*a) == self.rule_of(*b)) {
                        match ours.first().and_then(|first| self.branches.get(usize::from(*first))) {
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
            place == other && self.rule_of(*a) == self.rule_of(*b)
        };
        for ours in waiting.chunk_by(is_together) {
            branches.clear();
            branches.extend(ours.iter().map(|(_, branch)| *branch));
            if let Some((place, branch)) = ours.first() {
                try_at(matcher, self.rule_of(*branch), &branches, *place);
            }
        }
        waiting.clear();
        matcher.forget();
    }

    /// The rule of a branch.
    fn rule_of(&self, branch: u16) -> usize {
        self.branches.get(usize::from(branch)).map_or(usize::MAX, |branch| branch.rule)
    }

    /// Notes where branches could begin that have been found by their pivots, or could not be tried yet.
    fn wait(&self, symbols: &[Symbol], branches: &[u16], place: usize, waiting: &mut Vec<(usize, u16)>) {
        for number in branches {
            match self.branches.get(usize::from(*number)).and_then(|branch| branch.pivot.as_ref()) {
                Some(pivot) => {
                    pivot.starts(&self.nfa, symbols, place, |start| waiting.push((start, *number)));
                }
                None => waiting.push((place, *number)),
            }
        }
    }

    /// Where the match of a rule at this place ends, if there is one. Only these branches could match.
    fn match_at(
        &self,
        matcher: &mut Matcher,
        text: &str,
        symbols: &[Symbol],
        rule: usize,
        branches: &[u16],
        place: usize,
    ) -> Option<usize> {
        let mut found = None;
        for number in branches {
            let index = usize::from(*number);
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
        self.before.0 = usize::MAX;
        for condition in self.known_far.drain(..) {
            if let Some(far) = self.far.get_mut(condition) {
                far.is_known = false;
            }
        }
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
        let mut is_clear = branch.is_exact;
        for asked in first {
            match self.stands_before(lane, *asked, symbols, place) {
                Some(true) => {}
                Some(false) => return Outcome::No,
                None => is_clear = false,
            }
        }
        let Some(body) = self.bodies.get_mut(index) else { return Outcome::Unclear };
        if body.is_overfull() && !self.is_wide.get(index).is_some_and(|is_wide| *is_wide) {
            *body = Automaton::new(branch.wide);
            self.is_wide.resize(lane.branches.len(), false);
            self.is_wide[index] = true;
        }
        let is_wide = self.is_wide.get(index).is_some_and(|is_wide| *is_wide);
        // Where several ends are possible, the order of the pattern decides, but only if nothing was left out.
        let mut is_first = false;
        let end = match body.ends(&lane.nfa, &mut self.stepper, symbols, place, &mut self.walked) {
            Ends::None => return Outcome::No,
            Ends::One(end) => Some(end),
            Ends::Many if is_clear && !is_wide => {
                is_first = true;
                let in_order = self.in_order.get_mut(index).filter(|automaton| !automaton.is_overfull());
                in_order.and_then(|automaton| {
                    automaton.first_end(&lane.nfa, &mut self.stepper, symbols, place, &mut self.walked)
                })
            }
            Ends::Many => None,
        };
        is_clear &= !is_wide && end.is_some();
        let lead = others.iter().map(|asked| (asked, place));
        let tail = branch.tail.iter().filter_map(|asked| Some((asked, end?)));
        for (asked, at) in lead.chain(tail) {
            match self.holds(lane, *asked, symbols, at) {
                Some(true) => {}
                // Another end might do.
                Some(false) if is_first && at != place => is_clear = false,
                Some(false) => return Outcome::No,
                None => is_clear = false,
            }
        }
        end.filter(|_| is_clear).map_or(Outcome::Unclear, Outcome::Match)
    }

    /// Whether what has to stand before a place does.
    fn stands_before(&mut self, lane: &Lane, asked: Asked, symbols: &[Symbol], place: usize) -> Option<bool> {
        let Together { bits, characters, .. } = &lane.together;
        if let Some(bit) = bits.get(asked.condition).copied().flatten() {
            if self.before.0 != place {
                let Self { all_before, stepper, walked, .. } = self;
                let found = all_before.all_before(&lane.nfa, stepper, symbols, place, *characters, walked);
                self.before = (place, found);
            }
            if self.before.1 >> bit & 1 == 0 {
                return Some(false);
            }
        }
        self.holds(lane, asked, symbols, place)
    }

    /// Whether a condition holds at a place; `None` if that takes too long to tell.
    fn holds(&mut self, lane: &Lane, asked: Asked, symbols: &[Symbol], place: usize) -> Option<bool> {
        let known = self.answers.get(asked.condition)?;
        if known.0 == place {
            return Some(known.1 != asked.negated);
        }
        let condition = lane.conditions.get(asked.condition)?;
        let far = self.far.get_mut(asked.condition)?;
        let Self { stepper, walked, .. } = self;
        let fits = match far.answer(place) {
            Some(fits) => fits,
            None => {
                let automaton = self.conditions.get_mut(asked.condition)?;
                let read = if condition.behind { Automaton::fits_before } else { Automaton::fits_after };
                let most = if condition.towards.is_some() { NEAR } else { MAX_WALK };
                match read(automaton, &lane.nfa, stepper, symbols, place, most, walked) {
                    Some(fits) => fits,
                    None => {
                        let automaton = far.towards.get_or_insert(Automaton::new(condition.towards?));
                        automaton.fill(&lane.nfa, stepper, symbols, !condition.behind, &mut far.bits);
                        *walked += symbols.len() as u64;
                        far.is_known = true;
                        self.known_far.push(asked.condition);
                        far.answer(place)?
                    }
                }
            }
        };
        *self.answers.get_mut(asked.condition)? = (place, fits);
        Some(fits != asked.negated)
    }
}

impl Far {
    fn answer(&self, place: usize) -> Option<bool> {
        self.is_known.then(|| self.bits.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1))
    }
}
