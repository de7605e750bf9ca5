//! Very many verdicts, and what it takes to count them; `cargo xtask bench consensus` runs it.
//!
//! `consensus_load FOLDER ARTEFACTS VOTES` opens the folder as `becivic serve` would, mints so many values, lands so many
//! verdicts on them, and prints one line of JSON. The clock is set, so that ages pass when they are asked to:
//! `land_ms` and `bare_ms`, the median of one verdict landing and of its bare row being inserted, a transaction each;
//! `together_land_s` and `together_bare_s`, the same a thousand to a transaction; `idle_tick_ms`; `first_tick_s`, with a look at
//! every artefact; `transitions` and `transitions_s`; `recount_s`; `half_mb`, `full_mb` and `peak_mb`, memory at half of
//! the verdicts, at all of them, and after everything else.

#[path = "../../becivic/src/names.rs"]
mod names;

use anyhow::{Context, bail, ensure};
use becivic_core::consensus::{Ballot, Kind, Marks, Policy, Verdict};
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::consensus::land::{self, Landing};
use becivic_server::db::catalogue::{self, Prefix};
use becivic_server::db::votes::{self, Vote};
use becivic_server::db::{DbError, Tx};
use becivic_server::jobs::Lease;
use becivic_server::jobs::tick::{self, End, Mode, Summary, recount};
use becivic_server::moment::{Clock, HOUR, Moment};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// When everything begins.
const BEGUN: Moment = Moment(1_794_700_800_000);

/// Artefacts that everybody confirms: these are promoted.
const CONFIRMED: usize = 1_000;

/// Verdicts in a transaction while the database is filled.
const TOGETHER: usize = 1_000;

/// Verdicts that are timed one by one, and as many bare rows.
const TIMED: usize = 2_000;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, artefacts, votes] = arguments.as_slice() else {
        bail!("usage: consensus_load FOLDER ARTEFACTS VOTES")
    };
    let (artefacts, votes): (usize, usize) = (artefacts.parse()?, votes.parse()?);
    let mut config = Config::load(None, std::iter::empty())?;
    config.server.data.clone_from(folder);
    let clock = Arc::new(AtomicI64::new(BEGUN.0));
    let (app, made) = App::open(config, names::bundled()?, Clock::Set(Arc::clone(&clock)), Role::Serve)?;
    let load = Load { app: &app, first: made.rows + 1, artefacts };
    load.mint()?;
    load.fill(0, votes / 2)?;
    let half = memory("VmHWM")?;
    load.fill(votes / 2, votes)?;
    let full = memory("VmHWM")?;
    let (together_land, together_bare) = load.together(votes)?;
    let (land, bare) = load.one_by_one(votes + TOGETHER)?;

    let began = Instant::now();
    let healed = recount::when_due(&app, app.clock.now())?;
    let recounted = began.elapsed().as_secs_f64();
    ensure!(healed == 0, "{healed} tallies were wrong");
    let (first, first_s) = timed_tick(&app)?;
    ensure!(first.of(End::Promoted) == 0, "nothing is old enough yet: {first}");
    let (_, idle_s) = timed_tick(&app)?;
    // Two days later; everything is counted before, as once a day it is.
    clock.fetch_add(49 * HOUR, Ordering::SeqCst);
    recount::when_due(&app, app.clock.now())?;
    let (late, late_s) = timed_tick(&app)?;
    let said = json!({
        "land_ms": land * 1e3, "bare_ms": bare * 1e3, "together_land_s": together_land,
        "together_bare_s": together_bare, "recount_s": recounted, "first_tick_s": first_s,
        "idle_tick_ms": idle_s * 1e3, "transitions": late.of(End::Promoted), "transitions_s": late_s,
        "half_mb": half, "full_mb": full, "peak_mb": memory("VmHWM")?,
    });
    println!("{said}");
    app.db.close();
    Ok(())
}

fn timed_tick(app: &App) -> anyhow::Result<(Summary, f64)> {
    let lease = Lease::take(app, tick::NAME)?.context("the job is free")?;
    let began = Instant::now();
    let summary = tick::run(app, &lease, Mode::Carry)?;
    let seconds = began.elapsed().as_secs_f64();
    lease.give_back("well");
    Ok((summary, seconds))
}

struct Load<'a> {
    app: &'a App,
    /// The number of the first value that is ours.
    first: usize,
    artefacts: usize,
}

