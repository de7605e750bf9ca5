//! The probe job (§11.1, DECISIONS §9b): sources of paths are asked whether they are still there, by a machine that sends
//! nothing and logs in nowhere.
//!
//! 1. Every source of every path that is offered or deprecated is taken; of drafts and quarantined paths none.
//! 2. The core says which may be asked and how ([`becivic_core::probe::plan()`]); an audited source never, also when it is named.
//! 3. Those that were asked within `probes.every` wait, unless they are named. The others are asked one after the other, in
//!    turns by host ([`ask`]), over a network that is looked at ([`network`]), with pauses ([`pace`]); sources at one address
//!    are asked together.
//! 4. What came back is judged by the source's signals. A verdict is landed and the time noted in one transaction, where the
//!    source is still the one that was asked (`consensus::land::land_probe`).
//!
//! It runs beside the other jobs, on a lease of its own: a slow site holds nobody up. It stops between two requests.

pub mod ask;
pub mod network;
pub mod pace;

pub use network::{Failed, Network};

use crate::app::{App, fresh};
use crate::consensus;
use crate::consensus::land::{Probe, land_probe};
use crate::db::{jobs, probes};
use crate::jobs::Lease;
use crate::jobs::commit::Mode;
use anyhow::{bail, ensure};
use ask::Asker;
use becivic_core::path::PathSource;
use becivic_core::probe::{Judged, Look, Plan, Skip, judge, plan};
use becivic_core::vocabulary::Status;
use pace::Pace;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The job's name.
pub const NAME: &str = "probe";

/// How often a process looks whether the job is due.
const LOOK: Duration = Duration::from_secs(1);

/// How often the job runs at most: what it was kept from asking, and what is new, does not wait for a whole round.
const RUNS: Duration = Duration::from_secs(3_600);

/// What became of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Became {
    /// It may not be asked, or need not be.
    Skipped(Skip),
    /// Its path is a draft or quarantined.
    NotOffered,
    /// It was asked not long ago.
    Recent,
    /// It would be asked.
    Due(Look),
    /// It was asked and nothing came that could be judged.
    Unanswered(Failed),
    /// It was asked, and answered with this status.
    Answered(u16, Judged),
    /// It was asked, and is another source by now.
    Changed,
}

impl fmt::Display for Became {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skipped(why) => write!(f, "not asked: {why}"),
            Self::NotOffered => f.write_str("not asked: its path is not offered"),
            Self::Recent => f.write_str("not asked: it was asked not long ago"),
            Self::Due(Look::Head) => f.write_str("would be asked for its head"),
            Self::Due(Look::Page) => f.write_str("would be asked for its page"),
            Self::Unanswered(why) => write!(f, "asked, nothing recorded: {why}"),
            Self::Answered(status, Judged::Confirms) => write!(f, "asked, {status}: confirmed"),
            Self::Answered(status, Judged::Rejects(outcome)) => {
                write!(f, "asked, {status}: rejected, {outcome}")
            }
            Self::Answered(status, Judged::Nothing(why)) => {
                write!(f, "asked, {status}, nothing recorded: {why}")
            }
            Self::Changed => f.write_str("asked, nothing recorded: it was changed in the meantime"),
        }
    }
}

/// One source and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Told {
    pub path_id: String,
    pub source_id: String,
    pub became: Became,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // counts by [`Became`]
pub struct Summary {
    pub confirmed: usize,
    pub rejected: usize,
    pub unsettled: usize,
    pub unanswered: usize,
    pub due: usize,
    pub recent: usize,
    pub skipped: usize,
}

impl Summary {
    fn count(&mut self, became: &Became) {
        match became {
            Became::Answered(_, Judged::Confirms) => self.confirmed += 1,
            Became::Answered(_, Judged::Rejects(_)) => self.rejected += 1,
            Became::Answered(_, Judged::Nothing(_)) | Became::Changed => self.unsettled += 1,
            Became::Unanswered(_) => self.unanswered += 1,
            Became::Due(_) => self.due += 1,
            Became::Recent => self.recent += 1,
            Became::Skipped(_) | Became::NotOffered => self.skipped += 1,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { confirmed, rejected, unsettled, unanswered, due, recent, skipped } = self;
        if *due > 0 {
            return write!(
                f,
                "{due} would be asked, {recent} asked not long ago, {skipped} never or not now"
            );
        }
        write!(
            f,
            "{confirmed} confirmed, {rejected} rejected, {unsettled} not settled, {unanswered} without an answer, \
             {recent} asked not long ago, {skipped} never or not now"
        )
    }
}

/// What a run is about.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Whether anybody is asked at all.
    pub mode: Mode,
    /// `PATH` or `PATH:SOURCE`, asked also when that was done not long ago; `None` is everything that is due.
    pub only: Option<&'a str>,
}

