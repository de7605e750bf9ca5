//! Branches that go on by strides, as few as can be, until the rest fits, such as `home (?:word ){0,9}?street`.
//!
//! Walked in one piece, such a branch needs a state for each count of strides together with all that may be under way of the rest, and
//! each place where it begins reads the same strides again. So it is walked in pieces:
//!
//! 1. First what stands before the strides. Then the rest is tried, and where it does not fit, after one stride more, and so on.
//! 2. From wherever the branch begins, after one stride the same places come one after the other. They are a row; what it has been tried
//!    at is known of all of it, so that others come to its end at once.
//! 3. This is the order in which JavaScript tries things, as long as what stands before and each stride end at one place only. Where one
//!    could end at two, the branch is walked in one piece from then on.

use super::TooLarge;
use super::automaton::{Automaton, End, Gear, MAX_WALK, Reading};
use super::branches::is_hard;
use super::nfa::{Asked, At};
use super::steps::{Builder, Direction};
use crate::jsregex::tree::Node;
use std::cmp::Ordering;

/// Bytes that strides go at most. The rest may go as far as any walk from there.
pub(super) const MAX_STRIDES: usize = 3 << 10;

/// Strides of a branch at most that is walked in pieces.
const MOST: u32 = 32;

/// Places that are kept of a row: more than a branch goes strides.
const KEPT: usize = 64;

/// A branch in pieces.
#[derive(Debug)]
pub(super) struct Strides {
    /// Where the steps of each piece begin.
    before: At,
    stride: At,
    rest: At,
    /// Strides that are taken at least, and at most.
    least: u32,
    most: u32,
}

impl Strides {
    /// The part of a body that is taken as few times as can be, if it could not be walked in one piece anyhow.
    pub(super) fn find(body: &[&Node]) -> Option<usize> {
        let longest = body.iter().try_fold(0_u64, |sum, part| Some(sum.saturating_add(part.most()?)));
        if longest.is_some_and(|longest| longest <= MAX_WALK as u64) {
            return None;
        }
        let is_stride = |part: &&Node| match part {
            Node::Repeat { child, least, most: Some(most), greedy: false } => {
                *least <= 1 && (1..=MOST).contains(most) && child.least() > 0 && child.most() != Some(1)
            }
            _ => false,
        };
        let at = body.iter().position(is_stride)?;
        // Lookarounds in what may be read again and again would have to be asked again and again.
        (!body.iter().take(at + 1).any(|part| is_hard(part))).then_some(at)
    }

    /// Makes the steps of the pieces of a body that has strides there, and asks for all this at its end. `begin` makes the steps that come
    /// before all others.
    pub(super) fn new(
        steps: &mut Builder,
        body: &[&Node],
        at: usize,
        tail: &[Asked],
        begin: impl Fn(&mut Builder),
    ) -> Result<Option<Self>, TooLarge> {
        let Some(Node::Repeat { child, least, most, .. }) = body.get(at) else { return Ok(None) };
        let most = most.unwrap_or(*least);
        let (before, rest) = (body.get(..at).unwrap_or_default(), body.get(at + 1..).unwrap_or_default());
        let mut piece = |parts: &[&Node], begin: &dyn Fn(&mut Builder), asked: &[Asked]| {
            let start = steps.here();
            begin(steps);
            for part in parts {
                steps.add(part, Direction::Forwards)?;
            }
            asked.iter().for_each(|asked| steps.ask(*asked));
            steps.done();
            Ok(start)
        };
        Ok(Some(Self {
            before: piece(before, &begin, &[])?,
            stride: piece(&[&**child], &|_| {}, &[])?,
            rest: piece(rest, &|_| {}, tail)?,
            least: *least,
            most,
        }))
    }
}

/// What walks such a branch.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    before: Automaton,
    stride: Automaton,
    rest: Automaton,
    row: Row,
    /// Whether a piece was found to end at two places, or to need too many states.
    is_unfit: bool,
}

