//! The first bytes of what fits a pattern.

use super::tree::Node;
use regex_syntax::hir::ClassUnicode;

/// Stands for the start or the end of the text.
pub(crate) const NOTHING: usize = 256;

/// A set of bytes and of [`NOTHING`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bytes([u64; 5]);

impl Bytes {
    /// Everything.
    pub(crate) const ALL: Self = Self([u64::MAX, u64::MAX, u64::MAX, u64::MAX, 1]);

    /// Bytes that continue a character.
    pub(crate) const CONTINUING: Self = Self([0, 0, u64::MAX, 0, 0]);

    /// With one more.
    pub(crate) fn add(&mut self, byte: usize) {
        self.0[byte / 64] |= 1 << (byte % 64);
    }

    /// With all of these.
    pub(crate) fn extend(&mut self, bytes: impl IntoIterator<Item = usize>) {
        bytes.into_iter().for_each(|byte| self.add(byte));
    }

    /// Whether it is there.
    pub(crate) fn has(&self, byte: usize) -> bool {
        self.0[byte / 64] >> (byte % 64) & 1 == 1
    }

    /// What is in either.
    pub(crate) fn or(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// What is in both.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    /// How many.
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Each of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..=NOTHING).filter(|byte| self.has(*byte))
    }
}

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

/// The bytes at the first `N` offsets of whatever fits these parts one after the other; after its end,
/// anything.
pub(crate) fn first<const N: usize>(parts: &[&Node]) -> [Bytes; N] {
    let mut first = First { sets: [Bytes::default(); N] };
    let ends = parts.iter().fold(1, |from, part| first.walk(part, from));
    let mut sets = first.sets;
    for (offset, set) in sets.iter_mut().enumerate() {
        if ends & ((2 << offset) - 1) != 0 {
            *set = Bytes::ALL;
        }
    }
    // A lookahead at the very start has its say too.
    for part in parts.iter().take_while(|part| is_zero_width(part)) {
        if let Node::Look { child, behind: false, negated: false } = part {
            let ahead = self::first::<N>(&[child]);
            sets.iter_mut().zip(&ahead).for_each(|(set, other)| *set = set.and(other));
        }
    }
    sets
}

/// The last bytes of whatever fits the node; anything, where it may be empty.
pub(crate) fn last(node: &Node) -> Bytes {
    last_within(node).unwrap_or(Bytes::ALL)
}

/// The last bytes, if the node cannot be empty.
fn last_within(node: &Node) -> Option<Bytes> {
    match node {
        Node::One(set) => {
            let mut bytes = Bytes::default();
            bytes.extend(ascii(set).map(usize::from));
            Some(if has_wide(set) { bytes.or(&Bytes::CONTINUING) } else { bytes })
        }
        Node::Choice(parts) => {
            parts.iter().try_fold(Bytes::default(), |all, part| Some(all.or(&last_within(part)?)))
        }
        Node::Sequence(parts) => {
            let mut all = Bytes::default();
            for part in parts.iter().rev() {
                match part {
                    Node::Repeat { child, least: 0, .. } => all = all.or(&last_within(child)?),
                    _ if is_zero_width(part) => {}
                    _ => return Some(all.or(&last_within(part)?)),
                }
            }
            None
        }
        Node::Repeat { child, least, .. } if *least > 0 => last_within(child),
        Node::Repeat { .. } | Node::Look { .. } | Node::Edge(_) => None,
    }
}

/// Whether a part is a condition rather than text.
pub(crate) fn is_zero_width(part: &Node) -> bool {
    match part {
        Node::Look { .. } | Node::Edge(_) => true,
        Node::One(_) | Node::Sequence(_) | Node::Choice(_) | Node::Repeat { .. } => false,
    }
}

/// The bytes at each offset.
struct First<const N: usize> {
    sets: [Bytes; N],
}

impl<const N: usize> First<N> {
    /// Adds the bytes of a node that may begin at these offsets (bits; `N` stands for any beyond), and
    /// tells the offsets where it may end.
    fn walk(&mut self, node: &Node, from: u32) -> u32 {
        if from & ((1 << N) - 1) == 0 {
            return from; // nothing in it is near enough
        }
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
        let mut near = Bytes::default();
        near.extend(ascii(set).map(usize::from));
        let (leads, lengths) = wide_leads(set);
        for start in (0..N).filter(|start| from >> start & 1 == 1) {
            if near.count() > 0 {
                self.sets[start] = self.sets[start].or(&near);
                ends |= 1 << (start + 1);
            }
            self.sets[start] = self.sets[start].or(&leads);
            for length in (2..=4).filter(|length| lengths >> length & 1 == 1) {
                for offset in (start + 1..start + length).filter(|offset| *offset < N) {
                    self.sets[offset] = self.sets[offset].or(&Bytes::CONTINUING);
                }
                ends |= 1 << (start + length).min(N);
            }
        }
        ends
    }
}

/// The first bytes of the members outside ASCII, and how many bytes they have, as bits.
fn wide_leads(set: &ClassUnicode) -> (Bytes, u32) {
    let (mut leads, mut lengths) = (Bytes::default(), 0_u32);
    for range in set.ranges().iter().filter(|range| !range.end().is_ascii()) {
        let first = range.start().max('\u{80}');
        for length in first.len_utf8()..=range.end().len_utf8() {
            let lead = |c: char, default: u8| {
                let mut buffer = [0; 4];
                if c.len_utf8() == length { c.encode_utf8(&mut buffer).as_bytes()[0] } else { default }
            };
            let (lowest, highest) = [(0xC2, 0xDF), (0xE0, 0xEF), (0xF0, 0xF4)][length - 2];
            leads.extend((lead(first, lowest)..=lead(range.end(), highest)).map(usize::from));
            lengths |= 1 << length;
        }
    }
    (leads, lengths)
}
