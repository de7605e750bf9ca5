//! Whether a rule matches at a place, and up to where.
//!
//! 1. Branches that cannot match are sifted out: what has to stand before them is asked for all of them at once.
//!    Those that begin as numbers do have been walked together (`scrub/numbers.rs`).
//! 2. Each that is left is walked by an automaton of its own, which tries its parts in order and asks conditions on the way
//!    (`scrub/automaton.rs`). That tells whether the branch matches, and up to where.
//! 3. Where it does not, the rule's machine runs, with JavaScript's meaning (`jsregex.rs`).

use super::TooLarge;
use super::automaton::{Automaton, End, Gear, MAX_WALK, Reading};
use super::branches::{Branch, Condition, Taken, Together};
use super::conditions::Conditions;
use super::firsts::Firsts;
use super::lane::Part;
use super::nfa::{Asked, At, Nfa};
use super::numbers::Fitting;
use super::strides::Walker;
use super::symbols::Alphabet;
use crate::jsregex::tree::Node;
use crate::jsregex::{Machine, Regex};

/// Rules taken apart, ready to be matched.
pub(super) struct Plan {
    patterns: Vec<Regex>,
    pub(super) nfa: Nfa,
    pub(super) branches: Vec<Branch>,
    pub(super) conditions: Vec<Condition>,
    pub(super) firsts: Firsts,
    pub(super) together: Together,
    /// For each branch, the bit of something that has to stand before it, as a set; none if nothing has to.
    sieves: Vec<u64>,
    /// For each branch, its rule.
    rule_of: Vec<usize>,
}

impl Plan {
    /// Takes patterns apart.
    pub(super) fn new<'p>(
        parsed: impl Iterator<Item = &'p (Regex, Node)>,
    ) -> Result<(Self, Alphabet), TooLarge> {
        let (mut taken, mut patterns) = (Taken::default(), Vec::new());
        for (index, (pattern, tree)) in parsed.enumerate() {
            taken.add(index, tree)?;
            patterns.push(pattern.clone());
        }
        let together = taken.together()?;
        let Taken { steps, mut branches, conditions } = taken;
        let (mut nfa, alphabet) = steps.finish()?;
        nfa.note_conditions(
            conditions.iter().map(|condition| (!condition.behind).then_some(condition.start)),
        );
        let sieves =
            branches.iter().map(|branch| sieve(branch, &together).map_or(0, |bit| 1 << bit)).collect();
        let rule_of = branches.iter().map(|branch| branch.rule).collect();
        let starts: Vec<At> = conditions.iter().map(|condition| condition.start).collect();
        let firsts = Firsts::new(&nfa, &starts);
        branches.iter_mut().filter_map(|branch| branch.pivot.as_mut()).for_each(|pivot| pivot.note(&nfa));
        let plan = Self { patterns, nfa, branches, conditions, firsts, together, sieves, rule_of };
        Ok((plan, alphabet))
    }

    /// Rules there are.
    pub(super) fn rules(&self) -> usize {
        self.patterns.len()
    }

    /// The condition, of those asked together, that has to hold before a branch, as a set; none if none has to.
    #[inline]
    fn sieve(&self, branch: u16) -> u64 {
        self.sieves.get(usize::from(branch)).copied().unwrap_or(0)
    }

    /// The bits of those that have to hold before some of these branches.
    #[inline]
    fn asked_before(&self, branches: &[u16]) -> u64 {
        branches.iter().fold(0, |all, branch| all | self.sieve(*branch))
    }

    /// Where the steps of the one begin that has to hold before a branch.
    pub(super) fn announcement(&self, branch: &Branch) -> Option<At> {
        let bit = sieve(branch, &self.together)?;
        let number = self.together.bits.iter().position(|of| *of == Some(bit.into()))?;
        self.conditions.get(number).map(|condition| condition.start)
    }

    /// The bit of the one that has to hold before a branch, as a set; none if none has to.
    pub(super) fn announced_by(&self, branch: &Branch) -> u64 {
        sieve(branch, &self.together).map_or(0, |bit| 1 << bit)
    }

    /// Notes which branches are walked together.
    pub(super) fn are_walked(&mut self, branches: &[u16]) {
        for (number, branch) in (0..).zip(&mut self.branches) {
            branch.is_walked = branches.contains(&number);
            branch.put_in_order(&self.conditions);
        }
    }

    /// The rule of a branch.
    pub(super) fn rule_of(&self, branch: u16) -> usize {
        self.rule_of.get(usize::from(branch)).copied().unwrap_or(usize::MAX)
    }
}

