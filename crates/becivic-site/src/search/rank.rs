//! Finding pages, best first. The numbers are those of [`crate::search`].
//!
//! Likeness is worked out once per word of the query and word of the index, whatever number of pages has that word.

use super::index::{Entry, Field, Index, Kind};
use super::{asked, fold, is_stop_word, likeness};
use becivic_core::vocabulary::{Language, Status};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A page that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where it is.
    pub address: String,
    /// What it is called, in the reader's language where it has a title there.
    pub title: String,
    /// The language of that.
    pub language: Language,
    /// Where it stands.
    pub status: Option<Status>,
    /// What it is.
    pub kind: Kind,
    /// The other name of it that answers to the query; empty where the title does.
    pub why: String,
}

/// A phrase holds every word of the query.
const HOLDS_ALL: u32 = 30;

/// And no other word that says something; a misspelt one is none, a longer one is.
const IS_ALL: u32 = 60;

/// The pages that answer to a query, at most `limit`.
pub fn find(index: &Index, query: &str, limit: usize, reader: Language) -> Vec<Hit> {
    let mut asked = Asked { words: asked(query), known: HashMap::new() };
    if asked.words.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(Found<'_>, &Entry)> =
        index.entries.iter().filter_map(|entry| Some((asked.look(entry)?, entry))).collect();
    found.sort_by_key(|(found, entry)| {
        let order = (entry.kind, Reverse(found.phrases), entry.status.map_or(0, trust));
        (Reverse(found.score), order, &entry.address)
    });
    let hit = |(found, entry): (Found<'_>, &Entry)| {
        let (language, title) = entry.title_in(reader);
        Hit {
            address: entry.address.clone(),
            title: title.to_owned(),
            language,
            status: entry.status,
            kind: entry.kind,
            why: if found.why == title { String::new() } else { found.why.to_owned() },
        }
    };
    found.into_iter().take(limit).map(hit).collect()
}

/// How far it was confirmed: the most first.
fn trust(status: Status) -> u8 {
    match status {
        Status::Stable => 0,
        Status::Beta => 1,
        Status::Alpha => 2,
        Status::Draft => 3,
        Status::Deprecated => 4,
        Status::Quarantined => 5,
    }
}

/// The words of a query, and how alike words of the index are to each of them.
struct Asked {
    words: Vec<String>,
    known: HashMap<String, Vec<u32>>,
}

/// What was found in a page.
struct Found<'e> {
    score: u32,
    /// Names of it that hold every word of the query.
    phrases: usize,
    why: &'e str,
}

impl Asked {
    fn look<'e>(&mut self, entry: &'e Entry) -> Option<Found<'e>> {
        let mut best = vec![0; self.words.len()];
        let mut found = Found { score: 0, phrases: 0, why: "" };
        let mut phrase = self.phrase(&entry.title, Field::Title, &mut best);
        found.phrases += usize::from(phrase > 0);
        // The synonym that answers to something the title does not.
        let mut named = best.iter().sum::<u32>();
        for synonym in &entry.synonyms {
            let bonus = self.phrase(synonym, Field::Synonym, &mut best);
            found.phrases += usize::from(bonus > 0);
            let sum = best.iter().sum();
            if sum > named || bonus > phrase {
                found.why = synonym;
            }
            (named, phrase) = (sum, phrase.max(bonus));
        }
        self.phrase(&entry.tags, Field::Tag, &mut best);
        self.phrase(&entry.summary, Field::Summary, &mut best);
        for heading in &entry.headings {
            self.phrase(heading, Field::Heading, &mut best);
        }
        found.score = best.iter().sum::<u32>() + phrase;
        let answered = best.iter().filter(|score| **score > 0).count();
        (answered > 0 && answered * 2 >= best.len()).then_some(found)
    }

    /// Raises the best scores by the words of a phrase, and says what the phrase as a whole is worth.
    fn phrase(&mut self, text: &str, field: Field, best: &mut [u32]) -> u32 {
        let mut held = vec![false; best.len()];
        let mut others = false;
        for word in fold(text) {
            let alike = self.alike(&word);
            others |= !is_stop_word(&word) && !alike.iter().any(|likeness| matches!(likeness, 5 | 8));
            for ((best, held), likeness) in best.iter_mut().zip(&mut held).zip(alike) {
                *best = (*best).max(likeness * field.weight());
                *held |= *likeness > 0;
            }
        }
        match (held.iter().all(|held| *held), others) {
            (false, _) => 0,
            (true, true) => HOLDS_ALL,
            (true, false) => HOLDS_ALL + IS_ALL,
        }
    }

    fn alike(&mut self, word: &str) -> &[u32] {
        if !self.known.contains_key(word) {
            let alike = self.words.iter().map(|asked| likeness(asked, word)).collect();
            self.known.insert(word.to_owned(), alike);
        }
        self.known.get(word).map_or(&[], Vec::as_slice)
    }
}
