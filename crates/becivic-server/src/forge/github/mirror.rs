//! Brings GitHub's `main` into the local repository, over REST and fetching only what is not here.
//!
//! 1. The commits from the head of `main` back to those that are here are listed, a hundred at a time.
//! 2. From the oldest on: what its tree holds and is not here is fetched, files before the folders that hold them, and
//!    every file and folder has to have the hash it is called by.
//! 3. The commit's own bytes are rebuilt (`rebuild.rs`). Where they cannot be, a commit of ours stands for it: the same
//!    tree, author, date and message, and the reference `refs/becivic/forge/<GitHub's hash>` points to it. What comes after
//!    such a commit has another parent here, and so another hash too. [`local_sha`] and [`forge_sha`] translate.
//! 4. `refs/heads/main` moves forward. A `main` that was rewritten on GitHub is refused: what happened to it is for a
//!    maintainer to say. Only a repository that never met GitHub and has nothing but its first commit takes over whatever
//!    is there.
//!
//! Stopped at any point and begun again, it goes on where it was: what is here is not fetched twice. A long history is
//! quicker brought with `git clone --bare` into the data folder before the first start; then only what is new is fetched.

use super::wire::{Blob, Entry, GitCommit, ListedCommit, Tree};
use super::{GitHub, rebuild};
use crate::forge::ForgeError;
use crate::repository::Repository;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gix::objs::Kind;
use std::collections::{HashMap, HashSet};

/// The branch that is the corpus.
const MAIN: &str = "refs/heads/main";

/// Where the local repository notes what GitHub's `main` was at the last look.
const MET: &str = "refs/becivic/mirrored";

/// Where it notes which commit of ours stands for one of GitHub's.
const STANDS_FOR: &str = "refs/becivic/forge/";

/// A folder with nothing in it.
const EMPTY: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// How deep folders may lie in each other.
const DEEPEST: usize = 64;

impl GitHub {
    /// Brings `main` here for the first time; a repository that has met GitHub before is left as it is.
    pub fn meet(&self, repository: &Repository) -> Result<(), ForgeError> {
        match repository.reference(MET).map_err(disk)? {
            Some(_) => Ok(()),
            None => self.mirror(repository).map(drop),
        }
    }

    /// Brings `main` here and says which commit it is here.
    pub fn mirror(&self, repository: &Repository) -> Result<String, ForgeError> {
        let theirs = self.head()?;
        let ours = match known(repository, &theirs)? {
            Some(ours) => ours,
            None => self.fetch(repository, &theirs)?,
        };
        follow(repository, &ours)?;
        Ok(ours)
    }

    /// Fetches a commit and everything before it.
    fn fetch(&self, repository: &Repository, head: &str) -> Result<String, ForgeError> {
        let mut told: HashMap<String, GitCommit> = HashMap::new();
        let mut here: HashMap<String, String> = HashMap::new();
        // A commit is looked at twice: to put its parents before it, and when they are here.
        let mut open = vec![head.to_owned()];
        let mut waiting: HashSet<String> = HashSet::new();
        while let Some(sha) = open.last().cloned() {
            if here.contains_key(&sha) {
                open.pop();
                continue;
            }
            if let Some(ours) = known(repository, &sha)? {
                here.insert(sha, ours);
                continue;
            }
            if !told.contains_key(&sha) {
                self.learn(repository, &sha, &mut told)?;
            }
            let commit = told.get(&sha).ok_or(ForgeError::Missing("commit"))?;
            let parents = commit.parents.iter().map(|parent| &parent.sha);
            let missing: Vec<String> = parents.filter(|sha| !here.contains_key(*sha)).cloned().collect();
            if !missing.is_empty() {
                // Its parents are put before it once; what is its own ancestor would be asked for again and again.
                if !waiting.insert(sha) {
                    return Err(wrong("its history runs in a circle"));
                }
                open.extend(missing);
                continue;
            }
            let parents: Vec<&str> = commit
                .parents
                .iter()
                .filter_map(|parent| here.get(&parent.sha).map(String::as_str))
                .collect();
            let ours = self.bring(repository, commit, &parents)?;
            here.insert(sha, ours);
        }
        here.remove(head).ok_or(ForgeError::Missing("commit"))
    }