/// What is to be asked, and the sources it is asked for, by path: several may lie at one address.
struct Due {
    plan: Plan,
    sources: Vec<(String, PathSource)>,
}

/// Runs when it is due, until the process stops.
pub async fn scheduled(app: Arc<App>) {
    while app.config.probes.enabled && !app.stopping.load(Ordering::Acquire) {
        tokio::time::sleep(LOOK).await;
        let app = Arc::clone(&app);
        match tokio::task::spawn_blocking(move || look_once(&app)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(error = %error, "the probes did not end well"),
            Err(_) => tracing::error!("the probes panicked"),
        }
    }
}

fn look_once(app: &App) -> anyhow::Result<()> {
    let now = app.clock.now();
    let every = i64::try_from(app.config.probes.every.min(RUNS).as_millis()).unwrap_or(i64::MAX);
    if !app.db.read_now(move |tx| jobs::is_due(tx, NAME, every, now))? {
        return Ok(());
    }
    let Some(lease) = Lease::take(app, NAME)? else { return Ok(()) };
    let ended = run(app, &lease, Mode::Carry);
    lease.give_back(if ended.is_ok() { "well" } else { "failed" });
    tracing::info!(summary = %ended?, "probes");
    Ok(())
}

/// Runs the job over the public network.
pub fn run(app: &App, lease: &Lease, mode: Mode) -> anyhow::Result<Summary> {
    run_over(app, lease, Ask { mode, only: None }, &Network::public(), &mut |_, _| {})
}

/// Runs the job over a network, telling of each source as it is done with, and how many are still to come.
pub fn run_over(
    app: &App,
    lease: &Lease,
    what: Ask<'_>,
    network: &Network,
    tell: &mut dyn FnMut(&Told, usize),
) -> anyhow::Result<Summary> {
    let mut summary = Summary::default();
    let (due, others) = taken(app, what)?;
    let mut tell = |told: &Told, left: usize| {
        summary.count(&told.became);
        tell(told, left);
    };
    let mut left: usize = due.iter().map(|due| due.sources.len()).sum();
    others.iter().for_each(|told| tell(told, left));
    let live = app.live.load_full();
    let is_listed = |host: &str| live.is_listed(host);
    let go_on = || !app.stopping.load(Ordering::Acquire) && lease.is_held();
    let pace = Pace::new(app.config.probes.per_host_pause, &app.clock);
    let mut asker = Asker::new(network, pace, &is_listed, &go_on);
    for due in in_turns(due) {
        let seen = match what.mode {
            Mode::Try => None,
            Mode::Carry => Some(asker.ask(&due.plan)),
        };
        if seen == Some(Err(Failed::Stopped)) {
            bail!("stopped with {left} sources still to be asked; they are due at the next run");
        }
        for (path_id, source) in due.sources {
            let became = match &seen {
                None => Became::Due(due.plan.look),
                Some(Ok(seen)) => {
                    keep(app, &path_id, &source, Became::Answered(seen.status, judge(&source, seen)))?
                }
                Some(Err(failed)) => keep(app, &path_id, &source, Became::Unanswered(*failed))?,
            };
            left -= 1;
            tell(&Told { path_id, source_id: source.id, became }, left);
        }
    }
    Ok(summary)
}

