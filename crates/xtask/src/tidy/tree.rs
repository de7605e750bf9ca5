//! The checkout as the checks see it: names and texts, read once.
//!
//! 1. Read the folder rules of `.gitignore` (`name/` anywhere, `some/folder/` from the root).
//! 2. Walk from the root, leaving out `.git` and what those rules name; symbolic links are not followed.
//! 3. Keep the text of every UTF-8 file up to [`TEXT_LIMIT`]; other files keep their name only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

/// Larger files are data, not text somebody wrote by hand: 4 MiB.
const TEXT_LIMIT: u64 = 4 << 20;

/// Every file of the checkout by its path from the root, with its text where it has one.
pub struct Tree {
    files: BTreeMap<String, Option<String>>,
    folders: BTreeSet<String>,
}

impl Tree {
    /// Reads the checkout at `root`.
    pub fn read(root: &Path) -> Result<Self> {
        let rules = std::fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
        let mut files = BTreeMap::new();
        let mut open = vec![String::new()];
        while let Some(folder) = open.pop() {
            let entries = std::fs::read_dir(root.join(&folder))
                .with_context(|| format!("the folder {folder:?} cannot be read"))?;
            for entry in entries {
                let entry = entry?;
                let kind = entry.file_type()?;
                let Ok(name) = entry.file_name().into_string() else {
                    continue;
                };
                let path = join(&folder, &name);
                if kind.is_dir() && !ignored(&rules, &path, &name) {
                    open.push(path);
                } else if kind.is_file() {
                    let text = text_of(&entry.path(), entry.metadata()?.len());
                    files.insert(path, text);
                }
            }
        }
        Ok(Self::from_files(files))
    }

    /// A tree made of these texts, for the tests of the checks.
    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())));
        Self::from_files(files.collect())
    }

    fn from_files(files: BTreeMap<String, Option<String>>) -> Self {
        let mut folders = BTreeSet::new();
        for path in files.keys() {
            for (at, _) in path.match_indices('/') {
                folders.insert(path[..at].to_owned());
            }
        }
        Self { files, folders }
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The text of a file, where it exists and is text.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Every file that is text: path and text, sorted by path.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Every file's path, sorted.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Every folder's path, sorted.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(String::as_str)
    }

    /// Whether a file or folder of this path exists; the empty path is the root.
    pub fn exists(&self, path: &str) -> bool {
        path.is_empty() || self.files.contains_key(path) || self.folders.contains(path)
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn ignored(rules: &str, path: &str, name: &str) -> bool {
    name == ".git"
        || rules.lines().filter_map(|rule| rule.trim().strip_suffix('/')).any(|rule| {
            match rule.trim_start_matches('/') {
                rooted if rooted.contains('/') => rooted == path,
                anywhere => anywhere == name,
            }
        })
}

fn text_of(path: &Path, length: u64) -> Option<String> {
    if length > TEXT_LIMIT {
        return None;
    }
    String::from_utf8(std::fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_folders_and_binary_files_have_no_text() {
        let root = tempfile::tempdir().unwrap();
        for (path, bytes) in [
            (".gitignore", b"target/\nfuzz/corpus/\n".as_slice()),
            ("target/debug/out.rs", b"x"),
            ("crates/a/target/x.rs", b"x"),
            ("fuzz/corpus/seed", b"x"),
            ("corpus/index.json", b"{}"),
            ("logo.bin", b"\xff\xfe"),
        ] {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let tree = Tree::read(root.path()).unwrap();
        let names: Vec<_> = tree.files().collect();
        assert_eq!(names, [".gitignore", "corpus/index.json", "logo.bin"]);
        assert_eq!(tree.text("logo.bin"), None);
        assert_eq!(tree.text("corpus/index.json"), Some("{}"));
        assert!(tree.exists("corpus") && !tree.exists("target"));
    }
}
