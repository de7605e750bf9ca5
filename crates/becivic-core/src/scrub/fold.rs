//! Text as the rules see it: tricks undone, with a way back to the original.
//!
//! 1. ASCII is copied in runs; a text of nothing else is not copied at all.
//! 2. Every other character is looked up in a table made page by page when first needed
//!    (`fold/table.rs`): it is kept, dropped, or replaced by what it stands for.
//! 3. A combining mark joins the character before it where the two have a form of their own (e and ´ make
//!    é), and is dropped where they have not.
//! 4. A Cyrillic or Greek letter that looks like a Latin one is read as such only beside Latin letters or
//!    digits (capitals also with one separator in between), so that Cyrillic and Greek words stay what
//!    they are.
//! 5. Each change is noted (`fold/pieces.rs`). A span of the folded text maps to the smallest span of the
//!    original that holds every character it was made from.

mod pieces;
mod table;

pub use pieces::WayBack;

use crate::jsregex::units;
use pieces::Pieces;
use std::borrow::Cow;
use std::ops::Range;
use table::Folding;
use unicode_normalization::char::compose;

/// A folded text.
#[derive(Debug)]
pub struct Folded<'t> {
    text: Cow<'t, str>,
    pieces: Pieces,
}

impl<'t> Folded<'t> {
    /// Folds a text.
    pub fn new(text: &'t str) -> Self {
        match next_wide(text.as_bytes(), 0) {
            None => Self { text: Cow::Borrowed(text), pieces: Pieces::default() },
            Some(first) => {
                Folder { original: text, out: String::new(), pieces: Pieces::default() }.fold(first)
            }
        }
    }

    /// The text to match against.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The folded text as UTF-16 units, for patterns without the flag `u`; `None` where that changes nothing.
    /// Spans lead back to [`Folded::text`].
    pub fn units(&self) -> Option<Folded<'_>> {
        let Cow::Owned(text) = units(&self.text) else { return None };
        let (mut grown, mut pieces) = (0, Pieces::default());
        for (at, c) in self.text.char_indices().filter(|(_, c)| c.len_utf16() == 2) {
            let start = at + grown;
            pieces.note(start..start + 2 * c.len_utf8(), at..at + c.len_utf8(), self.text.len());
            grown += c.len_utf8(); // each of the two units takes as many bytes as the character
        }
        Some(Folded { pieces, text: Cow::Owned(text) })
    }

    /// A non-empty span of the folded text as one of the original, on character borders.
    pub fn original(&self, span: Range<usize>) -> Range<usize> {
        self.way_back().original(span)
    }

    /// The way to the original, for whoever asks for many spans.
    pub fn way_back(&self) -> WayBack<'_> {
        self.pieces.way_back()
    }
}

/// Where the next byte outside ASCII is.
pub(super) fn next_wide(bytes: &[u8], from: usize) -> Option<usize> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = from;
    while let Some(chunk) = bytes.get(at..at + 8).and_then(|chunk| <[u8; 8]>::try_from(chunk).ok()) {
        let high = u64::from_le_bytes(chunk) & HIGH;
        if high != 0 {
            return Some(at + high.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    bytes.get(at..)?.iter().position(|byte| !byte.is_ascii()).map(|found| at + found)
}

struct Folder<'t> {
    original: &'t str,
    out: String,
    pieces: Pieces,
}

impl<'t> Folder<'t> {
    fn fold(mut self, first: usize) -> Folded<'t> {
        let bytes = self.original.as_bytes();
        // `done`: everything before it is in `out`; `at`: everything before it has been looked at.
        let (mut done, mut next) = (0, Some(first));
        while let Some(at) = next {
            let Some(c) = self.original.get(at..).and_then(|rest| rest.chars().next()) else { break };
            let end = at + c.len_utf8();
            match table::folding(c) {
                Folding::Keep => {}
                changed => {
                    if self.pieces.is_empty() {
                        self.out.reserve(bytes.len());
                    }
                    self.copy(done..at);
                    self.change(changed, c, at..end);
                    done = end;
                }
            }
            next = next_wide(bytes, end);
        }
        // A text whose wide characters are all kept is its own folding.
        if self.pieces.is_empty() {
            return Folded { text: Cow::Borrowed(self.original), pieces: self.pieces };
        }
        self.copy(done..bytes.len());
        Folded { text: Cow::Owned(self.out), pieces: self.pieces }
    }

    fn copy(&mut self, range: Range<usize>) {
        if let Some(run) = self.original.get(range) {
            self.out.push_str(run);
        }
    }

    fn change(&mut self, folding: Folding, c: char, from: Range<usize>) {
        let start = self.out.len();
        match folding {
            Folding::Keep => self.out.push(c),
            Folding::Drop => {}
            Folding::Become(other) => self.out.push(other),
            Folding::Spell(parts) => self.out.push_str(parts),
            Folding::LookAlike(latin) => {
                let latin = if self.is_beside_latin(c, from.end) { latin } else { c };
                self.out.push(latin);
            }
            Folding::Mark => return self.mark(c, from),
        }
        self.note(start..self.out.len(), from);
    }

    /// Whether the character before, or the first after that is no look-alike itself, is Latin or a digit.
    /// For capitals, as in numbers of documents, one separator in between does not count.
    fn is_beside_latin(&self, c: char, end: usize) -> bool {
        const NEAR: usize = 4;
        let is_skipped = |found: &char| c.is_uppercase() && " .-/".contains(*found);
        let is_like = |c: &char| matches!(table::folding(*c), Folding::LookAlike(_));
        let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let mut after = self.original.get(end..).unwrap_or_default().chars().take(NEAR).peekable();
        while after.next_if(is_like).is_some() {}
        after.next_if(is_skipped);
        let mut before = self.out.chars().rev().take(2).peekable();
        before.next_if(is_skipped);
        is_latin(before.next()) || is_latin(after.next())
    }

    fn mark(&mut self, mark: char, from: Range<usize>) {
        let end = self.out.len();
        let composed = self.out.chars().next_back().and_then(|base| Some((base, compose(base, mark)?)));
        let Some((base, composed)) = composed else { return self.note(end..end, from) };
        let start = end - base.len_utf8();
        self.out.truncate(start);
        self.out.push(composed);
        self.pieces.join(start..end, self.out.len(), from, self.original.len());
    }

    fn note(&mut self, folded: Range<usize>, original: Range<usize>) {
        self.pieces.note(folded, original, self.original.len());
    }
}

#[cfg(test)]
mod tests;
