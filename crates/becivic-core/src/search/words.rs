//! From text to words, for every search there is: folding, and the words that say nothing.

use unicode_normalization::UnicodeNormalization;

/// Longer words are no words; they are left out.
pub const LONGEST_WORD: usize = 48;

/// Words of four languages that say nothing about what is looked for. In order.
#[rustfmt::skip]
pub const STOP_WORDS: &[&str] = &[
    "a", "aan", "ab", "about", "afin", "after", "ai", "al", "all", "als", "also", "am", "an", "and",
    "any", "apres", "are", "as", "at", "au", "auch", "auf", "aus", "aux", "avec", "avoir", "avons", "be",
    "been", "before", "bei", "belgie", "belgien", "belgiens", "belgique", "belgium", "ben", "bij", "bin",
    "bis", "bist", "but", "by", "c", "can", "ce", "cela", "ces", "cet", "cette", "chez", "comme",
    "comment", "could", "d", "daar", "dans", "das", "dass", "dat", "dazu", "de", "dem", "den", "depuis",
    "der", "des", "deze", "did", "die", "dies", "diese", "dieser", "dit", "do", "doe", "doen", "does",
    "dois", "doit", "du", "durch", "een", "ein", "eine", "einem", "einen", "einer", "eines", "elle",
    "en", "er", "es", "est", "et", "etre", "faire", "fait", "faut", "for", "from", "fur", "ga", "gaan",
    "gehe", "gehen", "get", "haben", "had", "has", "hat", "hatte", "have", "he", "heb", "hebben", "hebt",
    "heeft", "her", "het", "hier", "his", "hoe", "how", "i", "ich", "if", "ihr", "ihre", "ik", "il",
    "ils", "im", "in", "ins", "is", "ist", "it", "its", "j", "ja", "je", "jij", "kan", "kann", "kein",
    "keine", "keinen", "kom", "konnen", "kunnen", "l", "la", "le", "les", "leur", "m", "ma", "maar",
    "mag", "mal", "man", "me", "meer", "mehr", "mein", "meine", "meinem", "meinen", "meiner", "mes",
    "met", "mich", "mijn", "mir", "mit", "moet", "moeten", "moi", "mon", "muss", "must", "my", "n", "na",
    "naar", "nach", "ne", "nicht", "niet", "no", "noch", "nog", "nos", "not", "notre", "nous", "nur",
    "o", "oder", "of", "ohne", "om", "on", "ont", "onze", "ook", "op", "or", "os", "ou", "our", "out",
    "over", "par", "pas", "peu", "peut", "peux", "plus", "pour", "pourquoi", "puis", "qu", "quand",
    "que", "quel", "quelle", "quelles", "quels", "qui", "s", "sa", "sans", "schon", "se", "sein", "ses",
    "she", "should", "si", "sich", "sie", "sind", "so", "soll", "some", "son", "sont", "sous", "sur",
    "t", "te", "than", "that", "the", "their", "them", "then", "there", "they", "this", "tijdens", "to",
    "tous", "tout", "toute", "tres", "u", "uit", "um", "un", "und", "une", "uns", "uw", "van", "vers",
    "vom", "von", "voor", "vor", "votre", "vous", "waar", "wann", "wanneer", "war", "waren", "warum",
    "was", "wat", "we", "wel", "welche", "welcher", "welches", "welk", "welke", "wenn", "wer", "were",
    "what", "when", "where", "which", "who", "why", "wie", "wieso", "will", "wir", "wird", "with",
    "without", "wo", "word", "worden", "wordt", "would", "wurde", "you", "your", "z", "zal", "zijn",
    "zo", "zonder", "zou", "zu", "zum", "zur", "zwischen",
];

/// The country: everything here is about it, so alone it says nothing; behind another word it may say what that one means, as in
/// *moving to Belgium*. In order.
const COUNTRY: &[&str] = &["belgie", "belgien", "belgiens", "belgique", "belgium"];

