//! A corpus as it was at a Git revision, read without a `git` binary.
//!
//! 1. Find the repository above the corpus folder and the commit the revision names.
//! 2. List the blobs below the corpus folder in that commit.
//! 3. A file differs when its bytes hash to another blob than the base has.
//! 4. Who changed it: the authors of the commits since the base whose tree differs from their parent's
//!    at that path; nobody yet when the file on disk is not the one of HEAD.

use anyhow::{Context, anyhow};
use becivic_core::change::{BaseFile, Change};
use becivic_core::corpus::{Content, Input};
use gix::ObjectId;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The files of a corpus at a revision.
pub struct BaseTree {
    repository: gix::Repository,
    base: ObjectId,
    /// Where the corpus folder is in the repository; empty for the root.
    prefix: PathBuf,
    /// The files themselves, by path inside the corpus.
    pub blobs: Blobs,
}

/// The files of a revision: path inside the corpus to content hash.
#[derive(Default)]
pub struct Blobs(HashMap<String, ObjectId>);

impl Blobs {
    /// Whether a file's bytes are not those of the revision.
    pub fn differs(&self, input: &Input) -> bool {
        let Content::Bytes(bytes) = &input.content else {
            return false;
        };
        self.0.get(&input.path) != hash(bytes).as_ref()
    }
}

impl BaseTree {
    /// Reads the tree of `revision` for the corpus in `dir`.
    pub fn open(dir: &Path, revision: &str) -> anyhow::Result<Self> {
        let dir = dir.canonicalize().with_context(|| format!("cannot read {}", dir.display()))?;
        let (root, repository) = discover(&dir)?;
        let prefix = dir.strip_prefix(&root).map(Path::to_path_buf).unwrap_or_default();
        let commit = repository
            .rev_parse_single(revision)
            .with_context(|| format!("`{revision}` names no revision of {}", root.display()))?
            .object()?
            .peel_to_commit()
            .with_context(|| format!("`{revision}` is not a commit"))?;
        let base = commit.id;
        let blobs = list_blobs(&commit.tree()?, &prefix)?;
        drop(commit);
        Ok(Self { repository, base, prefix, blobs })
    }

    /// The change these files make: what each was, and who wrote it.
    pub fn change(&self, dir: &Path, changed: Vec<String>) -> anyhow::Result<Change> {
        let repository = &self.repository;
        let mut authors = self.authors(&changed)?;
        let head = repository.head_commit().ok().and_then(|head| head.tree().ok());
        let mut files = Vec::with_capacity(changed.len());
        for path in changed {
            let before = match self.blobs.0.get(&path) {
                Some(id) => Some(repository.find_object(*id)?.detach().data),
                None => None,
            };
            let mut written_by = authors.remove(&path).unwrap_or_default();
            let on_disk = std::fs::read(dir.join(&path)).ok().and_then(|bytes| hash(&bytes));
            let committed = head.as_ref().and_then(|tree| blob_at(tree, &self.prefix.join(&path)));
            if on_disk != committed {
                written_by.clear();
            }
            files.push(BaseFile { path, before, authors: written_by });
        }
        Ok(Change::read(files))
    }

    fn authors(&self, changed: &[String]) -> anyhow::Result<HashMap<String, Vec<String>>> {
        let mut authors: HashMap<String, Vec<String>> = HashMap::new();
        if changed.is_empty() {
            return Ok(authors);
        }
        let head = self.repository.head_id().context("the repository has no commit yet")?;
        let walk = self.repository.rev_walk([head.detach()]).with_hidden([self.base]).all()?;
        for step in walk {
            let commit = step?.object()?;
            let email = commit.author()?.email.to_string();
            let tree = commit.tree()?;
            let parent = match commit.parent_ids().next() {
                Some(parent) => Some(parent.object()?.peel_to_commit()?.tree()?),
                None => None,
            };
            for path in changed {
                let full = self.prefix.join(path);
                let now = blob_at(&tree, &full);
                let then = parent.as_ref().and_then(|tree| blob_at(tree, &full));
                if now != then {
                    authors.entry(path.clone()).or_default().push(email.clone());
                }
            }
        }
        Ok(authors)
    }
}

/// The repository above a folder, opened without the user's configuration.
fn discover(dir: &Path) -> anyhow::Result<(PathBuf, gix::Repository)> {
    let root = dir
        .ancestors()
        .find(|folder| folder.join(".git").exists())
        .ok_or_else(|| anyhow!("{} is not inside a Git repository, so there is no base", dir.display()))?;
    let repository = gix::open_opts(root, gix::open::Options::isolated())
        .with_context(|| format!("cannot open the Git repository {}", root.display()))?;
    Ok((root.to_path_buf(), repository))
}

fn list_blobs(tree: &gix::Tree<'_>, prefix: &Path) -> anyhow::Result<Blobs> {
    let subtree = if prefix.as_os_str().is_empty() {
        tree.clone()
    } else {
        match tree.lookup_entry_by_path(prefix)? {
            Some(entry) => entry.object()?.peel_to_tree()?,
            None => return Ok(Blobs::default()),
        }
    };
    let files = subtree.traverse().breadthfirst.files()?;
    let blobs = files.into_iter().filter(|file| file.mode.is_blob());
    Ok(Blobs(blobs.map(|file| (file.filepath.to_string(), file.oid)).collect()))
}

fn blob_at(tree: &gix::Tree<'_>, path: &Path) -> Option<ObjectId> {
    let entry = tree.lookup_entry_by_path(path).ok()??;
    Some(entry.object_id())
}

fn hash(bytes: &[u8]) -> Option<ObjectId> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, bytes).ok()
}
