//! The history of the corpus, written anew without what is taken out.
//!
//! 1. Every commit that has a name or leads to one is looked at, each after those it follows.
//! 2. Its files are copied into another repository; what is taken out is replaced by a marker, removed, or undone.
//! 3. A commit whose files, message and parents are as before is copied byte for byte and keeps its name. From the first
//!    that changes on, all get other names: authors, times and messages stay, signatures go.
//! 4. Where a file or a message names a commit that has another name now, it says the new one.
//!
//! What has no name is not copied: it is gone with the old repository.

use super::selection::{Selection, Undo};
use crate::git::history::{History, Node};
use anyhow::{anyhow, ensure};
use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::tree::EntryMode;
use gix::objs::{Kind, TreeRef};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Folders within folders; a corpus has four.
const DEEPEST: usize = 64;

/// What rewriting found.
#[derive(Default)]
pub struct Found {
    /// Commits by their names before and now, oldest first, where these differ.
    pub renamed: Vec<(ObjectId, ObjectId)>,
    /// Commits whose own message held it.
    pub messages: usize,
    /// Paths of files that held it, or were removed.
    pub paths: BTreeSet<String>,
    /// Versions of such files.
    pub versions: usize,
    /// Files in which later commits changed the same lines, so that a change cannot be undone.
    pub conflicts: BTreeSet<String>,
}

/// Copies commits from one repository to another.
pub struct Rewriter<'a> {
    git: &'a gix::Repository,
    to: &'a gix::Repository,
    selection: &'a Selection,
    commits: HashMap<ObjectId, ObjectId>,
    /// Which changes are undone as of a commit.
    active: HashMap<ObjectId, BTreeSet<usize>>,
    trees: HashMap<(ObjectId, String, BTreeSet<usize>), Option<ObjectId>>,
    /// Files by their names before: their names now, and whether they held it.
    blobs: HashMap<ObjectId, (ObjectId, bool)>,
    /// What was found.
    pub found: Found,
}

impl<'a> Rewriter<'a> {
    /// From one repository to another, which is empty.
    pub fn new(git: &'a gix::Repository, to: &'a gix::Repository, selection: &'a Selection) -> Self {
        Self {
            git,
            to,
            selection,
            commits: HashMap::new(),
            active: HashMap::new(),
            trees: HashMap::new(),
            blobs: HashMap::new(),
            found: Found::default(),
        }
    }

    /// Copies everything that leads to these commits.
    pub fn run(&mut self, tips: &BTreeMap<String, ObjectId>) -> anyhow::Result<()> {
        let history = History::default();
        for (id, node) in history.all(self.git, tips.values().copied())? {
            self.commit(id, &node)?;
        }
        Ok(())
    }

    /// The name of a commit now.
    pub fn now(&self, id: ObjectId) -> Option<ObjectId> {
        self.commits.get(&id).copied()
    }

    fn read(&self, id: ObjectId) -> anyhow::Result<Vec<u8>> {
        Ok(self.git.find_object(id).map_err(|error| anyhow!("{error}"))?.detach().data)
    }

    fn put(&self, kind: Kind, bytes: &[u8]) -> anyhow::Result<ObjectId> {
        use gix::objs::Write;
        self.to.objects.write_buf(kind, bytes).map_err(|error| anyhow!("{error}"))
    }

    fn commit(&mut self, id: ObjectId, node: &Arc<Node>) -> anyhow::Result<()> {
        let mut active: BTreeSet<usize> =
            node.parents.iter().filter_map(|parent| self.active.get(parent)).flatten().copied().collect();
        active.extend(self.selection.begins_at(id));
        let tree = match self.tree(node.tree, "", &active, 0)? {
            Some(tree) => tree,
            None => self.put(Kind::Tree, b"")?,
        };
        self.active.insert(id, active);
        let raw = self.read(id)?;
        let (header, message) = raw.split_once_str(b"\n\n").unwrap_or((raw.as_slice(), b""));
        let (mut lines, mut changed, mut signed) = (Vec::new(), tree != node.tree, false);
        for line in header.split(|byte| *byte == b'\n') {
            // A signature goes on over lines that begin with a blank.
            signed = line.starts_with(b"gpgsig") || (signed && line.starts_with(b" "));
            if signed {
                continue;
            }
            let written = if line.starts_with(b"tree ") {
                format!("tree {tree}").into_bytes()
            } else if let Some(parent) = line.strip_prefix(b"parent ") {
                let parent = ObjectId::from_hex(parent).map_err(|error| anyhow!("{error}"))?;
                format!("parent {}", self.now(parent).unwrap_or(parent)).into_bytes()
            } else {
                self.selection.in_words(line).unwrap_or_else(|| line.to_vec())
            };
            changed |= written != line;
            lines.push(written);
        }
        let said = self.selection.in_words(message);
        self.found.messages += usize::from(said.is_some());
        let said = said.unwrap_or_else(|| message.to_vec());
        let said = self.with_new_names(&said).unwrap_or(said);
        changed |= said != message;
        let now = if changed {
            let mut bytes = lines.join(&b'\n');
            bytes.extend_from_slice(b"\n\n");
            bytes.extend_from_slice(&said);
            let now = self.put(Kind::Commit, &bytes)?;
            self.found.renamed.push((id, now));
            now
        } else {
            self.put(Kind::Commit, &raw)?
        };
        self.commits.insert(id, now);
        Ok(())
    }

