//! Questions and answers.

use super::document::{Kind, Place};
use crate::vocabulary::{Domain, Language, Status, words};
use serde::Serialize;
use serde_with::skip_serializing_none;
use std::collections::BTreeSet;
use std::fmt;

/// What somebody looks for.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The words, as they were typed. Only the beginning of a very long text is read.
    pub query: &'q str,
    /// The language they are in, when known.
    pub language: Option<Language>,
    /// What may be found; anything when empty.
    pub kinds: &'q [Kind],
    /// How far it has to be confirmed; whatever is published when empty.
    pub statuses: &'q [Status],
    /// The domains a skill may be of; any when empty. Only skills have one: with domains asked for, nothing else is found.
    pub domains: &'q [Domain],
    /// The category a skill or path has to be of.
    pub category: Option<&'q str>,
    /// What was put away, by kind and id: never found.
    pub withheld: &'q BTreeSet<(String, String)>,
    /// How many hits are wanted.
    pub limit: usize,
}

impl<'q> Question<'q> {
    /// A question for anything that is published.
    pub fn new(query: &'q str) -> Self {
        static NOTHING: BTreeSet<(String, String)> = BTreeSet::new();
        Self {
            query,
            language: None,
            kinds: &[],
            statuses: &[],
            domains: &[],
            category: None,
            withheld: &NOTHING,
            limit: 10,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// The best first.
    pub hits: Vec<Hit>,
    /// Whether nothing fits. The skill for such cases is then the only hit, where there is one and skills were asked for.
    pub nothing_fits: bool,
}

/// One document that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hit {
    /// What it is.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// How well it fits, from 0 to 1000.
    pub score: u32,
    /// Why it was found.
    pub reasons: Vec<Reason>,
}

words! {
    /// The way from a word that was asked for to a word that was found, the surest first.
    Through {
        /// The same word.
        Same = "same word",
        /// A word of the same family: another ending.
        Family = "word family",
        /// Something that means the same.
        Synonym = "synonym",
        /// A compound that holds the word, or the parts of a compound.
        Compound = "compound",
        /// The words of a phrase, apart from each other.
        Apart = "words apart",
        /// A word that is spelled much like it.
        Spelling = "spelling",
    }
}

/// Why something was found.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reason {
    /// A word of the question was found.
    Word {
        /// What was asked for.
        asked: String,
        /// What was found.
        found: String,
        /// Where.
        place: Place,
        /// In which language that is written.
        language: Option<Language>,
        /// In which way.
        through: Through,
    },
    /// Nothing fits: this is where an agent goes then.
    Nothing {
        /// That it is so, in words.
        because: &'static str,
    },
}

impl Reason {
    /// The reason of the routing floor.
    pub const NOTHING: Self = Self::Nothing { because: "nothing in the corpus fits" };
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word { asked, found, place, through, .. } => {
                write!(f, "`{asked}` is answered by `{found}` in the {place} ({through})")
            }
            Self::Nothing { because } => f.write_str(because),
        }
    }
}
