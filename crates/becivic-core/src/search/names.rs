//! How well a name of a document fits a question as a whole.
//!
//! 1. For each title and synonym: how much of the question it answers, and how much of it the question asks for.
//! 2. The best name counts. A name of which every word is asked for is a whole name: the question holds it.

use super::segment::{NamePart, Segment};
use rustc_hash::FxHashMap;

/// Ways that count less than this do not make a name whole.
const SURE: u32 = 65;

/// The words of a segment that answer slots: which, and how well in percent.
pub type Answers = FxHashMap<u32, Vec<(usize, u32)>>;

/// How well a name fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// From 0 to 1000.
    pub score: u32,
    /// How much of the question the best name answers, from 0 to 1000.
    pub answered: u32,
    /// Whether every word of some name is asked for.
    pub whole: bool,
}

/// The best fit of a document's names. `weights` are those of the slots.
pub fn fit(segment: &Segment, document: u32, answers: &Answers, weights: &[u32]) -> Fit {
    let all: u32 = weights.iter().sum();
    let mut best = Fit::default();
    let mut slots = vec![0u32; weights.len()];
    for name in segment.names(document) {
        slots.iter_mut().for_each(|slot| *slot = 0);
        let (mut covered, mut surely, mut whole) = (0u16, 0u16, 0u16);
        for part in name {
            whole |= part.bits();
            for (slot, weight) in answers.get(&NamePart::word(*part)).into_iter().flatten() {
                covered |= part.bits();
                if *weight >= SURE {
                    surely |= part.bits();
                }
                if let Some(known) = slots.get_mut(*slot) {
                    *known = (*known).max(*weight);
                }
            }
        }
        if covered == 0 {
            continue;
        }
        let answered: u32 = slots.iter().zip(weights).map(|(known, weight)| known * weight * 10).sum();
        let answered = answered / all.max(1);
        let asked = covered.count_ones() * 1000 / whole.count_ones().max(1);
        let score = answered * (400 + asked * 6 / 10) / 1000;
        best.score = best.score.max(score);
        best.answered = best.answered.max(answered);
        best.whole |= surely == whole;
    }
    best
}
