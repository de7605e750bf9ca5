//! A proposed change becomes a commit of `main`, once.
//!
//! 1. The commit is written; nothing points to it.
//! 2. On the local forge, while nobody else can move `main`, one transaction notes the commit, gives out the uids it was made
//!    with and stores what goes with it; then `main` moves. Cut off in between, the repository follows the database.
//! 3. On GitHub the uids of citations are given out first, then `main` moves there, then the same transaction is run. Cut off in between,
//!    the merge is found on `main` by its trailer and finished from there (`commit/pushes.rs`).
//! 4. The corpus that the rules have seen is served from then on.

use super::steps::{Step, reached};
use crate::app::App;
use crate::consensus::Cause;
use crate::consensus::follow::{self, Moved};
use crate::db::catalogue::{self, Prefix};
use crate::db::{DbError, Tx, corpus_commits, uids};
use crate::forge::github::{self, GitHub};
use crate::forge::{Files, Forge, ForgeError, Proposed};
use crate::live::Live;
use crate::moment::Moment;
use crate::repository::Repository;
use crate::transparency;
use anyhow::anyhow;
use becivic_core::corpus::Corpus;
use becivic_core::materialise::Citation;
use std::sync::Arc;

/// Why a change did not get anywhere this time.
#[derive(Debug)]
pub enum Trouble {
    /// `main` or a counter moved: make the change again.
    Moved,
    /// The forge.
    Forge(ForgeError),
    /// Anything else.
    Other(anyhow::Error),
}

impl From<DbError> for Trouble {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Collision => Self::Moved,
            other => Self::Other(other.into()),
        }
    }
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Self {
        match error.downcast_ref() {
            Some(DbError::Collision) => Self::Moved,
            Some(_) | None => Self::Other(error),
        }
    }
}

impl From<ForgeError> for Trouble {
    fn from(error: ForgeError) -> Self {
        match error {
            ForgeError::Moved => Self::Moved,
            other => Self::Forge(other),
        }
    }
}

/// The uids that a change was made with.
#[derive(Clone, Debug, Default)]
pub struct Uids {
    /// Entries of the catalogue, each with its uid.
    pub minted: Vec<(Citation, String)>,
    /// A path.
    pub path: Option<String>,
}

impl Uids {
    /// The uids that come next: they are given out with the merge, if nobody is faster.
    pub fn expected(app: &App, missing: &[Citation], for_a_path: bool) -> Result<Self, DbError> {
        if missing.is_empty() && !for_a_path {
            return Ok(Self::default());
        }
        let last = app
            .db
            .write_now(|tx| Ok([uids::last(tx, "val")?, uids::last(tx, "ref")?, uids::last(tx, "pth")?]))?;
        let [mut value, mut reference, path] = last;
        let mut next = |is_value: bool| {
            let counter = if is_value { &mut value } else { &mut reference };
            *counter += 1;
            uids::written(prefix(is_value).as_str(), *counter)
        };
        let minted = missing.iter().map(|it| (it.clone(), next(it.is_value))).collect();
        Ok(Self { minted, path: for_a_path.then(|| uids::written("pth", path + 1)) })
    }

    /// Gives them out; a collision when somebody was faster.
    pub fn give_out(&self, tx: &mut dyn Tx, now: Moment) -> Result<(), DbError> {
        for (citation, expected) in &self.minted {
            let content = serde_json::Value::Object(citation.content.clone()).to_string();
            let prefix = prefix(citation.is_value);
            let (uid, new) = catalogue::mint(tx, prefix, &citation.name, &content, now)?;
            if uid != *expected {
                return Err(DbError::Collision);
            }
            if new {
                transparency::minted(tx, (prefix.target_type(), &uid), now)?;
            }
        }
        if let Some(expected) = &self.path
            && uids::written("pth", uids::next(tx, "pth")?) != *expected
        {
            return Err(DbError::Collision);
        }
        Ok(())
    }
}

fn prefix(is_value: bool) -> Prefix {
    if is_value { Prefix::Value } else { Prefix::Reference }
}

/// A change that was proposed and that the rules pass.
pub struct Change<'a> {
    /// The corpus it was made against.
    pub live: &'a Live,
    /// Where it stands on the forge.
    pub proposed: &'a Proposed,
    /// What it changes.
    pub files: &'a Files,
    /// The message of its commit.
    pub message: &'a str,
    /// The corpus it leads to.
    pub corpus: Corpus,
    /// The uids it was made with.
    pub uids: &'a Uids,
    /// Why statuses change with it.
    pub cause: Cause,
    /// The time.
    pub now: Moment,
}

