//! Hits as JSON, written quickly: a text may hold millions.
//!
//! 1. All that a hit of a rule begins with is the same each time. It is copied in blocks of a fixed size; what the last one holds too much
//!    is written over by what follows.
//! 2. Eight digits of a number are worked out at once, in the bytes of one word: halves of four digits each, of these halves of two, of
//!    these halves of one. Then the noughts in front are shifted out.

use super::{Hit, NamedHit};
use crate::scrub_rules::Rule;
use std::borrow::Cow;

/// Bytes that are copied at once.
const BLOCK: usize = 128;

/// Bytes of a block, and of all that follows it: two numbers of up to 20 digits, what is around them, and what is written too much.
const ROOM: usize = BLOCK + 64;

/// What stands between the two numbers of a hit; the last byte is written over.
const BETWEEN: [u8; 8] = *b",\"end\":\0";

/// Eight noughts as they are shown.
const NOUGHTS: u64 = u64::from_ne_bytes([b'0'; 8]);

/// Numbers below this have eight digits at most.
const WORTH: u32 = 100_000_000;

/// What a hit of a rule begins with.
pub(super) struct Head {
    /// Whole blocks of it; most have none.
    whole: Vec<[u8; BLOCK]>,
    /// The rest, and how long that is.
    rest: [u8; BLOCK],
    length: usize,
}

impl Head {
    /// As JSON, after a comma.
    pub(super) fn new(rule: &Rule) -> Self {
        let named = NamedHit { rule: Cow::Borrowed(&rule.name), category: rule.category, start: 0, end: 0 };
        let hit = serde_json::to_string(&named).unwrap_or_default();
        let head = format!(",{}", hit.strip_suffix("0,\"end\":0}").unwrap_or_default());
        let (whole, rest) = head.as_bytes().as_chunks();
        let padded = std::array::from_fn(|at| rest.get(at).copied().unwrap_or(0));
        Self { whole: whole.to_vec(), rest: padded, length: rest.len() }
    }
}

/// A piece of an answer; its room is used again for the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    room: Vec<u8>,
    length: usize,
}

impl Piece {
    /// What was written last.
    pub(super) fn written(&self) -> &[u8] {
        self.room.get(..self.length).unwrap_or_default()
    }

    /// Writes some hits, each after a comma, in the place of what was there.
    pub(super) fn write(&mut self, heads: &[Head], hits: &[Hit]) {
        let longest = heads.iter().map(|head| head.whole.len() * BLOCK).max().unwrap_or(0) + ROOM;
        self.room.resize(self.room.len().max(hits.len() * longest), 0);
        let mut at = 0;
        for hit in hits {
            let Some(head) = heads.get(hit.rule) else { continue };
            for block in &head.whole {
                if let Some(room) = self.room.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
                    *room = *block;
                }
                at += BLOCK;
            }
            if let Some(room) = self.room.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<ROOM>) {
                at += put_hit(room, head, hit);
            }
        }
        self.length = at;
    }
}

/// Writes what is left of a hit; up to where.
#[inline]
fn put_hit(room: &mut [u8; ROOM], head: &Head, hit: &Hit) -> usize {
    if let Some(block) = room.first_chunk_mut() {
        *block = head.rest;
    }
    let at = put_number(room, head.length, hit.span.start as u64);
    put(room, at, BETWEEN);
    let at = put_number(room, at + BETWEEN.len() - 1, hit.span.end as u64);
    put(room, at, *b"}");
    at + 1
}

#[inline]
fn put<const BYTES: usize>(room: &mut [u8; ROOM], at: usize, bytes: [u8; BYTES]) {
    if let Some(room) = room.get_mut(at..at + BYTES) {
        room.copy_from_slice(&bytes);
    }
}

/// Writes a number; up to where.
#[inline]
fn put_number(room: &mut [u8; ROOM], at: usize, number: u64) -> usize {
    match u32::try_from(number) {
        Ok(number) if number < WORTH => {
            let digits = digits(number);
            // One digit is shown, be it a nought.
            let noughts = (digits | 1 << (u64::BITS - 8)).trailing_zeros() / 8;
            put(room, at, ((digits | NOUGHTS) >> (8 * noughts)).to_le_bytes());
            at + 8 - noughts as usize
        }
        _ => put_long_number(room, at, number),
    }
}

#[cold]
fn put_long_number(room: &mut [u8; ROOM], at: usize, number: u64) -> usize {
    let worth = u64::from(WORTH);
    let at = put_number(room, at, number / worth);
    put(room, at, (digits((number % worth) as u32) | NOUGHTS).to_le_bytes());
    at + 8
}

/// The eight digits of a number below [`WORTH`], the first in the lowest byte.
#[inline]
fn digits(number: u32) -> u64 {
    let fours = u64::from(number / 10_000) | u64::from(number % 10_000) << 32;
    // In each half a hundredth of it, which is right for what is less than 10,000.
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    // In each quarter a tenth of it, which is right for what is less than 100.
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | (twos - 10 * tens) << 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are() {
        let borders =
            (0..20).map(|digits| 10_u64.pow(digits)).flat_map(|border| [border - 1, border, border + 1]);
        for number in borders.chain((0..u64::from(WORTH)).step_by(9_973)).chain([u64::MAX]) {
            let mut room = [0; ROOM];
            let end = put_number(&mut room, 3, number);
            assert_eq!(&room[3..end], number.to_string().as_bytes());
        }
    }
}