    /// Learns of a commit and, by the way, of those listed after it.
    fn learn(
        &self,
        repository: &Repository,
        sha: &str,
        told: &mut HashMap<String, GitCommit>,
    ) -> Result<(), ForgeError> {
        // One page at a time: what is asked for next depends on what is here.
        let is_enough = |page: &[ListedCommit]| !page.is_empty();
        let query = format!("sha={sha}");
        let page: Vec<ListedCommit> = self.client.list("commit", "/commits", &query, is_enough)?;
        for commit in page.into_iter().map(GitCommit::from) {
            if !repository.has_object(&commit.sha) {
                told.insert(commit.sha.clone(), commit);
            }
        }
        if !told.contains_key(sha) {
            told.insert(sha.to_owned(), self.git_commit(sha)?);
        }
        Ok(())
    }

    /// Brings one commit here whose parents are here under these names.
    fn bring(
        &self,
        repository: &Repository,
        commit: &GitCommit,
        parents: &[&str],
    ) -> Result<String, ForgeError> {
        self.bring_root(repository, commit)?;
        let same = commit.parents.iter().map(|parent| parent.sha.as_str()).eq(parents.iter().copied());
        let own = if same { rebuild::rebuild(commit) } else { None };
        let is_own = own.is_some();
        let bytes = own
            .or_else(|| rebuild::rewritten(commit, parents))
            .ok_or_else(|| wrong("a commit has a name or a date that no commit can have"))?;
        let written = repository.write_raw(Kind::Commit, &bytes).map_err(disk)?;
        if !is_own {
            let name = format!("{STANDS_FOR}{}", commit.sha);
            repository.set_reference(&name, &written, None).map_err(disk)?;
        }
        Ok(written)
    }

    /// Brings the tree of a commit. Of one that nothing came before, all folders are listed at once; of others, only those
    /// that are not here.
    fn bring_root(&self, repository: &Repository, commit: &GitCommit) -> Result<(), ForgeError> {
        let sha = &commit.tree.sha;
        let is_here = repository.has_object(sha) && sha != EMPTY;
        let listing =
            if commit.parents.is_empty() && !is_here { self.list_all(sha)? } else { HashMap::new() };
        self.bring_tree(repository, sha, "", &listing, 0)
    }

