//! The deterministic layer that sees personal data. The server and the person's machine run the same code
//! on the same rules file (`corpus/scrub/regex-rules.json`).
//!
//! 1. The text is folded: what tricks add is dropped, what they disguise is put back (`scrub/fold.rs`).
//! 2. Rules are taken apart into branches (`scrub/branches.rs`). One automaton over all of them, read over the text
//!    once, names the branches that could begin at each place (`scrub/openings.rs`). Rules that could begin at
//!    any word are found by what they hold further on (`scrub/pivots.rs`).
//! 3. A small automaton per branch tells whether it matches there, and up to where (`scrub/matcher.rs`). Where
//!    that is not clear, the pattern's machine decides (`jsregex.rs`): what is found is what JavaScript finds.
//! 4. Where a rule names a checksum, it decides (`scrub/checksum.rs`). After a match that it refuses the
//!    search goes on one character later, so a number cannot hide behind the digits before it. A checksum
//!    we do not know decides nothing: the match counts.
//! 5. Hits are spans of the original text, in bytes, on character borders.
//!
//! The cost of a text is proportional to its length, whatever it holds: a place is asked about once per
//! rule, and each question is bounded.

mod answer;
mod automaton;
mod batches;
mod beginnings;
mod branches;
mod checks;
pub mod checksum;
mod conditions;
mod firsts;
mod fold;
mod glance;
mod groups;
mod lane;
mod matcher;
mod nfa;
mod numbers;
mod openings;
mod pivots;
mod room;
mod steps;
mod stretches;
mod strides;
mod symbols;
mod turns;
mod value;
mod whole;

pub use answer::{Answer, NamedHit, State};
pub use checksum::Checksum;
pub use fold::{Folded, WayBack};
pub use value::FieldHit;

use crate::finding::PointedProblem;
use crate::jsregex::Regex;
use crate::scrub_rules::{self, Rule, ScrubRules};
use lane::Lane;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::LazyLock;

/// Rules of one file at most; the schema says the same.
pub const MAX_RULES: usize = 500;

/// Characters of a match that a checksum decides on at most: after one that fails the search goes on
/// inside it, which is bounded only if the match is.
const MAX_CHECKED: u64 = 256;

/// Our own rules file.
pub const BUNDLED: &str = include_str!("../../../corpus/scrub/regex-rules.json");

static BUNDLED_SCRUBBER: LazyLock<Result<Scrubber, Vec<PointedProblem>>> = LazyLock::new(|| {
    let rules: ScrubRules = serde_json::from_str(BUNDLED)
        .map_err(|error| vec![(String::new(), error.to_string(), String::new())])?;
    Scrubber::unjudged(rules) // a test judges them
});

/// Rules ready to run on any text, from any thread.
pub struct Scrubber {
    rules: Vec<Rule>,
    lanes: Vec<Lane>,
}

/// The rules together are too large.
#[derive(Clone, Copy, Debug)]
struct TooLarge;

/// Something found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// The rule, as its place in the file.
    pub rule: usize,
}

impl Scrubber {
    /// The rules this program brings along.
    pub fn bundled() -> Result<&'static Self, &'static [PointedProblem]> {
        BUNDLED_SCRUBBER.as_ref().map_err(Vec::as_slice)
    }

    /// Rules of a file, unless something is wrong with one of them.
    pub fn new(rules: ScrubRules) -> Result<Self, Vec<PointedProblem>> {
        let problems = scrub_rules::check(&rules);
        if problems.is_empty() { Self::unjudged(rules) } else { Err(problems) }
    }

