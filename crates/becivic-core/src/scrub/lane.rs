//! Rules that read the same text, run together.
//!
//! 1. The text is read into symbols (`scrub/symbols.rs`).
//! 2. One automaton names the branches that could begin as words do at each place (`scrub/openings.rs`). Those that
//!    begin as numbers do are walked together from each place where one could (`scrub/numbers.rs`), unless their checksums rule them out
//!    (`scrub/checks.rs`); the others of them are looked for (`scrub/beginnings.rs`) where a glance does not (`scrub/glance.rs`).
//! 3. Each of them is matched there (`scrub/matcher.rs`): at once where it has been walked with others, since where its rule may match next
//!    makes the walks after it shorter, and otherwise at the end of the block, rule by rule (`scrub/batches.rs`).
//! 4. Branches found by a pivot (`scrub/pivots.rs`) are not found in order; they wait until it is read so far that no other can be found
//!    before them.

use super::TooLarge;
use super::automaton::{MAX_WALK, Reading};
use super::batches::Batches;
use super::beginnings::{self, Beginnings, Looks};
use super::branches::{Branch, REACH};
use super::checks::Checks;
use super::checksum::{Checksum, Compacted};
use super::glance::{self, Glance, Left};
use super::matcher::{Matcher, Plan};
use super::nfa::At;
use super::numbers::{self, Begun, Fitting, MOST_BRANCHES, Numbers, Walks};
use super::openings::{DEPTH, Levels, OF_WORDS, Openings};
use super::pivots;
use super::strides::MAX_STRIDES;
use super::symbols::{Alphabet, Symbol, Symbols};
use super::turns::{OfRules, Turns};
use super::whole::Whole;
use crate::jsregex::Regex;
use crate::jsregex::tree::Node;
use regex_automata::util::pool::Pool;
use std::ops::Range;
use std::sync::Arc;

/// Bytes that are searched for beginnings before these are looked at: as many as stay close at hand.
const BLOCK: usize = 16 << 10;

/// Bytes of a long text that are read into symbols at a time, a whole number of blocks: memory that is used again
/// costs less than memory asked for. What a condition asks may be further away; then the rest is read as a whole.
const PART: usize = 16 * BLOCK;

/// Bytes of the first part. The next one is twice as long, and so on: what has to be read as a whole is mostly soon seen, and then the part
/// has been read in vain.
const FIRST_PART: usize = 2 * BLOCK;

/// Bytes that are read on either side of a part: as many as strides and a walk may go, and conditions from its end that are no longer
/// than they may be. What goes further is left to the rule's machine, which has the whole text, or wants the rest read as a whole.
const MARGIN: usize = 8 << 10;
const _: () = assert!(MAX_STRIDES + MAX_WALK + 4 * (REACH as usize) < MARGIN);

/// Bytes from where a branch begins to its pivot, at most.
const REACH_OF_PIVOTS: usize = 4 * pivots::MAX_REACH as usize;

/// Comes after every place.
const NOWHERE: usize = usize::MAX;

/// Rules with the flag `u`, or those without, which read UTF-16 units.
pub(super) struct Lane {
    pub(super) unicode: bool,
    /// The place of each in the file.
    rules: Vec<usize>,
    plan: Arc<Plan>,
    alphabet: Alphabet,
    /// The branches that can begin as words do.
    words: Openings,
    /// Those that begin as numbers do.
    numbers: Numbers,
    /// Of these, the ones that need something before them, are found by a pivot, or are too many to be walked together.
    others: Beginnings,
    /// Where a number could begin, and which of the others.
    glance: Glance,
    checks: Checks,
    /// The branches that are walked together.
    of_rules: OfRules,
    /// The others, as a glance names them.
    glanced: Glanced,
    scratch: Pool<Scratch, Box<dyn Fn() -> Scratch + Send + Sync>>,
}

/// What a scan needs and the next can use again.
struct Scratch {
    symbols: Vec<Symbol>,
    levels: Levels,
    walks: Walks,
    looks: Looks,
    matcher: Matcher,
    turns: Turns,
    compacted: Compacted,
    /// A byte for each place, which tells whether a number could begin there.
    could: Vec<u8>,
    /// The places where one could, and the walks from there.
    open: Vec<usize>,
    begun: Vec<Begun>,
    /// Where rules could match that are tried at the end of a block.
    batches: Batches,
    /// Matches of a block, each with its rule.
    found: Vec<(usize, Range<usize>)>,
    /// Places where a branch found by its pivot could begin.
    waiting: Vec<(usize, u16)>,
}

