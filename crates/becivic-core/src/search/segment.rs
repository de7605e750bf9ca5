//! A part of the index that never changes: documents, the words in them, and where each stands.
//!
//! 1. Documents are in the order of kind and id, so that one is found by its name.
//! 2. Words are in order, so that one, and those that begin alike, are found by halving. The same words in the order of
//!    their ends, and of their families, stand beside.
//! 3. Postings and names are packed one behind the other, with tables of where each begins.

use super::analyse::Analysed;
use super::document::{Document, Kind};
use super::postings::{Reader, push};
use super::stem::family;
use crate::vocabulary::{Domain, Language, Status};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A document, as far as an answer needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Its id.
    pub id: Box<str>,
    /// What it is called.
    pub title: Box<str>,
    /// How far it was confirmed.
    pub status: Option<Status>,
    /// Its domain.
    pub domain: Option<Domain>,
    /// Its category.
    pub category: Option<Arc<str>>,
    /// Whether it is about the corpus itself.
    pub meta: bool,
}

impl Entry {
    /// What is kept of a document.
    pub fn of(document: &Document) -> Self {
        Self {
            kind: document.kind,
            id: document.id.as_str().into(),
            title: document.title.as_str().into(),
            status: document.status,
            domain: document.domain,
            category: document.category.as_deref().map(Arc::from),
            meta: document.is_meta(),
        }
    }

    /// By what a document is known.
    pub fn key(&self) -> (Kind, &str) {
        (self.kind, &self.id)
    }
}

/// A word or phrase of a name, packed: 24 bits of word, 4 of where it begins, 4 of its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamePart(u32);

impl NamePart {
    /// What stands between two names.
    pub const END: Self = Self(u32::MAX);

    /// Packs a part.
    pub fn new(word: u32, start: u8, length: u8) -> Self {
        Self(word << 8 | u32::from(start & 15) << 4 | u32::from(length & 15))
    }

    /// Which word of the segment.
    pub fn word(self) -> u32 {
        self.0 >> 8
    }

    /// The words it goes over, as bits.
    pub fn bits(self) -> u16 {
        let length = self.0 & 15;
        (((1u32 << length) - 1) << (self.0 >> 4 & 15)) as u16
    }

    /// The same part, of another word.
    pub fn renamed(self, word: u32) -> Self {
        if self == Self::END { self } else { Self(word << 8 | self.0 & 0xff) }
    }
}

/// Words that a segment can tell apart: 24 bits, less what [`NamePart::END`] takes.
const MOST_WORDS: usize = (1 << 24) - 1;

/// A part of the index.
#[derive(Debug, Default)]
pub struct Segment {
    /// The documents, in order of kind and id.
    pub entries: Vec<Entry>,
    /// How many words the text of each has.
    pub bodies: Vec<u32>,
    text: String,
    starts: Vec<u32>,
    postings: Vec<u8>,
    begins: Vec<u32>,
    /// Words in the order of their ends; phrases are left out.
    pub by_end: Vec<u32>,
    /// The letters of each word, as bits.
    pub letters: Vec<u32>,
    /// Families and the words in them, in order.
    pub by_family: Vec<(u32, u32)>,
    names: Vec<NamePart>,
    names_begin: Vec<u32>,
}

impl Segment {
    /// How many words there are.
    pub fn len(&self) -> u32 {
        self.begins.len().saturating_sub(1) as u32
    }

    /// A word by its number.
    pub fn word(&self, number: u32) -> &str {
        let at = number as usize;
        let (start, end) = (self.starts.get(at), self.starts.get(at + 1));
        let range = start.zip(end).map(|(start, end)| *start as usize..*end as usize);
        range.and_then(|range| self.text.get(range)).unwrap_or_default()
    }

    /// The number of a word.
    pub fn find(&self, word: &str) -> Option<u32> {
        let at = self.not_before(word);
        (at < self.len() && self.word(at) == word).then_some(at)
    }

    /// The first word that is not before this one.
    pub fn not_before(&self, word: &str) -> u32 {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.word(middle) < word { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Where a word stands.
    pub fn postings(&self, word: u32) -> Reader<'_> {
        let at = word as usize;
        let (start, end) = (self.begins.get(at), self.begins.get(at + 1));
        let range = start.zip(end).map(|(start, end)| *start as usize..*end as usize);
        Reader::new(range.and_then(|range| self.postings.get(range)).unwrap_or_default())
    }

    /// The names of a document.
    pub fn names(&self, document: u32) -> impl Iterator<Item = &[NamePart]> {
        self.packed_names(document).split(|part| *part == NamePart::END).filter(|name| !name.is_empty())
    }

    /// The number of a document.
    pub fn document(&self, kind: Kind, id: &str) -> Option<u32> {
        let found = self.entries.binary_search_by(|entry| entry.key().cmp(&(kind, id)));
        found.ok().map(|at| at as u32)
    }
}

/// Makes a segment, a document at a time.
#[derive(Debug, Default)]
pub struct Builder {
    entries: Vec<Entry>,
    bodies: Vec<u32>,
    numbers: FxHashMap<Box<str>, u32>,
    /// For each word: the document after the last one it stands in, and its postings.
    lists: Vec<(u32, Vec<u8>)>,
    names: Vec<NamePart>,
    names_begin: Vec<u32>,
    categories: FxHashMap<Arc<str>, Arc<str>>,
}

impl Builder {
    /// Adds a document; each has to come after the one before.
    pub fn add(&mut self, mut entry: Entry, analysed: Analysed) {
        let document = self.entries.len() as u32;
        entry.category = entry.category.map(|category| {
            let known = self.categories.entry(Arc::clone(&category)).or_insert(category);
            Arc::clone(known)
        });
        self.entries.push(entry);
        self.bodies.push(analysed.body);
        let mut numbers = Vec::with_capacity(analysed.words.len());
        for (word, fields) in analysed.words {
            let number = self.number(word.into_boxed_str());
            numbers.push(number);
            if let Some((after, bytes)) = number.and_then(|number| self.lists.get_mut(number as usize)) {
                push(bytes, *after, document, &fields);
                *after = document + 1;
            }
        }
        self.names_begin.push(self.names.len() as u32);
        for name in analysed.names {
            for part in name {
                if let Some(word) = numbers.get(part.word as usize).copied().flatten() {
                    self.names.push(NamePart::new(word, part.start, part.length));
                }
            }
            self.names.push(NamePart::END);
        }
    }

