//! Compounds, as Dutch and German write them: `bevolkingsregister` is made of `bevolking` and `register`.
//!
//! 1. A compound is cut only into words that the index or the table of synonyms knows, each of four letters at least:
//!    `rijbewijs` stays whole, for `rij` is too short.
//! 2. Between two parts may stand a linking `s`, `es`, `e`, `n`, `en` or `er`.
//! 3. Of several ways to cut, the one with the longest last part counts, which is what a compound is about.

use super::index::Index;
use super::lookup::{begun_by, ended_by, knows};

/// The shortest part.
const SHORTEST_PART: usize = 4;

/// What may stand between two parts.
const LINKS: &[&str] = &["", "s", "es", "e", "n", "en", "er"];

/// A compound has at most so many parts.
const MOST_PARTS: usize = 3;

/// The parts of a compound; empty for a word that is none.
pub fn parts(index: &Index, word: &str) -> Vec<String> {
    let mut parts = Vec::new();
    if cut(index, word, MOST_PARTS, &mut parts) { parts } else { Vec::new() }
}

fn cut(index: &Index, word: &str, most: usize, parts: &mut Vec<String>) -> bool {
    if most < 2 || word.bytes().any(|byte| !byte.is_ascii_lowercase()) {
        return false;
    }
    for at in SHORTEST_PART..=word.len().saturating_sub(SHORTEST_PART) {
        let (Some(head), Some(last)) = (word.get(..at), word.get(at..)) else { continue };
        let Some(head) = linked(index, head) else { continue };
        if is_part(index, last) {
            parts.extend([head.to_owned(), last.to_owned()]);
            return true;
        }
        parts.push(head.to_owned());
        if cut(index, last, most - 1, parts) {
            return true;
        }
        parts.pop();
    }
    false
}

/// Compounds that hold a word as their first or last part.
pub fn holders(index: &Index, word: &str) -> Vec<String> {
    if word.len() < SHORTEST_PART || word.bytes().any(|byte| !byte.is_ascii_lowercase()) {
        return Vec::new();
    }
    let after = |rest: &String| {
        let rests = LINKS.iter().filter_map(|link| rest.strip_prefix(link));
        rests.into_iter().any(|rest| is_part(index, rest))
    };
    let mut found: Vec<String> =
        begun_by(index, word).into_iter().filter(after).map(|rest| format!("{word}{rest}")).collect();
    let before = |head: &String| linked(index, head).is_some();
    found.extend(ended_by(index, word).into_iter().filter(before).map(|head| format!("{head}{word}")));
    found.sort_unstable();
    found.dedup();
    found
}

/// A first part without what links it to the next.
fn linked<'w>(index: &Index, head: &'w str) -> Option<&'w str> {
    LINKS.iter().filter_map(|link| head.strip_suffix(link)).find(|head| is_part(index, head))
}

fn is_part(index: &Index, word: &str) -> bool {
    word.len() >= SHORTEST_PART && (index.synonyms.knows(word) || knows(index, word))
}
