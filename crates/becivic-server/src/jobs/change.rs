//! A change of files that a maintainer asked for, or the state machine decided on: one pull request, merged at once.
//!
//! 1. Take the lease of the commit job: one process commits at a time.
//! 2. Make the change against the head of `main`; versions, rollups and the catalogue's files follow (`materialise::make`). When
//!    a rule would be broken, nothing is done, unless what is taken from readers has to go whatever else depends on it.
//! 3. Propose it, write its commit, and while nobody can move `main` store in one transaction that it was merged, together with
//!    whatever goes with it: the decision, its line in the log. When `main` moved in between, begin again at 2.

use super::merge::{self, Stored, Trouble, Uids};
use super::{Lease, commit, follow};
use crate::app::App;
use crate::consensus::Cause;
use crate::db::catalogue::{self, CatalogueRow};
use crate::db::{DbError, Tx, desk, pulls};
use crate::forge::{Proposal, Verdict};
use crate::live::Live;
use crate::moment::Moment;
use crate::review::Refused;
use becivic_core::catalogue::SeedCatalogue;
use becivic_core::materialise::{self, Made, Texts, texts_as_files};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What is written in the transaction that the commit is finished in; or what it was for is gone, and nothing is done.
pub type With = Box<dyn FnMut(&mut dyn Tx) -> Result<Stored, DbError> + Send>;

/// The files of a change, made of the corpus as it is now.
pub type Make = Box<dyn Fn(&Live) -> Result<Texts, Refused> + Send>;

/// A change.
pub struct Change {
    /// What the pull request is for.
    pub purpose: &'static str,
    /// What it is about.
    pub target: (String, String),
    /// One line, made of ids.
    pub title: String,
    /// What its pull request says of itself.
    pub about: &'static str,
    /// Trailers of its commit, a line each.
    pub trailers: String,
    /// Its files.
    pub make: Make,
    /// An entry of the catalogue with its new name, where it gets one.
    pub renamed: Option<(String, String)>,
    /// Whether it is done even when it breaks a rule elsewhere.
    pub at_any_rate: bool,
    /// Why statuses change with it.
    pub cause: Cause,
}

impl Change {
    fn message(&self) -> String {
        let Self { title, trailers, .. } = self;
        if trailers.is_empty() { format!("{title}\n") } else { format!("{title}\n\n{trailers}") }
    }
}

/// How long one waits for a commit job that runs.
const PATIENCE: Duration = Duration::from_secs(15);

/// How often a change is made again because `main` moved.
const TRIES: usize = 5;

/// Carries a change out.
pub async fn commit(app: &Arc<App>, change: Change, with: With) -> Result<(), Refused> {
    let app = Arc::clone(app);
    let ended = tokio::task::spawn_blocking(move || commit_now(&app, &change, with));
    match ended.await.unwrap_or(Err(Refused::Unavailable))? {
        Stored::Done => Ok(()),
        Stored::Gone => Err(Refused::Conflict("It was changed in the meantime; look again.".to_owned())),
    }
}

/// The same for whoever may wait on a thread.
pub fn commit_now(app: &App, change: &Change, with: With) -> Result<Stored, Refused> {
    let lease = lease(app)?;
    let ended = carry(app, change, with);
    if !matches!(ended, Ok(Stored::Done)) {
        // A change that did not come about leaves no pull request; after a crash the commit job sees to it.
        let day = app.clock.now().day();
        let _at_the_next_run = app.db.write_now(move |tx| desk::abandon(tx, day));
    }
    lease.give_back(if ended.is_ok() { "well" } else { "failed" });
    ended
}

fn lease(app: &App) -> Result<Lease, Refused> {
    let lease = Lease::wait(app, commit::NAME, PATIENCE).map_err(unavailable)?;
    let busy = "The commit job is busy; nothing was done, try again in a minute.";
    lease.ok_or_else(|| Refused::Conflict(busy.to_owned()))
}

