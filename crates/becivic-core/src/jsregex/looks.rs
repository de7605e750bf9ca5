//! Lookarounds that may read far, answered for all places of a text by one pass of an automaton.
//!
//! A machine that walks back a whole sentence at every place it is asked about would make the cost of a
//! place depend on the text. Instead, the first question about such a lookaround on a text runs an automaton
//! over all of it, forwards for a lookbehind and backwards for a lookahead, and notes in a bit per byte
//! where what it asks for has just ended (or begins). Every later question is one look at a bit.
//!
//! Only what an automaton can read is answered so: no lookaround within the lookaround, no word edges, no
//! line edges.

use super::tree::{Edge, Node};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{NFA, WhichCaptures};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::{Class, Hir, Look, Repetition};

/// Bytes of automaton states kept at once.
const CACHE: usize = 4 << 20;

/// Bytes an automaton may be built from.
const NFA_SIZE: usize = 16 << 20;

/// A lookaround as an automaton.
#[derive(Clone, Debug)]
pub(crate) struct FarLook {
    dfa: DFA,
    behind: bool,
}

/// The answers about one text.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    cache: Option<Cache>,
    bits: Vec<u64>,
    is_known: bool,
}

impl FarLook {
    /// The automaton, unless the lookaround needs more than one.
    pub(super) fn new(child: &Node, behind: bool) -> Option<Self> {
        let hir = exact(child)?;
        let config = NFA::config()
            .utf8(false)
            .reverse(!behind)
            .nfa_size_limit(Some(NFA_SIZE))
            .which_captures(WhichCaptures::None);
        let nfa = NFA::compiler().configure(config).build_from_hir(&hir).ok()?;
        let config =
            DFA::config().match_kind(MatchKind::All).cache_capacity(CACHE).skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        Some(Self { dfa, behind })
    }

    /// Whether what the lookaround asks for is at this place.
    pub(super) fn fits(&self, answers: &mut Answers, text: &str, place: usize) -> bool {
        if !answers.is_known {
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

    fn fill(&self, answers: &mut Answers, text: &[u8]) -> Option<()> {
        let cache = answers.cache.get_or_insert_with(|| self.dfa.create_cache());
        let input = Input::new(text).anchored(Anchored::No);
        let mut note = |place: usize| {
            if let Some(word) = answers.bits.get_mut(place / 64) {
                *word |= 1 << (place % 64);
            }
        };
        // An automaton tells of a match one byte after its end.
        if self.behind {
            let mut state = self.dfa.start_state_forward(cache, &input).ok()?;
            for (place, byte) in text.iter().enumerate() {
                state = self.dfa.next_state(cache, state, *byte).ok()?;
                if state.is_match() {
                    note(place);
                }
            }
            if self.dfa.next_eoi_state(cache, state).ok()?.is_match() {
                note(text.len());
            }
        } else {
            let mut state = self.dfa.start_state_reverse(cache, &input).ok()?;
            for (place, byte) in text.iter().enumerate().rev() {
                state = self.dfa.next_state(cache, state, *byte).ok()?;
                if state.is_match() {
                    note(place + 1);
                }
            }
            if self.dfa.next_eoi_state(cache, state).ok()?.is_match() {
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

/// The same language for an automaton, if it can have it.
fn exact(node: &Node) -> Option<Hir> {
    Some(match node {
        Node::One(set) => Hir::class(Class::Unicode(set.clone())),
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
