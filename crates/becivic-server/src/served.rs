//! What readers get of the corpus: what its files say, except where a flag is ahead of them (DECISIONS §5, §8).
//!
//! 1. [`App::served`] takes the corpus and what flags have put away, once for an answer.
//! 2. A skill or a path comes out with the status it is served with; what a quarantined one holds does not come out at all.
//! 3. Whoever has read an artefact's standing beside it says so with `beside`: the database knows of a flag, or of another
//!    process's commit, a moment before this process does.
//!
//! Every answer that shows a skill or a path asks here, and nowhere reads the corpus itself.

use crate::app::App;
use crate::db::standings::Standing;
use crate::live::Live;
use becivic_core::corpus::Path;
use becivic_core::path::PathEntry;
use becivic_core::skill::Frontmatter;
use becivic_core::vocabulary::Status;
use becivic_site::World;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::{Arc, Weak};

/// The corpus as it is served at one moment.
pub struct Served {
    live: Arc<Live>,
    withheld: Arc<BTreeSet<(String, String)>>,
}

/// A skill as it is served.
#[derive(Clone, Copy)]
pub struct ServedSkill<'a> {
    /// The status it is served with.
    pub status: Status,
    front: &'a Frontmatter,
}

/// A path as it is served.
#[derive(Clone, Copy)]
pub struct ServedPath<'a> {
    /// The status it is served with.
    pub status: Status,
    path: &'a Path,
}

impl App {
    /// The corpus as it is served now.
    pub fn served(&self) -> Served {
        // The flags first: one that goes while the two are taken goes because the file says it by then.
        let withheld = self.withheld.load_full();
        Served { live: self.live.load_full(), withheld }
    }
}

impl Served {
    /// The commit it is of.
    pub fn commit(&self) -> &str {
        &self.live.commit
    }

    /// The files, for whoever decides about artefacts rather than shows them.
    pub fn files(&self) -> &Arc<Live> {
        &self.live
    }

    /// The same for whoever makes pages of it.
    pub fn world<'s>(&'s self, base: &'s str) -> World<'s> {
        let base = base.trim_end_matches('/');
        World {
            commit: &self.live.commit,
            withheld: &self.withheld,
            citations: Some(self.live.citations()),
            index: Some(self.live.index()),
            ..World::new(&self.live.corpus, base)
        }
    }

    /// Whether it is of this: what is held, if only weakly, has a place that nothing else has.
    pub fn is_of(&self, live: &Weak<Live>, withheld: &Weak<BTreeSet<(String, String)>>) -> bool {
        std::ptr::eq(live.as_ptr(), Arc::as_ptr(&self.live))
            && std::ptr::eq(withheld.as_ptr(), Arc::as_ptr(&self.withheld))
    }

    /// What it is of: another one is of something else.
    pub fn origin(&self) -> (Weak<Live>, Weak<BTreeSet<(String, String)>>) {
        (Arc::downgrade(&self.live), Arc::downgrade(&self.withheld))
    }

    /// Skills that their files still show, and a flag has put away.
    pub fn withheld_skills(&self) -> Vec<String> {
        self.withheld.iter().filter(|(kind, _)| kind == "skill").map(|(_, id)| id.clone()).collect()
    }

    /// What flags have put away before its file says so.
    pub fn withheld(&self) -> &BTreeSet<(String, String)> {
        &self.withheld
    }

    /// A skill.
    pub fn skill(&self, id: &str) -> Option<ServedSkill<'_>> {
        let (_, front) = self.live.skill(id)?;
        Some(self.seen(front))
    }

    /// The skills after an id, in their order.
    pub fn skills(&self, after: &str) -> impl Iterator<Item = ServedSkill<'_>> {
        let after = self.live.corpus.skills.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        after.filter_map(|(_, skill)| Some(self.seen(skill.front.as_ref()?)))
    }

    fn seen<'a>(&self, front: &'a Frontmatter) -> ServedSkill<'a> {
        ServedSkill { status: self.status("skill", &front.id, front.status), front }
    }

    /// A path.
    pub fn path(&self, id: &str) -> Option<ServedPath<'_>> {
        let path = self.live.path(id)?;
        Some(ServedPath { status: self.status("path", &path.key, path.entry.status), path })
    }

    /// The paths after an id, in their order.
    pub fn paths(&self, after: &str) -> impl Iterator<Item = ServedPath<'_>> {
        let entries = self.live.corpus.paths.iter();
        let after = entries
            .flat_map(move |it| it.entries.range::<str, _>((Bound::Excluded(after), Bound::Unbounded)));
        after.map(|(id, path)| ServedPath { status: self.status("path", id, path.entry.status), path })
    }

    fn status(&self, target_type: &str, id: &str, in_file: Status) -> Status {
        let is_withheld =
            !self.withheld.is_empty() && self.withheld.contains(&(target_type.to_owned(), id.to_owned()));
        if is_withheld { Status::Quarantined } else { in_file }
    }
}

impl<'a> ServedSkill<'a> {
    /// The same, beside its standing.
    pub fn beside(self, standing: Option<&Standing>) -> Self {
        Self { status: beside(self.status, standing), ..self }
    }

    /// Its id.
    pub fn id(&self) -> &'a str {
        &self.front.id
    }

    /// What names and sorts it: none of its text but the title, by which people know it.
    pub fn labels(&self) -> Map<String, Value> {
        let front = self.front;
        let labels = [
            ("id", json!(front.id)),
            ("title", json!(front.title)),
            ("status", json!(self.status)),
            ("version", json!(front.version)),
            ("origin", json!(front.origin)),
            ("category", json!(front.category)),
        ];
        labels.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Its version.
    pub fn version(&self) -> &'a str {
        &self.front.version
    }

    /// Its category.
    pub fn category(&self) -> &'a str {
        &self.front.category
    }

    /// Its frontmatter; none of a quarantined one, whose summary is as bad as its text.
    pub fn front(&self) -> Option<&'a Frontmatter> {
        (self.status != Status::Quarantined).then_some(self.front)
    }

    /// Of a quarantined one: where the stable version before it lies.
    pub fn previous_stable(&self) -> Option<&'a str> {
        self.front.previous_stable_sha.as_deref().filter(|_| self.status == Status::Quarantined)
    }
}

impl<'a> ServedPath<'a> {
    /// The same, beside its standing.
    pub fn beside(self, standing: Option<&Standing>) -> Self {
        Self { status: beside(self.status, standing), ..self }
    }

    /// Its id.
    pub fn id(&self) -> &'a str {
        &self.path.key
    }

    /// Its entry; none of a quarantined one.
    pub fn entry(&self) -> Option<&'a PathEntry> {
        (self.status != Status::Quarantined).then_some(&self.path.entry)
    }
}

/// The stricter of what is served and what the standing says.
fn beside(status: Status, standing: Option<&Standing>) -> Status {
    match standing.and_then(Standing::served) {
        Some(Status::Quarantined) => Status::Quarantined,
        Some(Status::Draft | Status::Alpha | Status::Beta | Status::Stable | Status::Deprecated) | None => {
            status
        }
    }
}
