//! The forge that needs nothing: pull requests are rows, and `refs/pull/N/head` in the repository beside them.
//!
//! 1. What became of a pull request stands in its row and nowhere else: the row is written in the transaction that lets its
//!    item leave, so the two cannot disagree, and a reference that said "closed" would have to keep something alive that
//!    was taken back.
//! 2. A branch is renewed as on GitHub: by a commit with two parents, its own head and last the new base.
//! 3. A merge is one commit with the files of the branch's head, after that base. `main` moves to it under its lock, and
//!    whatever has to be stored together with that is stored meanwhile.

use super::{Files, ForgeError, Proposal, Proposed, PullState};
use crate::db::{Db, DbError, Tx, pulls};
use crate::moment::Moment;
use crate::repository::Repository;

/// The reference of a pull request.
pub fn reference(number: i64) -> String {
    format!("refs/pull/{number}/head")
}

/// Puts a proposal on its branch. One that is there already is left; one made against another base is followed by a commit
/// that joins the two.
pub fn propose(repository: &Repository, proposal: &Proposal<'_>, at: Moment) -> Result<Proposed, ForgeError> {
    let name = reference(proposal.number);
    let there = repository.pointed(&name);
    if let Some(there) = &there
        && is_it(repository, there, proposal, at).map_err(broken)?
    {
        return Ok(Proposed { forge_number: proposal.number, head: there.clone() });
    }
    let parents: Vec<&str> = there.iter().map(String::as_str).chain([proposal.base]).collect();
    let written = repository.write_commit(proposal.base, &parents, proposal.files, proposal.message, at);
    let written = written.map_err(broken)?;
    repository.point(&name, Some(&written.sha)).map_err(broken)?;
    Ok(Proposed { forge_number: proposal.number, head: written.sha })
}

/// Whether a branch holds a proposal, made against the same base.
fn is_it(repository: &Repository, there: &str, proposal: &Proposal<'_>, at: Moment) -> anyhow::Result<bool> {
    if repository.base_of(there)?.as_deref() != Some(proposal.base)
        || repository.message(there)?.trim_end() != proposal.message.trim_end()
    {
        return Ok(false);
    }
    let made =
        repository.write_commit(proposal.base, &[proposal.base], proposal.files, proposal.message, at)?;
    repository.same_content(there, &made.sha)
}

/// Takes a proposal off its branch.
pub fn close(repository: &Repository, number: i64) -> Result<(), ForgeError> {
    repository.point(&reference(number), None).map_err(broken)
}

/// The repository with the rows beside it: everything that is asked of a forge.
pub struct Local {
    /// Where pull requests are rows.
    pub db: Db,
    /// Where `main` and their branches are.
    pub repository: Repository,
}

impl Local {
    /// The commit at the head of `main`.
    pub fn head(&self) -> Result<String, ForgeError> {
        Ok(self.repository.head().map_err(broken)?.sha)
    }

    /// Makes or renews a pull request that has a row.
    pub fn propose(&self, proposal: &Proposal<'_>, at: Moment) -> Result<Proposed, ForgeError> {
        let number = proposal.number;
        match self.state(number)? {
            PullState::Closed => return Err(ForgeError::Closed),
            PullState::Merged(head) => return Ok(Proposed { forge_number: number, head }),
            PullState::Open => {}
        }
        let proposed = propose(&self.repository, proposal, at)?;
        let (base, head) = (proposal.base.to_owned(), proposed.head.clone());
        self.db.write_now(move |tx| pulls::proposed(tx, number, &base, &head, number)).map_err(lost)?;
        Ok(proposed)
    }

    /// What became of a pull request.
    pub fn state(&self, number: i64) -> Result<PullState, ForgeError> {
        let pull = self.db.write_now(move |tx| pulls::find(tx, number)).map_err(lost)?;
        let pull = pull.ok_or(ForgeError::Missing("pull request"))?;
        Ok(match (pull.state.as_str(), pull.merged) {
            ("merged", Some(sha)) => PullState::Merged(sha),
            ("open", _) => PullState::Open,
            _ => PullState::Closed,
        })
    }

    /// Merges a pull request as one commit, where `head` is the head of its branch and was made against the head of `main`;
    /// otherwise `Moved`. What `store` stores is stored with it, or neither is. Merged before, it says as which commit.
    pub fn merge<S>(
        &self,
        proposed: &Proposed,
        message: &str,
        at: Moment,
        mut store: S,
    ) -> Result<String, ForgeError>
    where
        S: FnMut(&mut dyn Tx, &str) -> Result<(), DbError> + Send + 'static,
    {
        let number = proposed.forge_number;
        match self.state(number)? {
            PullState::Closed => return Err(ForgeError::Closed),
            PullState::Merged(sha) => return Ok(sha),
            PullState::Open => {}
        }
        if self.repository.pointed(&reference(number)).as_deref() != Some(proposed.head.as_str()) {
            return Err(ForgeError::Moved);
        }
        let base = self.repository.base_of(&proposed.head).map_err(broken)?;
        let base = base.ok_or_else(|| ForgeError::Defect("a proposed commit has no parent".to_owned()))?;
        let squashed = self
            .repository
            .write_commit(&proposed.head, &[&base], &Files::new(), message, at)
            .map_err(broken)?;
        let sha = squashed.sha;
        let moved = self.repository.advance(&base, &sha, || {
            let sha = sha.clone();
            self.db.write_now(move |tx| {
                if !pulls::merged(tx, number, &sha, at.day())? {
                    return Err(DbError::Collision);
                }
                store(tx, &sha)
            })?;
            Ok(())
        });
        moved.map_err(broken)?.map(|()| sha).ok_or(ForgeError::Moved)
    }

    /// Closes a pull request and removes its branch; what is done already stays done.
    pub fn close(&self, number: i64, at: Moment) -> Result<(), ForgeError> {
        self.db.write_now(move |tx| pulls::close(tx, number, "closed", at.day())).map_err(lost)?;
        close(&self.repository, number)?;
        self.db.write_now(move |tx| pulls::closed(tx, number)).map_err(lost)
    }

    /// One commit by the bot directly on `main`, which has to be at `base`. Made again with the same day, it is found again.
    pub fn commit(&self, base: &str, files: &Files, message: &str, at: Moment) -> Result<String, ForgeError> {
        if !self.repository.has_object(base) {
            return Err(ForgeError::Missing("commit"));
        }
        let written = self.repository.write_commit(base, &[base], files, message, at).map_err(broken)?;
        if self.head()? == written.sha {
            return Ok(written.sha);
        }
        let moved = self.repository.advance(base, &written.sha, || Ok(())).map_err(broken)?;
        moved.map(|()| written.sha).ok_or(ForgeError::Moved)
    }
}

fn broken(error: anyhow::Error) -> ForgeError {
    ForgeError::Unavailable(format!("{error:#}"))
}

fn lost(error: DbError) -> ForgeError {
    broken(error.into())
}
