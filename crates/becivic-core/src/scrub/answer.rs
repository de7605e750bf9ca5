//! What was found, in the shape others rely on, and the text without it.
//!
//! Neither repeats what was found: an answer holds names and places, a redacted text holds blocks.

mod writing;

use super::{Hit, Scrubber};
use crate::scrub_rules::RuleCategory;
use crate::vocabulary::words;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use writing::{Head, Piece};

words! {
    /// Whether anything was found.
    State {
        /// Nothing.
        Clean = "clean",
        /// Something.
        Flagged = "flagged",
    }
}

/// The answer about one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer<'r> {
    /// Whether anything was found.
    pub status: State,
    /// What was found, in order of place.
    pub hits: Vec<NamedHit<'r>>,
}

/// A hit with its rule's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedHit<'r> {
    /// The rule's name.
    pub rule: Cow<'r, str>,
    /// What kind of trace the rule stops.
    pub category: RuleCategory,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// Hits that are written as one piece.
const PIECE: usize = 4 << 10;

impl State {
    fn of(hits: &[Hit]) -> Self {
        if hits.is_empty() { Self::Clean } else { Self::Flagged }
    }
}

/// Stands for a character that is not shown.
const BLOCK: char = '█';

/// Masking may bring new neighbours together; it settles at once, or the rest is masked whole.
const MAX_ROUNDS: usize = 4;

impl Scrubber {
    /// The answer about a text.
    pub fn answer(&self, text: &str) -> Answer<'_> {
        let found = self.scan(text);
        let mut hits = Vec::with_capacity(found.len());
        hits.extend(found.iter().filter_map(|hit| self.named(hit)));
        Answer { status: State::of(&found), hits }
    }

    /// The answer with these hits as JSON, handed out piece by piece: a long text may have millions, so all processors write.
    pub fn tell<E>(&self, hits: &[Hit], mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let heads: Vec<Head> = self.rules.iter().map(Head::new).collect();
        write(b"{\"status\":\"")?;
        write(State::of(hits).as_str().as_bytes())?;
        write(b"\",\"hits\":[")?;
        // Written over again and again: fresh memory for each round would cost more than what is written to it.
        let mut pieces = vec![Piece::default(); rayon::current_num_threads()];
        for (round, hits) in hits.chunks(PIECE * pieces.len()).enumerate() {
            let written = pieces.par_iter_mut().zip(hits.par_chunks(PIECE));
            let written = written.map(|(piece, hits)| piece.write(&heads, hits)).count();
            for (number, piece) in pieces.iter().take(written).enumerate() {
                // Each begins with a comma.
                write(piece.written().get(usize::from(round + number == 0)..).unwrap_or_default())?;
            }
        }
        write(b"]}")
    }

    fn named(&self, hit: &Hit) -> Option<NamedHit<'_>> {
        let rule = self.rules.get(hit.rule)?;
        let (start, end) = (hit.span.start, hit.span.end);
        Some(NamedHit { rule: Cow::Borrowed(&rule.name), category: rule.category, start, end })
    }

    /// The text with a block for every character of every hit; line ends stay. What comes out is clean.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..MAX_ROUNDS {
            let hits = self.scan(&text);
            if hits.is_empty() {
                return text;
            }
            text = masked(&text, &hits);
        }
        if self.scan(&text).is_empty() { text } else { text.chars().map(block).collect() }
    }
}

/// The text with the spans of these hits, which are sorted and may overlap, masked.
fn masked(text: &str, hits: &[Hit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for hit in hits {
        let (start, end) = (hit.span.start.max(done), hit.span.end.max(done));
        if let (Some(before), Some(found)) = (text.get(done..start), text.get(start..end)) {
            out.push_str(before);
            out.extend(found.chars().map(block));
            done = end;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

fn block(c: char) -> char {
    if c == '\n' || c == '\r' { c } else { BLOCK }
}
