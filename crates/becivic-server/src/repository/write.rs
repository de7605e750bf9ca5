//! Commits written into the repository, and references moved.
//!
//! 1. A commit is written object by object and synced to disk before anything points to it.
//! 2. `main` moves under its own lock: whoever else pushes at that moment is told so by Git, and whatever has to be stored
//!    together with the move is stored while the lock is held.
//! 3. Objects travel as the files Git keeps them in, compressed once.

use super::{BOT, MAIN, Repository};
use crate::forge::Files;
use crate::moment::Moment;
use anyhow::{Context, anyhow, bail, ensure};
use becivic_core::change::Step;
use gix::ObjectId;
use gix::lock::acquire::Fail;
use gix::refs::Target;
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::Duration;

/// What a commit was asked for with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    base: String,
    parents: Vec<String>,
    message: String,
    day: Moment,
    files: Files,
}

/// A commit that nothing points to yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its hash.
    pub sha: String,
    /// Every object it brought, itself last.
    objects: Vec<ObjectId>,
}

impl Repository {
    /// Writes a commit by the bot: the tree of `base` with these files, after `parents`. Only the day of it is kept.
    pub fn write_commit(
        &self,
        base: &str,
        parents: &[&str],
        files: &Files,
        message: &str,
        at: Moment,
    ) -> anyhow::Result<Written> {
        // A change is proposed and then merged: the second time it is there already.
        let asked = Asked {
            base: base.to_owned(),
            parents: parents.iter().map(|sha| (*sha).to_owned()).collect(),
            message: message.to_owned(),
            day: at.day(),
            files: files.clone(),
        };
        let mut last = self.last_written.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((before, written)) = last.as_ref()
            && *before == asked
        {
            return Ok(written.clone());
        }
        let written = self.write_new(&asked)?;
        *last = Some((asked, written.clone()));
        Ok(written)
    }

    fn write_new(&self, asked: &Asked) -> anyhow::Result<Written> {
        let Asked { base, parents, message, day, files } = asked;
        let wrong = |error: gix::Error| anyhow!("{error}");
        let git = self.local();
        let base = git.find_commit(id(base)?).and_then(|commit| commit.tree_id()).map_err(wrong)?;
        let mut tree = git.edit_tree(base).map_err(wrong)?;
        let mut objects = Vec::new();
        for (path, content) in files {
            match content {
                Some(bytes) => {
                    let blob = git.write_blob(bytes).map_err(wrong)?.detach();
                    objects.push(blob);
                    tree.upsert(path.as_str(), gix::objs::tree::EntryKind::Blob, blob).map_err(wrong)?;
                }
                None => {
                    tree.remove(path.as_str()).map_err(wrong)?;
                }
            }
        }
        let root = tree.write().map_err(wrong)?.detach();
        objects.extend(trees_on_the_way(&git, root, files)?);
        let signed = format!("{BOT} {} +0000", day.0.div_euclid(1_000));
        let signature = gix::actor::SignatureRef::from_bytes(signed.as_bytes())
            .map_err(|_| anyhow!("the bot has no name"))?;
        let parents = parents.iter().map(|sha| id(sha)).collect::<anyhow::Result<Vec<_>>>()?;
        let commit = git.new_commit_as(signature, signature, message, root, parents).map_err(wrong)?.id;
        objects.push(commit);
        self.sync(&objects)?;
        Ok(Written { sha: commit.to_string(), objects })
    }

    /// The objects of a commit as they travel.
    pub fn packed(&self, written: &Written) -> anyhow::Result<Vec<u8>> {
        let mut packed = Vec::new();
        for object in &written.objects {
            let Ok(bytes) = std::fs::read(self.file_of(object)) else { continue };
            packed.extend_from_slice(object.as_slice());
            packed.extend_from_slice(&u32::try_from(bytes.len())?.to_be_bytes());
            packed.extend_from_slice(&bytes);
        }
        Ok(packed)
    }

