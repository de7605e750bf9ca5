//! What is certain without weights.
//!
//! Found whatever the model says:
//! 1. **introduced**: what follows "je m'appelle", "mijn naam is", "ich heiße", "my name is" and their like; where somebody speaks of
//!    themselves, also an everyday word with a capital, in German one that is a listed name or a month (my name is Will);
//! 2. **titled**: a capitalised word after Mme, dhr., Herr, Dr, Me and their like that is no word of offices or everyday; after what
//!    only people are called ([`FORMS_OF_ADDRESS`]), also a listed name that is an everyday word, a month, a day or a place
//!    (Frau Sommer, Mme Avril, M. Namur);
//! 3. **signed**: up to five capitalised words between a letter's closing formula and the end of the text;
//! 4. **paired**: a given name of our own lists, then a family name or a word no language knows, both with capitals.
//!
//! Let go whatever the model says, unless one of the four found it:
//! 5. **called**: what follows a word for a street, school, hospital, law … with nothing but capitals and particles between;
//! 6. **phrase**: what lies within a listed place, street, authority or institution;
//! 7. **saint**: a saint joined to the name of a place by hyphens, a street joined to its own;
//! 8. **vocabulary**: words of the corpus, of offices, documents and tools, and words for streets and institutions, that are
//!    no names of our own lists.

use super::decode::Run;
use super::hash;
use super::model::Known;
use super::sentence::{LANGUAGES, Sentence};
use super::tokens::{Shape, Token};
use crate::vocabulary::Language;
use std::ops::Range;

/// The words of one name at most.
const LONGEST_NAME: usize = 6;

/// What the rules find.
pub fn found(sentence: &Sentence) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < sentence.tokens.len() {
        let name = name_after(sentence, at).filter(|name| !name.is_empty());
        if let Some(name) = name {
            at = name.end.max(at + 1);
            found.push(name);
        } else {
            at += 1;
        }
    }
    found
}

/// The name that the token at a place announces.
fn name_after(sentence: &Sentence, at: usize) -> Option<Range<usize>> {
    let ends = |flag: Known| {
        let next = sentence.phrase.get(at + 1).is_some_and(|next| next.any(flag));
        sentence.phrase[at].any(flag) && !next
    };
    if ends(Known::INTRODUCES) {
        let first = skip(sentence, at + 1, &[Shape::Colon, Shape::Quote]);
        let trust = if speaks_of_itself(sentence, at) { Trust::OwnName } else { Trust::Introduced };
        return Some(name_from(sentence, first, trust));
    }
    if ends(Known::CLOSES) {
        let first = skip(sentence, at + 1, &[Shape::Comma, Shape::Break, Shape::Stop, Shape::Dash]);
        let name = name_from(sentence, first, Trust::Signed);
        let rest = skip(sentence, name.end, &[Shape::Stop, Shape::Break, Shape::Bracket]);
        return (rest == sentence.tokens.len() && first > at + 1).then_some(name);
    }
    if is_title(sentence, at) {
        let first = skip(sentence, at + 1, &[Shape::Stop]);
        if sentence.tokens.get(first).is_some_and(is_article) {
            return None; // Madame la bourgmestre
        }
        let trust = if is_form_of_address(sentence, at) { Trust::Addressed } else { Trust::Titled };
        return Some(name_from(sentence, first, trust)).filter(|name| !name.is_empty());
    }
    is_pair(sentence, at).then_some(at..at + 2)
}

fn is_pair(sentence: &Sentence, at: usize) -> bool {
    let free = |at: usize| {
        let (token, known) = (&sentence.tokens[at], sentence.known[at]);
        let something =
            Known::BENIGN.with(Known::TYPE).with(Known::TITLE).with(Known::KIN).with(Known::PARTICLE);
        matches!(token.shape, Shape::Capital | Shape::Joined | Shape::Upper)
            && token.letters > 2
            && !known.any(something)
            && !sentence.phrase[at].any(Known::PHRASE)
            && !sentence.is_called(at)
            && !sentence.is_joined_place(at)
    };
    let Some(known) = sentence.known.get(at + 1) else { return false };
    let given = sentence.known[at].any(Known::GIVEN_OWN) && sentence.commonness(at) < 3;
    let family = (known.any(LISTED) && sentence.commonness(at + 1) < 2) || sentence.commonness(at + 1) == 0;
    given && family && free(at) && free(at + 1)
}

