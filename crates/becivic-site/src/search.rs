//! Search for people: titles, synonyms in four languages, tags, headings. No third party, no word leaves the browser unless
//! the form is sent.
//!
//! The same algorithm runs here, for the page without JavaScript, and in `assets/search.js`, while somebody types. A test
//! gives both the same queries. All numbers are whole, so that both count alike:
//!
//! 1. **Words.** Text is folded ([`fold`], which the search of agents shares): lower case, no accents, `œ æ ß ø` as `oe ae ss o`; words are runs of `a`–`z` and
//!    digits. A query has at most [`MOST_WORDS`] different ones of its first [`LONGEST_QUERY`] characters. Words that say
//!    nothing ([`STOP_WORDS`]) are left out where others remain.
//! 2. **Likeness** of a word asked for and a word found ([`mod@likeness`]): the same 8; the beginning of it, from 2 letters, 6;
//!    one letter wrong, from 4 letters, 5; a part of it, from 4 letters, 4 (compounds: `register` in `strafregister`); two
//!    letters wrong, from 8 letters, 3; a part of what was asked, from 5 letters, 2. Otherwise 0.
//! 3. **Weight** of where a word stands ([`Field`]): title 6, synonym 5, tag 4, summary 2, heading 1.
//! 4. **Score** of a page: for each word of the query the best likeness × weight; and for the phrase (a title, a synonym)
//!    that fits best 30 if it holds every word of the query, 60 more if nothing else in it says anything.
//! 5. **Order.** The higher score first, then skills before paths before docs, then the page with more names that hold every
//!    word of the query, then by how far they were confirmed, then by address. A page that answers to fewer than half of the
//!    words is not found.

mod index;
mod likeness;
mod rank;

pub use becivic_core::search::words::{STOP_WORDS, fold};
pub use index::{Entry, Field, Index, Kind};
pub use likeness::likeness;
pub use rank::{Hit, find};

use becivic_core::search::words::is_stop_word;

/// A query is read so far.
pub const LONGEST_QUERY: usize = 100;

/// A query has so many words.
pub const MOST_WORDS: usize = 8;

/// The words of a query that are looked for.
pub fn asked(query: &str) -> Vec<String> {
    let query: String = query.chars().take(LONGEST_QUERY).collect();
    let mut words: Vec<String> = Vec::new();
    for word in fold(&query) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if words.iter().any(|word| !is_stop_word(word)) {
        words.retain(|word| !is_stop_word(word));
    }
    words.truncate(MOST_WORDS);
    words
}
