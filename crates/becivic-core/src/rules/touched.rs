//! Which artefacts a change can have made a difference to.
//!
//! 1. A skill or path whose file or entry changed.
//! 2. Whoever names one that appeared, disappeared or has other fields now: an edit of a body, a version or a status in
//!    the lifecycle is seen by nobody else.
//! 3. A change to anything else that rules look up (pages, rows that were there before) may matter to everybody.

use crate::catalogue::Catalogue;
use crate::corpus::{Corpus, Skill};
use crate::layout::{FileKind, classify};
use crate::mdx::tag::TagKind;
use crate::path::PathEntry;
use crate::skill::Frontmatter;
use std::collections::BTreeSet;

/// Artefacts that a change touched; every rule about one of them is asked, and every rule about the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Skills by id.
    pub skills: BTreeSet<String>,
    /// Paths by key.
    pub paths: BTreeSet<String>,
    /// Files by path.
    pub files: BTreeSet<String>,
    /// Whether skills may build on each other in another way than before.
    pub graph: bool,
    /// Whether the rollups were just made of the corpus: then they are not made again to be compared.
    pub rollups_are_fresh: bool,
}

impl Touched {
    /// What a change to these files touched; `None` when that may be everything.
    pub fn by<'p>(before: &Corpus, after: &Corpus, files: impl Iterator<Item = &'p str>) -> Option<Self> {
        let mut touched = Self::default();
        let (mut skills, mut paths) = (BTreeSet::new(), BTreeSet::new());
        for file in files {
            touched.files.insert(file.to_owned());
            match classify(file) {
                FileKind::Skill(id) => {
                    if looks_different(
                        before.skills.get(&id).map(AsRef::as_ref),
                        after.skills.get(&id).map(AsRef::as_ref),
                    ) {
                        skills.insert(id.clone());
                    }
                    touched.skills.insert(id);
                }
                FileKind::Diagram(id) => {
                    touched.skills.insert(id);
                }
                FileKind::PathsIndex => entries(before, after, &mut touched.paths, &mut paths)?,
                FileKind::Values | FileKind::References if only_more_rows(before, after) => {}
                FileKind::Categories
                | FileKind::SkillsRollup
                | FileKind::PathsRollup
                | FileKind::SkillReport(_)
                | FileKind::PathReport(_) => {}
                FileKind::Values
                | FileKind::References
                | FileKind::Template(..)
                | FileKind::Communes
                | FileKind::Authorities
                | FileKind::Synonyms
                | FileKind::Types
                | FileKind::SourceClasses
                | FileKind::ScrubRules
                | FileKind::Contract(_)
                | FileKind::Page(_)
                | FileKind::Triggers
                | FileKind::Redirects
                | FileKind::Misplaced
                | FileKind::Other => return None,
            }
        }
        touched.graph = !skills.is_empty();
        if !skills.is_empty() || !paths.is_empty() {
            touched.add_dependents(after, &skills, &paths);
        }
        Some(touched)
    }

    fn add_dependents(&mut self, corpus: &Corpus, skills: &BTreeSet<String>, paths: &BTreeSet<String>) {
        let names = |skill: &Skill| {
            skill.front.as_ref().is_some_and(|front| names_in_fields(front, skills, paths))
                || names_in_body(skill, skills, paths)
        };
        let naming = corpus.skills.values().filter(|skill| names(skill)).map(|skill| skill.folder.clone());
        self.skills.extend(naming);
        for path in corpus.paths.iter().flat_map(|paths| paths.entries.values()) {
            let entry = &path.entry;
            let named = entry.related_skills.iter().any(|id| skills.contains(id))
                || entry.superseded_by.as_ref().is_some_and(|id| paths.contains(id));
            if named {
                self.paths.insert(path.key.clone());
            }
        }
    }
}

fn names_in_fields(front: &Frontmatter, skills: &BTreeSet<String>, paths: &BTreeSet<String>) -> bool {
    let listed = [&front.prerequisites, &front.related];
    front.requires().iter().any(|it| skills.contains(&it.id))
        || front.requires_paths().iter().any(|it| paths.contains(&it.id))
        || listed.into_iter().flatten().flatten().any(|id| skills.contains(id))
        || front.superseded_by.as_ref().is_some_and(|id| skills.contains(id))
}

fn names_in_body(skill: &Skill, skills: &BTreeSet<String>, paths: &BTreeSet<String>) -> bool {
    let links = skill.document.outline.links.iter().any(|link| {
        let target = &*link.target;
        let id = |prefix: &str| {
            target.strip_prefix(prefix).map(|rest| rest.split(['/', '#', '.']).next().unwrap_or(rest))
        };
        id("/skills/").is_some_and(|id| skills.contains(id))
            || id("/paths/").is_some_and(|id| paths.contains(id))
    });
    links
        || skill.document.tags.iter().any(|tag| {
            let named = |among: &BTreeSet<String>| {
                tag.value(&skill.source, "id").is_some_and(|id| among.contains(id.as_ref()))
            };
            match tag.kind {
                TagKind::Skill => named(skills),
                TagKind::Path => named(paths),
                TagKind::VV | TagKind::Ref | TagKind::Risk | TagKind::Observations => false,
            }
        })
}

/// Whether others that name a skill could find something else than before.
fn looks_different(before: Option<&Skill>, after: Option<&Skill>) -> bool {
    let fields = |skill: Option<&Skill>| {
        skill.and_then(|skill| skill.front.clone()).map(|mut front| {
            front.version = String::new();
            front.previous_stable_sha = None;
            let retired = front.status.is_retired().then_some(front.status);
            front.status = crate::vocabulary::Status::Alpha;
            (retired, front)
        })
    };
    before.is_some() != after.is_some() || fields(before) != fields(after)
}

/// The entries that differ, and those that look different to others.
fn entries(
    before: &Corpus,
    after: &Corpus,
    touched: &mut BTreeSet<String>,
    different: &mut BTreeSet<String>,
) -> Option<()> {
    let (before, after) = (before.paths.as_ref()?, after.paths.as_ref()?);
    let seen = |entry: &PathEntry| (entry.status, entry.outputs.clone(), entry.category.clone());
    for (key, path) in &after.entries {
        match before.entries.get(key) {
            Some(was) if was.entry == path.entry => {}
            Some(was) => {
                touched.insert(key.clone());
                if seen(&was.entry) != seen(&path.entry) {
                    different.insert(key.clone());
                }
            }
            None => {
                touched.insert(key.clone());
                different.insert(key.clone());
            }
        }
    }
    let gone = before.entries.keys().chain(&before.broken).filter(|key| !after.entries.contains_key(*key));
    different.extend(gone.cloned());
    Some(())
}

/// Whether every row that was there still is, under the same name: what it says is looked up by its readers alone.
fn only_more_rows(before: &Corpus, after: &Corpus) -> bool {
    let (was, is) = (&before.catalogue, &after.catalogue);
    let values = was.values().iter().all(|row| is.value(&row.uid).is_some_and(|it| it.name == row.name));
    let references =
        was.references().iter().all(|row| is.reference(&row.uid).is_some_and(|it| it.name == row.name));
    values && references
}
