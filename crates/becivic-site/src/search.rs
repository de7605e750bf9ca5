//! Search for people: titles, synonyms in four languages, tags, headings. No third party, no word leaves the browser unless
//! the form is sent.
//!
//! The same algorithm runs here, for the page without JavaScript, and in `assets/search.js`, while somebody types. A test
//! gives both the same queries. All numbers are whole, so that both count alike:
//!
//! 1. **Words.** Text is folded ([`fold`]): lower case, no accents, `œ æ ß ø` as `oe ae ss o`; words are runs of `a`–`z` and
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

pub use index::{Entry, Field, Index, Kind};
pub use likeness::likeness;
pub use rank::{Hit, find};

use unicode_normalization::UnicodeNormalization;

/// A query is read so far.
pub const LONGEST_QUERY: usize = 100;

/// A query has so many words.
pub const MOST_WORDS: usize = 8;

/// Words of four languages that say nothing about what is looked for; the browser gets them with the index.
pub const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "at", "au", "aux", "avec", "am", "belgie", "belgien", "belgique", "belgium", "comment",
    "d", "das", "de", "dem", "den", "der", "des", "die", "do", "doe", "du", "ein", "eine", "einen", "einer",
    "en", "et", "een", "for", "fur", "get", "het", "hoe", "how", "i", "ich", "ik", "im", "in", "je", "l",
    "la", "le", "les", "ma", "mein", "meine", "met", "mijn", "mon", "my", "naar", "of", "on", "op", "ou",
    "par", "pour", "sa", "son", "te", "the", "to", "um", "un", "und", "une", "van", "voor", "what", "where",
    "wie", "with", "wo", "zu", "zum", "zur",
];

/// The words of a text.
pub fn fold(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    for c in text.to_lowercase().nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)) {
        match c {
            'œ' => plain.push_str("oe"),
            'æ' => plain.push_str("ae"),
            'ß' => plain.push_str("ss"),
            'ø' => plain.push('o'),
            'a'..='z' | '0'..='9' => plain.push(c),
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

/// The words of a query that are looked for.
pub fn asked(query: &str) -> Vec<String> {
    let query: String = query.chars().take(LONGEST_QUERY).collect();
    let mut words: Vec<String> = Vec::new();
    for word in fold(&query) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    if words.iter().any(|word| !STOP_WORDS.contains(&word.as_str())) {
        words.retain(|word| !STOP_WORDS.contains(&word.as_str()));
    }
    words.truncate(MOST_WORDS);
    words
}