    /// Rules that need not be safe in other engines, nor have fields that resolve: in ours they are bounded.
    pub fn unjudged(rules: ScrubRules) -> Result<Self, Vec<PointedProblem>> {
        let rules = rules.rules;
        let mut problems = Vec::new();
        let mut patterns = Vec::new();
        for (index, rule) in rules.iter().take(MAX_RULES).enumerate() {
            match Regex::with_tree(&rule.pattern, &rule.flags) {
                Ok((pattern, _))
                    if rule.checksum.as_deref().and_then(scrub_rules::checksum).is_some()
                        && pattern.longest().is_none_or(|longest| longest > MAX_CHECKED) =>
                {
                    problems.push(scrub_rules::too_long(index, rule));
                }
                Ok(parsed) => patterns.push(parsed),
                Err(refused) => problems.push(scrub_rules::refusal(index, rule, refused)),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let checksums: Vec<Option<Checksum>> =
            rules.iter().map(|rule| rule.checksum.as_deref().and_then(scrub_rules::checksum)).collect();
        let lanes = [true, false]
            .into_iter()
            .filter_map(|unicode| Lane::new(&patterns, &checksums, unicode).transpose());
        let lanes = lanes.collect::<Result<Vec<Lane>, TooLarge>>().map_err(|TooLarge| {
            let message = "the rules are too large together".to_owned();
            vec![("/rules".to_owned(), message, "Use smaller counts, or fewer rules.".to_owned())]
        })?;
        Ok(Self { rules, lanes })
    }

    /// The rules, in the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Everything found in a text, in order of place. A long text is read by all processors.
    pub fn scan(&self, text: &str) -> Vec<Hit> {
        let readers = (text.len() / stretches::LEAST).min(rayon::current_num_threads());
        if readers > 1 { self.scan_by(text, readers) } else { self.scan_with(text, |_| true) }
    }

    /// The same by so many readers side by side.
    fn scan_by(&self, text: &str, readers: usize) -> Vec<Hit> {
        let mut hits = Vec::new();
        let folded = Folded::new(text);
        for lane in &self.lanes {
            let units = if lane.unicode { None } else { folded.units() };
            let read = units.as_ref().map_or(folded.text(), Folded::text);
            let found = stretches::scan(lane, self.rules.len(), read, readers);
            let ways = || (units.as_ref().map(Folded::way_back), folded.way_back());
            hits.par_extend(found.into_par_iter().map_init(ways, |(units, folded), (rule, span)| {
                let span = units.as_mut().map_or(span.clone(), |units| units.original(span));
                Hit { span: folded.original(span), rule }
            }));
        }
        hits.par_sort_by_key(Hit::place);
        hits
    }

    /// Steps that one reader of the text takes; for tests of how the cost grows.
    #[doc(hidden)]
    pub fn cost(&self, text: &str) -> u64 {
        let steps = || self.lanes.iter().map(Lane::steps).sum::<u64>();
        let before = steps();
        self.scan_with(text, |_| true);
        steps() - before
    }

    /// What the rules that are asked for find in a text.
    pub fn scan_with(&self, text: &str, is_asked: impl Fn(usize) -> bool) -> Vec<Hit> {
        let mut hits = Vec::new();
        let folded = Folded::new(text);
        for lane in &self.lanes {
            let mut read_to = 0;
            let units = if lane.unicode { None } else { folded.units() };
            let read = units.as_ref().map_or(folded.text(), Folded::text);
            let (mut units, mut folded) = (units.as_ref().map(Folded::way_back), folded.way_back());
            lane.scan(read, &is_asked, |rule, span| {
                let span = units.as_mut().map_or(span.clone(), |units| units.original(span));
                let hit = Hit { span: folded.original(span), rule };
                read_to = hit.span.end.max(read_to);
                room::add(&mut hits, hit, read_to, text.len());
                settle(&mut hits);
            });
        }
        // Long stretches of them are in order: what is left is to put these together.
        hits.sort_by_key(Hit::place);
        hits
    }
}

impl Hit {
    /// What hits are in the order of.
    fn place(&self) -> (usize, usize, usize) {
        (self.span.start, self.span.end, self.rule)
    }
}

/// Puts the last of some hits where it belongs among those that begin where it does.
fn settle(hits: &mut [Hit]) {
    let mut last = hits.len().saturating_sub(1);
    while let Some([before, hit]) = last.checked_sub(1).and_then(|from| hits.get_mut(from..=last)) {
        if before.span.start != hit.span.start || before.place() <= hit.place() {
            break;
        }
        std::mem::swap(before, hit);
        last -= 1;
    }
}

impl std::fmt::Debug for Scrubber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scrubber").field("rules", &self.rules.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
