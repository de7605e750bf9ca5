//! What commits brought: themselves, and the folders and files that what they follow did not have.

use super::history::Missing;
use anyhow::{anyhow, ensure};
use gix::ObjectId;
use gix::objs::{Kind, TreeRef};
use std::collections::{HashMap, HashSet};

/// Folders within folders; a corpus has four.
const DEEPEST: usize = 64;

/// An object to send.
pub struct Sent {
    /// Its name.
    pub id: ObjectId,
    /// What it is.
    pub kind: Kind,
    /// What stood in its place before, which the client has or gets first.
    pub before: Option<ObjectId>,
}

/// Every object to send, each after what stood in its place before.
pub fn of(git: &gix::Repository, missing: &Missing) -> anyhow::Result<Vec<Sent>> {
    let trees: HashMap<ObjectId, ObjectId> =
        missing.commits.iter().map(|(id, node)| (*id, node.tree)).collect();
    let mut listing = Listing { git, seen: HashSet::new(), sent: Vec::new() };
    let mut done: HashSet<ObjectId> = HashSet::new();
    for (id, node) in &missing.commits {
        listing.sent.push(Sent { id: *id, kind: Kind::Commit, before: None });
        // A parent that the client does not get, because its history ends here, gives nothing to build on.
        let parent =
            node.parents.iter().find(|parent| done.contains(*parent) || missing.had.contains(*parent));
        let before = match parent {
            None => None,
            Some(parent) => match trees.get(parent) {
                Some(tree) => Some(*tree),
                None => Some(tree_of(git, *parent)?),
            },
        };
        listing.tree(node.tree, before, 0)?;
        done.insert(*id);
    }
    Ok(listing.sent)
}

fn tree_of(git: &gix::Repository, commit: ObjectId) -> anyhow::Result<ObjectId> {
    let commit = git.find_commit(commit).map_err(|error| anyhow!("{error}"))?;
    Ok(commit.tree_id().map_err(|error| anyhow!("{error}"))?.detach())
}

struct Listing<'a> {
    git: &'a gix::Repository,
    seen: HashSet<ObjectId>,
    sent: Vec<Sent>,
}

impl Listing<'_> {
    fn tree(&mut self, id: ObjectId, before: Option<ObjectId>, depth: usize) -> anyhow::Result<()> {
        ensure!(depth < DEEPEST, "folders lie too deep in each other");
        if before == Some(id) || !self.seen.insert(id) {
            return Ok(());
        }
        self.sent.push(Sent { id, kind: Kind::Tree, before });
        let new = self.read(id)?;
        let old = before.map(|before| self.read(before)).transpose()?.unwrap_or_default();
        let hash = self.git.object_hash();
        let parsed = |bytes| TreeRef::from_bytes(bytes, hash).map_err(|error| anyhow!("{error}"));
        let (new, old) = (parsed(&new)?, parsed(&old)?);
        let old: HashMap<_, _> =
            old.entries.iter().map(|entry| (entry.filename, (entry.mode, entry.oid.to_owned()))).collect();
        for entry in &new.entries {
            let oid = entry.oid.to_owned();
            let before = old.get(entry.filename).filter(|(mode, _)| mode.is_tree() == entry.mode.is_tree());
            let before = before.map(|(_, before)| *before);
            if before == Some(oid) || entry.mode.is_commit() {
                continue;
            }
            if entry.mode.is_tree() {
                self.tree(oid, before, depth + 1)?;
            } else if self.seen.insert(oid) {
                self.sent.push(Sent { id: oid, kind: Kind::Blob, before });
            }
        }
        Ok(())
    }

    fn read(&self, id: ObjectId) -> anyhow::Result<Vec<u8>> {
        Ok(self.git.find_object(id).map_err(|error| anyhow!("{error}"))?.detach().data)
    }
}
