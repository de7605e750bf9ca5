//! Words that are spelled much like one that nobody knows: one letter wrong from five letters on, two from nine.

use super::index::Index;
use super::lookup::stands;
use super::segment::letters;

/// So many words are taken for what was meant.
const MOST_MEANT: usize = 6;

/// The words that may have been meant, the nearest first, with how many letters are wrong.
pub fn near(index: &Index, word: &str) -> Vec<(usize, String)> {
    let most = match word.len() {
        0..5 => return Vec::new(),
        5..9 => 1,
        _ => 2,
    };
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let wanted = letters(word);
    // A letter put in or left out changes one bit, another letter in its place two.
    let may_be = |other: &str, letters: u32| {
        other.len().abs_diff(word.len()) <= most && (letters ^ wanted).count_ones() as usize <= 2 * most
    };
    let mut found = Vec::new();
    for layer in index.layers.iter() {
        for (number, letters) in (0..).zip(&layer.segment.letters) {
            if (letters ^ wanted).count_ones() as usize > 2 * most {
                continue;
            }
            let other = layer.segment.word(number);
            if may_be(other, *letters) && !other.contains(' ') {
                let wrong = strsim::osa_distance(word, other);
                if wrong <= most && stands(layer, number) {
                    found.push((wrong, other.to_owned()));
                }
            }
        }
    }
    for other in index.synonyms.single_words().filter(|other| may_be(other, letters(other))) {
        let wrong = strsim::osa_distance(word, other);
        if wrong <= most {
            found.push((wrong, other.to_owned()));
        }
    }
    let initial = word.chars().next();
    found.sort_unstable_by_key(|(wrong, other)| (*wrong, other.chars().next() != initial, other.clone()));
    found.dedup();
    let least = found.first().map(|(wrong, _)| *wrong);
    found.retain(|(wrong, _)| Some(*wrong) == least);
    found.truncate(MOST_MEANT);
    found
}