/// What the transaction notes: the commit that came before, what came with this one, and what it makes of artefacts.
struct Note {
    base: String,
    objects: Option<Vec<u8>>,
    uids: Uids,
    moved: Vec<Moved>,
    cause: Cause,
    now: Moment,
}

/// What is stored in the transaction that notes the commit: it is told its hash.
pub trait Store: FnMut(&mut dyn Tx, &str) -> Result<Stored, DbError> + Send + 'static {}
impl<F: FnMut(&mut dyn Tx, &str) -> Result<Stored, DbError> + Send + 'static> Store for F {}

/// Whether it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It was.
    Done,
    /// What it was for is gone; nothing was written.
    Gone,
}

/// Nothing was stored, because what it was for is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what it was for is gone")]
struct Gone;

/// Merges a change.
pub fn merge(app: &App, change: Change<'_>, store: impl Store) -> Result<Stored, Trouble> {
    let Change { live, proposed, files, message, corpus, uids, cause, now } = change;
    let moved = follow::moved(&live.corpus, &corpus, &follow::resets_in(message));
    let (base, repository) = (live.commit.as_str(), &app.repository);
    let written = repository.write_commit(base, &[base], files, message, now)?;
    reached(Step::Written);
    let objects = if app.db.is_shared() { Some(repository.packed(&written)?) } else { None };
    let merged = match &app.forge {
        Forge::Local => {
            let note = Note { base: base.to_owned(), objects, uids: uids.clone(), moved, cause, now };
            let mut noted = noted(&written.sha, note, store);
            repository.advance(base, &written.sha, || {
                app.db.write_now(move |tx| noted(tx))??;
                reached(Step::Stored);
                Ok(written.sha.clone())
            })
        }
        Forge::GitHub(hub) => {
            // Somebody else may be given the next entry of the catalogue; the next path is this job's alone, and given out
            // with the merge, so that a merge that is cut off leaves no gap.
            let entries = Uids { minted: uids.minted.clone(), path: None };
            let path = Uids { minted: Vec::new(), path: uids.path.clone() };
            app.db.write_now(move |tx| entries.give_out(tx, now))?;
            reached(Step::GivenOut);
            let (subject, rest) = message.split_once("\n\n").unwrap_or((message.trim_end(), ""));
            let theirs = hub.merge(proposed.forge_number, &proposed.head, subject, rest)?;
            reached(Step::MovedThere);
            // Where GitHub's commit is not ours to the byte, it is brought here and stands in its place.
            let sha = if theirs == written.sha { theirs } else { brought(hub, repository, &theirs)? };
            let objects = match &objects {
                Some(_) if sha != written.sha => Some(repository.packed_between(base, &sha)?),
                _ => objects,
            };
            let note = Note { base: base.to_owned(), objects, uids: path, moved, cause, now };
            let mut noted = noted(&sha, note, store);
            if app.db.write_now(move |tx| noted(tx))?.is_err() {
                return Ok(Stored::Gone);
            }
            reached(Step::Stored);
            if repository.head()?.sha != sha {
                repository.advance(base, &sha, || Ok(()))?;
            }
            Ok(Some(sha))
        }
    };
    let sha = match merged {
        Ok(Some(sha)) => sha,
        Ok(None) => return Err(Trouble::Moved),
        Err(error) if error.is::<Gone>() => return Ok(Stored::Gone),
        Err(error) => return Err(error.into()),
    };
    reached(Step::Moved);
    app.move_on(Arc::new(live.committed(corpus, sha, now.day())));
    Ok(Stored::Done)
}

/// Brings a merged commit here. `main` may have gone on there since: that is a push, and taken in as one.
fn brought(hub: &GitHub, repository: &Repository, theirs: &str) -> Result<String, Trouble> {
    hub.mirror(repository)?;
    let here = github::local_sha(repository, theirs)?;
    here.ok_or_else(|| Trouble::Other(anyhow!("a merged commit is not part of main on the forge")))
}

/// The transaction: the commit, its uids, what becomes of artefacts, and what goes with it.
fn noted(
    sha: &str,
    note: Note,
    mut store: impl Store,
) -> impl FnMut(&mut dyn Tx) -> Result<Result<(), Gone>, DbError> + Send + 'static {
    let sha = sha.to_owned();
    move |tx| {
        let Note { base, objects, uids, moved, cause, now } = &note;
        // Nothing is written before it is known that all of it will be.
        if store(tx, &sha)? == Stored::Gone {
            return Ok(Err(Gone));
        }
        if !corpus_commits::append(tx, base, &sha, objects.as_deref())? {
            return Err(DbError::Collision);
        }
        uids.give_out(tx, *now)?;
        follow::follow(tx, moved, cause, &sha, *now)?;
        Ok(Ok(()))
    }
}
