//! What GitHub's answers look like, as far as anybody here reads them.

use serde::{Deserialize, Deserializer};

/// A branch.
#[derive(Deserialize)]
pub(super) struct Reference {
    pub object: Named,
}

/// Anything that has a hash.
#[derive(Clone, Deserialize)]
pub(super) struct Named {
    #[serde(deserialize_with = "hash")]
    pub sha: String,
}

/// A hash, and nothing that could be anything else where it is put into an address.
fn hash<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    let is_hash = text.len() == 40 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    if is_hash { Ok(text) } else { Err(serde::de::Error::custom("not a hash")) }
}

/// Who did something, and when.
#[derive(Clone, Deserialize)]
pub(super) struct Person {
    pub name: String,
    pub email: String,
    pub date: String,
}

/// What was signed, and the signature.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Verification {
    pub payload: Option<String>,
    pub signature: Option<String>,
}

/// A commit as the Git database has it.
#[derive(Clone, Deserialize)]
pub(super) struct GitCommit {
    #[serde(deserialize_with = "hash")]
    pub sha: String,
    pub tree: Named,
    pub parents: Vec<Named>,
    pub author: Person,
    pub committer: Person,
    pub message: String,
    #[serde(default)]
    pub verification: Verification,
}

/// A commit in a listing.
#[derive(Deserialize)]
pub(super) struct ListedCommit {
    #[serde(deserialize_with = "hash")]
    sha: String,
    parents: Vec<Named>,
    commit: Inner,
}

#[derive(Deserialize)]
struct Inner {
    tree: Named,
    author: Person,
    committer: Person,
    message: String,
    #[serde(default)]
    verification: Verification,
}

impl From<ListedCommit> for GitCommit {
    fn from(listed: ListedCommit) -> Self {
        let ListedCommit { sha, parents, commit } = listed;
        let Inner { tree, author, committer, message, verification } = commit;
        Self { sha, tree, parents, author, committer, message, verification }
    }
}

/// A folder.
#[derive(Deserialize)]
pub(super) struct Tree {
    #[serde(deserialize_with = "hash")]
    pub sha: String,
    pub tree: Vec<Entry>,
    #[serde(default)]
    pub truncated: bool,
}

/// What lies in a folder.
#[derive(Clone, Deserialize)]
pub(super) struct Entry {
    pub path: String,
    pub mode: String,
    #[serde(deserialize_with = "hash")]
    pub sha: String,
}

impl Entry {
    pub fn is_tree(&self) -> bool {
        self.mode.trim_start_matches('0') == "40000"
    }

    /// A commit of another repository: there is nothing to fetch.
    pub fn is_submodule(&self) -> bool {
        self.mode == "160000"
    }
}

/// A file.
#[derive(Deserialize)]
pub(super) struct Blob {
    pub content: String,
    pub encoding: String,
}

/// A pull request.
#[derive(Deserialize)]
pub(super) struct Pull {
    pub number: i64,
    pub state: String,
    pub title: String,
    #[serde(default)]
    pub body: Option<String>,
    pub head: Branch,
    #[serde(default)]
    pub labels: Vec<Label>,
    #[serde(default)]
    pub merged_at: Option<String>,
    #[serde(default)]
    pub merge_commit_sha: Option<String>,
}

impl Pull {
    pub fn is_open(&self) -> bool {
        self.state == "open"
    }

    /// The commit it was merged as.
    pub fn merged(&self) -> Option<&str> {
        self.merged_at.as_ref().and(self.merge_commit_sha.as_deref())
    }

    pub fn has_label(&self, name: &str) -> bool {
        self.labels.iter().any(|label| label.name == name)
    }
}

/// The branch of a pull request.
#[derive(Deserialize)]
pub(super) struct Branch {
    #[serde(rename = "ref")]
    pub name: String,
}

/// A label.
#[derive(Deserialize)]
pub(super) struct Label {
    pub name: String,
}

/// An issue, or a pull request in a listing of issues.
#[derive(Deserialize)]
pub(super) struct Issue {
    pub number: i64,
    pub title: String,
    #[serde(default)]
    pub pull_request: Option<serde::de::IgnoredAny>,
}

/// A comment.
#[derive(Deserialize)]
pub(super) struct Comment {
    #[serde(default)]
    pub body: Option<String>,
}

/// How two commits lie to each other.
#[derive(Deserialize)]
pub(super) struct Comparison {
    pub status: String,
}
