//! `llms.txt` (llmstxt.org): the map of the site for agents. It stays small enough to be fetched whole, however much there is.
//!
//! 1. A [`Book`] is made of the world: what to read first, skills by category, paths by theme, docs. What is put away is
//!    not in it.
//! 2. If everything fits, it stands in `llms.txt`. If not, skills and paths move to a file per section
//!    (`/llms/skills-<category>.txt`), to which `llms.txt` links. If that does not fit either, those links move to a file
//!    per group (`/llms/skills.txt`), and docs with them: then the size of `llms.txt` does not depend on the corpus.
//! 3. A file that would be too long goes on in others (`….2.txt`), each of which says where the next one is.

mod book;
mod split;

use crate::world::World;
use book::{Book, Group};
use std::collections::BTreeMap;

/// No file of these has more characters: agents' tools cut longer answers.
pub const LIMIT: usize = 50_000;

/// The map, made with one look at the world.
pub struct Llms {
    /// `llms.txt`.
    pub root: String,
    /// The files it was split into, by name; none where everything fits.
    pub parts: BTreeMap<String, String>,
}

/// `llms.txt` and its parts.
pub fn llms(world: &World<'_>) -> Llms {
    let book = Book::of(world);
    let whole = book.root(&book.groups.iter().map(Group::whole).collect::<Vec<_>>());
    if fits(&whole) {
        return Llms { root: whole, parts: BTreeMap::new() };
    }
    let mut parts = BTreeMap::new();
    for section in book.groups.iter().filter(|group| !group.is_plain).flat_map(|group| &group.sections) {
        parts.extend(split::file(&section.name, &section.heading(), &section.lines, world.base));
    }
    let linked = |group: &Group| if group.is_plain { group.whole() } else { group.links(world.base) };
    let sections = book.root(&book.groups.iter().map(linked).collect::<Vec<_>>());
    if fits(&sections) {
        return Llms { root: sections, parts };
    }
    for group in &book.groups {
        parts.extend(split::file(group.name, group.title, &group.link_lines(world.base), world.base));
    }
    let groups: Vec<String> = book.groups.iter().map(|group| group.link(world.base)).collect();
    Llms { root: book.root(&groups), parts }
}

fn fits(text: &str) -> bool {
    text.chars().count() < LIMIT
}
