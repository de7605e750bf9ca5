//! The corpus as a bare Git repository in the data folder, without a `git` binary.
//!
//! It is opened isolated from anybody's configuration. Reading goes by commit, so that what is served can always say
//! which commit it comes from.

mod objects;
mod prune;
mod revert;
mod write;

pub use revert::RevertError;
pub use write::Written;

use crate::moment::Moment;
use anyhow::{Context, anyhow};
use becivic_core::corpus::{Content, Input};
use becivic_core::layout::classify;
use gix::ObjectId;
use gix::bstr::ByteSlice;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The branch that is the corpus.
const MAIN: &str = "refs/heads/main";

/// Who commits when nobody in particular does.
pub const BOT: &str = "Be Civic Bot <bot@becivic.be>";

/// A repository.
#[derive(Clone)]
pub struct Repository {
    git: gix::ThreadSafeRepository,
    /// The commit that was written last: it is often asked for again at once.
    last_written: Arc<Mutex<Option<(write::Asked, Written)>>>,
}

/// One commit of a file's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The full hash.
    pub sha: String,
    /// The first line of its message.
    pub subject: String,
    /// When it was committed.
    pub at: Moment,
}

impl Repository {
    /// Opens the repository; makes it, with one commit of these files, where there is none. Says whether it was made.
    pub fn open_or_create(
        dir: &Path,
        files: impl Iterator<Item = (String, Vec<u8>)>,
        now: Moment,
    ) -> anyhow::Result<(Self, bool)> {
        if dir.exists() {
            let git = gix::ThreadSafeRepository::open_opts(dir, gix::open::Options::isolated())
                .map_err(|error| anyhow!("{error}"))
                .with_context(|| format!("cannot open the repository {}", dir.display()))?;
            return Ok((Self { git, last_written: Arc::default() }, false));
        }
        // Made beside its place and then moved there: a crash in between leaves no half repository.
        let unfinished = dir.with_extension("git.unfinished");
        if unfinished.exists() {
            std::fs::remove_dir_all(&unfinished)?;
        }
        Self::create(&unfinished, files, now)
            .with_context(|| format!("cannot make the repository {}", dir.display()))?;
        std::fs::rename(&unfinished, dir)?;
        let git = gix::ThreadSafeRepository::open_opts(dir, gix::open::Options::isolated())
            .map_err(|error| anyhow!("{error}"))?;
        Ok((Self { git, last_written: Arc::default() }, true))
    }

    fn create(dir: &Path, files: impl Iterator<Item = (String, Vec<u8>)>, now: Moment) -> anyhow::Result<()> {
        let wrong = |error: gix::Error| anyhow!("{error}");
        let made = gix::init_bare(dir).map_err(wrong)?;
        std::fs::write(made.git_dir().join("HEAD"), format!("ref: {MAIN}\n"))?;
        drop(made);
        let git = gix::open_opts(dir, gix::open::Options::isolated()).map_err(wrong)?;
        let mut tree = git.edit_tree(git.empty_tree().id).map_err(wrong)?;
        for (path, bytes) in files {
            let blob = git.write_blob(&bytes).map_err(wrong)?;
            tree.upsert(path.as_str(), gix::objs::tree::EntryKind::Blob, blob)
                .map_err(|error| anyhow!("{error}"))?;
        }
        let tree = tree.write().map_err(|error| anyhow!("{error}"))?;
        let signed = format!("{BOT} {} +0000", now.0.div_euclid(1_000));
        let signature = gix::actor::SignatureRef::from_bytes(signed.as_bytes())
            .map_err(|_| anyhow!("the bot has no name"))?;
        git.commit_as(signature, signature, MAIN, "The starter corpus\n", tree, None::<ObjectId>)
            .map_err(wrong)?;
        Ok(())
    }

    /// A handle for one thread.
    pub fn local(&self) -> gix::Repository {
        self.git.to_thread_local()
    }

    /// The commit that is served.
    pub fn head(&self) -> anyhow::Result<Commit> {
        let git = self.local();
        let mut reference = git.find_reference(MAIN).map_err(|error| anyhow!("{error}"))?;
        let id = reference.peel_to_id().map_err(|error| anyhow!("{error}"))?;
        let commit = git.find_commit(id).map_err(|error| anyhow!("{error}"))?;
        describe(&commit)
    }

