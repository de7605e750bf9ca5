//! Trees, commits and branches, as they are made on GitHub.
//!
//! All of it names objects by their content: made twice, it is there once.

use super::GitHub;
use super::client::Answer;
use super::wire::{GitCommit, Named, Reference};
use crate::forge::{Files, ForgeError};
use crate::moment::Moment;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use ureq::http::Method;

/// Who commits.
const BOT: (&str, &str) = ("Be Civic Bot", "bot@becivic.be");

impl GitHub {
    /// Where a branch points.
    pub(super) fn branch(&self, name: &str) -> Result<Option<String>, ForgeError> {
        let answer = self.client.get(&format!("/git/ref/heads/{name}"))?;
        // 409: a repository without a single commit.
        if matches!(answer.status, 404 | 409) {
            return Ok(None);
        }
        Ok(Some(answer.read::<Reference>("branch")?.object.sha))
    }

    /// Makes a branch; false where one of that name is there already.
    pub(super) fn make_branch(&self, name: &str, sha: &str) -> Result<bool, ForgeError> {
        let body = json!({"ref": format!("refs/heads/{name}"), "sha": sha});
        let answer = self.client.send(Method::POST, "/git/refs", &body)?;
        if answer.status == 422 {
            return Ok(false);
        }
        answer.done("branch").map(|()| true)
    }

    /// Moves a branch forward, and only forward.
    pub(super) fn advance(&self, name: &str, sha: &str) -> Result<(), ForgeError> {
        let body = json!({"sha": sha, "force": false});
        let answer = self.client.send(Method::PATCH, &format!("/git/refs/heads/{name}"), &body)?;
        match answer.status {
            // Not a step forward; or, with the same number, a rule of the repository that keeps us out.
            422 if self.branch(name)?.as_deref() != Some(sha) => self.why_not(name, sha),
            _ => answer.done("branch"),
        }
    }

    /// A branch did not move: because it is elsewhere by now, or because it may not.
    fn why_not(&self, name: &str, sha: &str) -> Result<(), ForgeError> {
        match (self.branch(name)?, self.git_commit(sha)?) {
            (Some(at), commit) if commit.parents.iter().any(|parent| parent.sha == at) => {
                let kept_out =
                    "a rule of the repository keeps the App from writing to a branch; let it pass by";
                Err(ForgeError::Refused(kept_out.to_owned()))
            }
            _ => Err(ForgeError::Moved),
        }
    }

    /// Removes a branch that may be gone already.
    pub(super) fn remove_branch(&self, name: &str) -> Result<(), ForgeError> {
        let answer: Answer = self.client.delete(&format!("/git/refs/heads/{name}"))?;
        match answer.status {
            404 | 422 => Ok(()),
            _ => answer.done("branch"),
        }
    }

    /// A commit.
    pub(super) fn git_commit(&self, sha: &str) -> Result<GitCommit, ForgeError> {
        self.client.get(&format!("/git/commits/{sha}"))?.read("commit")
    }

    /// The tree of a commit with some files changed.
    pub(super) fn tree(&self, base: &str, files: &Files) -> Result<String, ForgeError> {
        let tree = self.git_commit(base)?.tree.sha;
        if files.is_empty() {
            return Ok(tree);
        }
        let mut entries = Vec::with_capacity(files.len());
        for (path, content) in files {
            let mut entry = json!({"path": path, "mode": "100644", "type": "blob"});
            let (name, value) = match content {
                None => ("sha", Value::Null),
                // Text goes along: what is asked for less often is limited less often.
                Some(bytes) => match std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')) {
                    Some(text) => ("content", json!(text)),
                    None => ("sha", json!(self.blob(bytes)?)),
                },
            };
            if let Some(fields) = entry.as_object_mut() {
                fields.insert(name.to_owned(), value);
            }
            entries.push(entry);
        }
        let body = json!({"base_tree": tree, "tree": entries});
        Ok(self.client.send(Method::POST, "/git/trees", &body)?.read::<Named>("tree")?.sha)
    }

    fn blob(&self, bytes: &[u8]) -> Result<String, ForgeError> {
        let body = json!({"content": STANDARD.encode(bytes), "encoding": "base64"});
        Ok(self.client.send(Method::POST, "/git/blobs", &body)?.read::<Named>("file")?.sha)
    }

    /// A commit by the bot: the same bytes as [`crate::repository::Repository::write_commit`] writes, so that it has the same
    /// name here and there. Only the day is kept, and a message ends with one line end.
    pub(super) fn make_commit(
        &self,
        tree: &str,
        parents: &[&str],
        message: &str,
        at: Moment,
    ) -> Result<String, ForgeError> {
        let (name, email) = BOT;
        let person = json!({"name": name, "email": email, "date": at.day().text()});
        let message = format!("{}\n", message.trim_end());
        let body = json!({
            "tree": tree, "parents": parents, "message": message, "author": person, "committer": person,
        });
        Ok(self.client.send(Method::POST, "/git/commits", &body)?.read::<Named>("commit")?.sha)
    }
}