    /// A folder; `None` when nothing is left of it.
    fn tree(
        &mut self,
        id: ObjectId,
        prefix: &str,
        active: &BTreeSet<usize>,
        depth: usize,
    ) -> anyhow::Result<Option<ObjectId>> {
        ensure!(depth < DEEPEST, "folders lie too deep in each other");
        // Where a path decides, the same folder in another place is another matter.
        let decided_here = self.selection.looks_at_paths_below(prefix, active);
        let key = match decided_here {
            true => (id, prefix.to_owned(), active.clone()),
            false => (id, String::new(), BTreeSet::new()),
        };
        if let Some(known) = self.trees.get(&key) {
            return Ok(*known);
        }
        let raw = self.read(id)?;
        let entries =
            TreeRef::from_bytes(&raw, self.git.object_hash()).map_err(|error| anyhow!("{error}"))?;
        let mut written = Vec::with_capacity(raw.len());
        for entry in &entries.entries {
            let path = format!("{prefix}{}", entry.filename);
            let oid = entry.oid.to_owned();
            let now = if entry.mode.is_tree() {
                self.tree(oid, &format!("{path}/"), active, depth + 1)?
            } else if entry.mode.is_commit() {
                Some(oid)
            } else {
                self.file(oid, &path, active)?
            };
            if let Some(now) = now {
                write_entry(&mut written, entry.mode, entry.filename, now);
            }
        }
        let now = match written.is_empty() && !raw.is_empty() {
            true => None,
            false => Some(self.put(Kind::Tree, &written)?),
        };
        self.trees.insert(key, now);
        Ok(now)
    }

    fn file(
        &mut self,
        id: ObjectId,
        path: &str,
        active: &BTreeSet<usize>,
    ) -> anyhow::Result<Option<ObjectId>> {
        if self.selection.removes(path, active) {
            self.note(path);
            return Ok(None);
        }
        let undone: Vec<&Undo> = self.selection.undoes(path, active).collect();
        if let (true, Some((now, held))) = (undone.is_empty(), self.blobs.get(&id).copied()) {
            if held {
                self.found.paths.insert(path.to_owned());
            }
            return Ok(Some(now));
        }
        let before = self.read(id)?;
        let mut bytes = before.clone();
        for undo in &undone {
            match undo.applied(&bytes) {
                Some(without) => bytes = without,
                None => {
                    self.found.conflicts.insert(path.to_owned());
                }
            }
        }
        bytes = self.selection.in_words(&bytes).unwrap_or(bytes);
        let held = bytes != before;
        if held {
            self.note(path);
        }
        bytes = self.with_new_names(&bytes).unwrap_or(bytes);
        let now = self.put(Kind::Blob, &bytes)?;
        if undone.is_empty() {
            self.blobs.insert(id, (now, held));
        }
        Ok(Some(now))
    }

    fn note(&mut self, path: &str) {
        self.found.paths.insert(path.to_owned());
        self.found.versions += 1;
    }

    /// Names of commits that are others now; `None` when none stands there.
    fn with_new_names(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.found.renamed.is_empty() {
            return None;
        }
        let mut changed: Option<Vec<u8>> = None;
        let mut run = 0;
        for at in 0..=bytes.len() {
            if bytes.get(at).is_some_and(u8::is_ascii_hexdigit) {
                run += 1;
                continue;
            }
            if run == 40 {
                let place = at - 40..at;
                let id = bytes.get(place.clone()).and_then(|hex| ObjectId::from_hex(hex).ok());
                if let Some(now) = id.and_then(|id| self.now(id).filter(|now| *now != id)) {
                    let text = changed.get_or_insert_with(|| bytes.to_vec());
                    if let Some(there) = text.get_mut(place) {
                        there.copy_from_slice(now.to_string().as_bytes());
                    }
                }
            }
            run = 0;
        }
        changed
    }
}

fn write_entry(to: &mut Vec<u8>, mode: EntryMode, name: &[u8], id: ObjectId) {
    to.extend_from_slice(format!("{:o} ", mode.value()).as_bytes());
    to.extend_from_slice(name);
    to.push(0);
    to.extend_from_slice(id.as_slice());
}

/// Objects of a repository that no name leads to and that hold what is taken out.
pub fn nameless(
    git: &gix::Repository,
    selection: &Selection,
    tips: &BTreeMap<String, ObjectId>,
) -> anyhow::Result<usize> {
    let history = History::default();
    let mut named: HashSet<ObjectId> = HashSet::new();
    for (id, node) in history.all(git, tips.values().copied())? {
        named.insert(id);
        let mut waiting = vec![node.tree];
        while let Some(tree) = waiting.pop() {
            if !named.insert(tree) {
                continue;
            }
            let raw = git.find_object(tree).map_err(|error| anyhow!("{error}"))?.detach().data;
            let entries = TreeRef::from_bytes(&raw, git.object_hash()).map_err(|error| anyhow!("{error}"))?;
            for entry in &entries.entries {
                if entry.mode.is_tree() {
                    waiting.push(entry.oid.to_owned());
                } else {
                    named.insert(entry.oid.to_owned());
                }
            }
        }
    }
    let mut count = 0;
    for id in git.objects.iter().map_err(|error| anyhow!("{error}"))? {
        let id = id.map_err(|error| anyhow!("{error}"))?;
        if named.contains(&id) {
            continue;
        }
        let data = git.find_object(id).map_err(|error| anyhow!("{error}"))?.detach().data;
        count += usize::from(selection.in_words(&data).is_some());
    }
    Ok(count)
}
