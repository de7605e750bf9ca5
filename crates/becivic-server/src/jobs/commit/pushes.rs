//! What maintainers pushed to `main` themselves is taken in (§9.7).
//!
//! 1. The pushed commits must come after the one that is served: a rewritten `main` is refused.
//! 2. Versions, uids and rollups follow in one commit of the bot's (`version-bump: …`), when they do not stand there already.
//!    A merge of ours that was cut off on the forge is finished first.
//! 3. When the result would break a rule, it is not served: the corpus before stays, nothing is put on top, and maintainers find
//!    a review item. The next push that mends it is taken in as a whole.

use super::Run;
use super::item::Item;
use super::proposals::Merging;
use crate::db::{DbError, corpus_commits, review_items, staged};
use crate::forge::Forge;
use crate::jobs::merge::{Stored, Uids};
use crate::jobs::steps::{Step, reached};
use crate::live::Live;
use anyhow::{anyhow, bail};
use becivic_core::catalogue::SeedCatalogue;
use becivic_core::materialise::{self, texts_as_files};
use becivic_core::submission::Kind;
use std::sync::{Arc, PoisonError};

/// The reason of a review item about `main` itself.
pub const BROKEN: &str = "main_broken";

/// Takes in what was pushed since the last commit of the line.
pub fn take_in(run: &mut Run<'_>) -> anyhow::Result<()> {
    let (app, live) = (run.app, run.app.live.load_full());
    let head = app.repository.head()?.sha;
    if head == live.commit {
        return settle(run);
    }
    if *app.refused_push.lock().unwrap_or_else(PoisonError::into_inner) == head {
        return Ok(());
    }
    let Some(pushed) = app.repository.between(&live.commit, &head)? else {
        refuse(run, "rewritten", head)?;
        bail!("main no longer contains the commit that is served; push one that does");
    };
    if let Some(first) = pushed.first()
        && finish_cut_off(run, &live, first)?
    {
        return take_in(run);
    }
    let (changed, removed) = app.repository.changed(&live.commit, &head)?;
    let files: Vec<String> = changed.into_iter().map(|input| input.path).chain(removed).collect();
    let steps = app.repository.steps(&live.commit, &pushed, &files)?;
    run.catalogue()?;
    let mut catalogue: SeedCatalogue = run.catalogue.take().unwrap_or_default();
    let after = live.moved(&app.repository, &head)?;
    let missing = materialise::missing_in(&after.corpus, &files, &catalogue);
    let uids = Uids::expected(app, &missing, false)?;
    for (citation, uid) in &uids.minted {
        citation.add_to(&mut catalogue, uid, &run.now.day().text());
    }
    let made = materialise::pushed(&live.corpus, &after.corpus, &files, steps, &catalogue)
        .map_err(|refusal| anyhow!("{}", refusal.message))?;
    if let Some(finding) = made.broken_rule(&catalogue, live.known_findings()) {
        tracing::error!(
            rule = finding.rule,
            "main was pushed to and breaks a rule; the corpus before is served"
        );
        return refuse(run, finding.rule, head);
    }
    let objects =
        if app.db.is_shared() { Some(app.repository.packed_between(&live.commit, &head)?) } else { None };
    let (parent, pushed_sha) = (live.commit.clone(), head.clone());
    if made.texts.is_empty() {
        let stored = app
            .db
            .write_now(move |tx| corpus_commits::append(tx, &parent, &pushed_sha, objects.as_deref()))?;
        if stored {
            app.live.store(Arc::new(after));
        }
        return settle(run);
    }
    let artefacts = made
        .texts
        .keys()
        .filter(|file| file.ends_with("canonical.md") || *file == "paths/index.json")
        .count();
    let message = format!("version-bump: {artefacts} artefacts follow what was pushed\n");
    let files = texts_as_files(&made.texts);
    let written = app.repository.write_commit(&head, &[&head], &files, &message, run.now)?;
    reached(Step::Written);
    let uids = match app.forge {
        Forge::Local => uids,
        // There, `main` moves before the database is told: the uids have to be given out first.
        Forge::GitHub(_) => {
            let day = run.now.day();
            app.db.write_now(move |tx| uids.give_out(tx, day))?;
            app.forge.commit(&app.repository, &head, &files, &message, run.now)?;
            Uids::default()
        }
    };
    let bump = if app.db.is_shared() { Some(app.repository.packed(&written)?) } else { None };
    let (sha, day) = (written.sha.clone(), run.now.day());
    let moved = app.repository.advance(&head, &written.sha, || {
        app.db.write_now(move |tx| {
            let pushed = corpus_commits::append(tx, &parent, &pushed_sha, objects.as_deref())?;
            if !pushed || !corpus_commits::append(tx, &pushed_sha, &sha, bump.as_deref())? {
                return Err(DbError::Collision);
            }
            uids.give_out(tx, day)
        })?;
        reached(Step::Stored);
        Ok(())
    })?;
    if moved.is_some() {
        reached(Step::Moved);
        app.live.store(Arc::new(after.committed(made.corpus, written.sha, run.now.day())));
        run.catalogue = Some(catalogue);
    }
    settle(run)
}

/// Finishes a merge of ours that was cut off after `main` had moved on the forge: it is found by its trailer.
fn finish_cut_off(run: &Run<'_>, live: &Live, commit: &str) -> anyhow::Result<bool> {
    let app = run.app;
    let message = app.repository.message(commit)?;
    let Some(uid) = message.lines().find_map(|line| line.strip_prefix("Submission: ")).map(str::to_owned)
    else {
        return Ok(false);
    };
    let Some(due) = app.db.write_now(move |tx| staged::of_public_uid(tx, &uid))? else { return Ok(false) };
    let Ok(item) = Item::read(due) else { return Ok(false) };
    let is_new = item.kind == Kind::Draft;
    let merging = Merging::of(run, &item, is_new)?;
    let objects =
        if app.db.is_shared() { Some(app.repository.packed_between(&live.commit, commit)?) } else { None };
    let (parent, sha) = (live.commit.clone(), commit.to_owned());
    let stored = app.db.write_now(move |tx| {
        let stored = merging.store(tx, &sha)?;
        if stored == Stored::Done && !corpus_commits::append(tx, &parent, &sha, objects.as_deref())? {
            return Err(DbError::Collision);
        }
        Ok(stored)
    })?;
    if stored == Stored::Done {
        app.live.store(Arc::new(live.moved(&app.repository, commit)?));
    }
    Ok(stored == Stored::Done)
}

/// `main` is as it should be: what was noted about it is settled.
fn settle(run: &Run<'_>) -> anyhow::Result<()> {
    run.app.metrics.main_broken(false);
    run.app.db.write_now(|tx| review_items::settle(tx, BROKEN))?;
    Ok(())
}

/// Notes a push that is not taken in; it is not looked at again.
fn refuse(run: &Run<'_>, rule: &'static str, head: String) -> anyhow::Result<()> {
    let day = run.now.day();
    run.app.metrics.main_broken(true);
    run.app.db.write_now(move |tx| review_items::open_once(tx, BROKEN, ("corpus", rule), day))?;
    *run.app.refused_push.lock().unwrap_or_else(PoisonError::into_inner) = head;
    Ok(())
}
