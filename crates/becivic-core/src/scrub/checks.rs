//! Which numbers their checksums let count.
//!
//! 1. A match counts if the checksum of its rule holds, or if the rule names none.
//! 2. The numbers of most rules have always the same count of letters and digits, however they are written. Then it is known as soon
//!    as such a number begins what the checksum would judge: the next so many, wherever the number ends. It fails for nearly all that
//!    only looks like one. Where no other rule is left, the walk is over.
//!
//! That is so for a rule only if all its branches agree on the count: which of them matches makes no difference then.

use super::branches::Branch;
use super::checksum::{Checksum, Compacted, LONGEST};
use super::numbers::Set;
use crate::jsregex::tree::Node;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use std::ops::Range;

/// The checksums of a lane.
#[derive(Debug)]
pub(super) struct Checks {
    /// Of each rule.
    checksums: Vec<Option<Checksum>>,
    /// Of each branch that is walked with others, where its rule can be judged early.
    early: Vec<Option<Early>>,
    /// The bits of these.
    is_early: Set,
}

/// A rule that can be judged before its numbers are walked to their end.
#[derive(Clone, Copy, Debug)]
struct Early {
    checksum: Checksum,
    /// Letters and digits of its numbers.
    length: usize,
    /// Its branches.
    branches: Set,
}

impl Checks {
    /// Of rules with these checksums and branches, some of which are walked together.
    pub(super) fn new(checksums: Vec<Option<Checksum>>, all: &[Branch], walked: &[&Branch]) -> Self {
        let early_of = |branch: &&Branch| {
            let rule = branch.rule;
            let checksum = checksums.get(rule).copied().flatten()?;
            let length = branch.length.filter(|length| *length <= LONGEST)?;
            let mut ours = all.iter().filter(|branch| branch.rule == rule);
            let walked = walked.iter().enumerate().filter(|(_, branch)| branch.rule == rule);
            let branches = walked.fold(0, |set, (bit, _)| set | 1 << bit);
            ours.all(|other| other.length == Some(length)).then_some(Early { checksum, length, branches })
        };
        let early: Vec<Option<Early>> = walked.iter().map(early_of).collect();
        let is_early = early.iter().flatten().fold(0, |all, early| all | early.branches);
        Self { checksums, early, is_early }
    }

    /// Whether a match of a rule counts.
    pub(super) fn count(
        &self,
        compacted: &mut Compacted,
        rule: usize,
        text: &str,
        span: Range<usize>,
    ) -> bool {
        let checksum = self.checksums.get(rule).copied().flatten();
        checksum
            .is_none_or(|checksum| compacted.of(text, span).is_some_and(|number| checksum.holds_for(number)))
    }

    /// Whether a match of one of these branches that begins at a place of the text could count.
    #[inline]
    pub(super) fn could_count(
        &self,
        compacted: &mut Compacted,
        text: &str,
        place: usize,
        mut branches: Set,
    ) -> bool {
        if branches & !self.is_early != 0 {
            return true;
        }
        while let Some(Some(early)) = self.early.get(branches.trailing_zeros() as usize) {
            let number = compacted.next(text, place, early.length);
            if number.is_none_or(|number| early.checksum.holds_for(number)) {
                return true;
            }
            branches &= !early.branches;
        }
        false
    }
}

/// How many ASCII letters and digits what fits these parts has, if it is always as many.
pub(super) fn length(parts: &[Node]) -> Option<usize> {
    parts.iter().try_fold(0_usize, |all, part| Some(all.saturating_add(length_of(part)?)))
}

fn length_of(node: &Node) -> Option<usize> {
    match node {
        Node::One(class) => {
            let ranges = [('0', '9'), ('A', 'Z'), ('a', 'z')];
            let mut counted =
                ClassUnicode::new(ranges.map(|(first, last)| ClassUnicodeRange::new(first, last)));
            counted.intersect(class);
            match counted {
                counted if counted.ranges().is_empty() => Some(0),
                counted if counted == **class => Some(1),
                _ => None,
            }
        }
        Node::Sequence(parts) => length(parts),
        Node::Choice(parts) => {
            let mut lengths = parts.iter().map(length_of);
            lengths.next().flatten().filter(|first| lengths.all(|other| other == Some(*first)))
        }
        Node::Repeat { child, least, most, .. } => match length_of(child)? {
            0 => Some(0),
            each => (*most == Some(*least)).then(|| each.saturating_mul(*least as usize)),
        },
        Node::Look { .. } | Node::Edge(_) => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsregex::Regex;

    #[test]
    fn a_length_is_told_where_all_matches_have_it() {
        let table = [
            (r"[0-9]{11}", Some(11)),
            (r"[0-9]{2}[^\p{L}\p{N}]{0,3}(?:0[0-9]|1[0-2])", Some(4)),
            (r"(?<!x[0-9])(?=[0-9]{4})[0-9]{2}(?!\w)", Some(2)),
            (r"(?:BE)?[0-9]{2}", None),
            (r"[0-9]{2,3}", None),
            (r"[0-9]{2}|[A-Z]", None),
            (r"(?:(?:(?:(?:a{100000}){100000}){100000}){100000}b){0}0", Some(1)),
            // A separator that may be a letter.
            (r"[0-9]{6}[+A-F-][0-9]{3}", None),
            (r"[ .]*[0-9][ .]+[0-9]", Some(2)),
        ];
        for (pattern, expected) in table {
            let (_, tree) = Regex::with_tree(pattern, "u").expect("bounded");
            assert_eq!(length_of(&tree), expected, "{pattern}");
        }
        // The Kelvin sign is a K there, and no ASCII letter.
        let (_, tree) = Regex::with_tree("[0-9]K", "iu").expect("bounded");
        assert_eq!(length_of(&tree), None);
    }
}