/// What decides at a place.
pub(super) struct Matcher {
    bodies: Vec<Body>,
    /// Whether a branch was asked about since all was made ready; in most short texts none is.
    was_asked: bool,
    pub(super) conditions: Conditions,
    gear: Gear,
    machines: Vec<Machine>,
    /// Machines that hold something of this text.
    used: Vec<usize>,
    /// Where the part that is read begins in the text.
    offset: usize,
}

/// What walks a branch.
struct Body {
    automaton: Automaton,
    /// The same where what is forbidden at its end is known to be nowhere near, and need not be asked.
    calm: Option<Automaton>,
    /// What walks it if it is walked in pieces.
    strides: Option<Walker>,
    /// Whether it does not count.
    is_wide: bool,
    /// Whether the last walk was in vain.
    was_vain: bool,
    /// Symbols walked in this text without an end.
    walked_far: u64,
}

impl Body {
    fn new(branch: &Branch) -> Self {
        Self {
            automaton: Automaton::in_order(branch.body),
            calm: branch.forbidden.map(|condition| Automaton::in_order_without(branch.body, condition)),
            strides: branch.strides.as_ref().map(Walker::new),
            is_wide: false,
            was_vain: false,
            walked_far: 0,
        }
    }
}

/// The bit of something that has to stand before a branch. One with a pivot begins elsewhere than where it is found.
fn sieve(branch: &Branch, together: &Together) -> Option<u8> {
    if branch.pivot.is_some() {
        return None;
    }
    let mut first = branch.lead.iter().take(branch.first);
    let bit = first.find_map(|asked| together.bits.get(asked.condition as usize).copied().flatten());
    bit.and_then(|bit| u8::try_from(bit).ok())
}

/// What the automata say of a branch.
enum Outcome {
    No,
    Match(usize),
    /// Ask the machine.
    Unclear,
}

impl Matcher {
    /// Nothing known yet.
    pub(super) fn new(plan: &Plan) -> Self {
        let branches = &plan.branches;
        Self {
            bodies: branches.iter().map(Body::new).collect(),
            was_asked: false,
            conditions: Conditions::new(plan),
            gear: Gear::default(),
            machines: (0..plan.rules()).map(|_| Machine::new()).collect(),
            used: Vec::new(),
            offset: 0,
        }
    }

    /// Steps taken so far.
    pub(super) fn steps(&self) -> u64 {
        self.gear.walked + self.conditions.gear.walked + self.machines.iter().map(Machine::steps).sum::<u64>()
    }

    /// Where the match of a rule at this place ends, if there is one. Only these branches could match. Once a condition wants the whole
    /// text, what is not clear is not told about a part of it.
    pub(super) fn match_at(
        &mut self,
        plan: &Plan,
        text: &str,
        reading: &Reading<'_>,
        rule: usize,
        branches: &[Fitting],
        place: usize,
    ) -> Option<usize> {
        if let [(number, Some(end))] = branches
            && let Some(is_match) = self.is_clear(plan, *number, reading, place, *end)
        {
            return is_match.then_some(*end);
        }
        for (number, end) in branches {
            let index = usize::from(*number);
            match self.ask(plan, plan.branches.get(index)?, index, *end, reading, place) {
                Outcome::No => {}
                Outcome::Match(end) => return Some(end),
                Outcome::Unclear if self.conditions.wants_whole => return None,
                Outcome::Unclear => {
                    self.used.push(rule);
                    let machine = self.machines.get_mut(rule)?;
                    let end = machine.match_at(plan.patterns.get(rule)?, text, self.offset + place);
                    return end.map(|end| end - self.offset);
                }
            }
        }
        None
    }

    /// Makes it ready for another part of a text, of so many symbols.
    pub(super) fn reset(&mut self, symbols: usize, part: &Part<'_>) {
        self.gear.walked += symbols as u64;
        self.offset = part.offset;
        self.conditions.reset(part.is_whole, part.places.start);
        if std::mem::take(&mut self.was_asked) {
            for body in &mut self.bodies {
                body.walked_far = 0;
                body.strides.iter_mut().for_each(Walker::reset);
            }
        }
    }

    /// Forgets the text.
    pub(super) fn forget(&mut self) {
        self.conditions.forget();
        for rule in self.used.drain(..) {
            if let Some(machine) = self.machines.get_mut(rule) {
                machine.forget();
            }
        }
    }

    /// Adds those of some branches that could match at a place: what has to stand before them does.
    #[inline]
    pub(super) fn sift(
        &mut self,
        plan: &Plan,
        branches: &[u16],
        reading: &Reading<'_>,
        place: usize,
        left: &mut Vec<Fitting>,
    ) {
        let asked = plan.asked_before(branches);
        let before = if asked == 0 { 0 } else { self.conditions.before(plan, reading, place, asked) };
        for number in branches {
            let sieve = plan.sieve(*number);
            if sieve == 0 || sieve & before != 0 {
                left.push((*number, None));
            }
        }
    }