fn carry(app: &App, change: &Change, with: With) -> Result<Stored, Refused> {
    let with = Arc::new(Mutex::new(with));
    let mut number = None;
    for _ in 0..TRIES {
        follow::catch_up(app).map_err(unavailable)?;
        let live = app.live.load_full();
        if app.repository.head().map_err(unavailable)?.sha != live.commit {
            let text = "What was pushed to main is not served; push a commit that mends it first.";
            return Err(Refused::Conflict(text.to_owned()));
        }
        let made = made(app, change, &live)?;
        if made.texts.is_empty() {
            let with = Arc::clone(&with);
            return Ok(app.db.write_now(move |tx| run(&with, tx))?);
        }
        let now = app.clock.now();
        let number = match number {
            Some(number) => number,
            None => *number.insert(open(app, change, now)?),
        };
        if let Some(stored) = propose_and_merge(app, change, &live, &made, number, &with, now)? {
            return Ok(stored);
        }
    }
    Err(Refused::Conflict("main moved again and again; nothing was done, try again.".to_owned()))
}

fn made(app: &App, change: &Change, live: &Live) -> Result<Made, Refused> {
    let renamed = change.renamed.clone();
    let catalogue = app.db.read_now(move |tx| {
        let mut seeds = SeedCatalogue::default();
        catalogue::each(tx, |row| {
            let name = renamed.as_ref().filter(|(uid, _)| *uid == row.uid).map(|(_, name)| name.clone());
            let name = name.unwrap_or_else(|| row.name.clone());
            catalogue::add_to(&mut seeds, CatalogueRow { name, ..row });
        })?;
        Ok(seeds)
    })?;
    let refused = |refusal: becivic_core::preflight::Refusal| Refused::Conflict(refusal.message);
    let made = materialise::make(&live.corpus, (change.make)(live)?, &catalogue).map_err(refused)?;
    match made.broken_rule(&catalogue, live.known_findings()).filter(|_| !change.at_any_rate) {
        None => Ok(made),
        Some(it) => Err(Refused::Conflict(format!(
            "That would break the rule {} in {}: {}. Mend that first.",
            it.rule, it.file, it.message
        ))),
    }
}

fn open(app: &App, change: &Change, now: Moment) -> Result<i64, Refused> {
    let (purpose, target, title) = (change.purpose, change.target.clone(), change.title.clone());
    Ok(app
        .db
        .write_now(move |tx| pulls::open(tx, purpose, None, (&target.0, &target.1), &title, now.day()))?)
}

/// Proposes and merges; `None` when `main` moved.
fn propose_and_merge(
    app: &App,
    change: &Change,
    live: &Live,
    made: &Made,
    number: i64,
    with: &Arc<Mutex<With>>,
    now: Moment,
) -> Result<Option<Stored>, Refused> {
    let (base, files) = (live.commit.as_str(), texts_as_files(&made.texts));
    let (message, cause) = (change.message(), change.cause.clone());
    let proposal = Proposal {
        number,
        base,
        title: &change.title,
        body: change.about,
        labels: &[change.purpose],
        message: &message,
        files: &files,
    };
    let refused = |trouble: Trouble| match trouble {
        Trouble::Moved => Ok(None),
        Trouble::Forge(error) => Err(Refused::Conflict(format!("{error}; nothing was done."))),
        Trouble::Other(error) => Err(unavailable(error)),
    };
    let proposed = match app.forge.propose(&app.repository, &proposal, now) {
        Ok(proposed) => proposed,
        Err(error) => return refused(error.into()),
    };
    if let Err(error) = app.forge.report(&proposed, Verdict::Green, change.about.trim_end()) {
        return refused(error.into());
    }
    let (parent, with, head, forge_number) =
        (base.to_owned(), Arc::clone(with), proposed.head.clone(), proposed.forge_number);
    let (corpus, uids) = (made.corpus.clone(), Uids::default());
    let change = merge::Change {
        live,
        proposed: &proposed,
        files: &files,
        message: &message,
        corpus,
        uids: &uids,
        cause,
        now,
    };
    let merged = merge::merge(app, change, move |tx, sha| {
        if run(&with, tx)? == Stored::Gone {
            return Ok(Stored::Gone);
        }
        pulls::proposed(tx, number, &parent, &head, forge_number)?;
        pulls::merged(tx, number, sha, now.day())?;
        Ok(Stored::Done)
    });
    merged.map_or_else(refused, |stored| Ok(Some(stored)))
}

fn run(with: &Mutex<With>, tx: &mut dyn Tx) -> Result<Stored, DbError> {
    (with.lock().unwrap_or_else(PoisonError::into_inner))(tx)
}

fn unavailable(error: anyhow::Error) -> Refused {
    tracing::error!(error = %error, "a change was not committed");
    Refused::Unavailable
}
