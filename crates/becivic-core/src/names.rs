//! People's names in short notes, in French, Dutch, German and English: the layer for what no pattern can see.
//!
//! 1. Tricks are undone as for the scrub rules ([`crate::scrub::Folded`]); spans lead back to the original text.
//! 2. The text is cut into words (`names/tokens.rs`), looked up in lists and turned into features (`names/sentence.rs`).
//! 3. A linear chain over hashed features says for each word how likely it is part of a name (`names/decode.rs`), in
//!    whole numbers: every machine finds the same.
//! 4. Rules find what was announced as a name and let go what is known to be something else (`names/rules.rs`).
//!
//! Weights and lists come in as bytes (`names/model.rs`); how they are made is told in `docs/names.md`. Whoever runs the
//! recogniser embeds them. It never refuses anything: what becomes of a text with a name in it is the caller's business.

mod decode;
mod everyday;
pub mod hash;
pub mod model;
mod plain;
mod rules;
pub mod sentence;
pub mod tokens;
pub mod words;

use crate::scrub::Folded;
use crate::vocabulary::Language;
use model::{Model, ModelError};
use sentence::LANGUAGES;
use serde::Serialize;
use std::ops::Range;

/// A margin of this many units makes the odds `e` times as good.
pub const UNIT: f64 = 256.0;

/// Someone who is named.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Person {
    /// Where the name begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// How sure this is, from 0 to 1, to three places.
    pub score: f64,
}

/// What was found in a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The people, in the order of the text.
    pub persons: Vec<Person>,
    /// The language it is in, where any word tells.
    pub language: Option<Language>,
}

/// The recogniser: ready for any text, from any thread.
#[derive(Debug)]
pub struct Names<'m> {
    model: Model<'m>,
}

impl<'m> Names<'m> {
    /// Reads weights and lists.
    pub fn read(bytes: &'m [u8]) -> Result<Self, ModelError> {
        Ok(Self { model: Model::read(bytes)? })
    }

    /// Finds the people a text names.
    pub fn find(&self, text: &str) -> Found {
        let folded = Folded::new(text);
        let (sentence, margins) = decode::read(folded.text(), &self.model);
        let announced = rules::found(&sentence);
        let mut spans: Vec<(Range<usize>, i32)> =
            announced.iter().map(|name| (name.clone(), CERTAIN)).collect();
        for run in decode::runs(&margins, self.model.threshold) {
            // Both are in order: the first name that ends after the run begins is the only one to look at.
            let next = announced.partition_point(|name| name.end <= run.tokens.start);
            let apart = announced.get(next).is_none_or(|name| run.tokens.end <= name.start);
            if apart && rules::is_something_else(&sentence, &run) {
                continue;
            }
            spans.push((run.tokens, run.margin - self.model.threshold));
        }
        let mut persons: Vec<Person> = Vec::new();
        spans.sort_by_key(|(tokens, _)| (tokens.start, tokens.end));
        for (tokens, margin) in spans {
            let (first, last) = (&sentence.tokens[tokens.start], &sentence.tokens[tokens.end - 1]);
            let span = folded.original(first.span.start..last.span.end);
            let score = score(margin);
            match persons.last_mut().filter(|last| span.start < last.end) {
                Some(last) => {
                    last.end = last.end.max(span.end);
                    last.score = last.score.max(score);
                }
                None => persons.push(Person { start: span.start, end: span.end, score }),
            }
        }
        Found { persons, language: sentence.language.map(|at| LANGUAGES[at]) }
    }
}

impl Names<'_> {
    /// What is known of each word of a text, a line each: for those who look for the reason of a find.
    pub fn explain(&self, text: &str) -> String {
        let folded = Folded::new(text);
        let (sentence, margins) = decode::read(folded.text(), &self.model);
        let line = |(at, (margin, begins)): (usize, &(i32, bool))| {
            let word = &folded.text()[sentence.tokens[at].span.clone()];
            let (known, phrase) = (sentence.known[at].0, sentence.phrase[at].0 >> 24);
            format!(
                "{word}\t{:?}\tknown {known:#08x}\tphrase {phrase}\tmargin {margin}\tbegins {begins}\n",
                sentence.tokens[at].shape
            )
        };
        margins.iter().enumerate().map(line).collect()
    }
}

/// The margin of what a rule found.
const CERTAIN: i32 = 3 * UNIT as i32;

/// One half at the threshold. A quotient of whole numbers' squares, not an exponential, whose last bit differs between machines.
fn score(margin: i32) -> f64 {
    let odds = 1.0 + f64::from(margin.max(0)) / UNIT;
    let score = odds * odds / (1.0 + odds * odds);
    (score * 1000.0).floor() / 1000.0
}