    /// Whether a branch matches that fits up to one place; `None` if that is not clear.
    #[inline]
    fn is_clear(
        &mut self,
        plan: &Plan,
        number: u16,
        reading: &Reading<'_>,
        place: usize,
        end: usize,
    ) -> Option<bool> {
        let branch = plan.branches.get(usize::from(number)).filter(|branch| branch.is_exact)?;
        for asked in &branch.lead {
            if !self.conditions.holds(plan, *asked, reading, place)? {
                return Some(false);
            }
        }
        for asked in &branch.tail {
            if !self.conditions.holds(plan, *asked, reading, end)? {
                return Some(false);
            }
        }
        Some(true)
    }

    #[inline(never)]
    fn ask(
        &mut self,
        plan: &Plan,
        branch: &Branch,
        index: usize,
        end: Option<usize>,
        reading: &Reading<'_>,
        place: usize,
    ) -> Outcome {
        let (early, late): (&[Asked], &[Asked]) = branch.lead.split_at(branch.early);
        let mut is_clear = branch.is_exact;
        for asked in early {
            // Of a branch that is found where it begins, it has been asked what has to stand before.
            let holds = match branch.pivot {
                Some(_) => self.conditions.stands_before(plan, *asked, reading, place),
                None => self.conditions.holds(plan, *asked, reading, place),
            };
            match holds {
                Some(true) => {}
                Some(false) => return Outcome::No,
                None => is_clear = false,
            }
        }
        // What is forbidden wherever the branch could end need not be walked to.
        if let Some(condition) = branch.forbidden
            && self.bodies.get(index).is_some_and(|body| body.was_vain)
            && self.conditions.is_alike(condition, reading, place, place.saturating_add(branch.reach), true)
        {
            return Outcome::No;
        }
        // Who walks alone asks what has to follow.
        let tail: &[Asked] = if end.is_some() { &branch.tail } else { &[] };
        let end = match end {
            Some(end) => End::At(end),
            None => self.end(plan, branch, index, reading, place),
        };
        if let Some(body) = self.bodies.get_mut(index) {
            body.was_vain = end == End::Nowhere;
        }
        let end = match end {
            End::Nowhere => return Outcome::No,
            End::At(end) => Some(end),
            End::Far | End::Unanswered => None,
        };
        let lead = late.iter().map(|asked| (asked, place));
        let tail = tail.iter().filter_map(|asked| Some((asked, end?)));
        for (asked, at) in lead.chain(tail) {
            match self.conditions.holds(plan, *asked, reading, at) {
                Some(true) => {}
                Some(false) => return Outcome::No,
                None => is_clear = false,
            }
        }
        end.filter(|_| is_clear).map_or(Outcome::Unclear, Outcome::Match)
    }

    /// Up to where a branch fits, with all that it asks after its beginning.
    #[inline(never)]
    fn end(
        &mut self,
        plan: &Plan,
        branch: &Branch,
        index: usize,
        reading: &Reading<'_>,
        place: usize,
    ) -> End {
        self.was_asked = true;
        let Self { gear, conditions, bodies, .. } = self;
        let Some(Body { automaton, calm, strides, is_wide, walked_far, .. }) = bodies.get_mut(index) else {
            return End::Far;
        };
        // More walks without an end would cost more than the machine, which remembers.
        if *walked_far > reading.symbols.len() as u64 {
            return End::Far;
        }
        let mut automaton = automaton;
        if let (Some(calm), Some(condition)) = (calm, branch.forbidden)
            && conditions.is_alike(condition, reading, place, place.saturating_add(branch.reach), false)
            && !(*is_wide || calm.is_overfull())
        {
            automaton = calm;
        }
        let mut answer = |asked, at| conditions.holds(plan, asked, reading, at);
        let mut end = None;
        if let (Some(pieces), Some(walker)) = (&branch.strides, strides) {
            end = walker.end(pieces, reading, place, gear, &mut answer);
        }
        let end = end.unwrap_or_else(|| {
            if automaton.is_overfull() && !*is_wide {
                *automaton = Automaton::new(branch.wide);
                *is_wide = true;
            }
            if !*is_wide {
                return automaton.first_end(reading, place, gear, answer);
            }
            match automaton.fits_after(reading, place, MAX_WALK, gear) {
                Some(false) => End::Nowhere,
                Some(true) | None => End::Far,
            }
        });
        if end == End::Far {
            *walked_far += MAX_WALK as u64;
        }
        end
    }
}