    /// Objects as they travel with a commit; each lies in a file of its own.
    pub fn packed_objects(&self, sha: &str, objects: Vec<ObjectId>) -> anyhow::Result<Vec<u8>> {
        self.packed(&Written { sha: sha.to_owned(), objects })
    }

    /// Every object that came to `to` after `from`, as they travel. What Git keeps in packs is taken out of them.
    pub fn packed_between(&self, from: &str, to: &str) -> anyhow::Result<Vec<u8>> {
        let wrong = |error: gix::Error| anyhow!("{error}");
        let git = self.local();
        let mut objects = Vec::new();
        let walk = git.rev_walk([id(to)?]).with_hidden([id(from)?]).all().map_err(wrong)?;
        for step in walk {
            let step = step.map_err(|error| anyhow!("{error}"))?;
            let commit = git.find_commit(step.id).map_err(wrong)?;
            let before = match commit.parent_ids().next() {
                Some(parent) => git.find_commit(parent).and_then(|it| it.tree_id()).map_err(wrong)?.detach(),
                None => git.empty_tree().id,
            };
            let tree = commit.tree_id().map_err(wrong)?.detach();
            new_objects(&git, before, tree, &mut objects)?;
            objects.push(step.id);
        }
        let folder = self.folder().join("objects").join("travelling");
        let loose = gix::odb::loose::Store::at(&folder, gix::hash::Kind::Sha1);
        for object in &objects {
            if !self.file_of(object).exists() {
                let found = git.find_object(*object).map_err(wrong)?;
                std::fs::create_dir_all(&folder)?;
                gix::objs::Write::write_buf(&loose, found.kind, &found.data)
                    .map_err(|error| anyhow!("{error}"))?;
                let name = object.to_string();
                let (first, rest) = name.split_at(2);
                let place = self.file_of(object);
                std::fs::create_dir_all(place.parent().context("an object lies in a folder")?)?;
                std::fs::rename(folder.join(first).join(rest), place)?;
            }
        }
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        self.packed(&Written { sha: to.to_owned(), objects })
    }

    /// Puts objects that travelled here into the repository.
    pub fn unpack(&self, mut packed: &[u8]) -> anyhow::Result<()> {
        let mut objects = Vec::new();
        while !packed.is_empty() {
            let (name, rest) = packed.split_at_checked(20).context("objects were cut off")?;
            let (length, rest) = rest.split_at_checked(4).context("objects were cut off")?;
            let length = u32::from_be_bytes(length.try_into()?) as usize;
            let (bytes, rest) = rest.split_at_checked(length).context("objects were cut off")?;
            packed = rest;
            let object = ObjectId::try_from(name).map_err(|_| anyhow!("an object has no name"))?;
            let file = self.file_of(&object);
            if !file.exists() {
                let folder = file.parent().context("an object lies in a folder")?;
                std::fs::create_dir_all(folder)?;
                let unfinished = file.with_extension("unfinished");
                std::fs::write(&unfinished, bytes)?;
                std::fs::rename(&unfinished, &file)?;
                objects.push(object);
            }
        }
        self.sync(&objects)
    }

