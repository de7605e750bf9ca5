//! A long text, read in as many stretches as there are processors, side by side. What is found is what one reader finds.
//!
//! 1. A text of which a condition has to see more than what stands around a place is read anew, by a few readers that share what they
//!    know of all of it (`scrub/whole.rs`).
//! 2. Each stretch is read as if no match reached into it: of each rule, matches follow one another from its first place on.
//! 3. Then the stretches are joined in order. Where a match of a rule does reach beyond its stretch, what the next stretch found
//!    before its end is dropped. Mostly nothing else changes: matches go on where they would have anyhow.
//! 4. Where a dropped match reached further still, the rule is searched again from the end of the match before, in longer and
//!    longer pieces, until it may match next where the stretch had it: from there on, both found the same.

use super::lane::{Lane, Stretch};
use super::whole::Whole;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The least a stretch has: less is not worth another reader.
pub(super) const LEAST: usize = 256 << 10;

/// Bytes that are searched again at first.
const AGAIN: usize = 64 << 10;

/// A match of a rule.
type Match = (usize, Range<usize>);

/// Where the rule of a match may match next.
fn next_after((_, span): &Match) -> usize {
    span.end.max(span.start + 1)
}

/// So many stretches of about the same length, on character borders.
fn cut(text: &str, count: usize) -> Vec<Range<usize>> {
    let border = |index: usize| text.floor_char_boundary(text.len() / count * index);
    let borders = (0..count).map(border).chain([text.len()]).collect::<Vec<_>>();
    borders.windows(2).filter_map(|pair| Some(*pair.first()?..*pair.last()?)).collect()
}

/// What a lane finds in a text, read by so many.
pub(super) fn scan(lane: &Lane, rules: usize, text: &str, readers: usize) -> Vec<Match> {
    let text = Text { lane, rules, text, whole: None };
    let needs_all = AtomicBool::new(false);
    let goes_on = |is_whole: bool| {
        needs_all.fetch_or(is_whole, Ordering::Relaxed);
        !needs_all.load(Ordering::Relaxed)
    };
    let read = text.read(readers, goes_on);
    if !needs_all.into_inner() {
        return text.join(read);
    }
    let whole = Some(lane.whole(text.text));
    let text = Text { whole, ..text };
    let read = text.read(readers, |_| true);
    text.join(read)
}

/// A text that a lane reads.
struct Text<'t> {
    lane: &'t Lane,
    rules: usize,
    text: &'t str,
    /// As readers share it that have to see all of it.
    whole: Option<Arc<Whole>>,
}

impl Text<'_> {
    fn stretch(&self, places: Range<usize>) -> Stretch<'_> {
        Stretch { text: self.text, places, whole: self.whole.as_ref() }
    }

    /// Reads it in so many stretches, each by itself.
    fn read(
        &self,
        readers: usize,
        goes_on: impl Fn(bool) -> bool + Copy + Sync + Send,
    ) -> Vec<(Range<usize>, Vec<Match>)> {
        let read = cut(self.text, readers).into_par_iter().map(|stretch| {
            let mut found = Vec::new();
            let take = |rule, span| found.push((rule, span));
            self.lane.scan_stretch(&self.stretch(stretch.clone()), None, &|_| true, take, goes_on);
            (stretch, found)
        });
        read.collect()
    }

    /// Joins what was found in its stretches.
    fn join(&self, read: Vec<(Range<usize>, Vec<Match>)>) -> Vec<Match> {
        let mut joined: Vec<Match> = Vec::new();
        // Where each rule may match next.
        let mut next = vec![0; self.rules];
        for (stretch, mut found) in read {
            Seam::new(&mut found, &next).mend(self, stretch, &mut found);
            found.iter().for_each(|one| go_on(&mut next, one));
            joined.append(&mut found);
        }
        joined
    }
}

/// The rule of a match goes on after it.
fn go_on(next: &mut [usize], one: &Match) {
    if let Some(next) = next.get_mut(one.0) {
        *next = next_after(one).max(*next);
    }
}

/// Where two stretches meet.
struct Seam {
    /// Where each rule may match next.
    next: Vec<usize>,
    /// The same as the stretch had it, of what has been taken from it.
    theirs: Vec<usize>,
}

impl Seam {
    /// Takes from a stretch what begins before its rule may match.
    fn new(found: &mut Vec<Match>, next: &[usize]) -> Self {
        let mut seam = Self { next: next.to_vec(), theirs: vec![0; next.len()] };
        seam.take(found, |(rule, span)| next.get(*rule).is_some_and(|next| span.start < *next));
        seam
    }

    fn take(&mut self, found: &mut Vec<Match>, is_taken: impl Fn(&Match) -> bool) {
        found.retain(|one| {
            let is_taken = is_taken(one);
            if is_taken {
                go_on(&mut self.theirs, one);
            }
            !is_taken
        });
    }

    /// The rules that go on after a place as the stretch did not have it.
    fn apart(&self, place: usize) -> Vec<bool> {
        let pairs = self.next.iter().zip(&self.theirs);
        pairs.map(|(next, theirs)| (*next).max(place) != (*theirs).max(place)).collect()
    }

    /// Searches those again until there are none.
    fn mend(mut self, text: &Text<'_>, stretch: Range<usize>, found: &mut Vec<Match>) {
        // One that was taken reached further than its rule does.
        let mut again: Vec<bool> =
            self.next.iter().zip(&self.theirs).map(|(next, theirs)| theirs > next).collect();
        let (mut from, mut length) = (stretch.start, AGAIN);
        while from < stretch.end && again.contains(&true) {
            let to = text.text.ceil_char_boundary(stretch.end.min(from.saturating_add(length)));
            let is_asked = |rule: usize| again.get(rule).is_some_and(|again| *again);
            let mut anew: Vec<Match> = Vec::new();
            let may_match = |rule: usize| self.next.get(rule).copied().unwrap_or(0);
            let take = |rule, span| anew.push((rule, span));
            let piece = text.stretch(from..to);
            text.lane.scan_stretch(&piece, Some(&may_match), &is_asked, take, |_| true);
            self.take(found, |(rule, span)| is_asked(*rule) && (from..to).contains(&span.start));
            anew.iter().for_each(|one| go_on(&mut self.next, one));
            found.append(&mut anew);
            let apart = self.apart(to);
            again.iter_mut().zip(apart).for_each(|(again, apart)| *again &= apart);
            (from, length) = (to, length.saturating_mul(2));
        }
    }
}
