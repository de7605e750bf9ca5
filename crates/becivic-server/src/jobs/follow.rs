//! Brings the repository and the served corpus to where the line of commits in the database ends.
//!
//! 1. Commits that the repository lacks are put into it from the database.
//! 2. `main` follows. When a maintainer pushed, it is ahead of the line: that is the commit job's to take in.
//! 3. The corpus at the end of the line is made from the one before, and served from then on.

use super::steps::{Step, reached};
use crate::app::App;
use crate::db::{Db, corpus_commits};
use crate::repository::Repository;
use anyhow::{Context, ensure};
use std::sync::Arc;

/// Commits fetched at a time.
const PAGE: i64 = 50;

/// Where the line ends once the repository has everything; begins the line where there is none.
pub fn bring(db: &Db, repository: &Repository) -> anyhow::Result<String> {
    if repository.head().is_err() {
        find_main_again(db, repository)?;
    }
    let head = repository.head().context("the repository has no branch `main`")?.sha;
    let newest = db.write_now(move |tx| {
        corpus_commits::begin(tx, &head)?;
        corpus_commits::newest(tx)
    })?;
    let (_, newest) = newest.context("the line of commits has no beginning")?;
    if !repository.knows(&newest) {
        let mut number = 0;
        loop {
            let page = db.write_now(move |tx| corpus_commits::after(tx, number, PAGE))?;
            let Some(last) = page.last() else { break };
            number = last.number;
            for commit in page {
                if let Some(objects) = commit.objects.filter(|_| !repository.knows(&commit.sha)) {
                    repository.unpack(&objects)?;
                }
            }
        }
    }
    ensure!(
        repository.knows(&newest),
        "the repository in the data folder is not the one that the database goes on from; begin with an empty folder, or restore the repository"
    );
    let head = repository.head()?.sha;
    if head != newest && repository.descends(&newest, &head)? {
        repository.unlock_after(&newest);
        repository.advance(&head, &newest, || Ok(()))?;
        reached(Step::Moved);
    }
    Ok(newest)
}

/// Points a `main` that was lost to where the database says it was.
fn find_main_again(db: &Db, repository: &Repository) -> anyhow::Result<()> {
    let newest = db.write_now(|tx| corpus_commits::newest(tx))?;
    let Some((_, newest)) = newest.filter(|(_, newest)| repository.knows(newest)) else { return Ok(()) };
    tracing::warn!("the repository had lost its branch main; it is where the database says again");
    repository.point("refs/heads/main", Some(&newest))
}

/// Serves the corpus at the end of the line.
pub fn catch_up(app: &App) -> anyhow::Result<()> {
    let newest = app.db.read_now(|tx| corpus_commits::newest(tx))?;
    let Some((_, newest)) = newest else { return Ok(()) };
    if app.live.load().commit == newest && app.repository.head().is_ok_and(|head| head.sha == newest) {
        return Ok(());
    }
    let newest = bring(&app.db, &app.repository)?;
    let live = app.live.load_full();
    if live.commit != newest {
        let moved = live.moved(&app.repository, &newest)?;
        app.move_on(Arc::new(moved));
        tracing::info!("the corpus has moved");
    }
    Ok(())
}
