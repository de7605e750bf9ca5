//! What maintainers pushed to `main` themselves is taken in (§9.7).
//!
//! 1. The pushed commits must come after the one that is served: a rewritten `main` is refused.
//! 2. Versions, uids and rollups follow in one commit of the bot's (`version-bump: …`), when they do not stand there already.
//! 3. When the result would break a rule, it is not served: the corpus before stays, nothing is put on top, and maintainers find
//!    a review item. The next push that mends it is taken in as a whole.

use super::Run;
use super::proposals::mint_exactly;
use crate::db::corpus_commits;
use crate::db::review_items;
use crate::jobs::steps::{Step, reached};
use anyhow::{anyhow, bail};
use becivic_core::catalogue::SeedCatalogue;
use becivic_core::change::BOT_EMAIL;
use becivic_core::materialise::{self, texts_as_files};
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
    let (changed, removed) = app.repository.changed(&live.commit, &head)?;
    let files: Vec<String> = changed.into_iter().map(|input| input.path).chain(removed).collect();
    let mut by = BOT_EMAIL.to_owned();
    for commit in &pushed {
        let author = app.repository.author(commit)?;
        if author != BOT_EMAIL {
            by = author;
        }
    }
    run.catalogue()?;
    let mut catalogue: SeedCatalogue = run.catalogue.take().unwrap_or_default();
    let after = live.moved(&app.repository, &head)?;
    let missing = materialise::missing_in(&after.corpus, &files, &catalogue);
    let uids = run.expected_uids(&missing, false)?;
    for (citation, uid) in &uids.minted {
        citation.add_to(&mut catalogue, uid, &run.now.day().text());
    }
    let made = materialise::pushed(&live.corpus, &after.corpus, &files, &by, &catalogue)
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
    let written =
        app.repository.write_commit(&head, &[&head], &texts_as_files(&made.texts), &message, run.now)?;
    reached(Step::Written);
    let bump = if app.db.is_shared() { Some(app.repository.packed(&written)?) } else { None };
    let (sha, day) = (written.sha.clone(), run.now.day());
    let moved = app.repository.advance(&head, &written.sha, || {
        let stored = app.db.write_now(move |tx| {
            let pushed = corpus_commits::append(tx, &parent, &pushed_sha, objects.as_deref())?;
            if pushed && corpus_commits::append(tx, &pushed_sha, &sha, bump.as_deref())? {
                mint_exactly(tx, &uids, day)?;
                return Ok(true);
            }
            Ok(false)
        })?;
        if !stored {
            bail!("another process took the push in");
        }
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
