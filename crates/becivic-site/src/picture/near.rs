//! What stands around a skill: what it needs, what needs it, what is related to it.
//!
//! Whatever is named but is not there is left out; what is put away is named with its status, and no more.

use crate::doc::{Block, Inline, paragraph, strong, text};
use crate::pages::{AUTHORED, in_language};
use crate::words::{Words, fill};
use crate::world::{SeenSkill, World};
use becivic_core::vocabulary::Status;
use std::collections::BTreeSet;

/// A list names this many of a kind at most.
const LISTED: usize = 100;

/// How something stands to a skill, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bond {
    /// To be done first.
    First,
    /// Required.
    Needs,
    /// A required document or desk.
    Document,
    /// Needs this one.
    NeededBy,
    /// Of interest beside it.
    Related,
}

/// Every way to stand to a skill.
const BONDS: [Bond; 5] = [Bond::First, Bond::Needs, Bond::Document, Bond::NeededBy, Bond::Related];

/// Something near a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// How it stands to the skill.
    pub bond: Bond,
    /// What it is called.
    pub title: String,
    /// In which language.
    pub language: &'static str,
    /// Its address.
    pub to: String,
    /// Its status.
    pub status: Status,
}

/// A skill and what is around it.
pub struct Around {
    /// The skill's title.
    pub title: String,
    /// Its neighbours: kind by kind, each in the order it was written.
    pub neighbours: Vec<Neighbour>,
}

impl Around {
    /// What is around a skill; nothing where nothing is, or it is put away.
    pub fn of(world: &World<'_>, seen: SeenSkill<'_>, words: &Words) -> Option<Self> {
        let front = seen.front()?;
        let id = seen.id();
        let uses = world.corpus.uses();
        let first = front.prerequisites.iter().flatten().map(String::as_str);
        let needs = front.requires().iter().map(|it| it.id.as_str());
        let needed_by = uses.needing(id).iter().map(String::as_str);
        let related = front.related.iter().flatten().chain(uses.relating_to(id)).map(String::as_str);
        // A skill is named once, where the bond is firmest.
        let mut named: BTreeSet<&str> = BTreeSet::from([id]);
        let skills = first
            .map(|id| (Bond::First, id))
            .chain(needs.map(|id| (Bond::Needs, id)))
            .chain(needed_by.map(|id| (Bond::NeededBy, id)))
            .chain(related.map(|id| (Bond::Related, id)));
        let mut neighbours: Vec<Neighbour> = skills
            .filter(|(_, id)| named.insert(id))
            .filter_map(|(bond, id)| skill(world, id, bond))
            .collect();
        let mut paths: BTreeSet<&str> = BTreeSet::new();
        let required = front.requires_paths().iter().map(|it| it.id.as_str());
        neighbours.extend(required.filter(|id| paths.insert(id)).filter_map(|id| path(world, id, words)));
        neighbours.sort_by_key(|it| it.bond);
        (!neighbours.is_empty()).then(|| Self { title: seen.title().to_owned(), neighbours })
    }

    /// Those that stand so to the skill.
    pub fn with(&self, bonds: &[Bond]) -> Vec<&Neighbour> {
        self.neighbours.iter().filter(|it| bonds.contains(&it.bond)).collect()
    }

    /// Everything as a list.
    pub fn list(&self, words: &Words) -> Block {
        let items = BONDS.iter().filter_map(|bond| {
            let those = self.with(&[*bond]);
            (!those.is_empty()).then(|| vec![paragraph([strong(bond.name(words))]), inner(&those, words)])
        });
        Block::List { ordered: false, items: items.collect() }
    }
}

impl Bond {
    /// What it is called.
    pub fn name(self, words: &Words) -> &'static str {
        match self {
            Self::First => words.picture.first,
            Self::Needs => words.picture.needs,
            Self::Document => words.picture.documents,
            Self::NeededBy => words.picture.needed_by,
            Self::Related => words.picture.related,
        }
    }
}

fn inner(those: &[&Neighbour], words: &Words) -> Block {
    let line = |it: &&Neighbour| vec![paragraph([named(it), text(" "), Inline::Status(it.status)])];
    let mut items: Vec<Vec<Block>> = those.iter().take(LISTED).map(line).collect();
    if those.len() > LISTED {
        let more = (those.len() - LISTED).to_string();
        items.push(vec![paragraph([text(fill(words.picture.more, &[&more]))])]);
    }
    Block::List { ordered: false, items }
}

fn named(it: &Neighbour) -> Inline {
    let title = Inline::In { language: it.language, text: it.title.clone() };
    Inline::Link { to: it.to.clone(), label: vec![title] }
}

fn skill(world: &World<'_>, id: &str, bond: Bond) -> Option<Neighbour> {
    let seen = world.skill(id)?;
    let title = seen.title().to_owned();
    Some(Neighbour { bond, title, language: AUTHORED, to: format!("/skills/{id}"), status: seen.status })
}

fn path(world: &World<'_>, id: &str, words: &Words) -> Option<Neighbour> {
    let seen = world.path(id)?;
    let title = seen.entry().and_then(|entry| in_language(&entry.title, words));
    let (language, title) = title.unwrap_or((words.language, id));
    let (language, title) = (language.as_str(), title.to_owned());
    Some(Neighbour { bond: Bond::Document, title, language, to: format!("/paths/{id}"), status: seen.status })
}
