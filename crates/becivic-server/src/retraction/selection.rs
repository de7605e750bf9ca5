//! What is taken out: a text, a file, or what was submitted under a public name.

use super::words::Words;
use anyhow::anyhow;
use becivic_core::layout::{FileKind, classify};
use gix::ObjectId;
use std::collections::{BTreeMap, BTreeSet};

/// What is taken out. It has no `Debug`: a text is never shown.
pub enum Selection {
    /// A text, wherever it stands.
    Text(Words),
    /// A file, or a folder, in every version.
    Path(String),
    /// What was submitted under a public name, and the changes it made to files.
    Uid(String, Vec<Undo>),
}

/// One change to a file, to be undone.
pub struct Undo {
    commit: ObjectId,
    path: String,
    /// What the file held before; `None` where the commit made it.
    before: Option<Vec<u8>>,
    after: Vec<u8>,
}

impl Undo {
    /// A file without the change; `None` when later changes touch the same lines.
    pub fn applied(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let before = keeping_version(self.before.as_deref().unwrap_or_default(), &self.after);
        if bytes == self.after {
            return Some(before);
        }
        diffy::merge_bytes(&self.after, bytes, &before).ok()
    }
}

/// What was there before, with the version that came after: versions go on counting.
fn keeping_version(before: &[u8], after: &[u8]) -> Vec<u8> {
    let is_version = |line: &&[u8]| line.starts_with(b"version: ");
    let version = after.split_inclusive(|byte| *byte == b'\n').find(is_version);
    let mut seen = false;
    let lines = before.split_inclusive(|byte| *byte == b'\n').map(|line| match version {
        Some(version) if !seen && is_version(&line) => {
            seen = true;
            version
        }
        _ => line,
    });
    lines.collect::<Vec<&[u8]>>().concat()
}

impl Selection {
    /// A text; `None` when it is too short: it would be found everywhere.
    pub fn text(text: &str) -> Option<Self> {
        Words::read(text).map(Self::Text)
    }

    /// A path as it is written in the corpus; `None` when it is none.
    pub fn path(path: &str) -> Option<Self> {
        let path = path.trim_end_matches('/');
        let sound = !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        sound.then(|| Self::Path(path.to_owned()))
    }

    /// Whether a text is a public name.
    pub fn is_uid(text: &str) -> bool {
        let (prefix, digits) = text.split_once('-').unwrap_or_default();
        let is_number = digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
        matches!(prefix, "con" | "amd" | "drf") && is_number
    }

    /// A public name, with the changes of the commits that bear it in a trailer `Submission:`.
    pub fn uid(uid: &str, git: &gix::Repository, tips: &BTreeMap<String, ObjectId>) -> anyhow::Result<Self> {
        let wrong = |error: gix::Error| anyhow!("{error}");
        let trailer = format!("Submission: {uid}");
        let mut undos = Vec::new();
        let history = crate::git::history::History::default();
        for (id, node) in history.all(git, tips.values().copied())? {
            let commit = git.find_commit(id).map_err(wrong)?;
            let message = commit.message_raw_sloppy().to_string();
            if !message.lines().any(|line| line.trim() == trailer) {
                continue;
            }
            let tree = |id: ObjectId| git.find_tree(id).map_err(wrong);
            let old = match node.parents.first() {
                Some(parent) => git.find_commit(*parent).and_then(|parent| parent.tree()).map_err(wrong)?,
                None => git.empty_tree(),
            };
            let files = |tree: gix::Tree<'_>| -> anyhow::Result<BTreeMap<String, ObjectId>> {
                let listed = tree.traverse().breadthfirst.files().map_err(wrong)?;
                let blobs = listed.into_iter().filter(|entry| entry.mode.is_blob());
                Ok(blobs.map(|entry| (entry.filepath.to_string(), entry.oid)).collect())
            };
            let (old, new) = (files(old)?, files(tree(node.tree)?)?);
            let read = |id: &ObjectId| -> anyhow::Result<Vec<u8>> {
                Ok(git.find_object(*id).map_err(wrong)?.detach().data)
            };
            for (path, after) in new.iter().filter(|(path, after)| old.get(*path) != Some(*after)) {
                // Rollups are made of the rest, and are made anew at the end.
                if matches!(classify(path), FileKind::SkillsRollup | FileKind::PathsRollup) {
                    continue;
                }
                let before = old.get(path).map(read).transpose()?;
                undos.push(Undo { commit: id, path: path.clone(), before, after: read(after)? });
            }
        }
        Ok(Self::Uid(uid.to_owned(), undos))
    }

    /// The changes that are undone from a commit on.
    pub fn begins_at(&self, commit: ObjectId) -> impl Iterator<Item = usize> {
        let undos = match self {
            Self::Uid(_, undos) => undos.as_slice(),
            Self::Text(_) | Self::Path(_) => &[],
        };
        undos.iter().enumerate().filter(move |(_, undo)| undo.commit == commit).map(|(index, _)| index)
    }

    /// Bytes without the text; `None` when it is not in there, or no text is taken out.
    pub fn in_words(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Text(words) => words.replaced(bytes),
            Self::Path(_) | Self::Uid(..) => None,
        }
    }

    /// Whether what happens below a folder depends on where it lies.
    pub fn looks_at_paths_below(&self, prefix: &str, active: &BTreeSet<usize>) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Path(path) => {
                format!("{path}/").starts_with(prefix) || prefix.starts_with(&format!("{path}/"))
            }
            Self::Uid(_, undos) => {
                active.iter().filter_map(|index| undos.get(*index)).any(|undo| undo.path.starts_with(prefix))
            }
        }
    }

    /// Whether a file goes altogether.
    pub fn removes(&self, path: &str, active: &BTreeSet<usize>) -> bool {
        match self {
            Self::Text(words) => words.is_in(path.as_bytes()),
            Self::Path(removed) => path
                .strip_prefix(removed.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
            Self::Uid(_, undos) => {
                let mut undos = active.iter().filter_map(|index| undos.get(*index));
                undos.any(|undo| undo.path == path && undo.before.is_none())
            }
        }
    }

    /// The changes to a file that are undone.
    pub fn undoes<'a>(&'a self, path: &str, active: &'a BTreeSet<usize>) -> impl Iterator<Item = &'a Undo> {
        let undos = match self {
            Self::Uid(_, undos) => undos.as_slice(),
            Self::Text(_) | Self::Path(_) => &[],
        };
        let path = path.to_owned();
        // The newest first: what was built on top goes before what it was built on.
        active.iter().rev().filter_map(move |index| undos.get(*index)).filter(move |undo| undo.path == path)
    }

    /// What kind of selection it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Path(_) => "a file",
            Self::Uid(..) => "a submission",
        }
    }
}