    /// A commit.
    pub fn describe(&self, sha: &str) -> anyhow::Result<Commit> {
        let git = self.local();
        let id = ObjectId::from_hex(sha.as_bytes()).map_err(|error| anyhow!("{error}"))?;
        describe(&git.find_commit(id).map_err(|error| anyhow!("{error}"))?)
    }

    /// The files of a commit that a corpus reads.
    pub fn files(&self, commit: &str) -> anyhow::Result<Vec<Input>> {
        let git = self.local();
        let id = ObjectId::from_hex(commit.as_bytes()).map_err(|error| anyhow!("{error}"))?;
        let tree =
            git.find_commit(id).and_then(|commit| commit.tree()).map_err(|error| anyhow!("{error}"))?;
        let listed = tree.traverse().breadthfirst.files().map_err(|error| anyhow!("{error}"))?;
        let mut inputs = Vec::with_capacity(listed.len());
        // Folders are listed too; what is neither folder nor file is said to be no file.
        for file in listed.into_iter().filter(|entry| !entry.mode.is_tree()) {
            inputs.push(input(&git, file.filepath.to_string(), file.mode, file.oid)?);
        }
        Ok(inputs)
    }

    /// One file of a commit; `None` when it is not in it.
    pub fn file(&self, commit: &str, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let git = self.local();
        let id = ObjectId::from_hex(commit.as_bytes()).map_err(|error| anyhow!("{error}"))?;
        let Some(blob) = write::blob(&git, id, path) else { return Ok(None) };
        Ok(Some(git.find_object(blob).map_err(|error| anyhow!("{error}"))?.detach().data))
    }

    /// What differs between two commits: files as they are in the second, and files that are not in it any more. Folders
    /// that did not change are not looked into.
    pub fn changed(&self, from: &str, to: &str) -> anyhow::Result<(Vec<Input>, Vec<String>)> {
        let git = self.local();
        let tree = |sha: &str| -> anyhow::Result<gix::Tree<'_>> {
            let id = ObjectId::from_hex(sha.as_bytes()).map_err(|error| anyhow!("{error}"))?;
            git.find_commit(id).and_then(|commit| commit.tree()).map_err(|error| anyhow!("{error}"))
        };
        let (mut changed, mut removed) = (Vec::new(), Vec::new());
        let mut folders = vec![(String::new(), Some(tree(from)?), Some(tree(to)?))];
        while let Some((folder, before, after)) = folders.pop() {
            let (before, after) = (entries(before.as_ref())?, entries(after.as_ref())?);
            let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for name in names {
                let (was, is) = (before.get(name), after.get(name));
                if was == is {
                    continue;
                }
                let path = format!("{folder}{name}");
                let folder_of = |entry: Option<&(gix::objs::tree::EntryMode, ObjectId)>| {
                    let (mode, id) = entry?;
                    if mode.is_tree() { git.find_tree(*id).ok() } else { None }
                };
                let (inner_was, inner_is) = (folder_of(was), folder_of(is));
                let was_file = was.is_some() && inner_was.is_none();
                let is_file = is.is_some() && inner_is.is_none();
                if inner_was.is_some() || inner_is.is_some() {
                    folders.push((format!("{path}/"), inner_was, inner_is));
                }
                match is.filter(|_| is_file) {
                    Some((mode, id)) => changed.push(input(&git, path, *mode, *id)?),
                    None if was_file => removed.push(path),
                    None => {}
                }
            }
        }
        Ok((changed, removed))
    }

    /// Whether the repository knows a commit, by its hash or the beginning of it.
    pub fn knows(&self, sha: &str) -> bool {
        let plausible = (7..=40).contains(&sha.len()) && sha.bytes().all(|b| b.is_ascii_hexdigit());
        let git = self.local();
        plausible
            && git
                .rev_parse_single(format!("{sha}^{{commit}}").as_str())
                .is_ok_and(|id| id.header().is_ok_and(|header| header.kind() == gix::objs::Kind::Commit))
    }

    /// The commits that lead to one, by first parent, oldest first.
    pub fn first_parents(&self, sha: &str) -> anyhow::Result<Vec<String>> {
        let git = self.local();
        let mut next = Some(ObjectId::from_hex(sha.as_bytes()).map_err(|error| anyhow!("{error}"))?);
        let mut found = Vec::new();
        while let Some(id) = next {
            let commit = git.find_commit(id).map_err(|error| anyhow!("{error}"))?;
            next = commit.parent_ids().next().map(|parent| parent.detach());
            found.push(id.to_string());
        }
        found.reverse();
        Ok(found)
    }

    /// The commits that changed a file, newest first, by first parent.
    pub fn history(&self, path: &str) -> anyhow::Result<Vec<Commit>> {
        let git = self.local();
        let head = ObjectId::from_hex(self.head()?.sha.as_bytes()).map_err(|error| anyhow!("{error}"))?;
        let blob = |id: ObjectId| -> Option<ObjectId> {
            let tree = git.find_commit(id).and_then(|commit| commit.tree()).ok()?;
            Some(tree.lookup_entry_by_path(path).ok()??.object_id())
        };
        let mut found = Vec::new();
        let mut next = Some(head);
        while let Some(id) = next {
            let commit = git.find_commit(id).map_err(|error| anyhow!("{error}"))?;
            next = commit.parent_ids().next().map(|parent| parent.detach());
            let now = blob(id);
            if now.is_some() && now != next.and_then(blob) {
                found.push(describe(&commit)?);
            }
        }
        Ok(found)
    }
}

