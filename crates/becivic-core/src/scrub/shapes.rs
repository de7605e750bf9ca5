//! The ways a pattern can begin, as bytes.

use crate::jsregex::first::{Bytes, NOTHING, ascii, first, is_zero_width, last};
use crate::jsregex::tree::{Edge, Node};
use regex_syntax::hir::ClassUnicode;

/// Bytes of a match that are looked at.
pub(super) const DEPTH: usize = 4;

/// Ways of beginning that one pattern is opened up into at most.
const MAX_OPENINGS: usize = 256;

/// One way of beginning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    /// The bytes of a match, from the first.
    pub(super) within: [Bytes; DEPTH],
    /// The byte before it.
    pub(super) before: Bytes,
}

impl Shape {
    /// A shape that covers both.
    pub(super) fn or(&self, other: &Self) -> Self {
        Self {
            within: std::array::from_fn(|offset| self.within[offset].or(&other.within[offset])),
            before: self.before.or(&other.before),
        }
    }

    /// How much it lets through.
    pub(super) fn width(&self) -> f64 {
        let within: f64 = self.within.iter().map(|set| f64::from(set.count())).product();
        within * f64::from(self.before.count())
    }
}

/// The shapes of a pattern.
pub(super) fn shapes(tree: &Node) -> Vec<Shape> {
    openings(&[tree]).iter().map(|parts| shape(parts)).collect()
}

/// Ways of beginning, each as the parts that follow one another.
pub(super) fn openings<'t>(parts: &[&'t Node]) -> Vec<Vec<&'t Node>> {
    let mut openings = Vec::new();
    open(parts, &mut Vec::new(), &mut openings);
    openings
}

/// The shape of parts that follow one another.
pub(super) fn shape(parts: &[&Node]) -> Shape {
    Shape { within: first(parts), before: before(parts) }
}

/// A repetition that is written out as alternatives.
const MAX_WRITTEN_OUT: u32 = 3;

/// Opens the parts up: each alternative within the first few characters becomes an opening of its own.
fn open<'t>(parts: &[&'t Node], done: &mut Vec<&'t Node>, openings: &mut Vec<Vec<&'t Node>>) {
    let characters = done.iter().filter(|part| !is_zero_width(part)).count();
    let Some((head, rest)) = parts.split_first() else {
        openings.push(done.clone());
        return;
    };
    match head {
        Node::Sequence(inner) => {
            let all: Vec<&Node> = inner.iter().chain(rest.iter().copied()).collect();
            open(&all, done, openings);
        }
        Node::Choice(inner) if openings.len() + inner.len() <= MAX_OPENINGS && characters < DEPTH => {
            for alternative in inner {
                let all: Vec<&Node> = std::iter::once(alternative).chain(rest.iter().copied()).collect();
                open(&all, done, openings);
            }
        }
        Node::Repeat { child, least, most: Some(most), .. }
            if *most <= MAX_WRITTEN_OUT && openings.len() + 4 <= MAX_OPENINGS && characters < DEPTH =>
        {
            for times in *least..=*most {
                let again = std::iter::repeat_n(&**child, times as usize);
                let all: Vec<&Node> = again.chain(rest.iter().copied()).collect();
                open(&all, done, openings);
            }
        }
        Node::One(_) | Node::Look { .. } | Node::Edge(_) if characters < DEPTH => {
            done.push(head);
            open(rest, done, openings);
            done.pop();
        }
        _ => openings.push(done.iter().copied().chain(parts.iter().copied()).collect()),
    }
}

/// The bytes that may come right before a match of these parts.
pub(super) fn before(parts: &[&Node]) -> Bytes {
    let mut allowed = Bytes::ALL;
    for part in parts {
        allowed = allowed.and(&before_part(part));
        if !is_zero_width(part) {
            break;
        }
    }
    allowed
}

fn before_part(node: &Node) -> Bytes {
    match node {
        Node::Sequence(parts) => before(&parts.iter().collect::<Vec<&Node>>()),
        Node::Choice(parts) => parts.iter().fold(Bytes::default(), |all, part| all.or(&before_part(part))),
        Node::Repeat { child, least, .. } if *least > 0 => before_part(child),
        Node::Look { child, behind: true, negated: false } => last_of(child),
        Node::Look { child, behind: true, negated: true } => {
            let mut allowed = Bytes::ALL;
            for set in singles(child) {
                ascii(&set).for_each(|byte| allowed.remove(usize::from(byte)));
            }
            allowed
        }
        Node::Edge(Edge::Start) => {
            let mut only = Bytes::default();
            only.add(NOTHING);
            only
        }
        Node::One(_) | Node::Repeat { .. } | Node::Look { .. } | Node::Edge(_) => Bytes::ALL,
    }
}

/// The bytes a lookbehind for this can end in.
fn last_of(node: &Node) -> Bytes {
    match node {
        Node::Edge(Edge::Start) => before_part(node),
        Node::Choice(parts) => parts.iter().fold(Bytes::default(), |all, part| all.or(&last_of(part))),
        _ => last(node),
    }
}

/// Sets of characters each of which fits the whole node by itself, whatever is around it.
pub(super) fn singles(node: &Node) -> Vec<ClassUnicode> {
    match node {
        Node::One(set) => vec![set.clone()],
        Node::Choice(parts) => parts.iter().flat_map(singles).collect(),
        Node::Repeat { child, least, most, .. } if *least <= 1 && *most != Some(0) => singles(child),
        Node::Sequence(parts) => {
            let skippable = |part: &Node| !is_zero_width(part) && part.least() == 0;
            let only = |index: usize| {
                parts.iter().enumerate().all(|(other, part)| other == index || skippable(part))
            };
            (0..parts.len()).filter(|index| only(*index)).flat_map(|index| singles(&parts[index])).collect()
        }
        Node::Repeat { .. } | Node::Look { .. } | Node::Edge(_) => Vec::new(),
    }
}
