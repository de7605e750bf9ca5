//! The list of pages. Each has a file: what it needs to know, and the document it makes of that.

pub mod activity;
mod authored;
mod catalogue;
pub mod category;
mod entries;
mod folder;
mod interface;
mod log;
mod logged;
mod missing;
mod path;
mod paths;
mod search;
mod skill;
mod skills;
mod verdicts;
mod why;

use crate::address::Which;
use crate::doc::Doc;
use crate::facts::{Facts, Needs};
use crate::version::Versions;
use crate::withheld;
use crate::words::Words;
use crate::world::World;
use becivic_core::vocabulary::Language;
use std::borrow::Cow;

use catalogue::Kind;
pub use missing::{gone, missing};
pub(crate) use path::{of as in_language, to_path};
pub(crate) use skill::{AUTHORED, authored};

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
    /// Headings inside texts that were printed already: name, title and the title's language.
    pub contents: Vec<(String, String, &'static str)>,
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
        Which::SkillAt(id, sha) => skill::at::needs(id, sha),
        Which::SkillHistory(id) => skill::history::needs(id),
        Which::SkillChange(id, _) => skill::change::needs(id),
        Which::Path(id) => path::needs(world, id),
        Which::Value(uid) => catalogue::needs(Kind::Value, uid),
        Which::Reference(uid) => catalogue::needs(Kind::Reference, uid),
        Which::Values => entries::needs(Kind::Value),
        Which::References => entries::needs(Kind::Reference),
        Which::Activity => activity::needs(),
        Which::Log => log::needs(),
        Which::Authored(address) => interface::needs(address),
        Which::Folder(_)
        | Which::Skills
        | Which::CategoryOf(..)
        | Which::Paths
        | Which::ThemeOf(_)
        | Which::Search => Needs::default(),
    }
}

/// What a page needs besides, which only shows once the first facts are there; they stay, and these are added to them.
pub fn needs_then(world: &World<'_>, which: &Which, facts: &Facts) -> Needs {
    match which {
        Which::SkillAt(id, sha) => skill::at::needs_then(world, id, sha, facts),
        Which::SkillChange(id, sha) => skill::change::needs_then(id, sha, facts),
        Which::Authored(_)
        | Which::Folder(_)
        | Which::Values
        | Which::References
        | Which::Skills
        | Which::CategoryOf(..)
        | Which::Skill(_)
        | Which::SkillHistory(_)
        | Which::Paths
        | Which::ThemeOf(_)
        | Which::Path(_)
        | Which::Value(_)
        | Which::Reference(_)
        | Which::Activity
        | Which::Log
        | Which::Search => Needs::default(),
    }
}

/// A page.
pub fn show(world: &World<'_>, which: &Which, facts: &Facts, words: &Words) -> Shown {
    let shown = match which {
        Which::Authored(address) => authored::show(world, address, facts, words),
        Which::Folder(address) => folder::show(world, address, words),
        Which::Values => Some(entries::show(Kind::Value, facts, words)),
        Which::References => Some(entries::show(Kind::Reference, facts, words)),
        Which::Skill(id) => skill::show(world, id, facts, words),
        Which::Skills => Some(skills::show(world, words)),
        Which::CategoryOf(category, page) => category::show(world, category, *page, words),
        Which::SkillAt(id, sha) => skill::at::show(world, id, sha, facts, words),
        Which::SkillHistory(id) => skill::history::show(world, id, facts, words),
        Which::SkillChange(id, sha) => skill::change::show(world, id, sha, facts, words),
        Which::Paths => Some(paths::show(world, words)),
        Which::ThemeOf(theme) => Some(paths::show_theme(world, *theme, words)),
        Which::Path(id) => path::show(world, id, facts, words),
        Which::Value(uid) => catalogue::show(world, Kind::Value, uid, facts, words),
        Which::Reference(uid) => catalogue::show(world, Kind::Reference, uid, facts, words),
        Which::Activity => Some(activity::show(world, facts, words)),
        Which::Log => Some(log::show(world, facts, words)),
        Which::Search => Some(search::show(world, facts, words)),
    };
    shown.unwrap_or_else(|| missing(world, &which.address(), words))
}

/// The file that a page was authored in, byte for byte; nothing of what is put away, and of pages that have none.
pub fn source<'w>(world: &World<'w>, which: &Which, facts: &Facts) -> Option<Cow<'w, str>> {
    match which {
        Which::Skill(id) => {
            let status = facts.standing("skill", id).map(|it| it.status);
            world.skill(id)?.beside(status).skill().map(|skill| withheld::file(skill, facts))
        }
        Which::SkillAt(id, commit) => {
            let versions = Versions::new(world.skill(id)?, facts);
            versions.at(commit)?;
            versions.shown_file(commit).map(Cow::Owned)
        }
        Which::Authored(address) => {
            world.corpus.pages.get(address).map(|page| Cow::Borrowed(page.source.text()))
        }
        Which::Folder(_)
        | Which::Values
        | Which::References
        | Which::Skills
        | Which::CategoryOf(..)
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
