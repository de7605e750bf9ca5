//! The forge that needs nothing: pull requests are rows, and `refs/pull/N/head` in the repository beside them.

use super::{ForgeError, Proposal, Proposed};
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
    let parents: Vec<&str> = there.iter().map(String::as_str).chain([proposal.base]).collect();
    let written = repository.write_commit(proposal.base, &parents, proposal.files, proposal.message, at);
    let written = written.map_err(broken)?;
    if let Some(there) = there
        && repository.same_content(&there, &written.sha).map_err(broken)?
    {
        return Ok(Proposed { forge_number: proposal.number, head: there });
    }
    repository.point(&name, Some(&written.sha)).map_err(broken)?;
    Ok(Proposed { forge_number: proposal.number, head: written.sha })
}

/// Takes a proposal off its branch.
pub fn close(repository: &Repository, number: i64) -> Result<(), ForgeError> {
    repository.point(&reference(number), None).map_err(broken)
}

fn broken(error: anyhow::Error) -> ForgeError {
    ForgeError::Unavailable(format!("{error:#}"))
}
