//! The tick (§9.3): artefacts are promoted, rolled back, quarantined and deprecated by what their validations say.
//!
//! 1. Only artefacts whose time has come are looked at: somebody voted, `main` moved, or an age was reached. A tick with nothing
//!    to do is one look into an index.
//! 2. Each is decided on by the core (`becivic_core::consensus::decide`), with its tally counted again from the verdicts before
//!    anything happens: a tally that is wrong is healed, and never promotes.
//! 3. Rows of the catalogue are changed in the transaction that decides (`tick/rows.rs`). Skills and paths become one pull
//!    request each, whose transaction looks once more (`tick/files.rs`).
//! 4. Once a day everything is counted again (`tick/recount.rs`).
//!
//! One process ticks at a time; whoever is cut off leaves rows whose time has come.

pub mod explain;
mod files;
mod look;
pub mod recount;
mod rows;

pub use look::{Looked, look};

use super::lease::Lease;
use crate::app::App;
use crate::consensus;
use crate::db::jobs;
use crate::db::standings::{self, Standing};
use crate::moment::Moment;
use crate::transparency;
use anyhow::bail;
use becivic_core::consensus::{Outcome, Policy};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::Ordering;

/// The job's name.
pub const NAME: &str = "tick";

/// Standings taken at a time.
const PAGE: i64 = 500;

/// How long an artefact waits that could not be changed, in milliseconds.
const PATIENCE: i64 = 60_000;

/// Whether anything is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Yes.
    Carry,
    /// No: only what would be done is worked out.
    Try,
}

/// What became of an artefact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum End {
    Stayed,
    Promoted,
    RolledBack,
    Quarantined,
    Deprecated,
    Returned,
    /// It was changed by somebody else in the meantime: it is looked at again.
    Overtaken,
    /// It could not be done now.
    Failed,
}

impl End {
    /// As it is counted and logged.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stayed => "stayed",
            Self::Promoted => "promoted",
            Self::RolledBack => "rolled_back",
            Self::Quarantined => "quarantined",
            Self::Deprecated => "deprecated",
            Self::Returned => "returned",
            Self::Overtaken => "overtaken",
            Self::Failed => "failed",
        }
    }

    fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Stay => Self::Stayed,
            Outcome::Promote(_) => Self::Promoted,
            Outcome::RollBack => Self::RolledBack,
            Outcome::Quarantine => Self::Quarantined,
            Outcome::Deprecate => Self::Deprecated,
            Outcome::Return => Self::Returned,
        }
    }
}

/// What a run did, by what became of artefacts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many of each.
    pub ends: BTreeMap<End, usize>,
    /// Tallies that were wrong, and are right now.
    pub healed: usize,
    /// What would be done, a line each; only where nothing is.
    pub lines: Vec<String>,
}

impl Summary {
    fn count(&mut self, end: End) {
        *self.ends.entry(end).or_default() += 1;
    }

    /// How many.
    pub fn of(&self, end: End) -> usize {
        self.ends.get(&end).copied().unwrap_or(0)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} looked at: {} promoted, {} rolled back, {} quarantined, {} deprecated, {} returned, {} to be tried again",
            self.ends.values().sum::<usize>(),
            self.of(End::Promoted),
            self.of(End::RolledBack),
            self.of(End::Quarantined),
            self.of(End::Deprecated),
            self.of(End::Returned),
            self.of(End::Failed) + self.of(End::Overtaken),
        )?;
        match self.healed {
            0 => Ok(()),
            healed => write!(f, "; {healed} tallies were wrong and were counted again"),
        }
    }
}

/// One run.
pub struct Run<'a> {
    app: &'a App,
    lease: &'a Lease,
    mode: Mode,
    policy: Policy,
    now: Moment,
    summary: Summary,
}

/// Runs the job.
pub fn run(app: &App, lease: &Lease, mode: Mode) -> anyhow::Result<Summary> {
    let policy = consensus::policy(&app.config.consensus);
    let mut run = Run { app, lease, mode, policy, now: app.clock.now(), summary: Summary::default() };
    if mode == Mode::Carry {
        let now = run.now;
        if app.db.read_now(move |tx| jobs::ended_ahead(tx, NAME, now))? {
            tracing::warn!("the clock was set back; what waits for an age waits longer");
        }
        run.summary.healed += recount::when_due(app, run.now)?;
        let (policy, now) = (run.policy.clone(), run.now);
        app.db.write_now(move |tx| transparency::follow_policy(tx, &policy, now))?;
    }
    let mut before: Vec<(String, String)> = Vec::new();
    loop {
        let now = run.now;
        let due = app.db.write_now(move |tx| standings::due(tx, now, PAGE))?;
        let names: Vec<(String, String)> =
            due.iter().map(|it| (it.target_type.clone(), it.target_id.clone())).collect();
        // A page that is the same as before means that nothing can be moved: the next run sees to it.
        if due.is_empty() || names == before {
            break;
        }
        before = names;
        run.page(due)?;
        if mode == Mode::Try {
            break;
        }
    }
    let found = app.db.write_now(|tx| standings::withheld(tx))?;
    app.look_at_withheld(found);
    if run.summary.healed > 0 {
        tracing::warn!(tallies = run.summary.healed, "tallies were wrong, and were counted again");
    }
    Ok(run.summary)
}

impl Run<'_> {
    fn page(&mut self, due: Vec<Standing>) -> anyhow::Result<()> {
        let (rows, files): (Vec<Standing>, Vec<Standing>) =
            due.into_iter().partition(|it| matches!(it.target_type.as_str(), "volatile_value" | "reference"));
        self.check_lease()?;
        for (standing, end) in self.rows(&rows)? {
            self.note(&standing, end);
        }
        for standing in files {
            self.check_lease()?;
            let end = self.file(&standing)?;
            self.note(&standing, end);
        }
        Ok(())
    }

    fn note(&mut self, standing: &Standing, end: End) {
        self.summary.count(end);
        self.app.metrics.ticked(&standing.target_type, end.word());
        if end == End::Failed {
            tracing::warn!(
                target_type = standing.target_type,
                id = standing.target_id,
                "the state machine could not do what it decided; it tries again"
            );
        }
    }

    fn check_lease(&self) -> anyhow::Result<()> {
        if self.app.stopping.load(Ordering::Acquire) {
            bail!("the process is about to end");
        }
        if !self.lease.is_held() {
            bail!("another process has taken the tick over");
        }
        Ok(())
    }

    /// Says what would be done.
    fn would(&mut self, standing: &Standing, looked: &Looked) -> End {
        if looked.decision.outcome != Outcome::Stay {
            self.summary.lines.push(format!("{}: {}", standing.artefact(), looked.decision.explain()));
        }
        End::of(looked.decision.outcome)
    }
}
