//! The first bytes of what fits a pattern.

use super::tree::Node;
use regex_syntax::hir::ClassUnicode;

/// Stands for the start or the end of the text.
pub(crate) const NOTHING: usize = 256;

/// A set of bytes and of [`NOTHING`].
#[derive(Clone, Copy)]
pub(crate) struct Bytes(pub(crate) [bool; 257]);

impl Bytes {
    /// Everything.
    pub(crate) const ALL: Self = Self([true; 257]);

    /// Nothing.
    pub(crate) const fn none() -> Self {
        Self([false; 257])
    }

    /// With these.
    pub(crate) fn add(&mut self, bytes: impl Iterator<Item = usize>) {
        bytes.for_each(|byte| self.0[byte] = true);
    }

    /// With another set.
    pub(crate) fn combined(mut self, other: &Self, how: fn(bool, bool) -> bool) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a = how(*a, *b));
        self
    }
}

/// Bytes that continue a character.
pub(crate) const CONTINUES: std::ops::Range<usize> = 0x80..0xC0;

/// The ASCII members of a set.
pub(crate) fn ascii(set: &ClassUnicode) -> impl Iterator<Item = u8> + '_ {
    let ranges = set.ranges().iter().filter_map(|range| {
        let first = u8::try_from(range.start()).ok().filter(u8::is_ascii)?;
        Some(first..=u8::try_from(range.end()).map_or(0x7F, |last| last.min(0x7F)))
    });
    ranges.flatten()
}

/// Whether a set has members outside ASCII.
pub(crate) fn has_wide(set: &ClassUnicode) -> bool {
    set.ranges().last().is_some_and(|range| !range.end().is_ascii())
}

/// What a lookahead at the very start asks for, if there is one.
pub(crate) fn leading_lookahead(node: &Node) -> Option<&Node> {
    let Node::Sequence(parts) = node else { return None };
    let zero_width = parts.iter().take_while(|part| match part {
        Node::Look { .. } | Node::Edge(_) => true,
        _ => false,
    });
    let mut ahead = zero_width.filter_map(|part| match part {
        Node::Look { child, behind: false, negated: false } => Some(&**child),
        _ => None,
    });
    ahead.next()
}

/// The bytes at each offset of a match.
pub(crate) struct First<const N: usize> {
    sets: [Bytes; N],
}

impl<const N: usize> First<N> {
    /// The bytes at each offset of whatever fits the node; after its end, anything.
    pub(crate) fn of(node: &Node) -> [Bytes; N] {
        let mut first = Self { sets: [Bytes::none(); N] };
        let ends = first.walk(node, 1);
        for (offset, set) in first.sets.iter_mut().enumerate() {
            if ends & ((2 << offset) - 1) != 0 {
                *set = Bytes::ALL;
            }
        }
        if let Some(ahead) = leading_lookahead(node) {
            let ahead = Self::of(ahead);
            for (set, other) in first.sets.iter_mut().zip(&ahead) {
                *set = set.combined(other, |a, b| a && b);
            }
        }
        first.sets
    }

    /// Adds the bytes of a node that may begin at these offsets (bits; `N` stands for any beyond), and
    /// tells the offsets where it may end.
    fn walk(&mut self, node: &Node, from: u32) -> u32 {
        match node {
            Node::One(set) => self.one(set, from),
            Node::Sequence(parts) => parts.iter().fold(from, |from, part| self.walk(part, from)),
            Node::Choice(parts) => parts.iter().fold(0, |ends, part| ends | self.walk(part, from)),
            Node::Repeat { child, least, most, .. } => {
                let enough = N as u32 + 1;
                let mut now = from;
                for _ in 0..(*least).min(enough) {
                    now = self.walk(child, now);
                }
                let more = most.map_or(enough, |most| most.saturating_sub(*least).min(enough));
                for _ in 0..more {
                    now |= self.walk(child, now);
                }
                now
            }
            Node::Look { .. } | Node::Edge(_) => from,
        }
    }

    fn one(&mut self, set: &ClassUnicode, from: u32) -> u32 {
        let mut ends = from & 1 << N;
        for start in (0..N).filter(|start| from >> start & 1 == 1) {
            if ascii(set).next().is_some() {
                self.sets[start].add(ascii(set).map(usize::from));
                ends |= 1 << (start + 1);
            }
            for range in set.ranges().iter().filter(|range| !range.end().is_ascii()) {
                let first = range.start().max('\u{80}');
                for length in first.len_utf8()..=range.end().len_utf8() {
                    let lead = |c: char, default: u8| {
                        let mut buffer = [0; 4];
                        if c.len_utf8() == length {
                            c.encode_utf8(&mut buffer).as_bytes()[0]
                        } else {
                            default
                        }
                    };
                    let (lowest, highest) = [(0xC2, 0xDF), (0xE0, 0xEF), (0xF0, 0xF4)][length - 2];
                    let leads = lead(first, lowest)..=lead(range.end(), highest);
                    self.sets[start].add(leads.map(usize::from));
                    for offset in (start + 1..start + length).filter(|offset| *offset < N) {
                        self.sets[offset].add(CONTINUES);
                    }
                    ends |= 1 << (start + length).min(N);
                }
            }
        }
        ends
    }
}
