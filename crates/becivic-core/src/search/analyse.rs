//! A document as the index wants it: its words and phrases with their fields, and its names.

use super::document::{Document, Place};
use super::postings::Field;
use super::synonyms::Synonyms;
use super::words::{LONGEST_WORD, each, is_left_out};
use crate::vocabulary::Language;
use rustc_hash::FxHashMap;

/// Words of a name beyond these are not looked at.
pub const LONGEST_NAME: usize = 15;

/// Names of a document beyond these are not looked at.
const MOST_NAMES: usize = 120;

/// A word or phrase of a name: which of the document's words it is, where it begins, and over how many words it goes.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Which of [`Analysed::words`].
    pub word: u32,
    /// The first word.
    pub start: u8,
    /// How many.
    pub length: u8,
}

/// The words of a document.
#[derive(Debug, Default)]
pub struct Analysed {
    /// Every word and phrase with its fields and how often it stands there.
    pub words: Vec<(String, Vec<(Field, u32)>)>,
    /// Titles and synonyms.
    pub names: Vec<Vec<Part>>,
    /// How many words the body has.
    pub body: u32,
}

/// Takes documents apart, and remembers which words begin phrases.
pub struct Analyst<'s> {
    synonyms: &'s Synonyms,
    /// For each word seen, the languages in which it begins a phrase, as bits.
    begins: FxHashMap<String, u8>,
}

impl<'s> Analyst<'s> {
    /// One who knows these phrases.
    pub fn new(synonyms: &'s Synonyms) -> Self {
        Self { synonyms, begins: FxHashMap::default() }
    }

    /// The languages in which a word begins a phrase, as bits.
    fn begins(&mut self, word: &str) -> u8 {
        if let Some(bits) = self.begins.get(word) {
            return *bits;
        }
        let begins = |language: &&Language| self.synonyms.begins_phrase(**language, word);
        let bits = Language::ALL.iter().filter(begins).fold(0, |bits, language| bits | 1 << *language as u8);
        self.begins.insert(word.to_owned(), bits);
        bits
    }
}

/// Takes a document apart.
pub fn analyse(document: &Document, analyst: &mut Analyst<'_>) -> Analysed {
    let synonyms = analyst.synonyms;
    let mut found = Analysed::default();
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut words: Vec<String> = Vec::new();
    for text in &document.texts {
        words.clear();
        let (field, mut all) = (Field::of(text.place, text.language), 0);
        each(&text.text, |word| {
            all += 1;
            if word.len() <= LONGEST_WORD && !is_left_out(word) {
                words.push(word.to_owned());
            }
        });
        if words.is_empty() {
            each(&text.text, |word| words.push(word.chars().take(LONGEST_WORD).collect()));
        }
        if text.place == Place::Body {
            found.body += all;
        }
        let is_name = matches!(text.place, Place::Title | Place::Synonym) && found.names.len() < MOST_NAMES;
        let mut name = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let number = found.count(&mut numbers, word, field);
            if is_name && at < LONGEST_NAME {
                name.push(Part { word: number, start: at as u8, length: 1 });
            }
            let begins = analyst.begins(word);
            if begins == 0 {
                continue;
            }
            let languages = match &text.language {
                Some(language) => std::slice::from_ref(language),
                None => Language::ALL,
            };
            let languages = languages.iter().filter(|language| begins >> **language as u8 & 1 == 1);
            let rest = words.get(at..).unwrap_or_default();
            let mut here: Vec<&str> = Vec::new();
            for (_, phrase) in languages.flat_map(|language| synonyms.phrases_at(*language, rest)) {
                if here.contains(&phrase.key.as_str()) {
                    continue;
                }
                here.push(&phrase.key);
                let number = found.count(&mut numbers, &phrase.key, field);
                if is_name && at + phrase.words.len() <= LONGEST_NAME {
                    name.push(Part { word: number, start: at as u8, length: phrase.words.len() as u8 });
                }
            }
        }
        if !name.is_empty() {
            found.names.push(name);
        }
    }
    for (_, fields) in &mut found.words {
        fields.sort_unstable();
    }
    found
}

impl Analysed {
    /// Counts a word in a field; its number.
    fn count(&mut self, numbers: &mut FxHashMap<String, u32>, word: &str, field: Field) -> u32 {
        let number = match numbers.get(word) {
            Some(number) => *number,
            None => {
                let number = self.words.len() as u32;
                numbers.insert(word.to_owned(), number);
                self.words.push((word.to_owned(), Vec::new()));
                number
            }
        };
        if let Some((_, fields)) = self.words.get_mut(number as usize) {
            match fields.iter_mut().find(|(other, _)| *other == field) {
                Some((_, times)) => *times += 1,
                None => fields.push((field, 1)),
            }
        }
        number
    }
}
