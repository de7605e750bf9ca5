//! Word families: what is left of a word when its ending is taken off, in each of the four languages.

use crate::vocabulary::Language;
use frostem::{Algorithm, Stemmer};
use rustc_hash::FxHasher;
use std::borrow::Cow;
use std::hash::Hasher;

/// Shorter words have no ending to take off.
const SHORTEST: usize = 4;

/// A word without its ending. Words are folded, so accents play no part.
pub fn stem(language: Language, word: &str) -> Cow<'_, str> {
    if word.len() < SHORTEST || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(word);
    }
    let algorithm = match language {
        Language::Fr => Algorithm::French,
        Language::Nl => Algorithm::Dutch,
        Language::De => Algorithm::German,
        Language::En => Algorithm::English,
    };
    Stemmer::new(algorithm).stem(word)
}

/// A number for a family: words of one family have the same, and few others do.
pub fn family(language: Language, word: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(language as u8);
    hasher.write(stem(language, word).as_bytes());
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// The languages in which two words are of one family.
pub fn related<'w>(one: &'w str, other: &'w str) -> impl Iterator<Item = Language> + use<'w> {
    let alike = move |language: &Language| stem(*language, one) == stem(*language, other);
    Language::ALL.iter().copied().filter(alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families() {
        for (language, one, other) in [
            (Language::Fr, "demenager", "demenagement"),
            (Language::Fr, "mutuelles", "mutuelle"),
            (Language::Nl, "verhuizen", "verhuizing"),
            (Language::Nl, "gemeenten", "gemeente"),
            (Language::De, "urkunde", "urkunden"),
            (Language::De, "fuhrungszeugnis", "fuehrungszeugnis"),
            (Language::En, "register", "registered"),
            (Language::En, "certificate", "certificates"),
        ] {
            assert_eq!(stem(language, one), stem(language, other), "{language} {one} {other}");
        }
        for (language, one, other) in
            [(Language::Nl, "rijbewijs", "bewijs"), (Language::Fr, "commune", "communication")]
        {
            assert_ne!(stem(language, one), stem(language, other), "{language} {one} {other}");
        }
        assert!(related("moving", "move").any(|language| language == Language::En));
    }

    #[test]
    fn numbers_and_short_words_stay() {
        for language in Language::ALL {
            assert_eq!(stem(*language, "12bis"), "12bis");
            assert_eq!(stem(*language, "eid"), "eid");
        }
    }
}