type Entries = BTreeMap<String, (gix::objs::tree::EntryMode, ObjectId)>;

fn entries(tree: Option<&gix::Tree<'_>>) -> anyhow::Result<Entries> {
    let Some(tree) = tree else { return Ok(Entries::new()) };
    tree.iter()
        .map(|entry| {
            let entry = entry.map_err(|error| anyhow!("{error}"))?;
            Ok((entry.filename().to_string(), (entry.mode(), entry.object_id())))
        })
        .collect()
}

/// A file of a tree, as a corpus reads it.
fn input(
    git: &gix::Repository,
    path: String,
    mode: gix::objs::tree::EntryMode,
    id: ObjectId,
) -> anyhow::Result<Input> {
    if !mode.is_blob() {
        return Ok(Input { path, content: Content::NotAFile });
    }
    let bytes = git.find_object(id).map_err(|error| anyhow!("{error}"))?.detach().data;
    let size = bytes.len() as u64;
    let limit = classify(&path).size_limit();
    let content = if size > limit { Content::TooLarge(size) } else { Content::Bytes(bytes) };
    Ok(Input { path, content })
}

fn describe(commit: &gix::Commit<'_>) -> anyhow::Result<Commit> {
    let message = commit.message_raw_sloppy().to_str_lossy();
    let time = commit.time().map_err(|error| anyhow!("{error}"))?;
    Ok(Commit {
        sha: commit.id().to_string(),
        subject: message.lines().next().unwrap_or_default().to_owned(),
        at: Moment(time.seconds.saturating_mul(1_000)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_made_once_and_read_by_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = folder.path().join("corpus.git");
        let files = || {
            [("skills/a/canonical.md".to_owned(), b"x\n".to_vec()), ("index.mdx".to_owned(), b"y\n".to_vec())]
                .into_iter()
        };
        let now = Moment(1_763_000_000_000);
        let (made, fresh) = Repository::open_or_create(&dir, files(), now).expect("made");
        assert!(fresh);
        let head = made.head().expect("a commit");
        assert_eq!((head.at, head.subject.as_str()), (now, "The starter corpus"));
        let (again, fresh) = Repository::open_or_create(&dir, files(), now).expect("opened");
        assert!(!fresh);
        assert_eq!(again.head().expect("a commit"), head);
        assert_eq!(again.files(&head.sha).expect("files").len(), 2);
        assert_eq!(again.history("skills/a/canonical.md").expect("history"), std::slice::from_ref(&head));
        assert_eq!(again.history("skills/b/canonical.md").expect("history"), []);
        assert!(again.knows(&head.sha) && again.knows(&head.sha[..7]));
        assert!(!again.knows(&"0".repeat(40)) && !again.knows("main") && !again.knows(""));
    }
}