    fn number(&mut self, word: Box<str>) -> Option<u32> {
        if let Some(number) = self.numbers.get(&word) {
            return Some(*number);
        }
        if self.lists.len() >= MOST_WORDS {
            return None;
        }
        let number = self.lists.len() as u32;
        self.numbers.insert(word, number);
        self.lists.push((0, Vec::new()));
        Some(number)
    }

    /// Puts everything in order.
    pub fn finish(self) -> Segment {
        let mut words: Vec<(Box<str>, u32)> = self.numbers.into_iter().collect();
        words.sort_unstable();
        let mut order = vec![0; words.len()];
        let mut segment = Segment { entries: self.entries, bodies: self.bodies, ..Segment::default() };
        segment.postings.reserve_exact(self.lists.iter().map(|(_, bytes)| bytes.len()).sum());
        segment.text.reserve_exact(words.iter().map(|(word, _)| word.len()).sum());
        for (place, (word, number)) in (0..).zip(&words) {
            segment.starts.push(segment.text.len() as u32);
            segment.begins.push(segment.postings.len() as u32);
            segment.text.push_str(word);
            if let Some(list) = self.lists.get(*number as usize) {
                segment.postings.extend_from_slice(&list.1);
            }
            if let Some(slot) = order.get_mut(*number as usize) {
                *slot = place;
            }
        }
        segment.starts.push(segment.text.len() as u32);
        segment.begins.push(segment.postings.len() as u32);
        let renamed = |part: &NamePart| part.renamed(order.get(part.word() as usize).copied().unwrap_or(0));
        segment.names = self.names.iter().map(renamed).collect();
        segment.names_begin = self.names_begin;
        segment.names_begin.push(segment.names.len() as u32);
        segment.entries.shrink_to_fit();
        segment.order_words();
        segment
    }
}

impl Segment {
    /// Puts together what a merge has written.
    pub fn assembled(
        (entries, bodies): (Vec<Entry>, Vec<u32>),
        words: &[&str],
        (postings, begins): (Vec<u8>, Vec<u32>),
        (names, names_begin): (Vec<NamePart>, Vec<u32>),
    ) -> Self {
        let mut segment = Self { entries, bodies, postings, begins, names, names_begin, ..Self::default() };
        segment.text.reserve_exact(words.iter().map(|word| word.len()).sum());
        for word in words {
            segment.starts.push(segment.text.len() as u32);
            segment.text.push_str(word);
        }
        segment.starts.push(segment.text.len() as u32);
        segment.postings.shrink_to_fit();
        segment.names.shrink_to_fit();
        segment.order_words();
        segment
    }

    fn order_words(&mut self) {
        let single: Vec<u32> = (0..self.len()).filter(|word| !self.word(*word).contains(' ')).collect();
        let mut by_end = single.clone();
        by_end.sort_unstable_by(|one, other| {
            self.word(*one).bytes().rev().cmp(self.word(*other).bytes().rev())
        });
        let mut by_family: Vec<(u32, u32)> = single
            .iter()
            .flat_map(|word| {
                Language::ALL.iter().map(|language| (family(*language, self.word(*word)), *word))
            })
            .collect();
        by_family.sort_unstable();
        by_family.dedup();
        by_family.shrink_to_fit();
        self.letters = (0..self.len()).map(|word| letters(self.word(word))).collect();
        (self.by_end, self.by_family) = (by_end, by_family);
    }

    /// All names of a document, packed as they are.
    pub fn packed_names(&self, document: u32) -> &[NamePart] {
        let at = document as usize;
        let (start, end) = (self.names_begin.get(at), self.names_begin.get(at + 1));
        let range = start.zip(end).map(|(start, end)| *start as usize..*end as usize);
        range.and_then(|range| self.names.get(range)).unwrap_or_default()
    }
}

/// The letters of a word, as bits; digits share one.
pub fn letters(word: &str) -> u32 {
    word.bytes().fold(0, |bits, byte| bits | 1 << (if byte.is_ascii_lowercase() { byte - b'a' } else { 26 }))
}
