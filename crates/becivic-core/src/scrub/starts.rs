//! Where a rule could begin, told from a few bytes.
//!
//! For every rule: which bytes can stand before a match, and which can be its first [`DEPTH`] bytes. The
//! answers for up to 64 rules are one word per byte and offset, so a place of the text is asked about all
//! of them with five look-ups. Ordinary prose is passed over here.

use crate::jsregex::first::{Bytes, CONTINUES, First, NOTHING, ascii, has_wide};
use crate::jsregex::tree::{Edge, Node};
use regex_syntax::hir::ClassUnicode;

/// Bytes of a match that are looked at.
pub(super) const DEPTH: usize = 4;

/// A word of 64 rules for each byte and for [`NOTHING`].
type Row = [u64; 257];

/// The look-up tables of up to 64 buckets of rules.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    before: Box<Row>,
    within: Box<[Row; DEPTH]>,
}

impl Starts {
    /// Tables for these patterns; the rule at index i is in bucket i modulo 64.
    pub(super) fn new<'a>(trees: impl Iterator<Item = &'a Node>) -> Self {
        let mut starts = Self { before: Box::new([0; 257]), within: Box::new([[0; 257]; DEPTH]) };
        for (index, tree) in trees.enumerate() {
            let bucket = 1 << (index % 64);
            add(&mut starts.before, &before(tree), bucket);
            for (offset, set) in First::<DEPTH>::of(tree).iter().enumerate() {
                add(&mut starts.within[offset], set, bucket);
            }
        }
        starts
    }

    /// The buckets that could begin at this place.
    #[inline]
    pub(super) fn at(&self, text: &[u8], place: usize) -> u64 {
        let symbol =
            |at: Option<usize>| at.and_then(|at| text.get(at)).map_or(NOTHING, |byte| usize::from(*byte));
        let mut buckets = self.before[symbol(place.checked_sub(1))];
        for (offset, row) in self.within.iter().enumerate() {
            buckets &= row[symbol(Some(place + offset))];
        }
        buckets
    }

    /// The next place where some bucket could begin, from `place` on.
    #[inline]
    pub(super) fn next(&self, text: &[u8], mut place: usize) -> Option<(usize, u64)> {
        // The middle of the text, where every byte asked for is there.
        let from = place.max(1);
        if place == 0 {
            let buckets = self.at(text, 0);
            if buckets != 0 {
                return Some((0, buckets));
            }
            place = 1;
        }
        if let Some(middle) = text.get(from - 1..) {
            for (index, window) in middle.windows(DEPTH + 1).enumerate() {
                let &[before, a, b, c, d] = window else { break };
                let row = |offset: usize, byte: u8| self.within[offset][usize::from(byte)];
                let buckets =
                    self.before[usize::from(before)] & row(0, a) & row(1, b) & row(2, c) & row(3, d);
                if buckets != 0 {
                    return Some((from + index, buckets));
                }
                place = from + index + 1;
            }
        }
        (place..text.len()).map(|at| (at, self.at(text, at))).find(|(_, buckets)| *buckets != 0)
    }
}

fn add(row: &mut Row, set: &Bytes, bucket: u64) {
    for (word, member) in row.iter_mut().zip(&set.0) {
        if *member {
            *word |= bucket;
        }
    }
}

/// The bytes that may come right before a match.
fn before(node: &Node) -> Bytes {
    match node {
        Node::Sequence(parts) => {
            let mut allowed = Bytes::ALL;
            for part in parts {
                allowed = allowed.combined(&before(part), |a, b| a && b);
                match part {
                    Node::Look { .. } | Node::Edge(_) => {}
                    _ => break,
                }
            }
            allowed
        }
        Node::Choice(parts) => {
            parts.iter().fold(Bytes::none(), |all, part| all.combined(&before(part), |a, b| a || b))
        }
        Node::Repeat { child, least, .. } if *least > 0 => before(child),
        Node::Look { child, behind: true, negated: false } => last_of(child),
        Node::Look { child, behind: true, negated: true } => {
            let mut allowed = Bytes::ALL;
            singles(child).into_iter().flat_map(|set| ascii(&set).collect::<Vec<u8>>()).for_each(|byte| {
                allowed.0[usize::from(byte)] = false;
            });
            allowed
        }
        Node::Edge(Edge::Start) => {
            let mut only = Bytes::none();
            only.add([NOTHING].into_iter());
            only
        }
        Node::One(_) | Node::Repeat { .. } | Node::Look { .. } | Node::Edge(_) => Bytes::ALL,
    }
}

/// The bytes a lookbehind for this can end in.
fn last_of(node: &Node) -> Bytes {
    match node {
        Node::One(set) => {
            let mut bytes = Bytes::none();
            bytes.add(ascii(set).map(usize::from));
            if has_wide(set) {
                bytes.add(CONTINUES);
            }
            bytes
        }
        Node::Choice(parts) => {
            parts.iter().fold(Bytes::none(), |all, part| all.combined(&last_of(part), |a, b| a || b))
        }
        Node::Sequence(parts) => match parts.last() {
            Some(last @ (Node::One(_) | Node::Edge(Edge::Start))) => last_of(last),
            Some(last @ Node::Repeat { least, .. }) if *least > 0 => last_of(last),
            _ => Bytes::ALL,
        },
        Node::Repeat { child, least, .. } if *least > 0 => last_of(child),
        Node::Edge(Edge::Start) => before(node),
        Node::Repeat { .. } | Node::Look { .. } | Node::Edge(_) => Bytes::ALL,
    }
}

/// Sets of characters each of which fits the whole node by itself, whatever is around it.
pub(super) fn singles(node: &Node) -> Vec<ClassUnicode> {
    match node {
        Node::One(set) => vec![set.clone()],
        Node::Choice(parts) => parts.iter().flat_map(singles).collect(),
        Node::Repeat { child, least, most, .. } if *least <= 1 && *most != Some(0) => singles(child),
        Node::Sequence(parts) => {
            let skippable = |part: &Node| match part {
                Node::Look { .. } | Node::Edge(_) => false,
                _ => part.least() == 0,
            };
            let only = |index: usize| {
                parts.iter().enumerate().all(|(other, part)| other == index || skippable(part))
            };
            (0..parts.len()).filter(|index| only(*index)).flat_map(|index| singles(&parts[index])).collect()
        }
        Node::Repeat { .. } | Node::Look { .. } | Node::Edge(_) => Vec::new(),
    }
}
