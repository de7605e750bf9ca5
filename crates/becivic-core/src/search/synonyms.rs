//! The table of synonyms, `data/synonyms.json`: words and phrases that mean the same, in four languages.
//!
//! 1. A phrase is what remains of it without words that say nothing. One word alone is a word like others.
//! 2. More than one is a phrase: it is found in texts of its language, word family by word family, and stands in the index
//!    as a word of its own ([`Phrase::key`]).
//! 3. A word or phrase of a question belongs to the groups that hold it; with another ending, to those that hold its family.

use super::stem::stem;
use super::words::telling;
use crate::vocabulary::{Language, Phrases};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `data/synonyms.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SynonymTable {
    /// The version of the shape.
    pub schema_version: u32,
    /// Groups by name: what each language calls one thing.
    pub groups: BTreeMap<String, Phrases>,
}

/// A longer phrase of a table is cut: nobody types more.
const LONGEST_PHRASE: usize = 6;

/// One word or phrase of a group.
#[derive(Debug)]
pub struct Phrase {
    /// Its language.
    pub language: Language,
    /// Its words, folded, without those that say nothing.
    pub words: Vec<String>,
    /// The words as one: how a phrase stands in the index.
    pub key: String,
}

/// The table, ready for look-up.
#[derive(Debug, Default)]
pub struct Synonyms {
    groups: Vec<Vec<Phrase>>,
    /// By the family of the first word: group and phrase.
    first: FxHashMap<(Language, String), Vec<(u32, u32)>>,
    /// Single words as they are written.
    exact: FxHashMap<String, Vec<u32>>,
}

impl Synonyms {
    /// Makes the table ready.
    pub fn of(table: &SynonymTable) -> Self {
        let mut synonyms = Self::default();
        for (number, group) in (0u32..).zip(table.groups.values()) {
            let mut phrases: Vec<Phrase> = Vec::new();
            for (language, written) in group {
                for text in written {
                    let mut words = telling(text);
                    words.truncate(LONGEST_PHRASE);
                    let key = words.join(" ");
                    let twice =
                        phrases.iter().any(|phrase| phrase.language == *language && phrase.key == key);
                    if words.is_empty() || twice {
                        continue;
                    }
                    phrases.push(Phrase { language: *language, words, key });
                }
            }
            for (at, phrase) in (0u32..).zip(&phrases) {
                let Some(first) = phrase.words.first() else { continue };
                let family = (phrase.language, stem(phrase.language, first).into_owned());
                synonyms.first.entry(family).or_default().push((number, at));
                if phrase.words.len() == 1 {
                    let groups = synonyms.exact.entry(first.clone()).or_default();
                    if groups.last() != Some(&number) {
                        groups.push(number);
                    }
                }
            }
            synonyms.groups.push(phrases);
        }
        synonyms
    }

    /// The phrases of a group.
    pub fn group(&self, number: u32) -> &[Phrase] {
        self.groups.get(number as usize).map_or(&[], Vec::as_slice)
    }

    /// Every phrase of more than one word with which `words` begins, as a text of this language.
    pub fn phrases_at<'s>(
        &'s self,
        language: Language,
        words: &'s [String],
    ) -> impl Iterator<Item = (u32, &'s Phrase)> {
        let first = words.first().map(|word| (language, stem(language, word).into_owned()));
        let places = first.and_then(|first| self.first.get(&first)).into_iter().flatten();
        places.filter_map(move |(number, at)| {
            let phrase = self.groups.get(*number as usize)?.get(*at as usize)?;
            let begins = phrase.words.len() > 1
                && phrase.words.len() <= words.len()
                && phrase.words.iter().zip(words).all(|(one, other)| alike(language, one, other));
            begins.then_some((*number, phrase))
        })
    }

    /// The groups a single word belongs to: those that hold it, or else those that hold its family in one of `languages`.
    pub fn groups_of(&self, word: &str, languages: &[Language]) -> Vec<u32> {
        if let Some(groups) = self.exact.get(word) {
            return groups.clone();
        }
        let mut groups = Vec::new();
        for language in languages {
            let family = (*language, stem(*language, word).into_owned());
            for (number, at) in self.first.get(&family).into_iter().flatten() {
                let phrase = self.groups.get(*number as usize).and_then(|group| group.get(*at as usize));
                if phrase.is_some_and(|phrase| phrase.words.len() == 1) && !groups.contains(number) {
                    groups.push(*number);
                }
            }
        }
        groups.sort_unstable();
        groups
    }

    /// Whether a word stands alone in a group.
    pub fn knows(&self, word: &str) -> bool {
        self.exact.contains_key(word)
    }

    /// Every word that stands alone in a group.
    pub fn single_words(&self) -> impl Iterator<Item = &str> {
        self.exact.keys().map(String::as_str)
    }
}

fn alike(language: Language, one: &str, other: &str) -> bool {
    one == other || stem(language, one) == stem(language, other)
}