impl Lane {
    /// The rules of one kind, if there are any, each with its checksum.
    pub(super) fn new(
        patterns: &[(Regex, Node)],
        checksums: &[Option<Checksum>],
        unicode: bool,
    ) -> Result<Option<Self>, TooLarge> {
        let ours = |pattern: &&(Regex, Node)| pattern.0.is_unicode() == unicode;
        let rules: Vec<usize> = (0..patterns.len()).filter(|index| ours(&&patterns[*index])).collect();
        if rules.is_empty() {
            return Ok(None);
        }
        let (mut plan, alphabet) = Plan::new(patterns.iter().filter(ours))?;
        let bodies: Vec<At> = plan.branches.iter().map(|branch| branch.body).collect();
        let words = plan.branches.iter().filter(|branch| branch.is_word);
        let words = Openings::new(&plan.nfa, bodies.clone(), words.map(Branch::looked_for_at).collect());
        let is_plain = |(_, branch): &(u16, &Branch)| branch.first == 0 && branch.pivot.is_none();
        let numbered = (0..).zip(&plan.branches).filter(|(_, branch)| !branch.is_word);
        let (mut plain, mut others): (Vec<_>, Vec<_>) = numbered.partition(is_plain);
        // Where there are too many, those are left that begin with a digit: that is what numbers begin with mostly.
        let mut digits = Vec::new();
        alphabet.read("0123456789", 0, &mut digits);
        plain.sort_by_cached_key(|(_, branch)| {
            let begins = plan.nfa.beginnings(branch.body);
            !digits.iter().any(|digit| begins.has(*digit) && plan.nfa.lets_begin(branch.body, *digit))
        });
        others.extend(plain.drain(plain.len().min(MOST_BRANCHES)..));
        plain.sort_by_key(|(number, _)| *number);
        let numbers = Numbers::new(&plan.nfa, &plain);
        let walked: Vec<u16> = plain.iter().map(|(number, _)| *number).collect();
        let numbers_of_others: Vec<u16> = others.iter().map(|(number, _)| *number).collect();
        let [plain, others] = [plain, others]
            .map(|branches| branches.into_iter().map(|(_, branch)| branch).collect::<Vec<&Branch>>());
        let glance = Glance::new(&plan.nfa, &plain, &others, |branch| plan.announcement(branch));
        let checksums = rules.iter().map(|rule| checksums.get(*rule).copied().flatten()).collect();
        let checks = Checks::new(checksums, &plan.branches, &plain);
        let of_rules = OfRules::new(rules.len(), &plain);
        let glanced = Glanced::new(&plan, numbers_of_others.into_iter().zip(&others));
        let others = others.into_iter().map(Branch::looked_for_at).collect();
        let others = Beginnings::new(&plan.nfa, bodies, others);
        plan.are_walked(&walked);
        let plan = Arc::new(plan);
        let of_scratch = Arc::clone(&plan);
        let fresh = move || Scratch {
            symbols: Vec::new(),
            levels: Levels::new(OF_WORDS),
            walks: Walks::default(),
            looks: Looks::default(),
            matcher: Matcher::new(&of_scratch),
            turns: Turns::default(),
            compacted: Compacted::default(),
            could: Vec::new(),
            open: Vec::new(),
            begun: Vec::new(),
            batches: Batches::new(of_scratch.rules()),
            found: Vec::new(),
            waiting: Vec::new(),
        };
        let scratch = Pool::new(Box::new(fresh) as Box<dyn Fn() -> Scratch + Send + Sync>);
        Ok(Some(Self {
            unicode,
            rules,
            plan,
            alphabet,
            words,
            numbers,
            others,
            glance,
            checks,
            of_rules,
            glanced,
            scratch,
        }))
    }

