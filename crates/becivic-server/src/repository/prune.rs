//! What nothing leads to any more is removed: the text of a proposal that was refused or taken back.
//!
//! 1. Everything that some reference leads to is kept: commits, and what their trees hold.
//! 2. So is what is young: somebody may be pushing it at this moment, and points to it last. Of a proposal that was just closed
//!    nothing is kept for that reason.
//! 3. Packs are left alone: what was pushed or repacked is for `git gc`.

use super::Repository;
use anyhow::anyhow;
use gix::ObjectId;
use gix::objs::Kind;
use std::collections::HashSet;
use std::time::{Duration, SystemTime};

/// Unnamed objects are left alone this long.
const YOUNG: Duration = Duration::from_secs(10 * 60);

impl Repository {
    /// The objects of a commit that its last parent does not have.
    fn brought_by(&self, sha: &str) -> anyhow::Result<HashSet<ObjectId>> {
        let wrong = |error: gix::Error| anyhow!("{error}");
        let git = self.local();
        let commit = git.find_commit(super::write::id(sha)?).map_err(wrong)?;
        let before = match commit.parent_ids().last() {
            Some(parent) => git.find_commit(parent).and_then(|it| it.tree_id()).map_err(wrong)?.detach(),
            None => git.empty_tree().id,
        };
        let mut objects = Vec::new();
        super::write::new_objects(&git, before, commit.tree_id().map_err(wrong)?.detach(), &mut objects)?;
        objects.push(commit.id);
        Ok(objects.into_iter().collect())
    }

    /// The objects of a branch: of its head, and of what it was renewed from.
    pub fn brought_by_branch(&self, head: &str) -> anyhow::Result<HashSet<ObjectId>> {
        let mut objects = HashSet::new();
        let mut next = Some(head.to_owned());
        while let Some(sha) = next {
            objects.extend(self.brought_by(&sha)?);
            let parents = self.parents(&sha)?;
            next = parents.first().filter(|_| parents.len() == 2).cloned();
        }
        Ok(objects)
    }

    fn parents(&self, sha: &str) -> anyhow::Result<Vec<String>> {
        let git = self.local();
        let commit = git.find_commit(super::write::id(sha)?).map_err(|error| anyhow!("{error}"))?;
        Ok(commit.parent_ids().map(|parent| parent.to_string()).collect())
    }

    /// Removes loose objects that no reference leads to; `closed` also when they are young. Says how many.
    pub fn prune(&self, closed: &HashSet<ObjectId>) -> anyhow::Result<usize> {
        let kept = self.reachable()?;
        let mut removed = 0;
        for folder in std::fs::read_dir(self.folder().join("objects"))?.flatten() {
            let first = folder.file_name().to_string_lossy().into_owned();
            if first.len() != 2 {
                continue;
            }
            for file in std::fs::read_dir(folder.path())?.flatten() {
                let name = format!("{first}{}", file.file_name().to_string_lossy());
                let Ok(object) = ObjectId::from_hex(name.as_bytes()) else { continue };
                if kept.contains(&object) {
                    continue;
                }
                let age =
                    file.metadata()?.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
                if closed.contains(&object) || age.is_some_and(|age| age > YOUNG) {
                    std::fs::remove_file(file.path())?;
                    removed += 1;
                }
            }
        }
        // What was written last may be among what is gone.
        *self.last_written.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
        Ok(removed)
    }

    /// Everything that some reference leads to.
    fn reachable(&self) -> anyhow::Result<HashSet<ObjectId>> {
        let wrong = |error: gix::Error| anyhow!("{error}");
        let git = self.local();
        let mut open: Vec<ObjectId> = Vec::new();
        for reference in git.references().map_err(wrong)?.all().map_err(wrong)? {
            let mut reference = reference.map_err(|error| anyhow!("{error}"))?;
            open.push(reference.peel_to_id().map_err(wrong)?.detach());
        }
        let mut found = HashSet::new();
        while let Some(id) = open.pop() {
            if !found.insert(id) {
                continue;
            }
            // A file leads nowhere; it is not read.
            let object = git.find_object(id).map_err(wrong)?;
            match object.kind {
                Kind::Commit => {
                    let commit = object.into_commit();
                    open.extend(commit.parent_ids().map(|parent| parent.detach()));
                    open.push(commit.tree_id().map_err(wrong)?.detach());
                }
                Kind::Tree => {
                    for (mode, inner) in super::entries(Some(&object.into_tree()))?.into_values() {
                        if mode.is_tree() {
                            open.push(inner);
                        } else {
                            found.insert(inner);
                        }
                    }
                }
                Kind::Tag => open.extend(object.into_tag().target_id().ok().map(|target| target.detach())),
                Kind::Blob => {}
            }
        }
        Ok(found)
    }
}