/// Whether a run of the model's is something else.
pub fn is_something_else(sentence: &Sentence, run: &Run) -> bool {
    let words = run.tokens.clone().filter(|at| sentence.tokens[*at].shape.is_word());
    let mut words = words.peekable();
    words.peek().is_some()
        && words.all(|at| {
            let own = sentence.known[at].any(Known::GIVEN_OWN.with(Known::FAMILY_OWN));
            let vocabulary = sentence.known[at].any(Known::BENIGN.with(Known::TYPE)) && !own;
            vocabulary
                || sentence.is_called(at)
                || sentence.phrase[at].any(Known::PHRASE)
                || sentence.is_joined_place(at)
        })
}

/// What announced a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Introduced,
    /// Introduced by whoever bears it.
    OwnName,
    Titled,
    /// Titled with what only people are called.
    Addressed,
    Signed,
}

fn name_from(sentence: &Sentence, first: usize, trust: Trust) -> Range<usize> {
    let mut end = first;
    let mut at = first;
    let mut words = 0;
    while at < sentence.tokens.len() && words < LONGEST_NAME {
        let (token, known) = (&sentence.tokens[at], sentence.known[at]);
        let initial_point = token.shape == Shape::Stop
            && at > first
            && sentence.tokens[at - 1].shape == Shape::Single
            && sentence.tokens[at - 1].span.end == token.span.start;
        // "M. de Namur": what follows particles alone is the first word, too.
        let leads = at == first || (trust == Trust::Addressed && words == 0);
        if is_name(sentence, at, trust, leads) {
            end = at + 1;
            words += 1;
        } else if initial_point {
            end = at + 1;
        } else if !known.any(Known::PARTICLE) || token.shape == Shape::Stop {
            break;
        }
        at += 1;
    }
    first..end
}

/// Whether a word can be one of a name that was announced.
fn is_name(sentence: &Sentence, at: usize, trust: Trust, first: bool) -> bool {
    let (token, known) = (&sentence.tokens[at], sentence.known[at]);
    let listed = known.any(LISTED);
    let own = known.any(Known::GIVEN_OWN.with(Known::FAMILY_OWN));
    let everyday = sentence.commonness(at) >= 2;
    let unheard = sentence.commonness(at) == 0;
    let something = known.any(Known::BENIGN.with(Known::TYPE).with(Known::TITLE).with(Known::KIN));
    let inside = sentence.phrase[at].any(Known::PHRASE);
    // Monsieur Le Consul; but Mr Do.
    let next = sentence.tokens.get(at + 1).is_some_and(|next| next.shape.is_capital());
    if known.any(Known::PARTICLE) && next {
        return false;
    }
    if first && token.shape.is_capital() && is_announced(sentence, at, trust) {
        return true;
    }
    if !token.shape.is_word() || token.shape == Shape::Mixed || inside || (something && !own) {
        return false;
    }
    match trust {
        Trust::Introduced | Trust::OwnName if token.shape.is_capital() => own || !everyday || !first,
        Trust::Introduced | Trust::OwnName => own && !everyday,
        Trust::Addressed if token.shape.is_capital() && token.shape != Shape::Upper => {
            own || unheard || (listed && sentence.commonness(at) < 3)
        }
        Trust::Titled | Trust::Addressed if token.shape == Shape::Upper => {
            own || unheard || (listed && !everyday)
        }
        Trust::Addressed => false,
        Trust::Titled => token.shape.is_capital() && (own || unheard || (listed && !everyday)),
        Trust::Signed => token.shape.is_capital() && (own || !everyday || (listed && !first)),
    }
}