    /// Finds every match of the rules asked for that counts.
    pub(super) fn scan(
        &self,
        text: &str,
        is_asked: &impl Fn(usize) -> bool,
        take: impl FnMut(usize, Range<usize>),
    ) {
        self.scan_stretch(&Stretch::all(text), None, is_asked, take, |_| true);
    }

    /// A text as several readers share it that have to see all of it.
    pub(super) fn whole(&self, text: &str) -> Arc<Whole> {
        let mut symbols = Vec::new();
        self.alphabet.read(text, DEPTH, &mut symbols);
        Arc::new(Whole::new(symbols, self.plan.conditions.len()))
    }

    /// Finds those that begin in a stretch of the text; `may_match` tells from where on each rule may, if not from anywhere. Before each part is read,
    /// `goes_on` is asked whether it should be, and told whether it is one that cannot be read without the whole text.
    pub(super) fn scan_stretch(
        &self,
        stretch: &Stretch<'_>,
        may_match: Option<&dyn Fn(usize) -> usize>,
        is_asked: &impl Fn(usize) -> bool,
        mut take: impl FnMut(usize, Range<usize>),
        goes_on: impl Fn(bool) -> bool,
    ) {
        let mut scratch = self.scratch.get();
        scratch.compacted.forget();
        scratch.turns.start(self.rules.len());
        if let Some(may_match) = may_match {
            for (rule, number) in self.rules.iter().enumerate() {
                scratch.turns.matched(&self.of_rules, rule, may_match(*number));
            }
        }
        scratch.matcher.conditions.share(stretch.whole);
        let (text, places) = (stretch.text, &stretch.places);
        let mut from = places.start;
        let mut is_whole = text.len() <= PART || stretch.whole.is_some();
        let mut bytes = FIRST_PART;
        while from < places.end && goes_on(is_whole) {
            let (to, margin) =
                if is_whole { (places.end, text.len()) } else { (places.end.min(from + bytes), MARGIN) };
            let part = Part::of(text, from..to, margin);
            if self.scan_part(&mut scratch, stretch, &part, is_asked, &mut take) {
                (from, bytes) = (to, PART.min(2 * bytes));
            } else {
                is_whole = true;
            }
        }
        scratch.matcher.forget();
    }

