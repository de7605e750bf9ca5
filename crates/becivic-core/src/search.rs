//! What fits a question: a ranking over skills, paths, values and references that says why.
//!
//! 1. **Documents.** Skills, paths and rows of the catalogue become [`Document`]s: texts, each with the place it stands in
//!    and the language it is written in.
//! 2. **Words.** Texts and questions are folded to words ([`words`]); words that say nothing are left out. Phrases of the
//!    table of synonyms are found in both ([`synonyms`]) and count as words of their own.
//! 3. **Index.** Each word knows the documents and places it stands in, packed ([`segment`], [`postings`]). A changed corpus
//!    adds a small segment beside those there are ([`index`]).
//! 4. **Ways.** A word of a question finds itself, its family, what means the same, words it is part of or made of, and,
//!    when nobody knows it, words that are spelled much like it ([`plan`]). Each way counts less than the one before.
//! 5. **Score.** How much of the question a document answers, in which places, and how well one of its names fits the
//!    question as a whole ([`rank`], [`names`]). All numbers are whole, so that every machine counts alike.
//! 6. **Evidence.** A document that answers too little of what the question is about is not found, however often a word of it
//!    occurs. When nothing is found, the answer says so and names the skill for such cases.
//! 7. **Reasons.** Each hit says which word found what, where, and in which way.

mod analyse;
mod answer;
mod compounds;
mod document;
mod elsewhere;
mod index;
mod lookup;
mod merge;
mod names;
mod plan;
mod postings;
mod rank;
mod score;
mod segment;
mod spelling;
mod stem;
mod synonyms;
pub mod words;

pub use answer::{Found, Hit, Question, Reason, Through};
pub use document::{Document, Kind, Place, Text};
pub use index::Index;
pub use rank::find;
pub use synonyms::SynonymTable;
