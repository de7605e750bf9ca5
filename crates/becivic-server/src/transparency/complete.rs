//! The log is completed, so that it tells the truth about everything that is served.
//!
//! 1. Every standing is held against the entry that it names, and what began in the log against the standings there are.
//! 2. Where something does not agree, the log is read before anything is added to it: a standing may have been lost or changed, and what
//!    the log says last is so. It is named again, and most of what did not agree does then.
//! 3. What the log has not met begins; what it says otherwise is put right; what is gone is told to be.

use super::{Event, POLICY, follow_policy, logged, read, record, told};
use crate::consensus::{Cause, begin};
use crate::db::log_entries;
use crate::db::standings::{self, Served, Standing, artefact};
use crate::db::{Db, DbError, Tx};
use crate::live::Live;
use crate::moment::Moment;
use becivic_core::consensus::Policy;
use becivic_core::log::{Entry, Hash};
use becivic_core::vocabulary::Status;
use std::collections::{BTreeMap, BTreeSet};

/// Completes the log; says how many artefacts it did not tell the truth about. With a policy, it is that of whoever goes on to decide.
pub fn complete(db: &Db, live: &Live, policy: Option<&Policy>, now: Moment) -> anyhow::Result<usize> {
    // Contents are digested only where something is missing, and outside of the transaction.
    let Behind { standing, gone } = db.write_now(|tx| behind(tx))?;
    let with_content = standing.into_iter().map(|(target_type, id)| {
        let content = begin::content(live, target_type, &id);
        (target_type, id, content)
    });
    let standing: Vec<(&'static str, String, Option<Hash>)> = with_content.collect();
    let policy = policy.cloned();
    Ok(db.write_now(move |tx| {
        log_entries::lock(tx)?;
        if let Some(policy) = &policy {
            follow_policy(tx, policy, now)?;
        }
        let mut count = 0;
        for (target_type, id, content) in &standing {
            if let Some(mut standing) = standings::find(tx, target_type, id)? {
                count += usize::from(put_right(tx, &mut standing, *content, now)?);
            }
        }
        for (artefact, position) in &gone {
            count += usize::from(put_away(tx, artefact, *position, now)?);
        }
        Ok(count)
    })?)
}

/// What the log does not tell the truth about.
#[derive(Default)]
struct Behind {
    /// Artefacts that stand elsewhere than it says, by type and id.
    standing: Vec<(&'static str, String)>,
    /// Artefacts that it does not know to be gone, with the places of what it says of them last.
    gone: Vec<(String, i64)>,
}

/// Refuses a log in which something is filed under another artefact than it is about. Nothing is written.
pub fn check(db: &Db) -> anyhow::Result<()> {
    Ok(db.read_now(|tx| unlike(tx).map(drop))?)
}

/// Artefacts that do not stand where the entry says that they name, with their types; and those that began in the log and have no
/// standing.
type Unlike = (Vec<(String, &'static str, Served)>, Vec<String>);

fn unlike(tx: &mut dyn Tx) -> Result<Unlike, DbError> {
    let mut begun = BTreeSet::new();
    log_entries::each_edge(tx, |artefact, entry| {
        if read(artefact, entry)?.to.is_some() {
            begun.insert(artefact.to_owned());
        }
        Ok(())
    })?;
    begun.remove(POLICY);
    let mut unlike = Vec::new();
    for target_type in ["skill", "path", "volatile_value", "reference"] {
        standings::each_served(tx, target_type, |it| {
            let artefact = artefact(target_type, &it.target_id);
            begun.remove(&artefact);
            let told = it.entry.as_ref().map(|entry| read(&artefact, entry)).transpose()?;
            if told.is_none_or(|told| !says(&told, it.status, &it.version)) {
                unlike.push((artefact, target_type, it));
            }
            Ok(())
        })?;
    }
    Ok((unlike, begun.into_iter().collect()))
}

fn behind(tx: &mut dyn Tx) -> Result<Behind, DbError> {
    let (unlike, without) = unlike(tx)?;
    let named = unlike.iter().map(|(artefact, ..)| artefact.clone()).chain(without.iter().cloned());
    let last = last_of(tx, &named.collect())?;
    let mut behind = Behind::default();
    for (artefact, target_type, it) in unlike {
        let told = last.get(&artefact);
        if let Some((position, _)) = told {
            standings::logged(tx, (target_type, &it.target_id), *position)?;
        }
        if told.is_none_or(|(_, told)| !says(told, it.status, &it.version)) {
            behind.standing.push((target_type, it.target_id));
        }
    }
    for artefact in without {
        if let Some((position, _)) = last.get(&artefact).filter(|(_, told)| told.to.is_some()) {
            behind.gone.push((artefact, *position));
        }
    }
    Ok(behind)
}

/// What the log says last of some artefacts, and where; it is read from its beginning, and edges that are not found by their names are
/// found again.
fn last_of(tx: &mut dyn Tx, artefacts: &BTreeSet<String>) -> Result<BTreeMap<String, (i64, Entry)>, DbError> {
    let mut last = BTreeMap::new();
    let mut edges = Vec::new();
    if artefacts.is_empty() {
        return Ok(last);
    }
    log_entries::each(tx, |position, entry| {
        let entry = Entry::read(entry).ok().filter(|entry| artefacts.contains(&entry.artefact));
        let Some(entry) = entry else { return };
        if entry.from.is_none() || entry.to.is_none() {
            edges.push((position, entry.artefact.clone()));
        }
        last.insert(entry.artefact.clone(), (position, entry));
    })?;
    for (position, artefact) in &edges {
        log_entries::find_by(tx, *position, artefact)?;
    }
    if !last.is_empty() {
        let artefacts = last.len();
        tracing::warn!(
            artefacts,
            "the log was read for what it says last of artefacts that do not agree with it"
        );
    }
    Ok(last)
}

fn says(entry: &Entry, status: Option<Status>, version: &str) -> bool {
    entry.to == status && entry.version.as_deref().unwrap_or_default() == version
}

/// Lets the log say of an artefact what is so; says whether it said something else, or nothing.
pub fn put_right(
    tx: &mut dyn Tx,
    standing: &mut Standing,
    content: Option<Hash>,
    now: Moment,
) -> Result<bool, DbError> {
    let Some(status) = standing.served() else { return Ok(false) };
    let told = told(tx, &standing.artefact())?;
    if told.as_ref().is_some_and(|entry| says(entry, Some(status), &standing.version)) {
        return Ok(false);
    }
    let target = (standing.target_type.as_str(), standing.target_id.as_str());
    let before = logged(target, told);
    let was_there = !before.status.is_empty();
    if was_there {
        tracing::warn!(
            artefact = standing.artefact(),
            "the log did not agree with what is served; it says so now"
        );
    }
    let cause = Cause::act(if was_there { "corrected_log" } else { "began" });
    let to = Some((status, standing.version.as_str()));
    let recorded = record(tx, &Event { before: &before, was_there, to, cause: &cause, content }, now)?;
    recorded.keep(tx, target)?;
    recorded.name_in(standing);
    Ok(true)
}

/// Lets the log say that an artefact is gone, of which it said something else last; says whether it still did.
fn put_away(tx: &mut dyn Tx, artefact: &str, position: i64, now: Moment) -> Result<bool, DbError> {
    let Some(target) = artefact.split_once(':') else { return Ok(false) };
    // Another process that starts at the same time may have been faster.
    let ended = log_entries::edge(tx, artefact)?.is_some_and(|edge| edge.index > position.unsigned_abs());
    if ended || standings::find(tx, target.0, target.1)?.is_some() {
        return Ok(false);
    }
    let last = log_entries::at(tx, position)?.map(|it| read(artefact, &it.entry)).transpose()?;
    let (before, cause) = (logged(target, last), Cause::act("corrected_log"));
    let event = Event { before: &before, was_there: true, to: None, cause: &cause, content: None };
    record(tx, &event, now)?.is_the_last();
    Ok(true)
}