    /// Scans a part, if that suffices; matches that have been taken are not found again.
    fn scan_part(
        &self,
        scratch: &mut Scratch,
        stretch: &Stretch<'_>,
        part: &Part<'_>,
        is_asked: &impl Fn(usize) -> bool,
        take: &mut impl FnMut(usize, Range<usize>),
    ) -> bool {
        let plan = &*self.plan;
        let Scratch { symbols, levels, walks, looks, matcher, turns, compacted, .. } = scratch;
        let Scratch { could, open, begun, batches, found, waiting, .. } = scratch;
        let text = stretch.text;
        let symbols: &[Symbol] = match stretch.whole {
            Some(whole) => &whole.symbols,
            None => {
                self.alphabet.read(part.around, DEPTH, symbols);
                symbols
            }
        };
        matcher.reset(symbols.len(), part);
        let reading = &Reading { nfa: &plan.nfa, symbols };
        let try_at = |matcher: &mut Matcher,
                      turns: &mut Turns,
                      compacted: &mut Compacted,
                      found: &mut Vec<(usize, Range<usize>)>,
                      rule: usize,
                      branches: &[Fitting],
                      place: usize| {
            let at = part.offset + place;
            if let Some(number) = self.rules.get(rule)
                && turns.may_match(rule, at)
                && is_asked(*number)
                && let Some(end) = matcher.match_at(plan, text, reading, rule, branches, place)
                && self.checks.count(compacted, rule, text, at..part.offset + end)
            {
                found.push((*number, at..part.offset + end));
                turns.matched(&self.of_rules, rule, (part.offset + end).max(at + 1));
            }
        };
        let read = Symbols { all: symbols, is_ascii: part.around.is_ascii() };
        let mut left: Vec<Fitting> = Vec::new();
        // Those of a rule are in order; those that begin at the same place are put in order where they are taken.
        let mut hand_out = |found: &mut Vec<(usize, Range<usize>)>, told: usize| {
            found.sort_by_key(|(_, span)| span.start);
            let ready = found.partition_point(|(_, span)| span.start < told);
            found.drain(..ready).for_each(|(rule, span)| take(rule, span));
        };
        let is_together = |(place, a): &(usize, u16), (other, b): &(usize, u16)| {
            place == other && plan.rule_of(*a) == plan.rule_of(*b)
        };
        for from in part.places.clone().step_by(BLOCK) {
            // What a pivot beyond the part leads to may begin in it.
            let to = (from + BLOCK).min(part.places.end);
            let to = if to == part.places.end { part.around.len().min(to + REACH_OF_PIVOTS) } else { to };
            self.words.scan(&plan.nfa, levels, read, from..to);
            let mut words = levels.found();
            self.glance.open(symbols, from..to, could, open);
            looks.make_room();
            walks.begin(&self.numbers, &plan.nfa, symbols, open, begun);
            let mut numbers = begun.iter().filter_map(|begun| {
                let others = self.glance.others(read, begun.place);
                (!begun.is_over() || others != 0).then_some((*begun, others))
            });
            let (mut word, mut number) = (words.next(), numbers.next());
            // Both are in the order of their places; at the same place they are looked at together.
            loop {
                let word_at = word.map_or(NOWHERE, |(place, _)| place);
                let number_at = number.map_or(NOWHERE, |(begun, _)| begun.place);
                let place = word_at.min(number_at);
                if place == NOWHERE {
                    break;
                }
                left.clear();
                if let Some((_, named)) = word.filter(|_| word_at == place) {
                    matcher.sift(plan, named, reading, place, &mut left);
                    word = words.next();
                }
                if let Some((begun, others)) = number.filter(|_| number_at == place) {
                    if !begun.is_over() {
                        let at = part.offset + place;
                        let not_yet = turns.not_yet(&self.of_rules, at);
                        let could_count =
                            |branches| self.checks.could_count(compacted, text, at, branches & !not_yet);
                        walks.walk(&self.numbers, &plan.nfa, symbols, begun, could_count, &mut left);
                    }
                    let is_announced = |before| !matcher.conditions.nothing_before(symbols, place, before);
                    if others != 0 && self.glanced.announced_by(others).is_none_or(is_announced) {
                        let only = self.glanced.only(others);
                        let is_soon_tried = only.is_some() && !self.glanced.by_pivot(others);
                        let bytes = if is_soon_tried { beginnings::FEW } else { beginnings::DEPTH };
                        let named = looks.named(&self.others, &plan.nfa, symbols, place, bytes);
                        let named = match only {
                            Some(only) if only.iter().any(|number| named.binary_search(number).is_ok()) => {
                                only
                            }
                            Some(_) => &[],
                            None => named,
                        };
                        matcher.sift(plan, named, reading, place, &mut left);
                    }
                    number = numbers.next();
                }
                if left.is_empty() {
                    continue;
                }
                if !left.is_sorted() {
                    left.sort_unstable();
                }
                for ours in left.chunk_by(|(a, _), (b, _)| plan.rule_of(*a) == plan.rule_of(*b)) {
                    match ours.first().and_then(|(first, _)| plan.branches.get(usize::from(*first))) {
                        Some(first) if first.waits => self.wait(symbols, ours, place, waiting),
                        Some(_) if place >= part.places.end => {}
                        Some(first) if !self.of_rules.has(first.rule) => batches.add(first.rule, place, ours),
                        Some(first) => try_at(matcher, turns, compacted, found, first.rule, ours, place),
                        None => {}
                    }
                }
                if matcher.conditions.wants_whole {
                    break;
                }
            }
            batches.try_all(|rule, branches, place| {
                if !matcher.conditions.wants_whole {
                    try_at(matcher, turns, compacted, found, rule, branches, place);
                }
                !matcher.conditions.wants_whole
            });
            // No pivot further on leads to a place before this one.
            let told = if to < part.places.end { to.saturating_sub(REACH_OF_PIVOTS) } else { NOWHERE };
            waiting.sort_unstable();
            waiting.dedup();
            let ready = waiting.partition_point(|(place, _)| *place < told);
            for ours in waiting.drain(..ready).as_slice().chunk_by(is_together) {
                let Some((place, first)) = ours.first().filter(|(place, _)| part.places.contains(place))
                else {
                    continue;
                };
                if matcher.conditions.wants_whole {
                    break;
                }
                left.clear();
                left.extend(ours.iter().map(|(_, branch)| (*branch, None)));
                try_at(matcher, turns, compacted, found, plan.rule_of(*first), &left, *place);
            }
            if matcher.conditions.wants_whole {
                waiting.clear();
                hand_out(found, NOWHERE);
                return false;
            }
            hand_out(found, told.saturating_add(part.offset));
        }
        true
    }

