//! A pattern as a tree: characters, order, choice, repetition, lookaround and edges.

use regex_syntax::hir::ClassUnicode;
use std::sync::Arc;

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// One character out of these. A set may be large; parts that ask for the same share it.
    One(Arc<ClassUnicode>),
    /// One after the other.
    Sequence(Vec<Node>),
    /// The first that fits.
    Choice(Vec<Node>),
    /// Again and again.
    Repeat {
        /// What is repeated.
        child: Box<Node>,
        /// At least so often.
        least: u32,
        /// At most so often, if there is a limit.
        most: Option<u32>,
        /// Whether more is tried first.
        greedy: bool,
    },
    /// Whether something fits here, without moving.
    Look {
        /// What has to fit.
        child: Box<Node>,
        /// Before this place rather than after it.
        behind: bool,
        /// Whether it must not fit.
        negated: bool,
    },
    /// A place between characters.
    Edge(Edge),
}

/// A place between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The start of the text.
    Start,
    /// Its end.
    End,
    /// The start of a line.
    LineStart,
    /// Its end.
    LineEnd,
    /// Between a letter, digit or `_` of ASCII and something else.
    Word,
    /// Anywhere else.
    NotWord,
}

impl Node {
    /// Characters of the shortest text that fits.
    pub(crate) fn least(&self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::Sequence(parts) => parts.iter().map(Self::least).fold(0, u64::saturating_add),
            Self::Choice(parts) => parts.iter().map(Self::least).min().unwrap_or(0),
            Self::Repeat { child, least, .. } => child.least().saturating_mul(u64::from(*least)),
            Self::Look { .. } | Self::Edge(_) => 0,
        }
    }

    /// Characters of the longest text that fits, if there is one.
    pub(crate) fn most(&self) -> Option<u64> {
        match self {
            Self::One(_) => Some(1),
            Self::Sequence(parts) => {
                parts.iter().try_fold(0_u64, |sum, part| Some(sum.saturating_add(part.most()?)))
            }
            Self::Choice(parts) => {
                parts.iter().try_fold(0_u64, |longest, part| Some(longest.max(part.most()?)))
            }
            Self::Repeat { child, most, .. } => match (child.most()?, most) {
                (0, _) => Some(0),
                (each, Some(most)) => Some(each.saturating_mul(u64::from(*most))),
                (_, None) => None,
            },
            Self::Look { .. } | Self::Edge(_) => Some(0),
        }
    }
}
