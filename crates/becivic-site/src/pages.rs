//! The list of pages. Each has a file: what it needs to know, and the document it makes of that.

mod authored;
mod missing;
mod search;
mod skill;
mod skills;

use crate::address::Which;
use crate::doc::Doc;
use crate::facts::{Facts, Needs};
use crate::words::Words;
use crate::world::World;
use becivic_core::vocabulary::Language;

pub use missing::missing;

/// A page before it is printed.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What it is called.
    pub title: String,
    /// What it is about, in a sentence.
    pub description: String,
    /// The language of the text; the words around it are the reader's.
    pub language: Language,
    /// Whether search engines may list it.
    pub indexed: bool,
    /// The status of the answer.
    pub status: u16,
    /// What it says.
    pub doc: Doc,
    /// Headings inside texts that were printed already: name and title.
    pub contents: Vec<(String, String)>,
}

impl Shown {
    /// A page in the reader's language.
    pub fn new(title: impl Into<String>, description: impl Into<String>, words: &Words) -> Self {
        Self {
            title: title.into(),
            description: description.into(),
            language: words.language,
            indexed: true,
            status: 200,
            doc: Doc::default(),
            contents: Vec::new(),
        }
    }
}

/// What a page needs besides the files.
pub fn needs(world: &World<'_>, which: &Which) -> Needs {
    match which {
        Which::Skill(id) => skill::needs(world, id),
        Which::Authored(_) | Which::Skills | Which::Search => Needs::default(),
        // Pages that are to come.
        Which::SkillAt(..)
        | Which::SkillHistory(_)
        | Which::SkillChange(..)
        | Which::Paths
        | Which::ThemeOf(_)
        | Which::Path(_)
        | Which::Value(_)
        | Which::Reference(_)
        | Which::Activity
        | Which::Log => Needs::default(),
    }
}

/// A page.
pub fn show(world: &World<'_>, which: &Which, facts: &Facts, words: &Words) -> Shown {
    let shown = match which {
        Which::Authored(address) => authored::show(world, address, words),
        Which::Skill(id) => skill::show(world, id, facts, words),
        Which::Skills => Some(skills::show(world, words)),
        Which::Search => Some(search::show(world, facts, words)),
        Which::SkillAt(..)
        | Which::SkillHistory(_)
        | Which::SkillChange(..)
        | Which::Paths
        | Which::ThemeOf(_)
        | Which::Path(_)
        | Which::Value(_)
        | Which::Reference(_)
        | Which::Activity
        | Which::Log => None,
    };
    shown.unwrap_or_else(|| missing(world, &which.address(), words))
}

/// The file that a page was authored in, byte for byte; nothing of what is put away, and of pages that have none.
pub fn source<'w>(world: &World<'w>, which: &Which) -> Option<&'w str> {
    match which {
        Which::Skill(id) => world.skill(id)?.skill().map(|skill| skill.source.text()),
        Which::Authored(address) => world.corpus.pages.get(address).map(|page| page.source.text()),
        Which::Skills
        | Which::SkillAt(..)
        | Which::SkillHistory(_)
        | Which::SkillChange(..)
        | Which::Paths
        | Which::ThemeOf(_)
        | Which::Path(_)
        | Which::Value(_)
        | Which::Reference(_)
        | Which::Activity
        | Which::Log
        | Which::Search => None,
    }
}
