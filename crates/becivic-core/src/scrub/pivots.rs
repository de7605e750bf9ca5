//! Rules that can begin at any word.
//!
//! Looking at every word for an e-mail address costs more than everything else together. Such a pattern
//! begins with a run of ordinary characters, and what follows the run is rare: `@`, or the `straat` of a
//! street. So the text is searched for what follows (the pivot); from there the run is walked back, and the
//! pattern is tried at its start.

use super::shapes::{Shape, before, openings, shape};
use crate::jsregex::first::{Bytes, NOTHING};
use crate::jsregex::program::Set;
use crate::jsregex::tree::Node;
use regex_syntax::hir::ClassUnicode;
use std::ops::Range;

/// How a rule is found by its pivot.
#[derive(Clone, Debug)]
pub(super) struct Pivot {
    /// What the run before the pivot is made of.
    run: Set,
    /// Characters of the run at most.
    reach: u64,
    /// The byte before the run.
    before: Bytes,
    /// The pivots.
    pub(super) shapes: Vec<Shape>,
}

impl Pivot {
    /// The pivot of a pattern, if every way of beginning is a run of ordinary characters with something
    /// rare after it.
    pub(super) fn new(tree: &Node) -> Option<Self> {
        let mut run = ClassUnicode::empty();
        let (mut reach, mut allowed, mut shapes) = (0, Bytes::default(), Vec::new());
        for parts in openings(&[tree]) {
            if !is_any_word(&shape(&parts)) {
                return None;
            }
            let leading = parts.iter().take_while(|part| part.most() == Some(0)).count();
            let (conditions, text) = parts.split_at(leading);
            allowed = allowed.or(&before(conditions));
            let runs: Vec<(&ClassUnicode, u64)> = text.iter().map_while(|part| run_of(part)).collect();
            let after = |taken: usize| -> Vec<Shape> {
                openings(text.get(taken..).unwrap_or_default()).iter().map(|parts| shape(parts)).collect()
            };
            let widest = |shapes: &[Shape]| shapes.iter().map(Shape::width).fold(0.0, f64::max);
            let splits = (1..=runs.len()).map(|taken| (taken, after(taken)));
            let (taken, pivots) = splits.min_by(|(_, a), (_, b)| widest(a).total_cmp(&widest(b)))?;
            if pivots.iter().any(is_any_word) {
                return None;
            }
            shapes.extend(pivots);
            runs.iter().take(taken).for_each(|(class, _)| run.union(class));
            reach = u64::max(reach, runs.iter().take(taken).map(|(_, most)| most).sum());
        }
        (!shapes.is_empty()).then(|| Self { run: Set::new(&run), reach, before: allowed, shapes })
    }

    /// The places of the range where the pattern could begin if its pivot is at the end of the range, the
    /// first first.
    pub(super) fn starts(&self, text: &str, range: Range<usize>) -> impl Iterator<Item = usize> + use<> {
        let mut found = Vec::new();
        let before = text.get(..range.end).unwrap_or_default();
        let reach = usize::try_from(self.reach).unwrap_or(usize::MAX);
        for (at, c) in before.char_indices().rev().take(reach) {
            if !self.run.has(c) || at < range.start {
                break;
            }
            let symbol = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
            if self.before.has(symbol.map_or(NOTHING, |byte| usize::from(*byte))) {
                found.push(at);
            }
        }
        found.into_iter().rev()
    }
}

/// Whether a shape lets most words through, or most capitalised ones.
fn is_any_word(shape: &Shape) -> bool {
    const MOST: usize = 20;
    let has_most =
        |set: &Bytes, from: u8, to: u8| (from..=to).filter(|c| set.has(usize::from(*c))).count() >= MOST;
    let [first, others @ ..] = &shape.within;
    let begins = has_most(first, b'a', b'z') || has_most(first, b'A', b'Z');
    begins && others.iter().all(|set| has_most(set, b'a', b'z'))
}

/// A part that is one kind of character, once or more often: the kind, and how often.
fn run_of(part: &Node) -> Option<(&ClassUnicode, u64)> {
    match part {
        Node::One(class) => Some((class, 1)),
        Node::Repeat { child, most: Some(most), .. } => match &**child {
            Node::One(class) => Some((class, u64::from(*most))),
            _ => None,
        },
        _ => None,
    }
}
