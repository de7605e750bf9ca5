//! What maintainers pushed to `main` themselves is taken in (§9.7).
//!
//! 1. The pushed commits must come after the one that is served: a rewritten `main` is refused.
//! 2. Versions, uids and rollups follow in one commit of the bot's (`version-bump: …`), when they do not stand there already.
//!    A proposal that was merged on the forge, by us and then cut off or by a maintainer, is finished first.
//! 3. When the result would break a rule, it is not served: the corpus before stays, nothing is put on top, and maintainers find
//!    a review item. The next push that mends it is taken in as a whole.

use super::item::Item;
use super::proposals::{Merging, cause};
use super::{End, Run};
use crate::consensus::Cause;
use crate::consensus::follow::{self, Moved};
use crate::db::{DbError, corpus_commits, review_items, staged, uids};
use crate::forge::Forge;
use crate::jobs::merge::{Stored, Uids};
use crate::jobs::steps::{Step, reached};
use crate::live::Live;
use anyhow::{anyhow, bail};
use becivic_core::catalogue::SeedCatalogue;
use becivic_core::change::BOT_EMAIL;
use becivic_core::materialise::{self, Artefact, Ground, Made, cited, texts_as_files};
use becivic_core::submission::Kind;
use std::collections::BTreeMap;
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
        && finish_merge(run, &live, first)?
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
    let mut resets = BTreeMap::new();
    for commit in &pushed {
        resets.append(&mut follow::resets_in(&app.repository.message(commit)?));
    }
    let moved = follow::moved(&live.corpus, &made.corpus, &resets);
    if made.texts.is_empty() {
        let now = run.now;
        let stored = app.db.write_now(move |tx| {
            let stored = corpus_commits::append(tx, &parent, &pushed_sha, objects.as_deref())?;
            if stored {
                follow::follow(tx, &moved, &Cause::act("pushed"), &pushed_sha, now)?;
            }
            Ok(stored)
        })?;
        if stored {
            app.move_on(Arc::new(after));
        }
        return settle(run);
    }
    put_on_top(run, Pushed { parent, head, objects, moved }, &after, &made, uids)?;
    run.catalogue = None;
    settle(run)
}

/// What was pushed: from where the line ends to the head of `main`, and the objects that came with it where they travel.
struct Pushed {
    parent: String,
    head: String,
    objects: Option<Vec<u8>>,
    moved: Vec<Moved>,
}

/// One commit by the bot on top of what was pushed, which joins the line together with it.
fn put_on_top(
    run: &mut Run<'_>,
    pushed: Pushed,
    after: &Live,
    made: &Made,
    uids: Uids,
) -> anyhow::Result<()> {
    let app = run.app;
    let artefacts = made
        .texts
        .keys()
        .filter(|file| file.ends_with("canonical.md") || *file == "paths/index.json")
        .count();
    let message = format!("version-bump: {artefacts} artefacts follow what was pushed\n");
    let files = texts_as_files(&made.texts);
    let Pushed { parent, head, objects, moved } = pushed;
    let written = app.repository.write_commit(&head, &[&head], &files, &message, run.now)?;
    reached(Step::Written);
    let uids = match app.forge {
        Forge::Local => uids,
        // There, `main` moves before the database is told: the uids have to be given out first.
        Forge::GitHub(_) => {
            let now = run.now;
            app.db.write_now(move |tx| uids.give_out(tx, now))?;
            reached(Step::GivenOut);
            let committed = app.forge.commit(&app.repository, &head, &files, &message, run.now);
            if run.unless_away(committed).is_none() {
                return Ok(());
            }
            reached(Step::MovedThere);
            Uids::default()
        }
    };
    let bump = if app.db.is_shared() { Some(app.repository.packed(&written)?) } else { None };
    let (sha, now, pushed_sha) = (written.sha.clone(), run.now, head.clone());
    let moved = app.repository.advance(&head, &written.sha, || {
        app.db.write_now(move |tx| {
            let is_next =
                parent == pushed_sha || corpus_commits::append(tx, &parent, &pushed_sha, objects.as_deref())?;
            if !is_next || !corpus_commits::append(tx, &pushed_sha, &sha, bump.as_deref())? {
                return Err(DbError::Collision);
            }
            uids.give_out(tx, now)?;
            follow::follow(tx, &moved, &Cause::act("pushed"), &sha, now)
        })?;
        reached(Step::Stored);
        Ok(())
    })?;
    if moved.is_some() {
        reached(Step::Moved);
        app.move_on(Arc::new(after.committed(made.corpus.clone(), written.sha, run.now.day())));
    }
    Ok(())
}