/// Whether what stands before a word with a capital says more than what else the word can be.
fn is_announced(sentence: &Sentence, at: usize, trust: Trust) -> bool {
    let (token, known) = (&sentence.tokens[at], sentence.known[at]);
    match trust {
        Trust::Addressed => known.any(Known::PLACE) || is_one_of(token, MONTHS_AND_DAYS),
        Trust::OwnName => {
            // German writes every noun with a capital, and greets so: "ich heiße Sie willkommen".
            let nouns = sentence.language.is_none_or(|it| LANGUAGES[it] == Language::De);
            let named = known.any(LISTED) || is_one_of(token, MONTHS_AND_DAYS);
            let other = known.any(Known::TYPE.with(Known::TITLE).with(Known::KIN).with(Known::PLACE));
            !other && (named || (!nouns && token.shape == Shape::Capital))
        }
        Trust::Introduced | Trust::Titled | Trust::Signed => false,
    }
}

const LISTED: Known = Known(Known::GIVEN.0 | Known::GIVEN_OWN.0 | Known::FAMILY.0 | Known::FAMILY_OWN.0);

/// Titles count as written; `M.` and `Me` only so.
fn is_title(sentence: &Sentence, at: usize) -> bool {
    let (token, known) = (&sentence.tokens[at], sentence.known[at]);
    let point = sentence.tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Stop);
    let french = sentence.language == Some(0);
    let m = token.shape == Shape::Single && token.letters == 1 && token.word == hash::of(b"m");
    known.any(Known::TITLE) || (m && point && french)
}

/// Titles that stand before names of people and before nothing else, and that are no words for what somebody does.
const FORMS_OF_ADDRESS: &[&str] = &[
    "mme",
    "mlle",
    "mademoiselle",
    "madame",
    "monsieur",
    "mr",
    "mrs",
    "ms",
    "miss",
    "mevr",
    "mevrouw",
    "mw",
    "mvr",
    "meneer",
    "mijnheer",
    "dhr",
    "frau",
    "herr",
    "herrn",
    "hr",
];

/// Whose the word after them is: "meine Frau" is nobody's form of address.
const WHOSE: &[&str] = &[
    "meine", "meiner", "deine", "seine", "seiner", "ihre", "ihrer", "eine", "einer", "die", "keine",
    "unsere", "diese", "jede",
];

/// Months, days and seasons, which are family names, too.
const MONTHS_AND_DAYS: &[&str] = &[
    "janvier",
    "fevrier",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "aout",
    "septembre",
    "octobre",
    "novembre",
    "decembre",
    "lundi",
    "mardi",
    "mercredi",
    "jeudi",
    "vendredi",
    "samedi",
    "dimanche",
    "ete",
    "automne",
    "hiver",
    "printemps",
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "december",
    "maandag",
    "dinsdag",
    "woensdag",
    "donderdag",
    "vrijdag",
    "zaterdag",
    "zondag",
    "zomer",
    "winter",
    "lente",
    "herfst",
    "januar",
    "februar",
    "marz",
    "august",
    "dezember",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "sommer",
    "herbst",
    "fruhling",
    "january",
    "february",
    "march",
    "may",
    "june",
    "july",
    "october",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "summer",
    "spring",
];

/// Words with which somebody speaks of themselves.
const ONESELF: &[&str] = &["je", "moi", "mon", "ik", "mijn", "ich", "mein", "my"];

fn is_one_of(token: &Token, words: &[&str]) -> bool {
    words.iter().any(|word| token.word == hash::of(word.as_bytes()))
}

/// Whether the introduction that ends at a token is that of the one who speaks.
fn speaks_of_itself(sentence: &Sentence, at: usize) -> bool {
    let within = sentence.phrase.iter().take(at + 1).rev().take_while(|it| it.any(Known::INTRODUCES)).count();
    sentence.tokens.iter().take(at + 1).rev().take(within).any(|token| is_one_of(token, ONESELF))
}

fn is_form_of_address(sentence: &Sentence, at: usize) -> bool {
    let token = &sentence.tokens[at];
    let whose = at.checked_sub(1).and_then(|before| sentence.tokens.get(before));
    (token.shape == Shape::Single || is_one_of(token, FORMS_OF_ADDRESS))
        && !whose.is_some_and(|whose| is_one_of(whose, WHOSE))
}

fn is_article(token: &Token) -> bool {
    let articles: [&[u8]; 8] = [b"l'", b"la", b"le", b"les", b"die", b"das", b"the", b"het"];
    token.shape == Shape::Lower && articles.iter().any(|article| token.word == hash::of(article))
}

