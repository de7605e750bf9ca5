//! Taking one commit back: what has to be written so that the files it changed are again what they were before it.
//!
//! 1. What the commit changed is compared with its first parent.
//! 2. A file that is still what the commit left goes back to what it was; one that is what it was already stays.
//! 3. A file that somebody changed since is nobody's to take back without looking: nothing is reverted then.

use super::Repository;
use crate::forge::Files;
use anyhow::anyhow;
use gix::ObjectId;
use std::collections::BTreeSet;

/// Why a commit cannot be taken back.
#[derive(Debug, thiserror::Error)]
pub enum RevertError {
    /// A file was changed again since.
    #[error("{0} was changed again since")]
    Conflict(String),
    /// It began everything, or the repository does not know it.
    #[error("there is no commit {0} that could be taken back")]
    Unknown(String),
    /// The repository cannot be read.
    #[error(transparent)]
    Broken(#[from] anyhow::Error),
}

impl Repository {
    /// What takes a commit back on top of the head of `main`: empty when that has happened already.
    pub fn revert(&self, commit: &str) -> Result<Files, RevertError> {
        let unknown = || RevertError::Unknown(commit.to_owned());
        let git = self.local();
        let id = ObjectId::from_hex(commit.as_bytes()).map_err(|_| unknown())?;
        let found = git.find_commit(id).map_err(|_| unknown())?;
        let parent = found.parent_ids().next().ok_or_else(unknown)?.detach();
        let head = self.head()?.sha;
        let head = ObjectId::from_hex(head.as_bytes()).map_err(|error| anyhow!("{error}"))?;
        let (changed, removed) = self.changed(&parent.to_string(), commit)?;
        let paths: BTreeSet<String> = changed.into_iter().map(|input| input.path).chain(removed).collect();
        let mut files = Files::new();
        for path in paths {
            let [before, left, now] = [parent, id, head].map(|at| super::write::blob(&git, at, &path));
            if now == before {
                continue;
            }
            if now != left {
                return Err(RevertError::Conflict(path));
            }
            let content = match before {
                Some(blob) => Some(git.find_object(blob).map_err(|error| anyhow!("{error}"))?.detach().data),
                None => None,
            };
            files.insert(path, content);
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::Moment;

    const NOW: Moment = Moment(1_763_000_000_000);

    fn files(pairs: &[(&str, Option<&str>)]) -> Files {
        pairs.iter().map(|(path, text)| ((*path).to_owned(), text.map(|it| it.as_bytes().to_vec()))).collect()
    }

    fn commit(repository: &Repository, change: &Files) -> String {
        let base = repository.head().expect("a head").sha;
        let written = repository.write_commit(&base, &[&base], change, "x\n", NOW).expect("written");
        repository.advance(&base, &written.sha, || Ok(())).expect("asked").expect("moved");
        written.sha
    }

    #[test]
    fn a_commit_is_taken_back_unless_somebody_went_on_from_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let start = [("a", "1\n"), ("b/c", "1\n"), ("gone", "1\n")];
        let start = start.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).into_iter();
        let (repository, _) =
            Repository::open_or_create(&folder.path().join("corpus.git"), start, NOW).expect("made");
        let first = repository.head().expect("a head").sha;
        let change =
            files(&[("a", Some("2\n")), ("b/c", Some("2\n")), ("gone", None), ("new/d", Some("2\n"))]);
        let changed = commit(&repository, &change);
        commit(&repository, &files(&[("elsewhere", Some("x\n"))]));

        let back = repository.revert(&changed).expect("taken back");
        let before =
            files(&[("a", Some("1\n")), ("b/c", Some("1\n")), ("gone", Some("1\n")), ("new/d", None)]);
        assert_eq!(back, before);
        let reverted = commit(&repository, &back);
        assert!(repository.revert(&changed).expect("asked").is_empty(), "it has been taken back");
        assert_eq!(repository.revert(&reverted).expect("asked"), change, "and can be brought back");

        // Part of it was restored by hand: the rest follows. Part of it was changed: nothing does.
        let again = commit(&repository, &change);
        commit(&repository, &files(&[("a", Some("1\n"))]));
        assert!(!repository.revert(&again).expect("asked").contains_key("a"));
        commit(&repository, &files(&[("b/c", Some("3\n"))]));
        assert!(matches!(repository.revert(&again), Err(RevertError::Conflict(path)) if path == "b/c"));

        for nothing in [first.as_str(), "x", &"0".repeat(40)] {
            assert!(matches!(repository.revert(nothing), Err(RevertError::Unknown(_))), "{nothing}");
        }
    }
}
