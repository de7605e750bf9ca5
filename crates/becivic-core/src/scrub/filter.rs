//! Which rules could match at a place, told by one automaton for all of them.
//!
//! 1. `scrub/starts.rs` names the places worth a look. Rules that can begin at any word are found by their
//!    pivots instead (`scrub/pivots.rs`).
//! 2. There, an automaton made from all patterns at once is walked until no rule is left. It answers for a
//!    wider language than the rules': characters outside ASCII are taken for each other, wide ranges of
//!    counts are not counted, lookarounds are left out, except that a lookahead at the very end is read as
//!    one more byte.
//!
//! 3. The walk ends after [`MAX_WALK`] bytes; rules whose matches may be longer are let through then.
//!
//! What the automaton lets through is run exactly. It is built lazily, state by state, in a cache of bounded
//! size, and walked from one place at a time, so it has few states: each tells how far every rule has come
//! since one common start.

use super::pivots::Pivot;
use super::shapes::{shapes, singles};
use super::starts::Starts;
use crate::jsregex::Regex;
use crate::jsregex::first::{Bytes, ascii, first, has_wide};
use crate::jsregex::tree::Node;
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::NFA;
use regex_automata::util::pool::Pool;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, Look, Repetition};

/// Bytes of automaton states kept at once.
const CACHE: usize = 16 << 20;

/// Bytes the automaton may be built from.
const NFA_SIZE: usize = 64 << 20;

/// Bytes of a walk at most.
const MAX_WALK: usize = 64;

/// A repetition that may vary by more is not counted: counting makes many states.
const MAX_COUNTED: u32 = 3;

/// The rules together are too large.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge;

/// Finds candidates for a list of patterns.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) starts: Starts,
    /// How each rule is found that has a pivot.
    pub(super) pivots: Vec<Option<Pivot>>,
    dfa: DFA,
    /// Rules whose matches may be longer than a walk.
    long: RuleSet,
    /// The first byte of each rule.
    first: Vec<Bytes>,
}

/// The states seen so far, and the first of them.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    cache: Cache,
    start: Option<(LazyStateID, usize)>,
}

/// A set of up to [`super::MAX_RULES`] rules.
pub(super) type RuleSet = [u64; 8];

impl Filter {
    pub(super) fn new(patterns: &[Regex]) -> Result<Self, TooLarge> {
        let pivots: Vec<Option<Pivot>> = patterns.iter().map(|pattern| Pivot::new(pattern.tree())).collect();
        // A rule with a pivot has no part in the automaton: it stands there as what never matches.
        let read = |(pattern, pivot): (&Regex, &Option<Pivot>)| match pivot {
            Some(_) => Hir::fail(),
            None => widened(pattern.tree(), true),
        };
        let wide: Vec<Hir> = patterns.iter().zip(&pivots).map(read).collect();
        let nfa_config = NFA::config()
            .utf8(false)
            .shrink(false)
            .nfa_size_limit(Some(NFA_SIZE))
            .which_captures(regex_automata::nfa::thompson::WhichCaptures::None);
        let nfa = NFA::compiler().configure(nfa_config).build_many_from_hir(&wide).map_err(|_| TooLarge)?;
        let config =
            DFA::config().match_kind(MatchKind::All).cache_capacity(CACHE).skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).map_err(|_| TooLarge)?;
        let mut long: RuleSet = [0; 8];
        for (index, pattern) in patterns.iter().enumerate() {
            // A character is four bytes at most; the walk needs one more to see the end.
            let most = pattern.tree().most().map_or(u64::MAX, |most| most.saturating_mul(4));
            if most >= MAX_WALK as u64 && pivots[index].is_none() {
                insert(&mut long, index);
            }
        }
        let ordinary = patterns.iter().zip(&pivots).filter(|(_, pivot)| pivot.is_none());
        let shapes = ordinary.flat_map(|(pattern, _)| shapes(pattern.tree())).collect();
        let owned: Vec<(usize, Pivot)> =
            pivots.iter().enumerate().filter_map(|(rule, pivot)| Some((rule, pivot.clone()?))).collect();
        let first = patterns.iter().map(|pattern| first::<1>(&[pattern.tree()])[0]).collect();
        Ok(Self { starts: Starts::new(shapes, &owned), pivots, dfa, long, first })
    }

    /// A place to keep the automaton's states.
    pub(super) fn walker(&self) -> Walker {
        Walker { cache: self.dfa.create_cache(), start: None }
    }

    /// The rules that could match at this place, and the bytes it took to tell; all of them should the
    /// automaton ever give up.
    #[inline]
    pub(super) fn candidates(&self, walker: &mut Walker, text: &[u8], place: usize) -> (RuleSet, usize) {
        self.walk(walker, text, place).unwrap_or(([u64::MAX; 8], 0))
    }

    fn walk(&self, walker: &mut Walker, text: &[u8], place: usize) -> Option<(RuleSet, usize)> {
        let mut found: RuleSet = [0; 8];
        let mut state = self.start(walker)?;
        let cache = &mut walker.cache;
        let near = text.get(place..place + MAX_WALK);
        for (walked, byte) in near.or(text.get(place..))?.iter().enumerate() {
            state = self.dfa.next_state(cache, state, *byte).ok()?;
            if state.is_tagged() {
                if state.is_dead() {
                    return Some((found, walked));
                }
                if state.is_match() {
                    self.add_matches(cache, state, &mut found);
                } else if state.is_quit() {
                    return None;
                }
            }
        }
        if near.is_some() {
            let byte = usize::from(*text.get(place)?);
            for rule in members(&self.long).filter(|rule| self.first[*rule].has(byte)) {
                insert(&mut found, rule);
            }
        } else {
            state = self.dfa.next_eoi_state(cache, state).ok()?;
            if state.is_match() {
                self.add_matches(cache, state, &mut found);
            }
        }
        Some((found, MAX_WALK))
    }

    /// The state every walk begins in: no pattern asks about what is before it. States are numbered anew
    /// when the cache is cleared.
    fn start(&self, walker: &mut Walker) -> Option<LazyStateID> {
        let clears = walker.cache.clear_count();
        match walker.start {
            Some((state, then)) if then == clears => Some(state),
            _ => {
                let input = Input::new("").anchored(Anchored::Yes);
                let state = self.dfa.start_state_forward(&mut walker.cache, &input).ok()?;
                walker.start = Some((state, walker.cache.clear_count()));
                Some(state)
            }
        }
    }

    #[cold]
    fn add_matches(&self, cache: &Cache, state: LazyStateID, found: &mut RuleSet) {
        for index in 0..self.dfa.match_len(cache, state) {
            insert(found, self.dfa.match_pattern(cache, state, index).as_usize());
        }
    }
}

