//! The way from a folded text back to the original.
//!
//! 1. What is not a copy is noted as pieces, in order. A piece is one part or several in a row: each is as long as the others, in the
//!    original and in the folded text.
//! 2. Whoever asks mostly asks in order too: a piece is looked for from the one found last, in steps that grow, then by halves.

use super::super::room;
use std::ops::Range;

/// Parts in a row that are no copies.
#[derive(Clone, Debug)]
struct Piece {
    /// Where it begins in the folded text.
    folded: usize,
    /// Where it begins in the original.
    original: usize,
    /// Bytes of each part in the folded text; none for what was dropped.
    to: u32,
    /// Bytes of each part in the original.
    from: u32,
    parts: u32,
}

impl Piece {
    fn folded_end(&self) -> usize {
        self.folded + self.to as usize * self.parts as usize
    }

    fn original_end(&self) -> usize {
        self.original + self.from as usize * self.parts as usize
    }

    /// Takes one more part in, if it is like the others; dropped ones become one.
    fn take_in(&mut self, folded: &Range<usize>, original: &Range<usize>) -> bool {
        if self.folded_end() != folded.start || self.original_end() != original.start {
            return false;
        }
        let (part, more) = if self.to == 0 && folded.is_empty() {
            (&mut self.from, original.len())
        } else if (self.to as usize, self.from as usize) == (folded.len(), original.len()) {
            (&mut self.parts, 1)
        } else {
            return false;
        };
        let sum = u32::try_from(more).ok().and_then(|more| part.checked_add(more));
        *part = sum.unwrap_or(*part);
        sum.is_some()
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes that a part of an original of this length became a part of the folded text.
    pub(super) fn note(&mut self, folded: Range<usize>, original: Range<usize>, length: usize) {
        if self.0.last_mut().is_some_and(|last| last.take_in(&folded, &original)) {
            return;
        }
        let bytes = |range: &Range<usize>| u32::try_from(range.len()).unwrap_or(u32::MAX);
        let (to, from) = (bytes(&folded), bytes(&original));
        let piece = Piece { folded: folded.start, original: original.start, to, from, parts: 1 };
        room::add(&mut self.0, piece, original.end, length);
    }

    /// Notes that the last character of the folded text has become another one, which ends at `end`, by a mark of the original.
    pub(super) fn join(&mut self, base: Range<usize>, end: usize, mark: Range<usize>, length: usize) {
        // What was dropped between the two belongs to both.
        let dropped = self.0.pop_if(|last| last.to == 0 && last.folded == base.end);
        let from = dropped.map_or(mark.start, |dropped| dropped.original);
        let copied = (base.start, from - base.len());
        let (folded, original) = self.take_part(base.end).unwrap_or(copied);
        self.note(folded..end, original..mark.end, length);
    }

    /// Takes the part back that ends here, if there is one; where it begins.
    fn take_part(&mut self, end: usize) -> Option<(usize, usize)> {
        let last = self.0.last_mut().filter(|last| last.folded_end() == end)?;
        last.parts -= 1;
        let begins = (last.folded_end(), last.original_end());
        self.0.pop_if(|last| last.parts == 0);
        Some(begins)
    }

    /// The way back for whoever asks more than once.
    pub(super) fn way_back(&self) -> WayBack<'_> {
        WayBack { pieces: &self.0, near: 0 }
    }
}

/// The way back, which remembers where it was last.
#[derive(Clone, Debug)]
pub struct WayBack<'f> {
    pieces: &'f [Piece],
    /// Pieces before the place that was asked about last.
    near: usize,
}

impl WayBack<'_> {
    /// A non-empty span of the folded text as one of the original, on character borders.
    #[inline]
    pub fn original(&mut self, span: Range<usize>) -> Range<usize> {
        if self.pieces.is_empty() { span } else { self.found(span) }
    }

    fn found(&mut self, span: Range<usize>) -> Range<usize> {
        let start = match self.last(|piece| piece.folded <= span.start) {
            None => span.start,
            Some(piece) if span.start < piece.folded_end() => {
                piece.original + (span.start - piece.folded) / piece.to as usize * piece.from as usize
            }
            Some(piece) => piece.original_end() + (span.start - piece.folded_end()),
        };
        let end = match self.last(|piece| piece.folded < span.end) {
            None => span.end,
            Some(piece) if span.end <= piece.folded_end() => {
                let parts = (span.end - piece.folded).div_ceil(piece.to as usize);
                piece.original + parts * piece.from as usize
            }
            Some(piece) => piece.original_end() + (span.end - piece.folded_end()),
        };
        start..end
    }

    /// The last piece of those at the front for which `is_before` holds.
    #[inline]
    fn last(&mut self, is_before: impl Fn(&Piece) -> bool) -> Option<&Piece> {
        let holds = |number: usize| self.pieces.get(number).is_some_and(&is_before);
        // It holds for all before `low`, and for none from `high` on.
        let (mut low, mut high) = (self.near, self.near);
        let mut step = 1;
        while low > 0 && !holds(low - 1) {
            high = low - 1;
            low = low.saturating_sub(step);
            step *= 2;
        }
        while holds(high) {
            low = high + 1;
            high += step;
            step *= 2;
        }
        let between = self.pieces.get(low..high.min(self.pieces.len())).unwrap_or_default();
        self.near = low + between.partition_point(is_before);
        self.pieces.get(self.near.checked_sub(1)?)
    }
}
