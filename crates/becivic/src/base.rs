//! A corpus as it was at a Git revision, read without a `git` binary.
//!
//! 1. Find the repository above the corpus folder and the commit the revision names.
//! 2. The base is where HEAD and that commit parted: what happened there since is not this change's doing.
//! 3. List the blobs below the corpus folder in the base.
//! 4. A file differs when its bytes hash to another blob than the base has.
//! 5. The steps it took: each commit since the base whose blob at that path is in none of its parents, and
//!    what is on disk when that is not the blob of HEAD.

use anyhow::{Context, anyhow};
use becivic_core::change::{BaseFile, Change, Step};
use becivic_core::corpus::{Content, Input};
use becivic_core::layout::{FileKind, classify};
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
        let base = parting(&repository, commit.id);
        let tree = repository.find_object(base)?.peel_to_commit()?.tree()?;
        let blobs = list_blobs(&tree, &prefix)?;
        drop(tree);
        drop(commit);
        Ok(Self { repository, base, prefix, blobs })
    }

    /// The change these files make: what each was, and the steps it took since.
    pub fn change(&self, dir: &Path, changed: Vec<String>) -> anyhow::Result<Change> {
        let repository = &self.repository;
        let mut steps = self.steps(&changed)?;
        let head = repository.head_commit().ok().and_then(|head| head.tree().ok());
        let mut files = Vec::with_capacity(changed.len());
        let mut something_new = false;
        for path in changed {
            let before = match self.blobs.0.get(&path) {
                Some(id) => Some(self.bytes(*id)?),
                None => None,
            };
            something_new |= before.is_none();
            let mut steps = steps.remove(&path).unwrap_or_default();
            let on_disk = std::fs::read(dir.join(&path)).unwrap_or_default();
            let committed = head.as_ref().and_then(|tree| blob_at(tree, &self.prefix.join(&path)));
            if hash(&on_disk) != committed {
                let parents = committed.map(|id| self.bytes(id)).transpose()?.into_iter().collect();
                steps.push(Step { author: None, after: on_disk, parents });
            }
            files.push(BaseFile { path, before, steps });
        }
        let removed = if something_new { self.removed_skills(dir)? } else { Vec::new() };
        Ok(Change::read(files, &removed))
    }

    /// The skills of the base that are not on disk any more.
    fn removed_skills(&self, dir: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
        let skills = self.blobs.0.iter().filter(|(path, _)| matches!(classify(path), FileKind::Skill(_)));
        let removed = skills.filter(|(path, _)| !dir.join(path).exists());
        removed.map(|(_, id)| self.bytes(*id)).collect()
    }

    fn steps(&self, changed: &[String]) -> anyhow::Result<HashMap<String, Vec<Step>>> {
        let mut steps: HashMap<String, Vec<Step>> = HashMap::new();
        if changed.is_empty() {
            return Ok(steps);
        }
        let head = self.repository.head_id().context("the repository has no commit yet")?;
        let walk = self.repository.rev_walk([head.detach()]).with_hidden([self.base]).all()?;
        for step in walk {
            let commit = step?.object()?;
            let email = commit.author()?.email.to_string();
            let tree = commit.tree()?;
            let mut parents = Vec::new();
            for parent in commit.parent_ids() {
                // A parent beyond the edge of a shallow clone is not there.
                if let Ok(parent) = parent.object() {
                    parents.push(parent.peel_to_commit()?.tree()?);
                }
            }
            for path in changed {
                let full = self.prefix.join(path);
                let now = blob_at(&tree, &full);
                let then: Vec<Option<ObjectId>> = parents.iter().map(|tree| blob_at(tree, &full)).collect();
                if then.contains(&now) || (now.is_none() && then.is_empty()) {
                    continue;
                }
                let is_skill = matches!(classify(path), FileKind::Skill(_));
                let read = |id: Option<ObjectId>| match id.filter(|_| is_skill) {
                    Some(id) => self.bytes(id),
                    None => Ok(Vec::new()),
                };
                let after = read(now)?;
                let parents = then.into_iter().map(read).collect::<anyhow::Result<_>>()?;
                let step = Step { author: Some(email.clone()), after, parents };
                steps.entry(path.clone()).or_default().push(step);
            }
        }
        Ok(steps)
    }

    fn bytes(&self, id: ObjectId) -> anyhow::Result<Vec<u8>> {
        Ok(self.repository.find_object(id)?.detach().data)
    }
}

/// Where HEAD and a commit parted; the commit itself when they never met or there is no HEAD.
fn parting(repository: &gix::Repository, commit: ObjectId) -> ObjectId {
    let head = repository.head_id().map(|head| head.detach());
    let met = head.ok().and_then(|head| repository.merge_base(head, commit).ok().flatten());
    met.map_or(commit, |met| met.detach())
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
