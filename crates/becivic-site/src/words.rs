//! The words around the texts, in four languages. Texts themselves stay as they were authored.
//!
//! One file per part of the site under `words/`, each a table with a row per word: English, French, Dutch, German. A place for
//! something is written `{}` and filled by [`fill`].

mod activity;
mod body;
mod catalogue;
mod category;
mod form;
mod frame;
mod path;
mod picture;
mod search;
mod skill;
mod status;

use becivic_core::vocabulary::{Language, Status};

/// A table of words: a row gives a word its name and its four forms.
macro_rules! table {
    ($(#[$about:meta])* $name:ident { $( $(#[$doc:meta])* $word:ident: $en:literal, $fr:literal, $nl:literal, $de:literal; )+ }) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $name { $( $(#[$doc])* #[allow(missing_docs)] pub $word: &'static str, )+ }

        impl $name {
            pub(super) const EN: Self = Self { $( $word: $en, )+ };
            pub(super) const FR: Self = Self { $( $word: $fr, )+ };
            pub(super) const NL: Self = Self { $( $word: $nl, )+ };
            pub(super) const DE: Self = Self { $( $word: $de, )+ };

            /// Every word in four languages, by its name.
            #[cfg(test)]
            pub(super) const ROWS: &'static [(&'static str, [&'static str; 4])] =
                &[ $( (stringify!($word), [$en, $fr, $nl, $de]), )+ ];
        }
    };
}
use table;

/// All words of one language.
#[derive(Debug)]
pub struct Words {
    /// The language.
    pub language: Language,
    /// What a picture says in words.
    pub picture_in_words: &'static str,
    /// What stands beside tags.
    pub body: body::Body,
    /// The page of the onboarding form.
    pub form: form::Form,
    /// The page around every text.
    pub frame: frame::Frame,
    /// Pictures, and what they show in words.
    pub picture: picture::Picture,
    /// Statuses, and what they mean.
    pub statuses: status::Statuses,
    /// Skills.
    pub skill: skill::Skill,
    /// Paths and their sources.
    pub path: path::Path,
    /// Values and references, and what verdicts add up to.
    pub catalogue: catalogue::Catalogue,
    /// Subjects of skills.
    pub category: category::Category,
    /// The dashboard and the log.
    pub activity: activity::Activity,
    /// The search page.
    pub search: search::Search,
}

macro_rules! words_of {
    ($language:ident, $of:ident, $picture:literal) => {
        Words {
            language: Language::$language,
            picture_in_words: $picture,
            body: body::Body::$of,
            form: form::Form::$of,
            frame: frame::Frame::$of,
            picture: picture::Picture::$of,
            statuses: status::Statuses::$of,
            skill: skill::Skill::$of,
            path: path::Path::$of,
            catalogue: catalogue::Catalogue::$of,
            category: category::Category::$of,
            activity: activity::Activity::$of,
            search: search::Search::$of,
        }
    };
}

static EN: Words = words_of!(En, EN, "The picture in words");
static FR: Words = words_of!(Fr, FR, "L’image en mots");
static NL: Words = words_of!(Nl, NL, "De tekening in woorden");
static DE: Words = words_of!(De, DE, "Das Bild in Worten");

/// The words of a language.
pub fn of(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Fr => &FR,
        Language::Nl => &NL,
        Language::De => &DE,
    }
}

impl Words {
    /// A status.
    pub fn status(&self, status: Status) -> &'static str {
        let words = &self.statuses;
        match status {
            Status::Draft => words.draft,
            Status::Alpha => words.alpha,
            Status::Beta => words.beta,
            Status::Stable => words.stable,
            Status::Quarantined => words.quarantined,
            Status::Deprecated => words.deprecated,
        }
    }
}

/// Fills the places of a sentence, in order.
pub fn fill(sentence: &str, places: &[&str]) -> String {
    let mut parts = sentence.split("{}");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (part, place) in parts.zip(places) {
        out.push_str(place);
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rows = &'static [(&'static str, [&'static str; 4])];

    const ALL: &[Rows] = &[
        activity::Activity::ROWS,
        body::Body::ROWS,
        catalogue::Catalogue::ROWS,
        category::Category::ROWS,
        form::Form::ROWS,
        frame::Frame::ROWS,
        path::Path::ROWS,
        picture::Picture::ROWS,
        search::Search::ROWS,
        skill::Skill::ROWS,
        status::Statuses::ROWS,
    ];

    #[test]
    fn every_word_is_there_in_four_languages_with_the_same_places() {
        for rows in ALL {
            for (name, forms) in *rows {
                let places = |form: &str| form.matches("{}").count();
                for form in forms {
                    assert!(!form.trim().is_empty(), "{name}");
                    assert_eq!(places(form), places(forms[0]), "{name}: {form}");
                }
            }
        }
    }

    #[test]
    fn french_signs_never_begin_a_line() {
        for rows in ALL {
            for (name, [_, french, ..]) in *rows {
                for (sign, before) in [':', ';', '!', '?', '»'].map(|sign| (sign, french.split(sign))) {
                    let mut pieces: Vec<&str> = before.collect();
                    pieces.pop();
                    let ends_well = |piece: &&str| piece.is_empty() || !piece.ends_with([' ', '\u{a0}']);
                    assert!(
                        pieces.iter().all(ends_well),
                        "{name}: an ordinary space before {sign} in {french}"
                    );
                }
                assert!(!french.contains("« "), "{name}");
            }
        }
    }

    #[test]
    fn places_are_filled_in_order() {
        assert_eq!(fill("{} of {}.", &["3", "10"]), "3 of 10.");
    }
}