/// Words that ask without saying for what: they count for little beside others. In order.
#[rustfmt::skip]
pub const LIGHT_WORDS: &[&str] = &[
    "aanvraag", "aanvragen", "acht", "aider", "aimerais", "aimerions", "aller", "allez", "allons",
    "anfordern", "annees", "ans", "antrag", "application", "apply", "ask", "aufnehmen", "bald",
    "beantragen", "bekommen", "belge", "belges", "belgian", "belgisch", "belgische", "belgischen",
    "belgischer", "belgisches", "besoin", "bestellen", "bientot", "binnenkort", "brauche", "brauchen",
    "cinq", "connaitre", "dag", "dagen", "day", "days", "deja", "demain", "demande", "demander",
    "demarche", "demnachst", "deux", "dire", "dix", "drei", "drie", "dringend", "echtgenoot",
    "echtgenote", "ehefrau", "ehemann", "eight", "eins", "ensemble", "epouse", "epoux", "erhalten",
    "femme", "find", "finden", "five", "four", "frau", "funf", "gerade", "gern", "gerne", "getting",
    "give", "going", "graag", "gratis", "gratuit", "gratuits", "habite", "habitons", "hele", "help",
    "heute", "hilfe", "huit", "hulp", "husband", "informatie", "information", "informationen", "jaar",
    "jahr", "jahre", "jahren", "jaren", "jour", "jours", "just", "juste", "know", "kostenlos",
    "kriegen", "krijg", "krijgen", "like", "live", "maand", "maanden", "make", "mann", "mari", "mochte",
    "mochten", "moechte", "mois", "moment", "monat", "monate", "monaten", "month", "months", "morgen",
    "nachste", "nachsten", "nachster", "need", "neem", "negen", "nemen", "net", "neuf", "neun", "next",
    "nine", "nodig", "now", "obtain", "obtenir", "officially", "one", "opvragen", "order", "please",
    "prendre", "procedure", "prochain", "prochaine", "quatre", "receive", "recently", "recevoir",
    "request", "samen", "savoir", "sechs", "seit", "semaine", "sept", "seven", "short", "sieben",
    "since", "sinds", "six", "soon", "svp", "tag", "tage", "tagen", "tell", "ten", "terugvinden",
    "thing", "three", "tien", "today", "together", "tomorrow", "trois", "trouver", "twee", "two",
    "vais", "vandaag", "vanuit", "veux", "vier", "vijf", "vind", "vinden", "vis", "volgen", "volgend",
    "volgende", "voudrais", "voulons", "vraag", "vragen", "vrouw", "want", "way", "week", "weeks",
    "weten", "wife", "wil", "willen", "wish", "wissen", "woche", "wochen", "wohne", "wollen", "woon",
    "year", "years", "zehn", "zes", "zeven", "zusammen", "zwei",
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

/// Whether a folded word is left out of what agents search: a stop word, but for the country.
pub fn is_left_out(word: &str) -> bool {
    is_stop_word(word) && COUNTRY.binary_search(&word).is_err()
}

/// Whether a folded word asks without saying for what.
pub fn is_light(word: &str) -> bool {
    LIGHT_WORDS.binary_search(&word).is_ok() || COUNTRY.binary_search(&word).is_ok() || word.len() == 1
}

/// The words of a text that say something; all of them when none does.
pub fn telling(text: &str) -> Vec<String> {
    only_telling(fold(text))
}

/// Those of folded words that say something; all of them when none does.
pub fn only_telling(mut words: Vec<String>) -> Vec<String> {
    if words.iter().any(|word| !is_left_out(word)) {
        words.retain(|word| !is_left_out(word));
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
        for list in [STOP_WORDS, LIGHT_WORDS, COUNTRY] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{list:?}");
            assert!(list.iter().all(|word| fold(word) == [*word]));
        }
        assert!(LIGHT_WORDS.iter().all(|word| !is_stop_word(word)));
        assert!(COUNTRY.iter().all(|word| is_stop_word(word) && is_light(word) && !is_left_out(word)));
    }

    #[test]
    fn words_that_say_nothing_are_kept_when_alone() {
        assert_eq!(telling("how do I move"), ["move"]);
        assert_eq!(telling("how to"), ["how", "to"]);
    }
}