    /// Every folder of a tree by its path; none where GitHub does not list that many.
    fn list_all(&self, sha: &str) -> Result<HashMap<String, Vec<Entry>>, ForgeError> {
        let tree: Tree = self.client.get(&format!("/git/trees/{sha}?recursive=1"))?.read("tree")?;
        if tree.truncated || tree.sha != sha {
            return Ok(HashMap::new());
        }
        let mut folders: HashMap<String, Vec<Entry>> = HashMap::from([(String::new(), Vec::new())]);
        for mut entry in tree.tree {
            if entry.is_tree() {
                folders.entry(entry.path.clone()).or_default();
            }
            let (folder, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
            let (folder, name) = (folder.to_owned(), name.to_owned());
            entry.path = name;
            folders.entry(folder).or_default().push(entry);
        }
        Ok(folders)
    }

    fn bring_tree(
        &self,
        repository: &Repository,
        sha: &str,
        path: &str,
        listing: &HashMap<String, Vec<Entry>>,
        depth: usize,
    ) -> Result<(), ForgeError> {
        if sha == EMPTY {
            // Every repository is said to have it, and it is looked for all the same.
            return write(repository, Kind::Tree, b"", sha);
        }
        if repository.has_object(sha) {
            return Ok(());
        }
        if depth > DEEPEST {
            return Err(wrong("its folders lie too deep in each other"));
        }
        let entries = match listing.get(path) {
            Some(entries) => entries.clone(),
            None => {
                let tree: Tree = self.client.get(&format!("/git/trees/{sha}"))?.read("tree")?;
                if tree.truncated {
                    return Err(wrong("one of its folders holds more than GitHub lists"));
                }
                tree.tree
            }
        };
        for entry in &entries {
            if entry.is_tree() {
                let inner =
                    if path.is_empty() { entry.path.clone() } else { format!("{path}/{}", entry.path) };
                self.bring_tree(repository, &entry.sha, &inner, listing, depth + 1)?;
            } else if !entry.is_submodule() {
                self.bring_blob(repository, &entry.sha)?;
            }
        }
        let bytes = tree_bytes(entries).ok_or_else(|| wrong("one of its folders cannot be read"))?;
        write(repository, Kind::Tree, &bytes, sha)
    }

    fn bring_blob(&self, repository: &Repository, sha: &str) -> Result<(), ForgeError> {
        if repository.has_object(sha) {
            return Ok(());
        }
        let blob: Blob = self.client.get(&format!("/git/blobs/{sha}"))?.read("file")?;
        let bytes = match blob.encoding.as_str() {
            "base64" => {
                let packed: String = blob.content.split_ascii_whitespace().collect();
                STANDARD.decode(packed).map_err(|_| wrong("one of its files cannot be read"))?
            }
            "utf-8" => blob.content.into_bytes(),
            _ => return Err(wrong("one of its files cannot be read")),
        };
        write(repository, Kind::Blob, &bytes, sha)
    }
}

/// The commit here that is a commit of GitHub's, where it is here.
pub fn local_sha(repository: &Repository, theirs: &str) -> anyhow::Result<Option<String>> {
    if repository.has_object(theirs) {
        return Ok(Some(theirs.to_owned()));
    }
    repository.reference(&format!("{STANDS_FOR}{theirs}"))
}

/// The commit of GitHub's that a commit here is or stands for.
pub fn forge_sha(repository: &Repository, ours: &str) -> anyhow::Result<String> {
    let noted = repository.references(STANDS_FOR)?;
    let found = noted.into_iter().find(|(_, sha)| sha == ours);
    let theirs = found.and_then(|(name, _)| name.strip_prefix(STANDS_FOR).map(str::to_owned));
    Ok(theirs.unwrap_or_else(|| ours.to_owned()))
}

fn known(repository: &Repository, theirs: &str) -> Result<Option<String>, ForgeError> {
    local_sha(repository, theirs).map_err(disk)
}

/// Moves the local `main` forward.
fn follow(repository: &Repository, to: &str) -> Result<(), ForgeError> {
    let main = repository.reference(MAIN).map_err(disk)?;
    let met = repository.reference(MET).map_err(disk)?;
    if let Some(main) = main.as_deref().filter(|main| *main != to) {
        let is_forward = repository.is_ancestor(main, to).map_err(disk)?;
        let is_fresh = met.is_none() && is_first(repository, main)?;
        if !is_forward && !is_fresh {
            let what = match met {
                Some(_) => {
                    "main was rewritten on GitHub: its history does not go on from what is served here"
                }
                None => {
                    "the corpus in the data folder has commits of its own that GitHub's main does not go on from"
                }
            };
            return Err(ForgeError::Defect(what.to_owned()));
        }
    }
    if main.as_deref() != Some(to) {
        repository.set_reference(MAIN, to, main.as_deref()).map_err(disk)?;
    }
    if met.as_deref() != Some(to) {
        repository.set_reference(MET, to, met.as_deref()).map_err(disk)?;
    }
    Ok(())
}

/// Whether a commit has nothing before it.
fn is_first(repository: &Repository, sha: &str) -> Result<bool, ForgeError> {
    let bytes = repository.read_raw(sha).map_err(disk)?;
    Ok(!bytes
        .split(|b| *b == b'\n')
        .take_while(|line| !line.is_empty())
        .any(|line| line.starts_with(b"parent ")))
}

/// A folder as Git writes it: by name, where a folder's name counts as ending in a slash.
fn tree_bytes(mut entries: Vec<Entry>) -> Option<Vec<u8>> {
    let sorted_as = |entry: &Entry| {
        let end = if entry.is_tree() { "/" } else { "" };
        format!("{}{end}", entry.path).into_bytes()
    };
    entries.sort_by_cached_key(sorted_as);
    let mut bytes = Vec::new();
    for entry in &entries {
        let sha = gix::ObjectId::from_hex(entry.sha.as_bytes()).ok()?;
        bytes.extend_from_slice(entry.mode.trim_start_matches('0').as_bytes());
        bytes.push(b' ');
        bytes.extend_from_slice(entry.path.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(sha.as_slice());
    }
    Some(bytes)
}

/// Writes an object that has to have the hash it is called by.
fn write(repository: &Repository, kind: Kind, bytes: &[u8], sha: &str) -> Result<(), ForgeError> {
    let hash = gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, bytes).ok();
    if hash.is_none() || hash != gix::ObjectId::from_hex(sha.as_bytes()).ok() {
        return Err(ForgeError::Unavailable(format!(
            "a {kind} that it sent is not the one that was asked for"
        )));
    }
    repository.write_raw(kind, bytes).map_err(disk)?;
    Ok(())
}

fn wrong(what: &str) -> ForgeError {
    ForgeError::Defect(format!("the repository on GitHub cannot be read: {what}"))
}

/// What goes wrong here, not there: a full disk, most likely.
fn disk(error: anyhow::Error) -> ForgeError {
    ForgeError::Unavailable(format!("the local repository cannot be read or written: {error:#}"))
}