/// The rules of a set.
pub(super) fn members(set: &RuleSet) -> impl Iterator<Item = usize> + '_ {
    let word = |(index, mut bits): (usize, u64)| {
        std::iter::from_fn(move || {
            let lowest = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(index * 64 + lowest)
        })
    };
    set.iter().copied().enumerate().filter(|(_, bits)| *bits != 0).flat_map(word)
}

fn insert(set: &mut RuleSet, rule: usize) {
    if let Some(word) = set.get_mut(rule / 64) {
        *word |= 1 << (rule % 64);
    }
}

/// Caches to borrow, so that scanning needs no allocation of its own.
pub(super) type Caches<T> = Pool<T, Box<dyn Fn() -> T + Send + Sync>>;

/// The pattern over bytes, fitting at least all that the pattern fits. `last`: nothing follows.
fn widened(node: &Node, last: bool) -> Hir {
    match node {
        Node::One(set) => {
            let narrow = Hir::class(Class::Bytes(ClassBytes::new(
                ascii(set).map(|byte| ClassBytesRange::new(byte, byte)),
            )));
            if has_wide(set) { Hir::alternation(vec![narrow, wide_character()]) } else { narrow }
        }
        Node::Sequence(parts) => sequence(parts, last),
        Node::Choice(parts) => Hir::alternation(parts.iter().map(|part| widened(part, last)).collect()),
        Node::Repeat { child, least, most, .. } => {
            let counted = most.is_some_and(|most| most - least.min(&most) <= MAX_COUNTED);
            let simple = matches!(**child, Node::One(_));
            Hir::repetition(Repetition {
                min: if counted || simple { *least } else { (*least).min(2) },
                max: if counted { *most } else { None },
                greedy: true,
                sub: Box::new(widened(child, false)),
            })
        }
        Node::Look { .. } if last => ending(std::slice::from_ref(node)),
        Node::Look { .. } => Hir::empty(),
        Node::Edge(_) => Hir::empty(),
    }
}

fn sequence(parts: &[Node], last: bool) -> Hir {
    let is_lookahead = |part: &&Node| match part {
        Node::Look { behind, .. } => !behind,
        _ => false,
    };
    let tail = if last { parts.iter().rev().take_while(is_lookahead).count() } else { 0 };
    let (body, tail) = parts.split_at(parts.len() - tail);
    let mut whole: Vec<Hir> = Vec::with_capacity(body.len() + 1);
    for (index, part) in body.iter().enumerate() {
        whole.push(widened(part, last && tail.is_empty() && index + 1 == body.len()));
    }
    if !tail.is_empty() {
        whole.push(ending(tail));
    }
    Hir::concat(whole)
}

/// Lookaheads at the end of a pattern as one byte more, or the end of the text.
fn ending(looks: &[Node]) -> Hir {
    let mut allowed = [true; 128];
    for look in looks {
        if let Node::Look { child, behind: false, negated: true } = look {
            for set in singles(child) {
                ascii(&set).for_each(|byte| allowed[usize::from(byte)] = false);
            }
        }
    }
    let narrow = (0..128_u8).filter(|byte| allowed[usize::from(*byte)]);
    let bytes = narrow.chain(0x80..=0xFF).map(|byte| ClassBytesRange::new(byte, byte));
    Hir::alternation(vec![Hir::class(Class::Bytes(ClassBytes::new(bytes))), Hir::look(Look::End)])
}

/// Any character outside ASCII.
fn wide_character() -> Hir {
    let class =
        |first: u8, last: u8| Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(first, last)])));
    let more = Repetition { min: 1, max: Some(3), greedy: true, sub: Box::new(class(0x80, 0xBF)) };
    Hir::concat(vec![class(0xC2, 0xF4), Hir::repetition(more)])
}