fn skip(sentence: &Sentence, mut at: usize, shapes: &[Shape]) -> usize {
    while sentence.tokens.get(at).is_some_and(|token| shapes.contains(&token.shape)) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::Names;
    use super::super::hash::of;
    use super::super::model::{Known, LABELS, Model};
    use super::super::words;

    /// The closed lists, some names, some words, and weights that say nothing.
    fn model(threshold: i32) -> Vec<u8> {
        let mut lists = words::listed();
        let given = Known::GIVEN.with(Known::GIVEN_OWN);
        let family = Known::FAMILY.with(Known::FAMILY_OWN);
        lists.extend(["jan", "fatiha", "samira", "paul", "emile"].map(|name| (of(name.as_bytes()), given)));
        lists.extend(
            ["peeters", "amrani", "schmitz", "vandervelde"].map(|name| (of(name.as_bytes()), family)),
        );
        for (language, words) in
            [(0, "la je vous avec pour merci"), (1, "ik de het naar"), (2, "ich der ist"), (3, "the is my")]
        {
            lists.extend(words.split(' ').map(|word| (of(word.as_bytes()), Known::commonness(language, 3))));
        }
        lists.extend(["consul", "guichet", "passport"].map(|word| (of(word.as_bytes()), Known::BENIGN)));
        lists.extend(words::phrase("Place Jan Peeters Zuid", Known::PHRASE));
        lists.extend(words::phrase("Groot-Bijgaarden", Known::PHRASE));
        Model::write(threshold, [[0; LABELS]; LABELS], &lists, &[[0; LABELS]; 16])
    }

    fn found(threshold: i32, text: &str) -> Vec<String> {
        let bytes = model(threshold);
        let persons = Names::read(&bytes).unwrap().find(text).persons;
        persons.iter().map(|person| text[person.start..person.end].to_owned()).collect()
    }

    /// With weights that find nothing, the rules alone.
    #[test]
    fn what_is_announced_as_a_name_is_found() {
        let proofs: &[(&str, &[&str])] = &[
            ("je m'appelle Zyxw Qwert", &["Zyxw Qwert"]),
            ("Mon nom est fatiha amrani.", &["fatiha amrani"]),
            ("mijn naam is Jan van den Zyxw", &["Jan van den Zyxw"]),
            ("ich heiße Zyxw", &["Zyxw"]),
            ("my name is passport", &[]),
            ("Mme Zyxw vous attend", &["Zyxw"]),
            ("M. Zyxw avec la carte pour vous", &["Zyxw"]),
            ("dhr. P. Zyxw", &["P. Zyxw"]),
            ("Frau Dr. Schmitz", &["Schmitz"]),
            ("Madame la bourgmestre", &[]),
            ("Monsieur Le Consul", &[]),
            ("Madame, merci", &[]),
            ("Merci pour la carte. Cordialement, Zyxw Peeters", &["Zyxw Peeters"]),
            ("Mvg, Jan", &["Jan"]),
            ("Cordialement, la commune de Zyxw et le guichet", &[]),
            ("hier Samira Zyxw gezien", &["Samira Zyxw"]),
            ("hier samira zyxw gezien", &[]),
            ("rue Emile Vandervelde", &[]),
        ];
        for (text, expected) in proofs {
            assert_eq!(&found(i32::MAX, text), expected, "{text}");
        }
    }

    /// With weights that find everything, what the rules let go.
    #[test]
    fn what_is_something_else_is_let_go() {
        let let_go = [
            "rue Émile Vandervelde",
            "Place Jan Peeters Zuid",
            "Groot-Bijgaarden",
            "Sint-Jans-Molenbeek",
            "Paul-Spaak-Straße",
            "Albertlaan",
            "guichet",
        ];
        for text in let_go {
            assert_eq!(found(-1_000_000, text), Vec::<String>::new(), "{text}");
        }
        for text in ["Zyxw", "Jan Peeters", "Mme Sint-Jans-Zyxw"] {
            assert_ne!(found(-1_000_000, text), Vec::<String>::new(), "{text}");
        }
    }
}
