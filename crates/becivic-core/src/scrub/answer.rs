//! What was found, in the shape others rely on, and the text without it.
//!
//! Neither repeats what was found: an answer holds names and places, a redacted text holds blocks.

use super::{Hit, Scrubber};
use crate::scrub_rules::RuleCategory;
use crate::vocabulary::words;
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;

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

/// An [`Answer`] that is only written.
#[derive(Serialize)]
struct Told<'h> {
    status: State,
    hits: Named<'h>,
}

/// Hits that are named one at a time: a long text may have millions.
struct Named<'h> {
    scrubber: &'h Scrubber,
    hits: &'h [Hit],
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.hits.iter().filter_map(|hit| self.scrubber.named(hit)))
    }
}

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

    /// The same, to be written: what was found in the text is named while it is.
    pub fn told<'h>(&'h self, hits: &'h [Hit]) -> impl Serialize + 'h {
        Told { status: State::of(hits), hits: Named { scrubber: self, hits } }
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
