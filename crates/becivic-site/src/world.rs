//! The corpus as readers may see it: the files, except where a flag is ahead of them.

use crate::citations::{Citations, Cited};
use crate::search::Index;
use becivic_core::corpus::{Corpus, Path, Skill};
use becivic_core::path::PathEntry;
use becivic_core::skill::Frontmatter;
use becivic_core::vocabulary::Status;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The corpus at one moment.
#[derive(Clone, Copy)]
pub struct World<'w> {
    /// The files.
    pub corpus: &'w Corpus,
    /// The commit they are of; empty where there is none.
    pub commit: &'w str,
    /// Skills and paths, as `(type, id)`, that a flag has put away before their files say so.
    pub withheld: &'w BTreeSet<(String, String)>,
    /// Where the site stands, without a slash at the end: `https://becivic.be`.
    pub base: &'w str,
    /// Who cites what, made once for the commit; without it each question walks the corpus.
    pub citations: Option<&'w Citations>,
    /// The skills by id and by category, where many are asked for; without it each is searched for in the corpus.
    pub shelves: Option<&'w Shelves<'w>>,
    /// What can be found in the files, made once for the commit; without it each search walks the corpus.
    pub index: Option<&'w Index>,
    /// Where it is noted what was asked for, where somebody wants to know.
    pub looked: Option<&'w Looked>,
    /// Whether a server answers, with history, several languages and addresses for programs; or only files are there.
    pub is_live: bool,
}

/// Skills by id and by category: one look for each that is asked for, however many there are.
#[derive(Default)]
pub struct Shelves<'w> {
    skills: FxHashMap<&'w str, &'w Skill>,
    /// In the order of their ids.
    categories: FxHashMap<&'w str, Vec<(&'w str, &'w Skill)>>,
}

impl<'w> Shelves<'w> {
    /// Of a corpus.
    pub fn of(corpus: &'w Corpus) -> Self {
        let mut shelves = Self::default();
        for (id, skill) in &corpus.skills {
            shelves.skills.insert(id, skill);
            if let Some(front) = &skill.front {
                shelves.categories.entry(&front.category).or_default().push((id, skill));
            }
        }
        shelves
    }
}

/// Notes what a page was made of: a world with these skills and paths, and the other files, gives the same page.
#[derive(Debug, Default)]
pub struct Looked(Mutex<Asked>);

/// What was asked for until now, in no order.
#[derive(Debug, Default)]
struct Asked {
    skills: FxHashSet<String>,
    paths: FxHashSet<String>,
    everything: bool,
}

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookedAt {
    /// Skills, whether or not they are there.
    pub skills: BTreeSet<String>,
    /// Paths, alike.
    pub paths: BTreeSet<String>,
    /// Whether all of them were asked for.
    pub everything: bool,
}

impl Looked {
    /// What was asked for until now.
    pub fn at(self) -> LookedAt {
        let Asked { skills, paths, everything } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        LookedAt { skills: skills.into_iter().collect(), paths: paths.into_iter().collect(), everything }
    }

    fn note(&self, note: impl FnOnce(&mut Asked)) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn add(to: &mut FxHashSet<String>, id: &str) {
    if !to.contains(id) {
        to.insert(id.to_owned());
    }
}

/// A skill as readers may see it.
#[derive(Clone, Copy)]
pub struct SeenSkill<'w> {
    /// The status it is served with.
    pub status: Status,
    skill: &'w Skill,
    front: &'w Frontmatter,
}

/// A path as readers may see it.
#[derive(Clone, Copy)]
pub struct SeenPath<'w> {
    /// The status it is served with.
    pub status: Status,
    path: &'w Path,
}

/// Nothing.
static NOTHING: BTreeSet<(String, String)> = BTreeSet::new();

impl<'w> World<'w> {
    /// The files alone, at an address: no commit, nothing put away, nothing made in advance.
    pub fn new(corpus: &'w Corpus, base: &'w str) -> Self {
        Self {
            corpus,
            commit: "",
            withheld: &NOTHING,
            base,
            citations: None,
            shelves: None,
            index: None,
            looked: None,
            is_live: true,
        }
    }

