//! The letters and digits of a stretch of a text, for numbers in it that overlap: each byte is read once, however many of them it
//! belongs to.
//!
//! 1. Of the stretch that was read last, every byte knows how many letters and digits stand before it; those of a number are a
//!    slice.
//! 2. A number beyond it begins another stretch. Where that goes on with the last one, numbers are many, and twice as much is read.

use super::LONGEST;
use std::ops::Range;

/// Bytes of a stretch: at first, and at most.
const SIZES: Range<usize> = 64..4096;

/// Each byte that is a letter or a digit, in upper case; 0 for the others.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let letter = byte as u8;
        if letter.is_ascii_alphanumeric() {
            letters[byte] = letter.to_ascii_uppercase();
        }
        byte += 1;
    }
    letters
};

/// The stretch that was read last.
#[derive(Debug, Default)]
pub(in crate::scrub) struct Compacted {
    from: usize,
    to: usize,
    /// Its letters and digits, in upper case.
    letters: Vec<u8>,
    /// How many of these stand before each of its bytes, and before its end.
    before: Vec<u32>,
}

impl Compacted {
    /// The letters and digits of a number in a text, in upper case; nothing when no number has so many. The text is always the same.
    pub(in crate::scrub) fn of(&mut self, text: &str, number: Range<usize>) -> Option<&[u8]> {
        let is_read = number.start >= self.from && number.end <= self.to && !self.before.is_empty();
        if !is_read {
            self.read(text, &number);
        }
        let at = |place: usize| self.before.get(place - self.from).map(|before| *before as usize);
        let letters = self.letters.get(at(number.start)?..at(number.end)?)?;
        (letters.len() <= LONGEST).then_some(letters)
    }

    /// The next so many letters and digits from a place of the text on. Nothing when there are not so many, or not near, or when this is
    /// the first number in a while, which may be the only one.
    #[inline]
    pub(in crate::scrub) fn next(&mut self, text: &str, place: usize, count: usize) -> Option<&[u8]> {
        let mut from = self.known(place, count);
        if from.is_none() && !self.is_near(text, place) {
            if (self.from..=self.to).contains(&place) {
                self.read(text, &(place..place));
                from = self.known(place, count);
            } else {
                self.forget();
                (self.from, self.to) = (place, place + SIZES.start);
            }
        }
        let from = from?;
        self.letters.get(from..from + count)
    }

    /// Whether what stands near a place has been read.
    fn is_near(&self, text: &str, place: usize) -> bool {
        self.from <= place && (place + SIZES.start).min(text.len()) <= self.to && !self.before.is_empty()
    }

    /// How many letters and digits stand before a place, if the stretch has so many more.
    #[inline]
    fn known(&self, place: usize, count: usize) -> Option<usize> {
        let before = *self.before.get(place.checked_sub(self.from)?)? as usize;
        (before + count <= self.letters.len()).then_some(before)
    }

    /// Forgets the text.
    pub(in crate::scrub) fn forget(&mut self) {
        (self.from, self.to) = (0, 0);
        self.before.clear();
        self.letters.clear();
    }

    fn read(&mut self, text: &str, number: &Range<usize>) {
        let goes_on = (self.from..=self.to).contains(&number.start);
        let size = if goes_on { 2 * (self.to - self.from) } else { 0 }.clamp(SIZES.start, SIZES.end);
        self.from = number.start;
        self.to = (self.from + size).max(number.end).min(text.len());
        let bytes = text.as_bytes().get(self.from..self.to).unwrap_or_default();
        self.letters.clear();
        self.letters.resize(bytes.len() + 1, 0);
        self.before.clear();
        let mut length = 0;
        // Every byte is written, and the next one over it unless it counts: nothing here depends on the text.
        let letters = self.letters.as_mut_slice();
        self.before.extend(bytes.iter().map(|byte| {
            let (before, letter) = (length, LETTERS[usize::from(*byte)]);
            if let Some(place) = letters.get_mut(length) {
                *place = letter;
            }
            length += usize::from(letter != 0);
            before as u32
        }));
        self.before.push(length as u32);
        self.letters.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// In whatever order numbers are asked for.
        #[test]
        fn a_number_has_its_letters_and_digits(
            text in "[ -~é]{0,300}",
            numbers in proptest::collection::vec((0_usize..300, 0_usize..80), 1..40),
        ) {
            let mut compacted = Compacted::default();
            for (start, length) in numbers {
                let border = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
                let number = border(start)..border(start + length);
                let plain: Vec<u8> = text[number.clone()].bytes().filter(u8::is_ascii_alphanumeric)
                    .map(|byte| byte.to_ascii_uppercase()).collect();
                let expected = (plain.len() <= LONGEST).then_some(plain.as_slice());
                prop_assert_eq!(compacted.of(&text, number), expected);
            }
        }
    }
}
