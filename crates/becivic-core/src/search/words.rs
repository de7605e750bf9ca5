//! From text to words, for every search there is: folding, and the words that say nothing.

use unicode_normalization::UnicodeNormalization;

/// Longer words are no words; they are left out.
pub const LONGEST_WORD: usize = 48;

/// Words of four languages that say nothing about what is looked for. In order.
#[rustfmt::skip]
pub const STOP_WORDS: &[&str] = &[
    "a", "aan", "about", "afin", "after", "ai", "al", "all", "als", "also", "am", "an", "and", "any",
    "apres", "are", "as", "at", "au", "auf", "aus", "aux", "avec", "avoir", "avons", "be", "been",
    "before", "bei", "belge", "belges", "belgian", "belgie", "belgien", "belgiens", "belgique",
    "belgisch", "belgische", "belgischen", "belgischer", "belgisches", "belgium", "ben", "bij", "bin",
    "bis", "bist", "but", "by", "c", "can", "ce", "ces", "cet", "cette", "chez", "comme", "comment",
    "could", "d", "daar", "dans", "das", "dass", "dat", "de", "dem", "den", "depuis", "der", "des",
    "deze", "did", "die", "dies", "diese", "dieser", "dit", "do", "doe", "doen", "does", "dois", "doit",
    "du", "durch", "een", "ein", "eine", "einem", "einen", "einer", "eines", "elle", "en", "er", "es",
    "est", "et", "etre", "faire", "fait", "faut", "for", "from", "fur", "ga", "haben", "had", "has",
    "have", "he", "heb", "hebben", "hebt", "heeft", "her", "het", "hier", "his", "hoe", "how", "i",
    "ich", "if", "ihr", "ihre", "ik", "il", "ils", "im", "in", "ins", "is", "ist", "it", "its", "j",
    "je", "kan", "kann", "kom", "konnen", "kunnen", "l", "la", "le", "les", "leur", "m", "ma", "mag",
    "man", "me", "mein", "meine", "meinem", "meinen", "meiner", "mes", "met", "mich", "mijn", "mir",
    "mit", "moet", "moeten", "moi", "mon", "muss", "must", "my", "n", "na", "naar", "nach", "ne",
    "nicht", "niet", "no", "noch", "nog", "nos", "not", "notre", "nous", "o", "oder", "of", "ohne", "om",
    "on", "ont", "onze", "ook", "op", "or", "os", "ou", "our", "out", "over", "par", "pas", "peut",
    "peux", "plus", "pour", "pourquoi", "puis", "qu", "quand", "que", "quel", "quelle", "quelles",
    "quels", "qui", "s", "sa", "sans", "se", "sein", "ses", "she", "should", "si", "sich", "sie", "sind",
    "so", "soll", "some", "son", "sont", "sous", "sur", "t", "te", "than", "that", "the", "their",
    "them", "then", "there", "they", "this", "tijdens", "to", "u", "uit", "um", "un", "und", "une",
    "uns", "uw", "van", "vers", "vom", "von", "voor", "votre", "vous", "waar", "wann", "wanneer",
    "warum", "was", "wat", "we", "welche", "welcher", "welches", "welk", "welke", "wer", "were", "what",
    "when", "where", "which", "who", "why", "wie", "wieso", "will", "wir", "wird", "with", "without",
    "wo", "word", "worden", "wordt", "would", "you", "your", "z", "zal", "zijn", "zo", "zonder", "zu",
    "zum", "zur", "zwischen",
];

/// Words that ask without saying for what: they count for little beside others. In order.
#[rustfmt::skip]
pub const LIGHT_WORDS: &[&str] = &[
    "aanvraag", "aanvragen", "aider", "anfordern", "annees", "ans", "antrag", "application", "apply",
    "ask", "aufnehmen", "beantragen", "bekommen", "besoin", "bestellen", "bientot", "brauche",
    "brauchen", "demande", "demander", "demarche", "dringend", "erhalten", "find", "finden", "get",
    "getting", "give", "gratis", "gratuit", "gratuits", "help", "hilfe", "hulp", "informatie",
    "information", "informationen", "jaar", "jahr", "jahre", "jahren", "jaren", "just", "kostenlos",
    "kriegen", "krijg", "krijgen", "live", "make", "mochte", "moechte", "need", "neem", "nemen", "next",
    "nodig", "now", "obtain", "obtenir", "officially", "opvragen", "order", "please", "prendre",
    "procedure", "receive", "recevoir", "request", "short", "soon", "svp", "terugvinden", "thing",
    "trouver", "vais", "veux", "vind", "vinden", "volgen", "voudrais", "vraag", "vragen", "want", "way",
    "wil", "willen", "wish", "wissen", "year", "years",
];

/// Calls `each` with the words of a text: lower case, no accents, `œ æ ß ø` as `oe ae ss o`; runs of `a`–`z` and digits.
pub fn each(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    let mut finish = |word: &mut String| {
        if !word.is_empty() {
            each(word);
            word.clear();
        }
    };
    for character in text.chars() {
        if character.is_ascii() {
            match character.to_ascii_lowercase() {
                plain @ ('a'..='z' | '0'..='9') => word.push(plain),
                _ => finish(&mut word),
            }
            continue;
        }
        for part in character.to_lowercase().flat_map(|lower| std::iter::once(lower).nfd()) {
            match part {
                '\u{300}'..='\u{36f}' => {}
                'œ' => word.push_str("oe"),
                'æ' => word.push_str("ae"),
                'ß' => word.push_str("ss"),
                'ø' => word.push('o'),
                'a'..='z' | '0'..='9' => word.push(part),
                _ => finish(&mut word),
            }
        }
    }
    finish(&mut word);
}

/// The words of a text.
pub fn fold(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each(text, |word| words.push(word.to_owned()));
    words
}

/// Whether a folded word says nothing about what is looked for.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether a folded word asks without saying for what.
pub fn is_light(word: &str) -> bool {
    LIGHT_WORDS.binary_search(&word).is_ok() || word.len() == 1
}

/// The words of a text that say something; all of them when none does.
pub fn telling(text: &str) -> Vec<String> {
    let mut words = fold(text);
    if words.iter().any(|word| !is_stop_word(word)) {
        words.retain(|word| !is_stop_word(word));
    }
    words.retain(|word| word.len() <= LONGEST_WORD);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded() {
        for (text, words) in [
            ("Déménager à Liège", &["demenager", "a", "liege"][..]),
            ("d'état-civil", &["d", "etat", "civil"]),
            ("MŒURS, Straße; Ærø", &["moeurs", "strasse", "aero"]),
            ("e\u{301}te\u{301}", &["ete"]),
            ("596.2 12bis", &["596", "2", "12bis"]),
            ("İstanbul", &["istanbul"]),
            ("申请 Антверпен", &[]),
            ("ﬁnance", &["nance"]),
        ] {
            assert_eq!(fold(text), words, "{text}");
        }
    }

    #[test]
    fn lists_are_in_order_and_folded() {
        for list in [STOP_WORDS, LIGHT_WORDS] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{list:?}");
            assert!(list.iter().all(|word| fold(word) == [*word]));
        }
        assert!(LIGHT_WORDS.iter().all(|word| !is_stop_word(word)));
    }

    #[test]
    fn words_that_say_nothing_are_kept_when_alone() {
        assert_eq!(telling("how do I move"), ["move"]);
        assert_eq!(telling("how to"), ["how", "to"]);
    }
}