    /// Moves `main` from one commit to another, and runs `meanwhile` while nobody else can move it. When that fails, `main`
    /// stays. `None` when `main` is somewhere else. Once `meanwhile` has stored the move, another process that reads of it may take it for
    /// one that was cut off and finish it ([`Self::unlock_after`]): whoever is second finds it done.
    pub fn advance<T>(
        &self,
        from: &str,
        to: &str,
        meanwhile: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<T>> {
        if self.head()?.sha != from {
            return Ok(None);
        }
        let git = self.local();
        let edit = edit(MAIN, Some(to), PreviousValue::MustExistAndMatch(Target::Object(id(from)?)))?;
        let patience = Fail::AfterDurationWithBackoff(Duration::from_secs(5));
        let locked = git.refs.transaction().prepare([edit.clone()], patience, patience);
        let Ok(locked) = locked else { return Ok(None) };
        let stored = meanwhile()?;
        if locked.commit(None).is_ok() {
            return Ok(Some(stored));
        }
        let again = git.refs.transaction().prepare([edit], patience, patience);
        let again = again.map_err(|error| anyhow!("{error}"));
        let moved = again.and_then(|locked| locked.commit(None).map_err(|error| anyhow!("{error}")));
        if self.head()?.sha == to {
            Ok(Some(stored))
        } else {
            Err(moved.err().unwrap_or_else(|| anyhow!("main was moved")))
        }
    }

    /// Points a reference somewhere, or removes it.
    pub fn point(&self, name: &str, to: Option<&str>) -> anyhow::Result<()> {
        let git = self.local();
        if to.is_none() && git.try_find_reference(name).map_err(|error| anyhow!("{error}"))?.is_none() {
            return Ok(());
        }
        git.edit_reference(edit(name, to, PreviousValue::Any)?).map_err(|error| anyhow!("{error}"))?;
        Ok(())
    }

    /// Where a reference points.
    pub fn pointed(&self, name: &str) -> Option<String> {
        let git = self.local();
        let mut reference = git.try_find_reference(name).ok()??;
        reference.peel_to_id().ok().map(|id| id.to_string())
    }

    /// Whether two commits have the same files.
    pub fn same_content(&self, one: &str, other: &str) -> anyhow::Result<bool> {
        let git = self.local();
        let tree = |sha: &str| -> anyhow::Result<ObjectId> {
            let commit = git.find_commit(id(sha)?).map_err(|error| anyhow!("{error}"))?;
            Ok(commit.tree_id().map_err(|error| anyhow!("{error}"))?.detach())
        };
        Ok(tree(one)? == tree(other)?)
    }

    /// What a proposed commit was made against: its last parent.
    pub fn base_of(&self, sha: &str) -> anyhow::Result<Option<String>> {
        let git = self.local();
        let commit = git.find_commit(id(sha)?).map_err(|error| anyhow!("{error}"))?;
        Ok(commit.parent_ids().last().map(|parent| parent.to_string()))
    }

    /// The whole message of a commit.
    pub fn message(&self, sha: &str) -> anyhow::Result<String> {
        let git = self.local();
        let commit = git.find_commit(id(sha)?).map_err(|error| anyhow!("{error}"))?;
        Ok(commit.message_raw_sloppy().to_string())
    }

    /// What each of these commits, oldest first, did to each of these files: who, and the file before and after.
    pub fn steps(
        &self,
        base: &str,
        commits: &[String],
        files: &[String],
    ) -> anyhow::Result<BTreeMap<String, Vec<Step>>> {
        let wrong = |error: gix::Error| anyhow!("{error}");
        let git = self.local();
        let mut before = id(base)?;
        let mut steps: BTreeMap<String, Vec<Step>> = BTreeMap::new();
        for sha in commits {
            let at = id(sha)?;
            let commit = git.find_commit(at).map_err(wrong)?;
            let author = commit.author().map_err(|error| anyhow!("{error}"))?.email.to_string();
            for file in files {
                let (was, is) = (blob(&git, before, file), blob(&git, at, file));
                if was != is {
                    let read = |id: Option<ObjectId>| -> Option<Vec<u8>> {
                        Some(git.find_object(id?).ok()?.detach().data)
                    };
                    let step = Step {
                        author: Some(author.clone()),
                        after: read(is).unwrap_or_default(),
                        parents: read(was).into_iter().collect(),
                    };
                    steps.entry(file.clone()).or_default().push(step);
                }
            }
            before = at;
        }
        Ok(steps)
    }

    /// Whether a commit is another or comes after it, by first parents.
    pub fn descends(&self, commit: &str, from: &str) -> anyhow::Result<bool> {
        Ok(self.between(from, commit)?.is_some())
    }

    /// The commits after one, up to another, oldest first; `None` when the one is not reached.
    pub fn between(&self, from: &str, to: &str) -> anyhow::Result<Option<Vec<String>>> {
        let git = self.local();
        let (from, mut at) = (id(from)?, id(to)?);
        let mut found = Vec::new();
        while at != from {
            found.push(at.to_string());
            let Ok(commit) = git.find_commit(at) else { return Ok(None) };
            match commit.parent_ids().next() {
                Some(parent) => at = parent.detach(),
                None => return Ok(None),
            }
        }
        found.reverse();
        Ok(Some(found))
    }

    /// Removes a lock that a crash left behind. Only whoever holds the data folder may.
    pub fn unlock(&self) {
        let _was_there = std::fs::remove_file(self.lock_of_main());
    }

    /// Removes a lock that was left behind by a move to this very commit, which was stored and then cut off.
    pub fn unlock_after(&self, to: &str) {
        let lock = self.lock_of_main();
        if std::fs::read_to_string(&lock).is_ok_and(|locked| locked.trim() == to) {
            let _was_there = std::fs::remove_file(lock);
        }
    }

    fn lock_of_main(&self) -> PathBuf {
        self.folder().join(format!("{MAIN}.lock"))
    }

    /// The folder it lies in.
    pub fn folder(&self) -> PathBuf {
        self.git.path().to_path_buf()
    }

    fn file_of(&self, object: &ObjectId) -> PathBuf {
        let name = object.to_string();
        let (folder, file) = name.split_at(2);
        self.folder().join("objects").join(folder).join(file)
    }

    /// Waits until objects are on disk.
    pub(super) fn sync(&self, objects: &[ObjectId]) -> anyhow::Result<()> {
        let mut folders = BTreeSet::new();
        for object in objects {
            let file = self.file_of(object);
            // An object that was there before may lie in a pack.
            if let Ok(opened) = File::open(&file) {
                opened.sync_all()?;
                folders.extend(file.parent().map(Path::to_path_buf));
            }
        }
        for folder in folders {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }
}

/// A file of a commit.
pub(super) fn blob(git: &gix::Repository, commit: ObjectId, path: &str) -> Option<ObjectId> {
    let tree = git.find_commit(commit).and_then(|commit| commit.tree()).ok()?;
    Some(tree.lookup_entry_by_path(path).ok()??.object_id())
}

/// Trees and files of one tree that are not at the same place in another.
pub(super) fn new_objects(
    git: &gix::Repository,
    before: ObjectId,
    after: ObjectId,
    found: &mut Vec<ObjectId>,
) -> anyhow::Result<()> {
    if before == after {
        return Ok(());
    }
    let tree = |id: ObjectId| git.find_tree(id).map_err(|error| anyhow!("{error}"));
    let (was, is) = (super::entries(Some(&tree(before)?))?, super::entries(Some(&tree(after)?))?);
    for (name, (mode, object)) in &is {
        match was.get(name) {
            Some((_, same)) if same == object => {}
            there if mode.is_tree() => {
                let before =
                    there.filter(|(mode, _)| mode.is_tree()).map_or(git.empty_tree().id, |(_, id)| *id);
                new_objects(git, before, *object, found)?;
            }
            _ => found.push(*object),
        }
    }
    found.push(after);
    Ok(())
}

/// The trees between the root and the files that changed.
fn trees_on_the_way(git: &gix::Repository, root: ObjectId, files: &Files) -> anyhow::Result<Vec<ObjectId>> {
    let folders: BTreeSet<&str> = files
        .keys()
        .flat_map(|path| path.match_indices('/').map(|(at, _)| path.get(..at).unwrap_or_default()))
        .collect();
    let tree = git.find_tree(root).map_err(|error| anyhow!("{error}"))?;
    let mut found = Vec::new();
    for folder in folders {
        // A folder whose last file was removed is gone with it.
        if let Some(entry) = tree.lookup_entry_by_path(folder).map_err(|error| anyhow!("{error}"))? {
            found.push(entry.object_id());
        }
    }
    found.push(root);
    Ok(found)
}

fn edit(name: &str, to: Option<&str>, expected: PreviousValue) -> anyhow::Result<RefEdit> {
    let change = match to {
        Some(to) => Change::Update {
            log: LogChange { mode: RefLog::AndReference, force_create_reflog: false, message: "".into() },
            expected,
            new: Target::Object(id(to)?),
        },
        None => Change::Delete { expected, log: RefLog::AndReference },
    };
    Ok(RefEdit {
        change,
        name: name.try_into().map_err(|_| anyhow!("no name of a reference"))?,
        deref: false,
    })
}

pub(super) fn id(sha: &str) -> anyhow::Result<ObjectId> {
    ensure!(sha.len() == 40, "a commit has forty digits");
    match ObjectId::from_hex(sha.as_bytes()) {
        Ok(id) => Ok(id),
        Err(_) => bail!("a commit has forty hexadecimal digits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment(1_763_000_000_000);

    fn made(folder: &Path) -> Repository {
        let files = [("skills/a/canonical.md".to_owned(), b"x\n".to_vec())];
        Repository::open_or_create(&folder.join("corpus.git"), files.into_iter(), NOW).expect("made").0
    }

    fn files(path: &str, text: Option<&str>) -> Files {
        Files::from([(path.to_owned(), text.map(|text| text.as_bytes().to_vec()))])
    }

    #[test]
    fn a_commit_travels_and_main_follows() {
        let (here, there) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let (here, there) = (made(here.path()), made(there.path()));
        let base = here.head().expect("a commit").sha;
        assert_eq!(there.head().expect("a commit").sha, base);
        let change = files("skills/b/canonical.md", Some("y\n"));
        let written = here.write_commit(&base, &[&base], &change, "More\n", NOW).expect("written");
        assert_eq!(here.head().expect("a commit").sha, base, "nothing points to it yet");
        there.unpack(&here.packed(&written).expect("packed")).expect("unpacked");
        for repository in [&here, &there] {
            assert_eq!(repository.advance(&written.sha, &base, || Ok(())).expect("asked"), None);
            let refused = repository.advance(&base, &written.sha, || -> anyhow::Result<()> { bail!("no") });
            assert!(refused.is_err());
            assert_eq!(repository.head().expect("a commit").sha, base);
            assert_eq!(repository.advance(&base, &written.sha, || Ok(7)).expect("asked"), Some(7));
            assert_eq!(repository.files(&written.sha).expect("files").len(), 2);
            assert!(repository.descends(&written.sha, &base).expect("asked"));
            assert!(!repository.descends(&base, &written.sha).expect("asked"));
        }
        assert_eq!(here.head().expect("a commit").sha, written.sha);
        let gone = files("skills/a/canonical.md", None);
        let written =
            here.write_commit(&written.sha, &[&written.sha], &gone, "Less\n", NOW).expect("written");
        here.point("refs/pull/1/head", Some(&written.sha)).expect("pointed");
        assert_eq!(here.pointed("refs/pull/1/head"), Some(written.sha));
        here.point("refs/pull/1/head", None).expect("removed");
        assert_eq!(here.pointed("refs/pull/1/head"), None);
    }

    #[test]
    fn a_move_that_another_process_finishes_is_made_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (made(folder.path()), made(folder.path()));
        let mut base = one.head().expect("a commit").sha;
        for (text, finishes) in [("unlocked", false), ("moved", true)] {
            let change = files("skills/a/canonical.md", Some(text));
            let to = one.write_commit(&base, &[&base], &change, "More\n", NOW).expect("written").sha;
            let moved = one.advance(&base, &to, || {
                other.unlock_after(&to);
                if finishes {
                    assert_eq!(other.advance(&base, &to, || Ok(()))?, Some(()));
                }
                Ok(text)
            });
            assert_eq!(moved.expect("moved"), Some(text));
            assert_eq!(
                [&one, &other].map(|it| it.head().expect("a commit").sha),
                [&to, &to].map(String::as_str)
            );
            base = to;
        }
    }
}
