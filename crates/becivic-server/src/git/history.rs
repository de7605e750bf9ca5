//! Commits and what they follow: which are reachable, which a client has, which it lacks.
//!
//! A commit never changes, so what was read once is kept: a hundred bytes for each.

use super::ask::Ask;
use anyhow::anyhow;
use gix::ObjectId;
use gix::objs::{CommitRef, Kind};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

/// A commit, as far as walking needs it.
#[derive(Debug)]
pub struct Node {
    /// Its files.
    pub tree: ObjectId,
    /// What it follows.
    pub parents: Vec<ObjectId>,
}

/// What is known of commits.
#[derive(Default)]
pub struct History {
    known: RwLock<HashMap<ObjectId, Arc<Node>>>,
}

/// Where a history that was asked for to a depth ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Commits whose parents are not sent.
    pub cut: BTreeSet<ObjectId>,
    /// Those of them that were no ends before.
    pub shallow: Vec<ObjectId>,
    /// What ended for the client before and goes on now.
    pub unshallow: Vec<ObjectId>,
}

/// What a client lacks.
pub struct Missing {
    /// Commits, each after those it follows.
    pub commits: Vec<(ObjectId, Arc<Node>)>,
    /// Commits the client has.
    pub had: HashSet<ObjectId>,
}

impl History {
    /// A commit; `None` where there is none of this name.
    pub fn node(&self, git: &gix::Repository, id: ObjectId) -> anyhow::Result<Option<Arc<Node>>> {
        if let Some(node) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(Some(Arc::clone(node)));
        }
        let Some(object) = git.try_find_object(id).map_err(|error| anyhow!("{error}"))? else {
            return Ok(None);
        };
        if object.kind != Kind::Commit {
            return Ok(None);
        }
        let commit =
            CommitRef::from_bytes(&object.data, git.object_hash()).map_err(|error| anyhow!("{error}"))?;
        let node = Arc::new(Node { tree: commit.tree(), parents: commit.parents().collect() });
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&node));
        Ok(Some(node))
    }

    /// Every commit that is reachable from some, not going on behind those in `ends`.
    fn reachable(
        &self,
        git: &gix::Repository,
        from: impl IntoIterator<Item = ObjectId>,
        ends: &BTreeSet<ObjectId>,
    ) -> anyhow::Result<HashSet<ObjectId>> {
        let mut waiting: Vec<ObjectId> = from.into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(id) = waiting.pop() {
            if seen.contains(&id) {
                continue;
            }
            let Some(node) = self.node(git, id)? else { continue };
            seen.insert(id);
            if !ends.contains(&id) {
                waiting.extend(node.parents.iter().copied());
            }
        }
        Ok(seen)
    }

    /// Every commit that leads to some, each after those it follows.
    pub fn all(
        &self,
        git: &gix::Repository,
        tips: impl IntoIterator<Item = ObjectId>,
    ) -> anyhow::Result<Vec<(ObjectId, Arc<Node>)>> {
        let ask = Ask { wants: tips.into_iter().collect(), ..Ask::default() };
        Ok(self.missing(git, &ask, &[], None)?.commits)
    }

    /// The first of the wanted commits that is not reachable from what is listed.
    pub fn unreachable(
        &self,
        git: &gix::Repository,
        wants: &BTreeSet<ObjectId>,
        tips: &[ObjectId],
    ) -> anyhow::Result<Option<ObjectId>> {
        let mut others = wants.iter().filter(|want| !tips.contains(want)).peekable();
        if others.peek().is_none() {
            return Ok(None);
        }
        let public = self.reachable(git, tips.iter().copied(), &BTreeSet::new())?;
        Ok(others.find(|want| !public.contains(*want)).copied())
    }

    /// Whether every wanted commit leads to one that both have: there is nothing more to find out.
    pub fn meets(&self, git: &gix::Repository, ask: &Ask, common: &[ObjectId]) -> anyhow::Result<bool> {
        if common.is_empty() {
            return Ok(false);
        }
        let common: HashSet<&ObjectId> = common.iter().collect();
        for want in &ask.wants {
            if !self.leads_to(git, *want, &common, &ask.shallow)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn leads_to(
        &self,
        git: &gix::Repository,
        from: ObjectId,
        common: &HashSet<&ObjectId>,
        ends: &BTreeSet<ObjectId>,
    ) -> anyhow::Result<bool> {
        let mut seen = HashSet::new();
        let mut waiting = vec![from];
        while let Some(id) = waiting.pop() {
            if common.contains(&id) {
                return Ok(true);
            }
            if seen.insert(id) && !ends.contains(&id) {
                waiting.extend(self.node(git, id)?.iter().flat_map(|node| node.parents.iter().copied()));
            }
        }
        Ok(false)
    }

    /// Where a history of this depth ends.
    pub fn ends(&self, git: &gix::Repository, ask: &Ask, depth: u32) -> anyhow::Result<Ends> {
        let mut ends = Ends::default();
        let mut level: Vec<ObjectId> = ask.wants.iter().copied().collect();
        let mut seen = HashSet::new();
        for at in 1..=depth {
            let mut below = Vec::new();
            for id in level {
                let Some(node) = self.node(git, id)? else { continue };
                if !seen.insert(id) {
                    continue;
                }
                let goes_on = node.parents.is_empty() || at < depth;
                match (goes_on, ask.shallow.contains(&id)) {
                    (true, false) => {}
                    (true, true) => ends.unshallow.push(id),
                    (false, false) => ends.shallow.push(id),
                    (false, true) => {}
                }
                if goes_on {
                    below.extend(node.parents.iter().copied());
                } else {
                    ends.cut.insert(id);
                }
            }
            if below.is_empty() {
                break;
            }
            level = below;
        }
        // A commit that is near by one way and far by another is reached the near way first.
        Ok(ends)
    }

    /// The commits to send.
    pub fn missing(
        &self,
        git: &gix::Repository,
        ask: &Ask,
        common: &[ObjectId],
        ends: Option<&Ends>,
    ) -> anyhow::Result<Missing> {
        let had = self.reachable(git, common.iter().copied(), &ask.shallow)?;
        let cut = ends.map_or(&ask.shallow, |ends| &ends.cut);
        let mut roots: Vec<ObjectId> = ask.wants.iter().copied().collect();
        for id in ends.into_iter().flat_map(|ends| &ends.unshallow) {
            roots.extend(self.node(git, *id)?.iter().flat_map(|node| node.parents.iter().copied()));
        }
        let mut commits = Vec::new();
        let mut done = HashSet::new();
        // A commit is looked at twice: first what it follows is put before it, then it is written down.
        let mut waiting: Vec<(ObjectId, bool)> = roots.into_iter().map(|id| (id, false)).collect();
        while let Some((id, parents_are_done)) = waiting.pop() {
            if had.contains(&id) || done.contains(&id) {
                continue;
            }
            let Some(node) = self.node(git, id)? else { continue };
            if parents_are_done {
                done.insert(id);
                commits.push((id, node));
                continue;
            }
            waiting.push((id, true));
            if !cut.contains(&id) {
                waiting.extend(node.parents.iter().map(|parent| (*parent, false)));
            }
        }
        Ok(Missing { commits, had })
    }
}
