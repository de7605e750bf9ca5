//! One object as a difference from another: what to copy from the other, and what is new.
//!
//! Versions of a file or a folder mostly begin and end alike, so that is looked at first; what lies between is matched in
//! blocks of sixteen bytes.

use std::collections::HashMap;

/// Bytes of a block.
const BLOCK: usize = 16;

/// Most bytes that one instruction copies, and that one inserts.
const MOST_COPIED: usize = 0xff_ffff;
const MOST_INSERTED: usize = 127;

/// The difference, unless it would be longer than half of the object.
pub fn between(base: &[u8], target: &[u8]) -> Option<Vec<u8>> {
    if target.len() < 64 || base.is_empty() || u32::try_from(base.len()).is_err() {
        return None;
    }
    let mut delta = Vec::new();
    write_size(&mut delta, base.len());
    write_size(&mut delta, target.len());
    let shorter = base.len().min(target.len());
    let head = alike(base.iter(), target.iter(), shorter);
    let tail = alike(base.iter().rev(), target.iter().rev(), shorter - head);
    copy(&mut delta, 0, head);
    let middle = (base.get(head..base.len() - tail)?, target.get(head..target.len() - tail)?);
    between_middles(&mut delta, middle.0, head, middle.1, target.len() / 2)?;
    copy(&mut delta, base.len() - tail, tail);
    (delta.len() < target.len() / 2).then_some(delta)
}

fn alike<'a>(a: impl Iterator<Item = &'a u8>, b: impl Iterator<Item = &'a u8>, most: usize) -> usize {
    a.zip(b).take(most).take_while(|(a, b)| a == b).count()
}

/// The part that differs: blocks of the base by what they hold, looked for at every place of the target.
fn between_middles(
    delta: &mut Vec<u8>,
    base: &[u8],
    offset: usize,
    target: &[u8],
    most: usize,
) -> Option<()> {
    let blocks: HashMap<&[u8], usize> =
        base.chunks_exact(BLOCK).enumerate().map(|(number, block)| (block, number * BLOCK)).collect();
    let (mut at, mut new_from) = (0, 0);
    while at < target.len() {
        let found = target.get(at..at + BLOCK).and_then(|block| blocks.get(block));
        let Some(from) = found.copied() else {
            at += 1;
            continue;
        };
        let (rest_of_base, rest) = (base.get(from..)?, target.get(at..)?);
        let length = alike(rest_of_base.iter(), rest.iter(), rest.len());
        insert(delta, target.get(new_from..at)?);
        copy(delta, offset + from, length);
        at += length;
        new_from = at;
        if delta.len() > most {
            return None;
        }
    }
    insert(delta, target.get(new_from..)?);
    Some(())
}

fn insert(delta: &mut Vec<u8>, bytes: &[u8]) {
    for part in bytes.chunks(MOST_INSERTED) {
        delta.push(u8::try_from(part.len()).unwrap_or_default());
        delta.extend_from_slice(part);
    }
}

fn copy(delta: &mut Vec<u8>, mut from: usize, mut length: usize) {
    while length > 0 {
        let now = length.min(MOST_COPIED);
        let place = delta.len();
        delta.push(0x80);
        let mut mask = 0x80;
        let bytes = from.to_le_bytes().into_iter().take(4).chain(now.to_le_bytes().into_iter().take(3));
        for (bit, byte) in bytes.enumerate().filter(|(_, byte)| *byte != 0) {
            mask |= 1 << bit;
            delta.push(byte);
        }
        if let Some(first) = delta.get_mut(place) {
            *first = mask;
        }
        from += now;
        length -= now;
    }
}

/// Seven bits a byte, the low ones first.
fn write_size(to: &mut Vec<u8>, mut size: usize) {
    while size >= 0x80 {
        to.push(0x80 | (size & 0x7f) as u8);
        size >>= 7;
    }
    to.push(size as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a client makes of a difference.
    fn applied(base: &[u8], delta: &[u8]) -> Vec<u8> {
        let mut bytes = delta.iter().copied();
        let mut size = || {
            let (mut size, mut shift) = (0_usize, 0);
            loop {
                let byte = bytes.next().expect("a size");
                size |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    return size;
                }
            }
        };
        assert_eq!(size(), base.len());
        let length = size();
        let mut made = Vec::new();
        while let Some(code) = bytes.next() {
            if code & 0x80 == 0 {
                assert_ne!(code, 0);
                made.extend(bytes.by_ref().take(code.into()));
                continue;
            }
            let mut number = |bits: std::ops::Range<u32>| {
                let first = bits.start;
                bits.filter(|bit| code & (1 << bit) != 0)
                    .map(|bit| usize::from(bytes.next().expect("a byte")) << (8 * (bit - first)))
                    .sum::<usize>()
            };
            let (from, count) = (number(0..4), number(4..7));
            let count = if count == 0 { 0x10000 } else { count };
            made.extend_from_slice(&base[from..from + count]);
        }
        assert_eq!(made.len(), length);
        made
    }

    #[test]
    fn an_edit_of_a_long_text_is_a_short_difference() {
        // Longer than one instruction copies, and nothing in it twice.
        let mut state = 1_u64;
        let base: Vec<u8> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .take(20_000_000)
        .collect();
        let mut target = base.clone();
        target[77] ^= 1;
        target.splice(9_000_000..9_000_000, *b"something new");
        target.truncate(19_999_000);
        let delta = between(&base, &target).expect("worth it");
        assert!(delta.len() < 200, "{}", delta.len());
        assert!(applied(&base, &delta) == target);
        assert_eq!(between(&base, &[7; 20]), None);
        assert_eq!(between(b"", &target), None);
    }

    proptest! {
        #[test]
        fn whatever_is_made_leads_back(
            base in proptest::collection::vec(0_u8..4, 0..600),
            edits in proptest::collection::vec((0_usize..600, 0_usize..40, proptest::collection::vec(any::<u8>(), 0..40)), 0..5),
        ) {
            let mut target = base.clone();
            for (at, removed, added) in edits {
                let at = at.min(target.len());
                let end = (at + removed).min(target.len());
                target.splice(at..end, added);
            }
            if let Some(delta) = between(&base, &target) {
                prop_assert_eq!(applied(&base, &delta), target);
            }
        }
    }
}
