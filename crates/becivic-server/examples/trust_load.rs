//! What the transparency log costs, and logs long enough to measure its readers on; `cargo xtask bench trust` runs it.
//!
//! `trust_load append FOLDER COUNT` promotes values one by one and then so many at once; prints what one promotion takes without its
//! entry and what its entry takes (`transition_us`, `append_us`; `…_of_many_us`).
//! `trust_load fill FOLDER ARTEFACTS ENTRIES` makes a data folder whose log has so many entries about so many values.
//! `trust_load proofs ENTRIES` makes a tree of so many leaves in memory, asks for proofs of leaves all over it from its tiles, checks
//! them, and prints `p50_us` and `p99_us`.

#[path = "../../becivic/src/names.rs"]
mod names;

use anyhow::{Context, bail, ensure};
use becivic_core::consensus::{Artefact, Ballot, Decision, Kind, Policy, Tally, Verdict, decide};
use becivic_core::log::{Hash, Numbers, Peaks, Tile, inclusion, is_included, leaf};
use becivic_core::vocabulary::Status;
use becivic_server::app::{App, Role};
use becivic_server::config::Config;
use becivic_server::consensus::land::{Landing, land, place};
use becivic_server::consensus::{self, Cause, Written};
use becivic_server::db::catalogue::{self, Prefix};
use becivic_server::db::standings::{self, Standing};
use becivic_server::db::votes::Vote;
use becivic_server::jobs::Lease;
use becivic_server::jobs::tick::{self, End, Mode, Summary};
use becivic_server::moment::{Clock, HOUR, Moment};
use becivic_server::transparency::{self, Event, content_of_entry};
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// When everything begins.
const BEGUN: Moment = Moment(1_794_700_800_000);

/// Pieces of work in a transaction while a folder is filled.
const TOGETHER: usize = 1_000;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["append", folder, count] => append(folder, count.parse()?),
        ["fill", folder, artefacts, entries] => fill(folder, artefacts.parse()?, entries.parse()?),
        ["proofs", entries] => proofs(entries.parse()?),
        _ => bail!("usage: trust_load append FOLDER COUNT | fill FOLDER ARTEFACTS ENTRIES | proofs ENTRIES"),
    }
}

fn open(folder: &str) -> anyhow::Result<(Arc<App>, Arc<AtomicI64>)> {
    let mut config = Config::load(None, std::iter::empty())?;
    folder.clone_into(&mut config.server.data);
    let clock = Arc::new(AtomicI64::new(BEGUN.0));
    let (app, _) = App::open(config, names::bundled()?, Clock::Set(Arc::clone(&clock)), Role::Serve)?;
    Ok((app, clock))
}

/// Mints values; their uids.
fn mint(app: &App, numbers: Range<usize>) -> anyhow::Result<Vec<String>> {
    let mut uids = Vec::with_capacity(numbers.len());
    for from in numbers.clone().step_by(TOGETHER) {
        let to = (from + TOGETHER).min(numbers.end);
        uids.extend(app.db.write_now(move |tx| {
            let mut minted = Vec::new();
            for number in from..to {
                let content = format!("{{\"value\": {number}, \"value_type\": \"integer\"}}");
                let (uid, _) =
                    catalogue::mint(tx, Prefix::Value, &format!("generated-{number}"), &content, BEGUN)?;
                transparency::minted(tx, (Prefix::Value.target_type(), &uid), BEGUN)?;
                minted.push(uid);
            }
            Ok(minted)
        })?);
    }
    Ok(uids)
}

fn append(folder: &str, count: usize) -> anyhow::Result<()> {
    let (app, clock) = open(folder)?;
    let policy = consensus::policy(&app.config.consensus);
    let (transition, append) = one_by_one(&app, &clock, &policy)?;
    let (transition_of_many, append_of_many) = together(&app, &clock, &policy, count)?;
    println!(
        "{}",
        json!({
            "transition_us": transition, "append_us": append,
            "transition_of_many_us": transition_of_many, "append_of_many_us": append_of_many,
        })
    );
    app.db.close();
    Ok(())
}

