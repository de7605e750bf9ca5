//! Which words there are, over all segments: only those that stand in a document that is left.

use super::index::{Index, Layer};
use super::postings::Languages;
use super::stem::{family, related};
use crate::vocabulary::Language;
use std::collections::BTreeMap;

/// Words that begin or end alike, beyond which no more are looked at.
const MOST_ALIKE: usize = 400;

/// Whether a word stands in a document that is left.
pub fn knows(index: &Index, word: &str) -> bool {
    let stands = |layer: &Layer| layer.segment.find(word).is_some_and(|number| stands(layer, number));
    index.layers.iter().any(stands)
}

/// The other words of a word's families, with the languages in which they are related.
pub fn families(index: &Index, word: &str, languages: &[Language]) -> Vec<(String, Languages)> {
    let mut found: BTreeMap<&str, Languages> = BTreeMap::new();
    for layer in index.layers.iter() {
        for language in languages {
            let number = family(*language, word);
            let first = layer.segment.by_family.partition_point(|(other, _)| *other < number);
            let members = layer.segment.by_family.iter().skip(first);
            for (_, member) in members.take_while(|(other, _)| *other == number) {
                let other = layer.segment.word(*member);
                if other == word
                    || !stands(layer, *member)
                    || !related(word, other).any(|one| one == *language)
                {
                    continue;
                }
                let only = Languages::only(*language);
                found.entry(other).and_modify(|known| *known = known.and(only)).or_insert(only);
            }
        }
    }
    found.into_iter().map(|(word, languages)| (word.to_owned(), languages)).collect()
}

/// Longer words that begin with this one: what follows in each.
pub fn begun_by(index: &Index, word: &str) -> Vec<String> {
    let mut rests = Vec::new();
    for layer in index.layers.iter() {
        let segment = &layer.segment;
        let alike =
            (segment.not_before(word)..segment.len()).take_while(|at| segment.word(*at).starts_with(word));
        for number in alike.take(MOST_ALIKE).filter(|number| stands(layer, *number)) {
            let rest = segment.word(number).get(word.len()..).unwrap_or_default();
            if !rest.is_empty() && !rest.contains(' ') {
                rests.push(rest.to_owned());
            }
        }
    }
    rests
}

/// Longer words that end with this one: what precedes in each.
pub fn ended_by(index: &Index, word: &str) -> Vec<String> {
    let mut heads = Vec::new();
    for layer in index.layers.iter() {
        let segment = &layer.segment;
        let before = |number: &u32| segment.word(*number).bytes().rev().lt(word.bytes().rev());
        let first = segment.by_end.partition_point(before);
        let alike =
            segment.by_end.iter().skip(first).take_while(|number| segment.word(**number).ends_with(word));
        for number in alike.take(MOST_ALIKE).filter(|number| stands(layer, **number)) {
            let whole = segment.word(*number);
            let head = whole.get(..whole.len() - word.len()).unwrap_or_default();
            if !head.is_empty() {
                heads.push(head.to_owned());
            }
        }
    }
    heads
}

/// Whether a word of a segment stands in a document that is left.
pub fn stands(layer: &Layer, word: u32) -> bool {
    let mut reader = layer.segment.postings(word);
    while let Some(document) = reader.next(|_, _| {}) {
        if layer.is_alive(document) {
            return true;
        }
    }
    false
}