/// Finishes a merge of a proposal: one of ours that was cut off after `main` had moved on the forge, or one that a maintainer
/// made there. It is found by its trailer. What is not as the rules want it is looked at like any other push.
fn finish_merge(run: &mut Run<'_>, live: &Live, commit: &str) -> anyhow::Result<bool> {
    let app = run.app;
    let message = app.repository.message(commit)?;
    let Some(uid) = message.lines().find_map(|line| line.strip_prefix("Submission: ")).map(str::to_owned)
    else {
        return Ok(false);
    };
    let Some(due) = app.db.write_now(move |tx| staged::of_public_uid(tx, uid.trim()))? else {
        return Ok(false);
    };
    let Ok(item) = Item::read(due) else { return Ok(false) };
    let after = live.moved(&app.repository, commit)?;
    run.catalogue()?;
    let mut catalogue: SeedCatalogue = run.catalogue.take().unwrap_or_default();
    let Some(uids) = owed(run, live, &after, &item, &catalogue)? else { return Ok(false) };
    for (citation, uid) in &uids.minted {
        citation.add_to(&mut catalogue, uid, &run.now.day().text());
    }
    let (changed, removed) = app.repository.changed(&live.commit, commit)?;
    let files: Vec<String> = changed.into_iter().map(|input| input.path).chain(removed).collect();
    let mut steps = app.repository.steps(&live.commit, &[commit.to_owned()], &files)?;
    // The forge puts the name of whoever merged on it; what it says is the bot's.
    for step in steps.values_mut().flatten() {
        step.author = Some(BOT_EMAIL.to_owned());
    }
    let made = materialise::pushed(&live.corpus, &after.corpus, &files, steps, &catalogue);
    let Ok(made) = made else { return Ok(false) };
    if made.broken_rule(&catalogue, live.known_findings()).is_some() {
        return Ok(false);
    }
    let merging = Merging::of(run, &item, item.kind == Kind::Draft)?;
    let objects =
        if app.db.is_shared() { Some(app.repository.packed_between(&live.commit, commit)?) } else { None };
    let (parent, sha, now) = (live.commit.clone(), commit.to_owned(), run.now);
    let cause = cause(&item);
    let moved = follow::moved(&live.corpus, &after.corpus, &follow::resets_in(&message));
    let stored = app.db.write_now(move |tx| {
        let stored = merging.store(tx, &sha)?;
        if stored == Stored::Done {
            if !corpus_commits::append(tx, &parent, &sha, objects.as_deref())? {
                return Err(DbError::Collision);
            }
            uids.give_out(tx, now)?;
            follow::follow(tx, &moved, &cause, &sha, now)?;
        }
        Ok(stored)
    })?;
    if stored == Stored::Gone {
        return Ok(false);
    }
    let after = Arc::new(after);
    app.move_on(Arc::clone(&after));
    run.note(&item, &End::Committed);
    // Merged by hand after `main` had moved, it lacks what follows from both; what came after it takes that along.
    if !made.texts.is_empty() && app.repository.head()?.sha == commit {
        let moved = follow::moved(&after.corpus, &made.corpus, &BTreeMap::new());
        let pushed = Pushed { parent: commit.to_owned(), head: commit.to_owned(), objects: None, moved };
        put_on_top(run, pushed, &after, &made, Uids::default())?;
    }
    Ok(true)
}

/// The uids that a merged proposal was made with and that nobody has given out yet: a maintainer merged it before its turn.
/// `None` when they are not the next ones any more.
fn owed(
    run: &Run<'_>,
    live: &Live,
    after: &Live,
    item: &Item,
    catalogue: &SeedCatalogue,
) -> anyhow::Result<Option<Uids>> {
    let (day, uid) = (run.now.date(), item.due.public_uid.clone().unwrap_or_default());
    let ground = Ground { corpus: &live.corpus, catalogue, commit: &live.commit, day: &day, uid: &uid };
    // What cannot be planned any more was changed by whoever merged it.
    let Ok(Some(plan)) = materialise::plan(ground, &item.submission) else { return Ok(None) };
    let path_uid = match &plan.artefact {
        Artefact::Path(id) if plan.needs_path_uid => {
            after.corpus.paths.as_ref().and_then(|paths| paths.entries.get(id)?.entry.uid.clone())
        }
        Artefact::Path(_) | Artefact::Skill(_) => None,
    };
    let last = run.app.db.write_now(|tx| uids::last(tx, "pth"))?;
    let is_owed = path_uid.as_deref().and_then(uids::number).is_some_and(|number| number > last);
    let expected = Uids::expected(run.app, &plan.missing, is_owed)?;
    let is_next = expected.path.is_none() || expected.path == path_uid;
    let cited = match &plan.artefact {
        Artefact::Skill(id) => after.corpus.skills.get(id).map(|skill| cited(skill.source.text())),
        Artefact::Path(_) => None,
    };
    let cited = cited.unwrap_or_default();
    let are_cited = expected.minted.iter().all(|(_, uid)| cited.contains(uid));
    Ok((is_next && are_cited).then_some(expected))
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
