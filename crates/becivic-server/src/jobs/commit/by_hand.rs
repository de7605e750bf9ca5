//! What maintainers did to pull requests on the forge itself: merged there, an item has been committed; closed there, it was
//! refused. (On the local forge there is nothing to click.)

use super::item::Item;
use super::proposals::Merging;
use super::{End, Run};
use crate::db::{pulls, staged};
use crate::forge::{Forge, ForgeError, PullState, github};
use becivic_core::submission::Kind;

/// Pull requests looked at in one run.
const MOST: i64 = 100;

/// Follows what was done by hand.
pub fn follow(run: &mut Run<'_>) -> anyhow::Result<()> {
    if let Forge::Local = run.app.forge {
        return Ok(());
    }
    // What was merged is committed when it is served, and not while `main` breaks a rule.
    if run.forge_away.is_some() || run.app.repository.head()?.sha != run.app.live.load().commit {
        return Ok(());
    }
    let open = run.app.db.write_now(|tx| pulls::in_state(tx, "open", 0, MOST))?;
    for pull in open {
        let Some(forge_number) = pull.forge_number else { continue };
        let number = pull.number;
        let state = match run.app.forge.state(forge_number) {
            // What is not there any more was not merged either.
            Err(ForgeError::Missing(_)) => Ok(PullState::Closed),
            state => state,
        };
        let Some(state) = run.unless_away(state) else { return Ok(()) };
        if state == PullState::Open {
            continue;
        }
        // Merged since this run looked at `main`: the next one takes it in, with the uids it was made with.
        if let PullState::Merged(sha) = &state
            && !is_served(run, sha)?
        {
            continue;
        }
        let due = run.app.db.write_now(move |tx| staged::of_pull(tx, number))?;
        let item = due.and_then(|due| Item::read(due).ok());
        match (state, item) {
            (PullState::Merged(sha), Some(item)) => {
                let merging = Merging::of(run, &item, item.kind == Kind::Draft)?;
                run.app.db.write_now(move |tx| merging.store(tx, &sha))?;
                run.note(&item, &End::Committed);
            }
            (PullState::Closed, Some(item)) => {
                let end = run.refuse(&item.due, "review_rejected")?;
                run.note(&item, &end);
            }
            (PullState::Merged(_) | PullState::Closed | PullState::Open, _) => {
                let day = run.now.day();
                run.app.db.write_now(move |tx| pulls::close(tx, number, "closed", day))?;
            }
        }
    }
    Ok(())
}

/// Whether a commit of the forge's is part of what is served.
fn is_served(run: &Run<'_>, theirs: &str) -> anyhow::Result<bool> {
    let repository = &run.app.repository;
    match github::local_sha(repository, theirs)? {
        Some(sha) => repository.is_ancestor(&sha, &run.app.live.load().commit),
        None => Ok(false),
    }
}