/// Places one stride apart, in order, each with a number one greater than that of the place before. The rest fits at none of them but,
/// perhaps, the last.
#[derive(Clone, Debug)]
struct Row {
    /// The number of the first.
    first: u64,
    /// The last, and its number.
    last: usize,
    number: u64,
    /// Up to where the rest fits there, once that is known.
    rest: Option<End>,
    /// The last few places, each where the remainder of its number is.
    kept: Box<[usize; KEPT]>,
}

impl Row {
    /// One without places.
    fn new() -> Self {
        Self { first: 1, last: 0, number: 0, rest: None, kept: Box::new([0; KEPT]) }
    }

    /// The number of a place. One that does not belong to the row becomes the first of another.
    fn number_of(&mut self, place: usize) -> u64 {
        // It comes after all places up to `low`, and before that of `high`.
        let (mut low, mut high) =
            (self.first.max((self.number + 1).saturating_sub(KEPT as u64)), self.number + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.place_of(middle).cmp(&place) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return middle,
                Ordering::Greater => high = middle,
            }
        }
        self.first = self.number + 1;
        self.add(place);
        self.first
    }

    /// The place of a number, if it is one of the last few.
    fn place_of(&self, number: u64) -> usize {
        self.kept[(number % KEPT as u64) as usize]
    }

    fn add(&mut self, place: usize) {
        (self.last, self.number, self.rest) = (place, self.number + 1, None);
        self.kept[(self.number % KEPT as u64) as usize] = place;
    }

    /// Makes it a row of another text.
    fn forget(&mut self) {
        self.first = self.number + 1;
    }
}

impl Walker {
    /// One that has not walked.
    pub(super) fn new(strides: &Strides) -> Self {
        Self {
            before: Automaton::new(strides.before),
            stride: Automaton::new(strides.stride),
            rest: Automaton::in_order(strides.rest),
            row: Row::new(),
            is_unfit: false,
        }
    }

    /// Makes it ready for another text.
    pub(super) fn reset(&mut self) {
        self.row.forget();
    }

    /// Up to where the branch fits from a place; `None` if it has to be walked in one piece.
    pub(super) fn end(
        &mut self,
        strides: &Strides,
        reading: &Reading<'_>,
        place: usize,
        gear: &mut Gear,
        mut answer: impl FnMut(Asked, usize) -> Option<bool>,
    ) -> Option<End> {
        if self.is_unfit {
            return None;
        }
        let Self { before, stride, rest, row, is_unfit } = self;
        let mut rest_from = |at, gear: &mut Gear| {
            let end = rest.first_end(reading, at, gear, &mut answer);
            *is_unfit |= rest.is_overfull();
            end
        };
        let end = 'end: {
            let begun = before.only_end(reading, place, gear);
            let Some(End::At(at)) = begun else { break 'end begun };
            if strides.least == 0 {
                let end = rest_from(at, gear);
                if end != End::Nowhere {
                    return Some(end);
                }
            }
            let gone = stride.only_end(reading, at, gear);
            let Some(End::At(at)) = gone else { break 'end gone };
            let furthest = row.number_of(at) + u64::from(strides.most) - 1;
            while row.number <= furthest {
                if row.last - place > MAX_STRIDES {
                    return Some(End::Far);
                }
                let end = row.rest.unwrap_or_else(|| rest_from(row.last, gear));
                // Another time it may be possible to tell.
                row.rest = Some(end).filter(|end| *end != End::Unanswered);
                if end != End::Nowhere {
                    return Some(end);
                }
                if row.number == furthest {
                    break;
                }
                let gone = stride.only_end(reading, row.last, gear);
                let Some(End::At(next)) = gone else { break 'end gone };
                row.add(next);
            }
            Some(End::Nowhere)
        };
        *is_unfit |= end.is_none();
        end
    }
}