/// The sources that are to be asked, and what is to be said of the others.
fn taken(app: &App, what: Ask<'_>) -> anyhow::Result<(Vec<Due>, Vec<Told>)> {
    let live = app.live.load_full();
    let is_listed = |host: &str| live.is_listed(host);
    let (looked, withheld) = app.db.read_now(|tx| Ok((probes::looked_at(tx)?, probes::withheld(tx)?)))?;
    let looked: HashMap<_, _> = looked.into_iter().map(|(path, source, at)| ((path, source), at)).collect();
    let withheld: HashSet<String> = withheld.into_iter().collect();
    let every = i64::try_from(app.config.probes.every.as_millis()).unwrap_or(i64::MAX);
    let now = app.clock.now();
    let (mut due, mut others): (Vec<Due>, _) = (Vec::new(), Vec::new());
    let mut places: HashMap<Plan, usize> = HashMap::new();
    let entries = live.corpus.paths.iter().flat_map(|paths| paths.entries.values());
    for (entry, source) in
        entries.flat_map(|path| path.entry.sources.iter().map(|source| (&path.entry, source)))
    {
        let is_named = |only: &str| only == entry.id || only == format!("{}:{}", entry.id, source.id);
        if what.only.is_some_and(|only| !is_named(only)) {
            continue;
        }
        let key = (entry.id.clone(), source.id.clone());
        let is_recent =
            || looked.get(&key).is_some_and(|at| (at.0..at.0.saturating_add(every)).contains(&now.0));
        let became = if !is_offered(entry.status) || withheld.contains(&entry.id) {
            Became::NotOffered
        } else {
            match plan(source, &is_listed) {
                Err(why) => Became::Skipped(why),
                Ok(_) if what.only.is_none() && is_recent() => Became::Recent,
                Ok(plan) => {
                    let place = *places.entry(plan.clone()).or_insert(due.len());
                    if place == due.len() {
                        due.push(Due { plan, sources: Vec::new() });
                    }
                    let found = due.get_mut(place).map(|due| &mut due.sources);
                    found.into_iter().for_each(|sources| sources.push((entry.id.clone(), source.clone())));
                    continue;
                }
            }
        };
        others.push(Told { path_id: entry.id.clone(), source_id: source.id.clone(), became });
    }
    let found_any = !due.is_empty() || !others.is_empty();
    ensure!(found_any || what.only.is_none(), "no path or source has this name");
    Ok((due, others))
}

/// Whether probes go on for a path of a status: what is deprecated may come back.
fn is_offered(status: Status) -> bool {
    match status {
        Status::Alpha | Status::Beta | Status::Stable | Status::Deprecated => true,
        Status::Draft | Status::Quarantined => false,
    }
}

/// One of each host, then the next of each: whoever waits for a pause can ask somebody else meanwhile.
fn in_turns(due: Vec<Due>) -> Vec<Due> {
    let mut hosts: Vec<(String, VecDeque<Due>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for due in due {
        let host = due.plan.address.host().to_owned();
        let place = *places.entry(host.clone()).or_insert_with(|| {
            hosts.push((host, VecDeque::new()));
            hosts.len() - 1
        });
        if let Some((_, of_host)) = hosts.get_mut(place) {
            of_host.push_back(due);
        }
    }
    let mut turns = Vec::new();
    while hosts.iter().any(|(_, of_host)| !of_host.is_empty()) {
        turns.extend(hosts.iter_mut().filter_map(|(_, of_host)| of_host.pop_front()));
    }
    turns
}

/// Keeps what a probe found, where the source is still what was asked.
fn keep(app: &App, path_id: &str, source: &PathSource, became: Became) -> anyhow::Result<Became> {
    let live = app.live.load_full();
    let is_same = live
        .path(path_id)
        .is_some_and(|path| is_offered(path.entry.status) && path.entry.sources.contains(source));
    if !is_same {
        return Ok(Became::Changed);
    }
    let now = app.clock.now();
    let verdict = match &became {
        Became::Answered(_, Judged::Confirms) => Some((true, None)),
        Became::Answered(_, Judged::Rejects(outcome)) => Some((false, Some(outcome.clone()))),
        Became::Answered(_, Judged::Nothing(_)) | Became::Unanswered(_) => None,
        Became::Skipped(_) | Became::NotOffered | Became::Recent | Became::Due(_) | Became::Changed => None,
    };
    let (path_id, source_id) = (path_id.to_owned(), source.id.clone());
    let (key, policy) = (fresh()?, consensus::policy(&app.config.consensus));
    app.db.write_now(move |tx| {
        probes::looked(tx, &path_id, &source_id, now)?;
        let Some((confirms, signal)) = verdict.clone() else { return Ok(()) };
        let (path_id, source_id) = (path_id.clone(), source_id.clone());
        land_probe(tx, &Probe { path_id, source_id, confirms, signal, key, now }, &policy)
    })?;
    Ok(became)
}
