//! The commit job (§8.3): what is due leaves staging, once.
//!
//! 1. The repository and the served corpus are brought to the end of the line; pull requests that somebody closed are closed
//!    on the forge.
//! 2. Due items are taken by their time and shuffled: within a run the order says nothing. Who is named in them is asked once
//!    more, unless a person has let them pass.
//! 3. What becomes a row (concerns, feedback, ratings, corrections of values and references) is stored in one transaction
//!    with its leaving (`commit/rows.rs`).
//! 4. What becomes text (amendments of skills and paths, drafts) goes through a pull request (`commit/proposals.rs`).
//! 5. What fails stays, stamped, and is tried again later and later; what can never succeed ends as `rejected`. What a person
//!    has to look at is held.
//!
//! Every step can be cut off and run again: the database decides what has happened, and the forge is asked by number.

mod by_hand;
mod issues;
mod item;
pub mod leave;
mod proposals;
mod pushes;
mod rows;
mod turns;

use super::follow;
use super::lease::Lease;
use super::steps::{Step, reached};
use crate::app::{App, fresh};
use crate::db::{self, DbError, catalogue, pulls, staged};
use crate::forge::{self, ForgeError};
use crate::moment::{DAY, Moment};
use anyhow::bail;
use becivic_core::catalogue::SeedCatalogue;
use becivic_core::submission::Kind;
use item::Item;
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::Ordering;

/// The job's name.
pub const NAME: &str = "commit";

/// Ids taken at a time.
const PAGE: i64 = 500;

/// Rows stored in one transaction.
const TOGETHER: usize = 64;

/// The longest wait between two tries, in milliseconds.
const LONGEST_WAIT: i64 = 60 * 60 * 1_000;

/// Whether anything is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Yes.
    Carry,
    /// No: only what would be done is worked out.
    Try,
}