    /// A skill.
    pub fn skill(&self, id: &str) -> Option<SeenSkill<'w>> {
        self.looked.inspect(|looked| looked.note(|at| add(&mut at.skills, id)));
        let skill = match self.shelves {
            Some(shelves) => shelves.skills.get(id).copied(),
            None => self.corpus.skills.get(id).map(AsRef::as_ref),
        };
        self.seen_skill(id, skill?)
    }

    fn seen_skill(&self, id: &str, skill: &'w Skill) -> Option<SeenSkill<'w>> {
        let front = skill.front.as_ref()?;
        Some(SeenSkill { status: self.status("skill", id, front.status), skill, front })
    }

    /// Every skill, by id.
    pub fn skills(&self) -> impl Iterator<Item = SeenSkill<'w>> + '_ {
        self.looked.inspect(|looked| looked.note(|at| at.everything = true));
        self.corpus.skills.iter().filter_map(|(id, skill)| self.seen_skill(id, skill))
    }

    /// The skills of a category, by id.
    pub fn skills_of(&self, category: &str) -> Vec<SeenSkill<'w>> {
        let Some(shelves) = self.shelves else {
            return self.skills().filter(|skill| skill.category() == category).collect();
        };
        self.looked.inspect(|looked| looked.note(|at| at.everything = true));
        let skills = shelves.categories.get(category).into_iter().flatten();
        skills.filter_map(|(id, skill)| self.seen_skill(id, skill)).collect()
    }

    /// A path.
    pub fn path(&self, id: &str) -> Option<SeenPath<'w>> {
        self.looked.inspect(|looked| looked.note(|at| add(&mut at.paths, id)));
        Some(self.seen_path(id, self.corpus.paths.as_ref()?.entries.get(id)?))
    }

    fn seen_path(&self, id: &str, path: &'w Path) -> SeenPath<'w> {
        SeenPath { status: self.status("path", id, path.entry.status), path }
    }

    /// Every path, by id.
    pub fn paths(&self) -> impl Iterator<Item = SeenPath<'w>> + '_ {
        self.looked.inspect(|looked| looked.note(|at| at.everything = true));
        let entries = self.corpus.paths.iter().flat_map(|paths| &paths.entries);
        entries.map(|(id, path)| self.seen_path(id, path))
    }

    /// The skills that cite one of these, by id; none of which is quarantined, for what it cites is its text.
    pub fn citing(&self, cited: &[Cited]) -> Vec<SeenSkill<'w>> {
        let walked;
        let index = match self.citations {
            Some(index) => index,
            None => {
                walked = Citations::of(self.corpus);
                &walked
            }
        };
        let ids: BTreeSet<&str> = cited.iter().flat_map(|it| index.citing(it)).collect();
        let seen = ids.into_iter().filter_map(|id| self.skill(id));
        seen.filter(|skill| skill.skill().is_some()).collect()
    }

    fn status(&self, target_type: &str, id: &str, in_file: Status) -> Status {
        let is_withheld =
            !self.withheld.is_empty() && self.withheld.contains(&(target_type.to_owned(), id.to_owned()));
        if is_withheld { Status::Quarantined } else { in_file }
    }
}

impl<'w> SeenSkill<'w> {
    /// The same, where somebody knows of a stricter status.
    pub fn beside(self, status: Option<Status>) -> Self {
        Self { status: stricter(self.status, status), ..self }
    }

    /// Its id.
    pub fn id(&self) -> &'w str {
        &self.front.id
    }

    /// Its title; of a quarantined one its id, for a title is words of whoever wrote the rest.
    pub fn title(&self) -> &'w str {
        if self.status == Status::Quarantined { self.id() } else { &self.front.title }
    }

    /// Its category.
    pub fn category(&self) -> &'w str {
        &self.front.category
    }

    /// Its version.
    pub fn version(&self) -> &'w str {
        &self.front.version
    }

    /// Its frontmatter; none of a quarantined one.
    pub fn front(&self) -> Option<&'w Frontmatter> {
        (self.status != Status::Quarantined).then_some(self.front)
    }

    /// The skill itself; none of a quarantined one.
    pub fn skill(&self) -> Option<&'w Skill> {
        (self.status != Status::Quarantined).then_some(self.skill)
    }

    /// The commit of the stable version before it.
    pub fn previous_stable(&self) -> Option<&'w str> {
        self.front.previous_stable_sha.as_deref()
    }

    /// What it was replaced by, where it is retired.
    pub fn superseded_by(&self) -> Option<&'w str> {
        self.front.superseded_by.as_deref()
    }
}

impl<'w> SeenPath<'w> {
    /// The same, where somebody knows of a stricter status.
    pub fn beside(self, status: Option<Status>) -> Self {
        Self { status: stricter(self.status, status), ..self }
    }

    /// Its id.
    pub fn id(&self) -> &'w str {
        &self.path.key
    }

    /// Its version.
    pub fn version(&self) -> &'w str {
        &self.path.entry.version
    }

    /// Its entry; none of a quarantined one.
    pub fn entry(&self) -> Option<&'w PathEntry> {
        (self.status != Status::Quarantined).then_some(&self.path.entry)
    }
}

fn stricter(status: Status, other: Option<Status>) -> Status {
    match other {
        Some(Status::Quarantined) => Status::Quarantined,
        Some(Status::Draft | Status::Alpha | Status::Beta | Status::Stable | Status::Deprecated) | None => {
            status
        }
    }
}
