//! Where a rule could begin, told from a few bytes.
//!
//! 1. A pattern is opened up into its ways of beginning: the alternatives at its start, each a [`Shape`] of
//!    the bytes that can stand before it and be its first [`DEPTH`] bytes (`scrub/shapes.rs`).
//! 2. Shapes that are alike share a bucket, until there are 64.
//!    Pivots (`scrub/pivots.rs`) have buckets of their own.
//! 3. For each byte and offset a word tells the buckets it fits, so a place of the text is asked about all
//!    rules with five look-ups. Ordinary prose is passed over here.

use super::pivots::Pivot;
use super::shapes::{DEPTH, Shape};
use crate::jsregex::first::NOTHING;

/// A word of 128 buckets for each byte and for [`NOTHING`].
type Row = [u128; 257];

/// The look-up tables.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    before: Box<Row>,
    within: Box<[Row; DEPTH]>,
    /// The rules behind each bucket of pivots.
    pivots: Vec<Vec<usize>>,
}

/// Buckets of ordinary shapes; the others are of pivots.
const ORDINARY: usize = 64;

/// Something could begin here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// Where.
    pub(super) place: usize,
    buckets: u128,
}

impl Start {
    /// Whether a rule could begin right here.
    pub(super) fn is_ordinary(self) -> bool {
        self.buckets & ((1 << ORDINARY) - 1) != 0
    }
}

impl Starts {
    /// Tables for these shapes, and for the pivots of these rules.
    pub(super) fn new(shapes: Vec<Shape>, pivots: &[(usize, Pivot)]) -> Self {
        let nothing =
            Self { before: Box::new([0; 257]), within: Box::new([[0; 257]; DEPTH]), pivots: Vec::new() };
        let mut starts = nothing;
        let ordinary = shapes.into_iter().map(|shape| (shape, Vec::new())).collect();
        for (bucket, (shape, _)) in bucketed(ordinary, ORDINARY).iter().enumerate() {
            starts.add(bucket, shape);
        }
        let owned = |(rule, pivot): &(usize, Pivot)| {
            pivot.shapes.iter().map(|shape| (shape.clone(), vec![*rule])).collect::<Vec<_>>()
        };
        let of_pivots = pivots.iter().flat_map(owned).collect();
        for (index, (shape, rules)) in bucketed(of_pivots, 128 - ORDINARY).into_iter().enumerate() {
            starts.add(ORDINARY + index, &shape);
            starts.pivots.push(rules);
        }
        starts
    }

    fn add(&mut self, bucket: usize, shape: &Shape) {
        shape.before.iter().for_each(|byte| self.before[byte] |= 1 << bucket);
        for (row, set) in self.within.iter_mut().zip(&shape.within) {
            set.iter().for_each(|byte| row[byte] |= 1 << bucket);
        }
    }

    /// The rules whose pivot could be at this start.
    pub(super) fn pivots(&self, start: Start) -> impl Iterator<Item = usize> + '_ {
        let mut buckets = start.buckets >> ORDINARY;
        let fitting = std::iter::from_fn(move || {
            let lowest = (buckets != 0).then(|| buckets.trailing_zeros() as usize)?;
            buckets &= buckets - 1;
            Some(lowest)
        });
        fitting.filter_map(|bucket| self.pivots.get(bucket)).flatten().copied()
    }

    /// The buckets that fit at this place.
    #[inline]
    fn fits(&self, text: &[u8], place: usize) -> u128 {
        let symbol =
            |at: Option<usize>| at.and_then(|at| text.get(at)).map_or(NOTHING, |byte| usize::from(*byte));
        let mut buckets = self.before[symbol(place.checked_sub(1))];
        for (offset, row) in self.within.iter().enumerate() {
            buckets &= row[symbol(Some(place + offset))];
        }
        buckets
    }

    /// The next place where something could begin, from `place` on.
    #[inline]
    pub(super) fn next(&self, text: &[u8], place: usize) -> Option<Start> {
        if place == 0 && !text.is_empty() {
            let buckets = self.fits(text, 0);
            if buckets != 0 {
                return Some(Start { place: 0, buckets });
            }
        }
        // The middle of the text, where every byte asked for is there.
        let from = place.max(1);
        let windows = text.get(from - 1..).unwrap_or_default().windows(DEPTH + 1);
        let count = windows.len();
        for (index, window) in windows.enumerate() {
            let &[before, a, b, c, d] = window else { break };
            let row = |offset: usize, byte: u8| self.within[offset][usize::from(byte)];
            let buckets = self.before[usize::from(before)] & row(0, a) & row(1, b) & row(2, c) & row(3, d);
            if buckets != 0 {
                return Some(Start { place: from + index, buckets });
            }
        }
        let rest = (from + count..text.len()).map(|place| Start { place, buckets: self.fits(text, place) });
        rest.into_iter().find(|start| start.buckets != 0)
    }
}

/// A shape and the rules it stands for.
type Owned = (Shape, Vec<usize>);

/// At most so many shapes that cover all of these: neighbours in order are joined where that widens them
/// least.
fn bucketed(mut shapes: Vec<Owned>, most: usize) -> Vec<Owned> {
    shapes.sort_unstable();
    shapes.dedup();
    let cost = |left: &Owned, right: &Owned| left.0.or(&right.0).width() - left.0.width() - right.0.width();
    let mut costs: Vec<f64> = shapes.windows(2).map(|pair| cost(&pair[0], &pair[1])).collect();
    while shapes.len() > most {
        let cheapest = costs.iter().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
        let Some((index, _)) = cheapest else { break };
        let (shape, rules) = shapes.remove(index + 1);
        costs.remove(index);
        shapes[index].0 = shapes[index].0.or(&shape);
        shapes[index].1.extend(rules);
        shapes[index].1.sort_unstable();
        shapes[index].1.dedup();
        // Only what the joint shape borders on costs something else now.
        for border in [index.checked_sub(1), Some(index)].into_iter().flatten() {
            if let (Some(left), Some(right)) = (shapes.get(border), shapes.get(border + 1)) {
                costs[border] = cost(left, right);
            }
        }
    }
    shapes
}
