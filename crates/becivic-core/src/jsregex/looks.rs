//! Lookarounds that may read far.
//!
//! 1. A question is first answered by walking an automaton from the place outwards. It mostly dies, or
//!    finds, within a sentence.
//! 2. A walk that takes longer than [`NEAR`] bytes is given up: many such walks would cost more than the text
//!    is long. Instead, another automaton reads the whole text once, towards the place, and notes in a bit
//!    per byte where what the lookaround asks for has just ended (or begins). Every later question about
//!    the same text is one look at a bit.
//!
//! Only what an automaton can read is answered so: no lookaround within the lookaround, no word edges, no
//! line edges.

use super::tree::{Edge, Node};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{NFA, WhichCaptures};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::{Class, ClassUnicode, Hir, Look, Repetition};

/// Bytes of automaton states kept at once.
const CACHE: usize = 4 << 20;

/// Bytes an automaton may be built from.
const NFA_SIZE: usize = 16 << 20;

/// Bytes of a walk from the place outwards.
const NEAR: usize = 192;

/// A lookaround as automata.
#[derive(Clone, Debug)]
pub(crate) struct FarLook {
    /// Reads from the place outwards.
    outwards: DFA,
    /// Reads towards the place, from anywhere.
    towards: DFA,
    behind: bool,
}

/// The answers about one text.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    outwards: Option<Cache>,
    towards: Option<Cache>,
    bits: Vec<u64>,
    is_known: bool,
}

impl FarLook {
    /// The automaton, unless the lookaround needs more than one.
    pub(super) fn new(child: &Node, behind: bool) -> Option<Self> {
        let hir = exact(child)?;
        Some(Self { outwards: automaton(&hir, behind)?, towards: automaton(&hir, !behind)?, behind })
    }

    /// Whether what the lookaround asks for is at this place.
    pub(super) fn fits(&self, answers: &mut Answers, text: &str, place: usize) -> bool {
        if !answers.is_known {
            if let Some(fits) = self.walk(answers, text.as_bytes(), place) {
                return fits;
            }
            answers.bits.clear();
            answers.bits.resize(text.len() / 64 + 1, 0);
            // Should the automaton give up, every place fits: a lookaround that is never wrong by much.
            if self.fill(answers, text.as_bytes()).is_none() {
                answers.bits.fill(u64::MAX);
            }
            answers.is_known = true;
        }
        answers.bits.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Walks outwards; `None` when it takes too long.
    fn walk(&self, answers: &mut Answers, text: &[u8], place: usize) -> Option<bool> {
        let dfa = &self.outwards;
        let cache = answers.outwards.get_or_insert_with(|| dfa.create_cache());
        let input = Input::new(text).anchored(Anchored::Yes);
        let mut state;
        let is_all;
        if self.behind {
            let input = input.range(..place);
            let before = text.get(..place)?;
            let near = before.get(before.len().saturating_sub(NEAR)..)?;
            is_all = near.len() == before.len();
            state = dfa.start_state_reverse(cache, &input).ok()?;
            for byte in near.iter().rev() {
                state = dfa.next_state(cache, state, *byte).ok()?;
                if state.is_match() || state.is_dead() {
                    return Some(state.is_match());
                }
            }
        } else {
            let input = input.range(place..);
            let after = text.get(place..)?;
            let near = after.get(..NEAR.min(after.len()))?;
            is_all = near.len() == after.len();
            state = dfa.start_state_forward(cache, &input).ok()?;
            for byte in near {
                state = dfa.next_state(cache, state, *byte).ok()?;
                if state.is_match() || state.is_dead() {
                    return Some(state.is_match());
                }
            }
        }
        let end = is_all.then(|| dfa.next_eoi_state(cache, state).ok())??;
        Some(end.is_match())
    }

    fn fill(&self, answers: &mut Answers, text: &[u8]) -> Option<()> {
        let dfa = &self.towards;
        let cache = answers.towards.get_or_insert_with(|| dfa.create_cache());
        let input = Input::new(text).anchored(Anchored::No);
        let mut note = |place: usize| {
            if let Some(word) = answers.bits.get_mut(place / 64) {
                *word |= 1 << (place % 64);
            }
        };
        // An automaton tells of a match one byte after its end.
        if self.behind {
            let mut state = dfa.start_state_forward(cache, &input).ok()?;
            for (place, byte) in text.iter().enumerate() {
                state = dfa.next_state(cache, state, *byte).ok()?;
                if state.is_match() {
                    note(place);
                }
            }
            if dfa.next_eoi_state(cache, state).ok()?.is_match() {
                note(text.len());
            }
        } else {
            let mut state = dfa.start_state_reverse(cache, &input).ok()?;
            for (place, byte) in text.iter().enumerate().rev() {
                state = dfa.next_state(cache, state, *byte).ok()?;
                if state.is_match() {
                    note(place + 1);
                }
            }
            if dfa.next_eoi_state(cache, state).ok()?.is_match() {
                note(0);
            }
        }
        Some(())
    }
}

impl Answers {
    /// Makes them ready for another text.
    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }
}

/// An automaton that reads the language forwards or backwards.
fn automaton(hir: &Hir, backwards: bool) -> Option<DFA> {
    let config = NFA::config()
        .utf8(false)
        .reverse(backwards)
        .nfa_size_limit(Some(NFA_SIZE))
        .which_captures(WhichCaptures::None);
    let nfa = NFA::compiler().configure(config).build_from_hir(hir).ok()?;
    let config =
        DFA::config().match_kind(MatchKind::All).cache_capacity(CACHE).skip_cache_capacity_check(true);
    DFA::builder().configure(config).build_from_nfa(nfa).ok()
}

/// The same language for an automaton, if it can have it.
fn exact(node: &Node) -> Option<Hir> {
    Some(match node {
        Node::One(set) => Hir::class(Class::Unicode(ClassUnicode::clone(set))),
        Node::Sequence(parts) => Hir::concat(parts.iter().map(exact).collect::<Option<_>>()?),
        Node::Choice(parts) => Hir::alternation(parts.iter().map(exact).collect::<Option<_>>()?),
        Node::Repeat { child, least, most, .. } => Hir::repetition(Repetition {
            min: *least,
            max: *most,
            greedy: true,
            sub: Box::new(exact(child)?),
        }),
        Node::Edge(Edge::Start) => Hir::look(Look::Start),
        Node::Edge(Edge::End) => Hir::look(Look::End),
        Node::Look { .. } | Node::Edge(_) => return None,
    })
}