/// Three people confirm a value.
fn confirm(app: &App, policy: &Policy, number: usize, uid: &str, now: Moment) -> anyhow::Result<()> {
    let (uid, policy) = (uid.to_owned(), policy.clone());
    app.db.write_now(move |tx| {
        for voter in 0..3_u8 {
            let mut key = [voter; 32];
            key[..8].copy_from_slice(&(number as u64).to_be_bytes());
            let vote = confirmed(&uid, key);
            let place = place(tx, &vote, &format!("{uid}.000001"))?;
            let landing =
                Landing { vote: &vote, kind: Some(Kind::Value), fresh_salt: &[3; 32], policy: &policy, now };
            land(tx, &landing, place, |_| [voter; 32])?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Carries out what is due, which is so many promotions; says how long that took, and what was done.
fn promote(app: &App, count: usize) -> anyhow::Result<(f64, Summary)> {
    let lease = Lease::take(app, tick::NAME)?.context("the job is free")?;
    let began = Instant::now();
    let summary = tick::run(app, &lease, Mode::Carry)?;
    let took = began.elapsed().as_secs_f64();
    lease.give_back("well");
    ensure!(summary.of(End::Promoted) == count, "not everything was promoted: {summary}");
    Ok((took, summary))
}

/// A promotion that was carried out, as the log is told of it.
#[derive(Clone)]
struct Promotion {
    standing: Standing,
    cause: Cause,
    said: Map<String, Value>,
}

/// What is told of some values, with everything that the promotion itself needs as well made beforehand.
fn promotions(app: &App, policy: &Policy, uids: &[String]) -> anyhow::Result<Vec<Promotion>> {
    let numbers = Numbers::of(&decided(policy));
    let cause = Cause { policy: policy.version(), numbers, ..Cause::act("alpha_to_beta") };
    let told = uids.iter().map(|uid| {
        let asked = uid.clone();
        let (standing, row) = app.db.read_now(move |tx| {
            Ok((standings::find(tx, Prefix::Value.target_type(), &asked)?, catalogue::current(tx, &asked)?))
        })?;
        let (standing, said) =
            standing.zip(row.map(|row| row.content)).context("a value without a standing")?;
        Ok(Promotion { standing, cause: cause.clone(), said })
    });
    told.collect()
}

/// What making some standings durable takes, with their entries or without.
fn store(app: &App, together: &mut [Promotion], records: bool) -> anyhow::Result<f64> {
    for it in &mut *together {
        // What is as it was would not be written, and what is due would be looked at with the promotions that are measured next.
        let at = it.standing.look_at.unwrap_or(BEGUN).max(LONG_AFTER);
        it.standing.look_at = Some(at.plus(1));
    }
    let mut together = Some(together.to_vec());
    let began = Instant::now();
    app.db.write_now(move |tx| {
        for Promotion { mut standing, cause, said } in together.take().unwrap_or_default() {
            if records {
                let (to, content) = (Some((Status::Beta, "")), Some(content_of_entry(said)));
                let event = Event { before: &standing, was_there: true, to, cause: &cause, content };
                transparency::record(tx, &event, BEGUN)?.name_in(&mut standing);
            }
            standings::store(tx, &standing)?;
        }
        Ok(())
    })?;
    Ok(began.elapsed().as_secs_f64())
}

/// What the entries of promotions take on top of transactions of so many that are made durable anyway: the difference between medians,
/// in microseconds for each transaction.
fn entries(app: &App, promotions: &mut [Promotion], together: usize) -> anyhow::Result<f64> {
    let (mut stored, mut recorded) = (Vec::new(), Vec::new());
    let times_over = TRANSACTIONS.div_ceil(promotions.len().div_ceil(together));
    for _ in 0..times_over {
        for some in promotions.chunks_mut(together) {
            for (records, times) in [(false, &mut stored), (true, &mut recorded)] {
                times.push(store(app, some, records)?);
            }
        }
    }
    Ok(micros(median(recorded) - median(stored)))
}

/// Promotions as they mostly come: one is due, and is durable before the next.
fn one_by_one(app: &App, clock: &AtomicI64, policy: &Policy) -> anyhow::Result<(f64, f64)> {
    let uids = mint(app, 0..TIMES)?;
    let now = clock.fetch_add(49 * HOUR, Ordering::SeqCst) + 49 * HOUR;
    let mut whole = Vec::with_capacity(TIMES);
    for (number, uid) in uids.iter().enumerate() {
        confirm(app, policy, number, uid, Moment(now))?;
        whole.push(promote(app, 1)?.0);
    }
    let append = entries(app, &mut promotions(app, policy, &uids)?, 1)?;
    Ok((micros(median(whole)) - append, append))
}

/// Many at once, in transactions of a hundred: what a tick takes for each, and what of it is the entry. How fast a machine is changes
/// within seconds, and the two are measured one after the other: of several rounds the one counts in which the entry's share is the
/// median.
fn together(app: &App, clock: &AtomicI64, policy: &Policy, count: usize) -> anyhow::Result<(f64, f64)> {
    let mut rounds = Vec::with_capacity(ROUNDS);
    for number in 0..ROUNDS {
        let from = TIMES + number * count;
        rounds.push(round(app, clock, policy, from..from + count)?);
    }
    let share = |(transition, append): &(f64, f64)| append / transition;
    rounds.sort_by(|one, other| share(one).total_cmp(&share(other)));
    rounds.get(ROUNDS / 2).copied().context("no round")
}

fn round(app: &App, clock: &AtomicI64, policy: &Policy, numbers: Range<usize>) -> anyhow::Result<(f64, f64)> {
    let (first, count) = (numbers.start, numbers.len());
    let uids = mint(app, numbers)?;
    let now = Moment(clock.load(Ordering::SeqCst));
    for (number, uid) in uids.iter().enumerate() {
        confirm(app, policy, first + number, uid, now)?;
    }
    clock.fetch_add(49 * HOUR, Ordering::SeqCst);
    let (whole, summary) = promote(app, count)?;
    let looked_at: usize = summary.ends.values().sum();
    ensure!(looked_at == count, "something else was looked at as well: {summary}");
    let append = entries(app, &mut promotions(app, policy, &uids)?, HUNDRED)? / HUNDRED as f64;
    Ok((micros(whole / count as f64) - append, append))
}

/// How many rows the tick changes in one transaction.
const HUNDRED: usize = 100;

/// Transactions that are measured with entries, and as many without. One waits for the disk, which takes its time as it likes.
const TRANSACTIONS: usize = 100;

/// When nothing is measured any more.
const LONG_AFTER: Moment = Moment(BEGUN.0 + 10_000 * HOUR);

/// How often many at once are measured.
const ROUNDS: usize = 7;

/// How often what comes one by one is measured.
const TIMES: usize = 400;

fn micros(seconds: f64) -> f64 {
    seconds * 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The decision that promotes a value.
fn decided(policy: &Policy) -> Decision {
    let tally = Tally { confirms: 3, confirm_records: 3, voters: 3, confirm_days: 1, ..Tally::default() };
    let artefact = Artefact::new(Kind::Value, Status::Alpha, BEGUN.0, (0, 0));
    decide(&artefact, &tally, policy, BEGUN.0 + 49 * HOUR)
}

fn confirmed(uid: &str, vote_key: [u8; 32]) -> Vote {
    Vote {
        vote_key,
        target_type: Prefix::Value.target_type(),
        target_id: uid.to_owned(),
        artefact: format!("{}:{uid}", Prefix::Value.target_type()),
        cohort: format!("{uid}.000001"),
        cohort_anchor: None,
        ballot: Ballot { verdict: Verdict::Confirm, flag: false, probe: false, handoff: false },
        weight: 1,
        rationale: None,
        injection_reason: None,
        traversal: None,
        session_id: None,
        day: BEGUN,
    }
}

fn fill(folder: &str, artefacts: usize, entries: usize) -> anyhow::Result<()> {
    let (app, _) = open(folder)?;
    let uids = Arc::new(mint(&app, 0..artefacts)?);
    for from in (artefacts..entries).step_by(TOGETHER) {
        let (to, uids) = ((from + TOGETHER).min(entries), Arc::clone(&uids));
        app.db.write_now(move |tx| {
            for number in from..to {
                let Some(uid) = uids.get(number % uids.len()) else { continue };
                let Some(before) = standings::find(tx, Prefix::Value.target_type(), uid)? else { continue };
                let to = Some((Status::Alpha, ""));
                let cause = Cause::act("corrected");
                let recorded = consensus::merged(tx, &before, to, &cause, Written::default(), BEGUN)?;
                recorded.keep(tx, (&before.target_type, &before.target_id))?;
            }
            Ok(())
        })?;
    }
    app.db.close();
    Ok(())
}

fn proofs(entries: u64) -> anyhow::Result<()> {
    let mut peaks = Peaks::default();
    let mut levels: Vec<Vec<Hash>> = vec![Vec::new(); 8];
    for number in 0..entries {
        let hash = leaf(&number.to_be_bytes());
        for (level, hash) in std::iter::once((0, hash)).chain(peaks.append(hash).above) {
            if let Some(row) = levels.get_mut(usize::from(level)) {
                row.push(hash);
            }
        }
    }
    let tiles = |tile: Tile| {
        let row = tile.level.and_then(|level| levels.get(usize::from(level))).map_or(&[][..], Vec::as_slice);
        let first = usize::try_from(tile.first()).unwrap_or(usize::MAX);
        Ok::<_, Infallible>(row.iter().skip(first).take(tile.width as usize).flatten().copied().collect())
    };
    let root = peaks.root();
    let mut taken: Vec<f64> = Vec::new();
    for number in 0..2_000_u64 {
        // All over the tree, and in no order.
        let index = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % entries;
        let began = Instant::now();
        let proof = inclusion(index, entries, tiles)?;
        taken.push(began.elapsed().as_secs_f64() * 1e6);
        ensure!(
            is_included(index, leaf(&index.to_be_bytes()), &proof, entries, &root),
            "leaf {index} is not proved"
        );
    }
    taken.sort_by(f64::total_cmp);
    let at = |share: usize| taken.get(taken.len() * share / 100).copied().unwrap_or_default();
    println!("{}", json!({"entries": entries, "p50_us": at(50), "p99_us": at(99)}));
    Ok(())
}
