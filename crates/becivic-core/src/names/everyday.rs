//! Which tokens are no part of a name, without asking the model.
//!
//! 1. **Everyday** is a mark, a number, a common word of the text's language in small letters that is no name of our own lists, and one
//!    with a capital (a sentence begins there, or the text is German) that is no name of any list. No title is.
//! 2. **Joining** is what can stand between the parts of a name: a particle, a dash, a letter alone, an apostrophe that ends a word. It
//!    is everyday too, unless something that is not stands next to it, or next to what joins it.
//! 3. An everyday token between two everyday tokens is no part of a name. The model, asked, says the same of 13,000 lines but
//!    one (a test in `names/decode.rs`); it is asked about everything else.

use super::model::Known;
use super::sentence::{GERMAN, Sentence};
use super::tokens::Shape;

/// What can be said of a token without the model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Everyday,
    Joining,
    Other,
}

/// A name of our own lists.
const OWN: Known = Known::GIVEN_OWN.with(Known::FAMILY_OWN);
/// A name of any list.
const LISTED: Known = OWN.with(Known::GIVEN).with(Known::FAMILY);
/// In its language a word is common from this class on.
const COMMON: u32 = 2;

/// Of each token, whether it is no part of a name.
pub fn no_names(sentence: &Sentence) -> Vec<bool> {
    let mut kinds: Vec<Kind> = (0..sentence.tokens.len()).map(|at| kind(sentence, at)).collect();
    // What joins something is part of it, from the left and from the right.
    let mut before = Kind::Everyday;
    kinds.iter_mut().for_each(|kind| before = joined(kind, before));
    let mut after = Kind::Everyday;
    kinds.iter_mut().rev().for_each(|kind| after = joined(kind, after));
    let is_other = |at: Option<usize>| at.and_then(|at| kinds.get(at)) == Some(&Kind::Other);
    let around = |at: usize| [at.checked_sub(1), Some(at), at.checked_add(1)];
    (0..kinds.len()).map(|at| !around(at).into_iter().any(is_other)).collect()
}

fn joined(kind: &mut Kind, neighbour: Kind) -> Kind {
    if *kind == Kind::Joining && neighbour == Kind::Other {
        *kind = Kind::Other;
    }
    *kind
}

fn kind(sentence: &Sentence, at: usize) -> Kind {
    let (token, known) = (&sentence.tokens[at], sentence.known[at]);
    let is_common = sentence.commonness(at) >= COMMON;
    match token.shape {
        Shape::Dash => Kind::Joining,
        Shape::Quote if ends_a_word(sentence, at) => Kind::Joining,
        Shape::Quote => Kind::Other,
        shape if !shape.is_word() => Kind::Everyday,
        _ if known.any(Known::TITLE) => Kind::Other,
        Shape::Lower if !is_common || known.any(OWN) || is_initial(sentence, at) => Kind::Other,
        Shape::Lower if token.letters == 1 || known.any(Known::PARTICLE) => Kind::Joining,
        Shape::Lower => Kind::Everyday,
        Shape::Capital if sentence.begins(at) || sentence.language == Some(GERMAN) => {
            let part = !is_common || known.any(LISTED.with(Known::PARTICLE));
            if part { Kind::Other } else { Kind::Everyday }
        }
        _ => Kind::Other,
    }
}

/// Whether the mark stands right behind a word: l'agent, aujourd'hui.
fn ends_a_word(sentence: &Sentence, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| sentence.tokens.get(at));
    before.is_some_and(|it| it.shape == Shape::Lower && it.span.end == sentence.tokens[at].span.start)
}

/// Whether the token is a letter and a point.
fn is_initial(sentence: &Sentence, at: usize) -> bool {
    let is_stopped = sentence.tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Stop);
    sentence.tokens[at].letters == 1 && is_stopped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::model::Model;
    use std::path::Path;

    /// The words of a text about which the model is asked.
    fn asked(text: &str) -> Vec<&str> {
        let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/names.bin");
        let weights = std::fs::read(weights).unwrap();
        let sentence = Sentence::glance(text, &Model::read(&weights).unwrap());
        let asked = no_names(&sentence).into_iter().zip(&sentence.tokens).filter(|(no_name, _)| !no_name);
        asked.map(|(_, token)| &text[token.span.clone()]).collect()
    }

    #[test]
    fn nothing_is_asked_about_everyday_words() {
        let texts = [
            "The counter asked for the paper form as well.",
            "Il faut attendre deux mois pour avoir une réponse.",
            "We wachten al een jaar op een antwoord.",
            "Wir warten seit einem Jahr auf die Antwort.",
            "",
        ];
        let asked: Vec<&str> = texts.into_iter().flat_map(asked).collect();
        assert_eq!(asked, [""; 0]);
    }

    #[test]
    fn what_can_be_part_of_a_name_is_asked_about_and_so_is_what_stands_beside_it() {
        assert_eq!(
            asked("They sent the file to jan peeters again today."),
            ["file", "to", "jan", "peeters", "again"]
        );
        let joined = asked("Ze gaven het aan mevrouw van den Broeck mee.");
        assert_eq!(joined, ["het", "aan", "mevrouw", "van", "den", "Broeck", "mee"]);
        let initial = asked("m. de roeck du service demande une photo");
        assert_eq!(initial[..4], ["m", ".", "de", "roeck"]);
        assert!(asked("Frau van 't Hoff war da.").starts_with(&["Frau", "van", "'", "t", "Hoff"]));
    }
}