impl Load<'_> {
    fn mint(&self) -> anyhow::Result<()> {
        for from in (0..self.artefacts).step_by(TOGETHER) {
            let to = (from + TOGETHER).min(self.artefacts);
            self.app.db.write_now(move |tx| {
                for number in from..to {
                    let content = format!("{{\"value\": {number}, \"value_type\": \"integer\"}}");
                    catalogue::mint(tx, Prefix::Value, &format!("generated-{number}"), &content, BEGUN)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Lands verdicts, by their numbers.
    fn fill(&self, from: usize, to: usize) -> anyhow::Result<()> {
        for from in (from..to).step_by(TOGETHER) {
            let ballots: Vec<Cast> = (from..(from + TOGETHER).min(to)).map(|at| self.cast(at)).collect();
            self.app.db.write_now(move |tx| ballots.iter().try_for_each(|cast| cast.land(tx)))?;
        }
        Ok(())
    }

    /// A thousand verdicts in one transaction, and a thousand bare rows.
    fn together(&self, from: usize) -> anyhow::Result<(f64, f64)> {
        let began = Instant::now();
        self.fill(from, from + TOGETHER)?;
        let landed = began.elapsed().as_secs_f64();
        let bare: Vec<Cast> = (from..from + TOGETHER).map(|at| self.cast(at).bare()).collect();
        let began = Instant::now();
        self.app.db.write_now(move |tx| bare.iter().try_for_each(|cast| cast.insert(tx)))?;
        Ok((landed, began.elapsed().as_secs_f64()))
    }

    /// One verdict to a transaction, and one bare row, in turns; the median of each.
    fn one_by_one(&self, from: usize) -> anyhow::Result<(f64, f64)> {
        let (mut landed, mut bare) = (Vec::with_capacity(TIMED), Vec::with_capacity(TIMED));
        for at in from..from + TIMED {
            let (cast, row) = (self.cast(at), self.cast(at).bare());
            let began = Instant::now();
            self.app.db.write_now(move |tx| cast.land(tx))?;
            landed.push(began.elapsed().as_secs_f64());
            let began = Instant::now();
            self.app.db.write_now(move |tx| row.insert(tx))?;
            bare.push(began.elapsed().as_secs_f64());
        }
        let median = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
        };
        Ok((median(&mut landed), median(&mut bare)))
    }

    /// The verdict of a number: on which value, by whom, and what it says. Values take turns.
    fn cast(&self, at: usize) -> Cast {
        let artefact = at % self.artefacts;
        let uid = format!("val-{:05}", self.first + artefact);
        let digest: [u8; 32] = Sha256::digest(format!("vote {at}")).into();
        // Where not everybody confirms, as many reject.
        let confirms = artefact < CONFIRMED || (at / self.artefacts).is_multiple_of(2);
        let verdict = if confirms { Verdict::Confirm } else { Verdict::Reject };
        let vote = Vote {
            vote_key: digest,
            target_type: "volatile_value",
            artefact: format!("volatile_value:{uid}"),
            cohort: format!("{uid}.000001"),
            target_id: uid,
            cohort_anchor: None,
            ballot: Ballot { verdict, flag: false, probe: false, handoff: false },
            weight: 1,
            rationale: None,
            injection_reason: None,
            traversal: None,
            session_id: None,
            day: BEGUN.day(),
        };
        let mut voter = digest;
        voter.reverse();
        Cast { vote, voter }
    }
}

/// A verdict and whoever gives it.
struct Cast {
    vote: Vote,
    voter: [u8; 32],
}

impl Cast {
    fn land(&self, tx: &mut dyn Tx) -> Result<(), DbError> {
        let place = land::place(tx, &self.vote, &self.vote.cohort)?;
        let landing = Landing {
            vote: &self.vote,
            kind: Some(Kind::Value),
            fresh_salt: &self.voter,
            policy: &Policy::default(),
            now: BEGUN,
        };
        land::land(tx, &landing, place, |_| self.voter).map(drop)
    }

    /// The same row under another key, in a cohort that nobody counts.
    fn bare(mut self) -> Self {
        self.vote.vote_key = Sha256::digest(self.vote.vote_key).into();
        self.vote.cohort.push_str(" bare");
        self
    }

    fn insert(&self, tx: &mut dyn Tx) -> Result<(), DbError> {
        votes::insert(tx, &self.vote, Marks::default(), Some(&self.voter))
    }
}

/// A line of this process' memory, in megabytes.
fn memory(name: &str) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with(name)).context("a line of the status")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).context("a number")?.parse()?;
    Ok(kilobytes / 1_000.0)
}
