//! A pattern as a tree over a small alphabet.

use crate::jsregex::sets;
use crate::jsregex::tree::{self, Edge};
use regex_syntax::hir::ClassUnicode;

/// Ends the texts: in no literal and in no ordinary class.
pub(super) const STRANGER: char = '\u{1}';

/// The characters texts are made of, the likely ones first.
pub(super) fn alphabet() -> impl Iterator<Item = char> {
    let likely = "a0 A-.@/_é".chars();
    let printable = (' '..='~').filter(|c| !"a0 A-.@/_".contains(*c));
    likely.chain(printable).chain(['\n', STRANGER])
}

/// A part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// One character out of these; the one before rather than after, inside a lookbehind.
    One {
        /// Which.
        members: Vec<char>,
        /// The one before.
        back: bool,
    },
    /// One after the other.
    Sequence(Vec<Node>),
    /// The first that fits.
    Choice(Vec<Node>),
    /// Again and again.
    Repeat { child: Box<Node>, least: usize, most: usize, greedy: bool },
    /// Whether something fits here, without moving.
    Look { child: Box<Node>, wanted: bool },
    /// A place between characters.
    Edge(Edge),
}

impl Node {
    /// How many parts it has.
    pub(super) fn parts(&self) -> u32 {
        match self {
            Self::One { .. } | Self::Edge(_) => 1,
            Self::Sequence(parts) | Self::Choice(parts) => {
                parts.iter().map(Self::parts).fold(1, u32::saturating_add)
            }
            Self::Repeat { child, .. } | Self::Look { child, .. } => child.parts().saturating_add(1),
        }
    }

    /// The same tree over the small alphabet; what is inside a lookbehind in the order it is read.
    pub(super) fn new(tree: &tree::Node, back: bool) -> Self {
        let all =
            |parts: &[tree::Node]| parts.iter().map(|part| Self::new(part, back)).collect::<Vec<Self>>();
        match tree {
            tree::Node::One(set) => Self::One { members: members(set), back },
            tree::Node::Sequence(parts) => {
                let mut parts = all(parts);
                if back {
                    parts.reverse();
                }
                Self::Sequence(parts)
            }
            tree::Node::Choice(parts) => Self::Choice(all(parts)),
            tree::Node::Repeat { child, least, most, greedy } => Self::Repeat {
                child: Box::new(Self::new(child, back)),
                least: *least as usize,
                most: most.map_or(usize::MAX, |most| most as usize),
                greedy: *greedy,
            },
            tree::Node::Look { child, behind, negated } => {
                Self::Look { child: Box::new(Self::new(child, *behind)), wanted: !negated }
            }
            tree::Node::Edge(edge) => Self::Edge(*edge),
        }
    }
}

/// The set within the alphabet; a set with nothing there stands for its first member.
fn members(set: &ClassUnicode) -> Vec<char> {
    let known: Vec<char> = alphabet().filter(|c| sets::contains(set, *c)).collect();
    if known.is_empty() { set.ranges().iter().map(|range| range.start()).take(1).collect() } else { known }
}
