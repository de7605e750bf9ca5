//! What tags are looked up in: the rows that were fetched, and the files as readers may see them.

use crate::facts::{Facts, Row};
use crate::world::{SeenPath, SeenSkill, World};
use becivic_core::mdx::resolve::{Entry, Lookup};

/// Files and facts.
pub struct Shelf<'f> {
    /// The files.
    pub world: World<'f>,
    /// The facts.
    pub facts: &'f Facts,
}

impl<'f> Lookup<'f> for Shelf<'f> {
    type Row = &'f Row;
    type Path = SeenPath<'f>;
    type Skill = SeenSkill<'f>;

    fn entry(&self, key: &str) -> Option<Entry<'f, &'f Row>> {
        let entry = self.facts.entries.get(key)?;
        Some(Entry { uid: &entry.uid, name: &entry.name, shown: entry.shown(), pending: entry.pending() })
    }

    fn path(&self, id: &str) -> Option<SeenPath<'f>> {
        self.world.path(id)
    }

    fn skill(&self, id: &str) -> Option<SeenSkill<'f>> {
        self.world.skill(id)
    }
}
