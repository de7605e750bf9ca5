//! Where the corpus lives as commits and pull requests: a bare repository in the data folder, or GitHub.
//!
//! 1. Whatever the forge, the corpus is read from the local repository: GitHub's commits are brought into it first.
//! 2. A change is made against the head of `main`, proposed on a branch of its own (`becivic/<number>`), checked as the
//!    merge would leave it, and merged as one commit. When `main` moved in between, nothing is merged: the change is made
//!    anew against the new head. Nothing is ever pushed by force.
//! 3. Every call can be made again after a crash: a branch, a pull request or a merge that is there already is found by
//!    its number, not made twice.
//!
//! These calls wait for disks and networks: they run on threads that may wait, never on those that answer requests.

pub mod github;
mod local;

pub use local::{Local, reference};

use crate::config::{self, ForgeKind};
use crate::moment::Moment;
use crate::repository::Repository;
use github::{GitHub, Settings};
use std::collections::BTreeMap;
use std::time::Duration;

/// Files of a commit: what each path holds from then on; `None` removes it.
pub type Files = BTreeMap<String, Option<Vec<u8>>>;

/// A change to be proposed.
#[derive(Clone, Debug)]
pub struct Proposal<'a> {
    /// Our number of the pull request; its branch is `becivic/<number>`.
    pub number: i64,
    /// The commit of `main` it is made against.
    pub base: &'a str,
    /// One line, made of ids.
    pub title: &'a str,
    /// What it does, for maintainers.
    pub body: &'a str,
    /// Words to find it by.
    pub labels: &'a [&'a str],
    /// The message of its commit.
    pub message: &'a str,
    /// What it changes.
    pub files: &'a Files,
}

/// A pull request as the forge has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The forge's number.
    pub forge_number: i64,
    /// The commit at the head of its branch.
    pub head: String,
}

/// What became of a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PullState {
    /// It waits.
    Open,
    /// It is part of `main`, as this commit.
    Merged(String),
    /// It was closed without being merged.
    Closed,
}

/// What the rules say of a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong.
    Green,
    /// Something is.
    Red,
}

/// Why a forge did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForgeError {
    /// `main` is not where the change was made against; make it again.
    #[error("the branch main has moved")]
    Moved,
    /// Somebody closed the pull request on the forge without merging it.
    #[error("somebody closed the pull request on the forge")]
    Closed,
    /// There is no such thing.
    #[error("the forge knows no such {0}")]
    Missing(&'static str),
    /// The forge does not believe who we are; a maintainer has to look at keys and permissions.
    #[error("the forge refused us: {0}")]
    Refused(String),
    /// Too much was asked; ask again after this long.
    #[error("the forge asks to wait for {} s", .0.as_secs())]
    Wait(Duration),
    /// It does not answer, or not in a way anybody could understand.
    #[error("the forge is not available: {0}")]
    Unavailable(String),
    /// It cannot be done as it was asked, however often: a defect of ours or of the repository.
    #[error("{0}")]
    Defect(String),
}

/// Which forge.
pub enum Forge {
    /// The repository in the data folder.
    Local,
    /// A repository on GitHub.
    GitHub(Box<GitHub>),
}

impl Forge {
    /// The forge that is configured.
    pub fn of(config: &config::Forge) -> anyhow::Result<Self> {
        Ok(match config.kind {
            ForgeKind::Local => Self::Local,
            ForgeKind::GitHub => Self::GitHub(Box::new(GitHub::new(Settings::from(config))?)),
        })
    }

    /// Before anything is served from a repository: where the corpus lives elsewhere, it is that one and no other. Later
    /// the forge may be away, and what was brought here goes on being served.
    pub fn meet(&self, repository: &Repository) -> Result<(), ForgeError> {
        match self {
            Self::Local => Ok(()),
            Self::GitHub(hub) => hub.meet(repository),
        }
    }

    /// Brings the repository to where the forge's `main` is.
    pub fn mirror(&self, repository: &Repository) -> Result<(), ForgeError> {
        match self {
            Self::Local => Ok(()),
            Self::GitHub(hub) => hub.mirror(repository).map(drop),
        }
    }

    /// Proposes a change; gives back what is there when it was proposed before.
    pub fn propose(
        &self,
        repository: &Repository,
        proposal: &Proposal<'_>,
        at: Moment,
    ) -> Result<Proposed, ForgeError> {
        match self {
            Self::Local => local::propose(repository, proposal, at),
            Self::GitHub(hub) => {
                let base = github::forge_sha(repository, proposal.base)
                    .map_err(|error| ForgeError::Unavailable(format!("{error:#}")))?;
                hub.propose(&Proposal { base: &base, ..proposal.clone() }, at)
            }
        }
    }

    /// Says what the rules say of a proposal.
    pub fn report(&self, proposed: &Proposed, verdict: Verdict, summary: &str) -> Result<(), ForgeError> {
        match self {
            // What is on a branch here is green: nothing else gets there.
            Self::Local => Ok(()),
            Self::GitHub(hub) => hub.report(proposed.forge_number, &proposed.head, verdict, summary),
        }
    }

    /// What became of a pull request on the forge, where somebody can do something there.
    pub fn state(&self, forge_number: i64) -> Result<PullState, ForgeError> {
        match self {
            Self::Local => Ok(PullState::Open),
            Self::GitHub(hub) => hub.state(forge_number),
        }
    }

    /// Closes a pull request and removes its branch.
    pub fn close(
        &self,
        repository: &Repository,
        number: i64,
        forge_number: Option<i64>,
    ) -> Result<(), ForgeError> {
        match (self, forge_number) {
            (Self::Local, _) => local::close(repository, number),
            (Self::GitHub(hub), Some(theirs)) => hub.close(theirs, &format!("becivic/{number}")),
            // It never got there.
            (Self::GitHub(_), None) => Ok(()),
        }
    }

    /// One commit by the bot on top of `base`, which `main` is at: written here already, and now also on the forge.
    pub fn commit(
        &self,
        repository: &Repository,
        base: &str,
        files: &Files,
        message: &str,
        at: Moment,
    ) -> Result<(), ForgeError> {
        match self {
            Self::Local => Ok(()),
            Self::GitHub(hub) => {
                let base = github::forge_sha(repository, base)
                    .map_err(|error| ForgeError::Unavailable(format!("{error:#}")))?;
                hub.commit(&base, files, message, at).map(drop)
            }
        }
    }

    /// Opens an issue about something to be looked at; it holds ids and nothing else.
    pub fn open_issue(&self, title: &str, body: &str) -> Result<Option<i64>, ForgeError> {
        match self {
            // The desk is where one looks.
            Self::Local => Ok(None),
            Self::GitHub(hub) => hub.open_issue(title, body, &["review"]).map(Some),
        }
    }

    /// Closes an issue.
    pub fn close_issue(&self, number: i64) -> Result<(), ForgeError> {
        match self {
            Self::Local => Ok(()),
            Self::GitHub(hub) => hub.close_issue(number),
        }
    }
}