/// What became of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It is public.
    Committed,
    /// It is a pull request that waits for a person.
    Waits,
    /// It waits for its turn until this moment.
    Queued(Moment),
    /// A person has to look at it.
    Held(&'static str),
    /// It can never be committed.
    Rejected(&'static str),
    /// It was taken back in the meantime.
    Gone,
    /// It could not be done now.
    Failed(&'static str),
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // counts by [`End`]
pub struct Summary {
    pub committed: usize,
    pub waiting: usize,
    pub queued: usize,
    pub held: usize,
    pub rejected: usize,
    pub failed: usize,
}

impl Summary {
    fn count(&mut self, end: &End) {
        match end {
            End::Committed => self.committed += 1,
            End::Waits => self.waiting += 1,
            End::Queued(_) => self.queued += 1,
            End::Held(_) => self.held += 1,
            End::Rejected(_) => self.rejected += 1,
            End::Failed(_) => self.failed += 1,
            End::Gone => {}
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { committed, waiting, queued, held, rejected, failed } = self;
        write!(
            f,
            "{committed} committed, {waiting} waiting for review, {queued} queued, {held} held, {rejected} rejected, {failed} to be tried again"
        )
    }
}

/// One run.
pub struct Run<'a> {
    app: &'a App,
    lease: &'a Lease,
    mode: Mode,
    now: Moment,
    /// The catalogue, read when it is first needed and kept up to date by this run.
    catalogue: Option<SeedCatalogue>,
    /// Why the forge is not asked any more in this run: what waits for it fails with this stamp, everything else goes on.
    forge_away: Option<&'static str>,
}

/// Runs the job.
pub fn run(app: &App, lease: &Lease, mode: Mode) -> anyhow::Result<Summary> {
    let mut run = Run { app, lease, mode, now: app.clock.now(), catalogue: None, forge_away: None };
    reached(Step::Begun);
    if mode == Mode::Carry {
        let mirrored = app.forge.mirror(&app.repository);
        run.unless_away(mirrored);
        follow::catch_up(app)?;
        pushes::take_in(&mut run)?;
        by_hand::follow(&mut run)?;
        run.close_pulls()?;
    }
    let mut summary = Summary::default();
    let mut page = Vec::new();
    loop {
        let now = run.now;
        let due = app.db.write_now(move |tx| staged::due(tx, now, PAGE))?;
        // A page that is the same as before means that nothing can be moved: the next run sees to it.
        if due.is_empty() || due == page {
            break;
        }
        page.clone_from(&due);
        run.page(due, &mut summary)?;
        if mode == Mode::Try {
            break;
        }
    }
    if mode == Mode::Carry && run.forge_away.is_none() {
        let followed = issues::follow(&run);
        if let Err(error) = followed {
            tracing::warn!(error = %error, "what waits at the desk has no issue on the forge yet");
        }
    }
    let now = run.now;
    let overdue = app.db.write_now(move |tx| staged::overdue(tx, now.plus(LONGEST_WAIT), now.plus(-DAY)))?;
    app.metrics.overdue(overdue);
    Ok(summary)
}

impl Run<'_> {
    fn page(&mut self, mut ids: Vec<String>, summary: &mut Summary) -> anyhow::Result<()> {
        shuffle(&mut ids)?;
        let (mut rows, mut proposals) = (Vec::new(), Vec::new());
        for id in ids {
            let asked = id.clone();
            let Some(due) = self.app.db.write_now(move |tx| staged::load(tx, &asked))? else { continue };
            match Item::read(due) {
                Ok(item) if item.touches_files() => proposals.push(item),
                Ok(item) => rows.push(item),
                Err(due) => {
                    let end = self.refuse(&due, "schema_fail")?;
                    summary.count(&end);
                }
            }
        }
        for together in rows.chunks(TOGETHER) {
            self.check_lease()?;
            for (item, end) in together.iter().zip(self.rows(together)?) {
                self.note(item, &end);
                summary.count(&end);
            }
        }
        for item in proposals {
            self.check_lease()?;
            let end = match self.forge_away {
                Some(why) => self.fail(&item, why)?,
                None => self.proposal(&item)?,
            };
            self.note(&item, &end);
            summary.count(&end);
        }
        Ok(())
    }

    /// What the forge answered; `None` when it cannot be asked now, or refuses to be. Whoever does not need it goes on.
    fn unless_away<T>(&mut self, answer: Result<T, ForgeError>) -> Option<T> {
        let error = match answer {
            Ok(answer) => return Some(answer),
            Err(error) => error,
        };
        self.forge_away = Some(match error {
            ForgeError::Wait(_) => "forge_waits",
            _ => "forge",
        });
        tracing::warn!(error = %error, "the forge did not do what it was asked");
        None
    }

    fn check_lease(&self) -> anyhow::Result<()> {
        if self.app.stopping.load(Ordering::Acquire) {
            bail!("the process is about to end");
        }
        if !self.lease.is_held() {
            bail!("another process has taken the commit job over");
        }
        Ok(())
    }

    fn note(&self, item: &Item, end: &End) {
        self.app.metrics.ended(item.kind.as_str(), end_word(end));
        if let End::Held(why) = end {
            self.app.metrics.held(item.kind.as_str(), why);
        }
        if let End::Failed(failure) = end {
            tracing::warn!(
                kind = item.kind.as_str(),
                failure,
                "an item could not be committed; it is tried again"
            );
        }
    }

    /// Stamps a failure and lets the item wait, longer each time.
    fn fail(&self, item: &Item, failure: &'static str) -> anyhow::Result<End> {
        let wait = (60_000_i64 << item.due.attempts.clamp(0, 6)).min(LONGEST_WAIT);
        let (id, now, again) = (item.due.id.clone(), self.now, self.now.plus(wait));
        if self.mode == Mode::Carry {
            self.app.db.write_now(move |tx| staged::failed(tx, &id, failure, now, again))?;
        }
        Ok(End::Failed(failure))
    }

    /// Ends an item for good.
    fn refuse(&self, due: &staged::Due, category: &'static str) -> anyhow::Result<End> {
        if self.mode == Mode::Carry {
            let (due, digest, now) = (due.clone(), self.app.pepper.id(&due.id), self.now);
            self.app.db.write_now(move |tx| leave::rejected(tx, &due, &digest, category, now))?;
            reached(Step::Refused);
        }
        Ok(End::Rejected(category))
    }

    /// The catalogue as it is now.
    fn catalogue(&mut self) -> Result<&mut SeedCatalogue, DbError> {
        if self.catalogue.is_none() {
            let read = self.app.db.write_now(|tx| {
                let mut seeds = SeedCatalogue::default();
                catalogue::each(tx, |row| catalogue::add_to(&mut seeds, row))?;
                Ok(seeds)
            })?;
            self.catalogue = Some(read);
        }
        self.catalogue.as_mut().ok_or(DbError::Unavailable)
    }

    /// Tells the forge of pull requests that somebody closed.
    fn close_pulls(&mut self) -> anyhow::Result<()> {
        let day = self.now.day();
        self.app.db.write_now(move |tx| db::desk::abandon(tx, day))?;
        let mut closed_objects = HashSet::new();
        while self.forge_away.is_none() {
            let closing = self.app.db.write_now(|tx| pulls::in_state(tx, "closing", 0, 100))?;
            if closing.is_empty() {
                break;
            }
            for pull in closing {
                // Found before its branch is gone; what cannot be found was never here.
                let head =
                    self.app.repository.pointed(&forge::reference(pull.number)).or_else(|| pull.head.clone());
                let brought = head.and_then(|head| self.app.repository.brought_by_branch(&head).ok());
                closed_objects.extend(brought.into_iter().flatten());
                let closed = match self.app.forge.close(&self.app.repository, pull.number, pull.forge_number)
                {
                    // What is not there any more is as good as closed.
                    Err(ForgeError::Missing(_)) => Ok(()),
                    closed => closed,
                };
                if self.unless_away(closed).is_none() {
                    return Ok(());
                }
                reached(Step::Closed);
                self.app.db.write_now(move |tx| db::pulls::closed(tx, pull.number))?;
            }
        }
        if !closed_objects.is_empty() {
            self.app.repository.prune(&closed_objects)?;
        }
        Ok(())
    }
}

fn end_word(end: &End) -> &'static str {
    match end {
        End::Committed => "committed",
        End::Waits => "waiting",
        End::Queued(_) => "queued",
        End::Held(_) => "held",
        End::Rejected(_) => "rejected",
        End::Gone => "gone",
        End::Failed(_) => "failed",
    }
}

/// Puts items in an order that nobody can foresee.
fn shuffle(ids: &mut [String]) -> anyhow::Result<()> {
    use sha2::{Digest, Sha256};
    let seed = fresh()?;
    ids.sort_by_cached_key(|id| Sha256::new().chain_update(seed).chain_update(id).finalize());
    Ok(())
}

/// Whether items of a kind pass through the job at all: the others took effect when they were sent.
pub fn is_staged(kind: Kind) -> bool {
    match kind {
        Kind::Concern | Kind::Amendment | Kind::Draft | Kind::Feedback | Kind::Rating => true,
        Kind::Validation | Kind::Analytics => false,
    }
}
