//! The index: what a page is called, in every language, and what else is said of it.

use crate::address::Which;
use crate::world::World;
use becivic_core::corpus::{Corpus, Skill};
use becivic_core::mdx::outline::Heading;
use becivic_core::mdx::tag::Tag;
use becivic_core::path::PathEntry;
use becivic_core::skill::Frontmatter;
use becivic_core::vocabulary::{Language, Phrases, Status};
use serde::Serialize;
use serde::ser::{SerializeTuple, Serializer};
use std::collections::{BTreeMap, BTreeSet};

use super::STOP_WORDS;

/// Everything that can be found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Index {
    /// The version of the shape.
    v: u32,
    /// Words that say nothing.
    stop: &'static [&'static str],
    /// The pages.
    #[serde(rename = "pages")]
    pub entries: Vec<Entry>,
}

/// A page that can be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Where it is.
    pub address: String,
    /// What it is called.
    pub title: String,
    /// Where it stands; pages that are no artefacts have no status.
    pub status: Option<Status>,
    /// What it is.
    pub kind: Kind,
    /// What else it is called.
    pub synonyms: Vec<String>,
    /// What it is about: words.
    pub tags: String,
    /// What it is about: a sentence.
    pub summary: String,
    /// What it speaks of.
    pub headings: Vec<String>,
    /// Which of its other names is its title in another language.
    pub titles: BTreeMap<Language, usize>,
}

impl Entry {
    /// What it is called in a language, and in which language that is.
    pub fn title_in(&self, language: Language) -> (Language, &str) {
        let own = self.titles.get(&language).and_then(|at| self.synonyms.get(*at));
        own.map_or((Language::En, self.title.as_str()), |title| (language, title.as_str()))
    }
}

/// What a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A procedure.
    Skill,
    /// A way to a document or a desk.
    Path,
    /// Anything else.
    Doc,
}

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// In the title.
    Title,
    /// In another name of it.
    Synonym,
    /// Among its tags.
    Tag,
    /// In its summary.
    Summary,
    /// In a heading.
    Heading,
}

impl Field {
    /// How much a word counts there.
    pub fn weight(self) -> u32 {
        match self {
            Self::Title => 6,
            Self::Synonym => 5,
            Self::Tag => 4,
            Self::Summary => 2,
            Self::Heading => 1,
        }
    }
}

/// As a list without names, so that thousands stay small.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_tuple(9)?;
        list.serialize_element(&self.address)?;
        list.serialize_element(&self.title)?;
        list.serialize_element(self.status.map_or("", Status::as_str))?;
        list.serialize_element(&(self.kind as u8))?;
        list.serialize_element(&self.synonyms)?;
        list.serialize_element(&self.tags)?;
        list.serialize_element(&self.summary)?;
        list.serialize_element(&self.headings)?;
        list.serialize_element(&self.titles)?;
        list.end()
    }
}

impl Index {
    /// The index of the files alone, to be kept with them.
    pub fn of_files(corpus: &Corpus) -> Self {
        let withheld = BTreeSet::new();
        Self::of(&World { withheld: &withheld, ..World::new(corpus, "") })
    }

    /// The index of a world. What is put away cannot be found.
    pub fn of(world: &World<'_>) -> Self {
        let skills = world.skills().filter_map(|seen| Some(skill(seen.status, seen.front()?, seen.skill()?)));
        let paths = world.paths().filter_map(|seen| Some(path(seen.id(), seen.status, seen.entry()?)));
        let mut entries: Vec<Entry> = skills.chain(paths).collect();
        entries.extend(world.corpus.pages.iter().filter_map(|(address, page)| {
            let front = page.front.as_ref()?;
            let headings = page.document.outline.headings.iter().filter(|heading| heading.level > 1);
            Some(Entry {
                address: address.clone(),
                title: front.title.clone(),
                status: None,
                kind: Kind::Doc,
                synonyms: Vec::new(),
                tags: String::new(),
                summary: front.description.clone(),
                headings: headings.map(|heading| heading.title.clone()).collect(),
                titles: BTreeMap::new(),
            })
        }));
        Self { v: 1, stop: STOP_WORDS, entries }
    }

    /// As the browser reads it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn skill(status: Status, front: &Frontmatter, skill: &Skill) -> Entry {
    // Headings of level 2 are the same in every skill.
    let headings = skill.document.outline.headings.iter().filter(|heading| heading.level > 2);
    // Nor is one with a tag in it: what the tag stands for is the catalogue's, not this commit's.
    let has_tag = |heading: &Heading| {
        let within = |tag: &Tag| heading.span.range().contains(&(tag.open.start as usize));
        skill.document.tags.iter().any(within)
    };
    let headings = headings.filter(|heading| !has_tag(heading));
    Entry {
        address: Which::Skill(front.id.clone()).address(),
        title: front.title.clone(),
        status: Some(status),
        kind: Kind::Skill,
        synonyms: phrases(front.synonyms.as_ref()),
        tags: front.tags.as_deref().unwrap_or_default().join(" "),
        summary: front.summary.clone().unwrap_or_default(),
        headings: headings.map(|heading| heading.title.clone()).collect(),
        titles: BTreeMap::new(),
    }
}

fn path(id: &str, status: Status, entry: &PathEntry) -> Entry {
    let title = entry.title.get(&Language::En).or_else(|| entry.title.values().next()).cloned();
    let mut synonyms: Vec<String> =
        entry.title.values().filter(|name| Some(*name) != title.as_ref()).cloned().collect();
    let place = |name: &String| synonyms.iter().position(|synonym| synonym == name);
    let titles = entry.title.iter().filter_map(|(language, name)| Some((*language, place(name)?))).collect();
    for phrase in phrases(entry.synonyms.as_ref()) {
        if !synonyms.contains(&phrase) {
            synonyms.push(phrase);
        }
    }
    let summary = entry.applies_to.get("audience_summary").and_then(|it| it.as_str()).unwrap_or_default();
    Entry {
        address: Which::Path(id.to_owned()).address(),
        title: title.unwrap_or_else(|| id.to_owned()),
        status: Some(status),
        kind: Kind::Path,
        synonyms,
        tags: id.replace('-', " "),
        summary: summary.to_owned(),
        headings: Vec::new(),
        titles,
    }
}

/// Phrases of all languages, each once.
fn phrases(phrases: Option<&Phrases>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for phrase in phrases.into_iter().flat_map(|by_language| by_language.values()).flatten() {
        if !all.contains(phrase) {
            all.push(phrase.clone());
        }
    }
    all
}