    /// Notes where branches could begin that have been found by their pivots, or could not be tried yet.
    fn wait(&self, symbols: &[Symbol], branches: &[Fitting], place: usize, waiting: &mut Vec<(usize, u16)>) {
        for (number, _) in branches {
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
        let scratch = self.scratch.get();
        scratch.matcher.steps() + scratch.walks.walked
    }
}

/// Branches as a glance names them, by their bits.
#[derive(Debug)]
struct Glanced {
    /// The conditions of which one has to hold before branches of each bit.
    by: [u64; glance::BITS],
    /// The bits of branches before which nothing has to.
    unannounced: Left,
    /// The bits of those that are found by a pivot.
    by_pivot: Left,
    /// The branches of each bit, of which some bits have several.
    numbers: [Vec<u16>; glance::BITS],
}

impl Glanced {
    /// Branches in order, each with its number.
    fn new<'b>(plan: &Plan, branches: impl Iterator<Item = (u16, &'b &'b Branch)>) -> Self {
        let numbers = std::array::from_fn(|_| Vec::new());
        let mut glanced = Self { by: [0; glance::BITS], unannounced: 0, by_pivot: 0, numbers };
        for (place, (number, branch)) in branches.enumerate() {
            let (bit, by) = (place % glance::BITS, plan.announced_by(branch));
            glanced.by[bit] |= by;
            glanced.unannounced |= Left::from(by == 0) << bit;
            glanced.by_pivot |= Left::from(branch.pivot.is_some()) << bit;
            glanced.numbers[bit].push(number);
        }
        glanced
    }

    /// The conditions of which one has to hold, if something has to before each of these branches.
    #[inline]
    fn announced_by(&self, branches: Left) -> Option<u64> {
        let by = || numbers::bits(branches).fold(0, |all, bit| all | self.by[bit % glance::BITS]);
        (branches & self.unannounced == 0).then(by)
    }

    /// Whether some of these are found by a pivot: where they begin has to be found before they can be tried.
    #[inline]
    fn by_pivot(&self, branches: Left) -> bool {
        branches & self.by_pivot != 0
    }

    /// These branches, if they are those of one bit: to walk the only one that is left takes no longer than to see how it goes on.
    #[inline]
    fn only(&self, branches: Left) -> Option<&[u16]> {
        branches.is_power_of_two().then(|| &*self.numbers[branches.trailing_zeros() as usize % glance::BITS])
    }
}

/// Some of a text, in which matches begin.
pub(super) struct Stretch<'t> {
    pub(super) text: &'t str,
    pub(super) places: Range<usize>,
    /// The text as several readers share it, if they do.
    pub(super) whole: Option<&'t Arc<Whole>>,
}

impl<'t> Stretch<'t> {
    /// All of a text.
    fn all(text: &'t str) -> Self {
        Self { text, places: 0..text.len(), whole: None }
    }
}

/// A part of a text, and what stands around it.
pub(super) struct Part<'t> {
    /// The part with its margins.
    around: &'t str,
    /// Where these begin in the text.
    pub(super) offset: usize,
    /// Where the part is in what stands around it.
    pub(super) places: Range<usize>,
    /// Whether there is nothing else.
    pub(super) is_whole: bool,
}

impl<'t> Part<'t> {
    fn of(text: &'t str, part: Range<usize>, margin: usize) -> Self {
        let border = |at: usize| text.floor_char_boundary(at);
        let offset = border(part.start.saturating_sub(margin));
        let end = border(text.len().min(part.end + margin));
        let places = border(part.start) - offset..border(part.end) - offset;
        let around = text.get(offset..end).unwrap_or_default();
        Self { around, offset, places, is_whole: around.len() == text.len() }
    }
}
