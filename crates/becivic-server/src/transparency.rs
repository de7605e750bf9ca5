//! The transparency log, in the transaction of what it tells (`becivic_core::log`).
//!
//! 1. Every change of an artefact is recorded ([`record`]): what it was and is, by which rule and numbers, and digests of what was
//!    looked at and of the content, under a fresh nonce that is kept beside the entry.
//! 2. At the start the log is completed ([`complete`]): what it has not met yet begins, what does not agree is put right and told,
//!    and thresholds that are new are written down.
//! 3. A checkpoint is signed when somebody asks for it (`transparency/key.rs`): the same log gives the same bytes.
//! 4. An artefact's latest entry travels with a proof that never changes (`transparency/proved.rs`).

pub mod key;
pub mod proved;
pub mod stored;

use crate::consensus::{Cause, begin};
use crate::db::catalogue;
use crate::db::log_entries::{self, New};
use crate::db::standings::{self, Standing, artefact};
use crate::db::{Db, DbError, Tx};
use crate::live::Live;
use crate::moment::Moment;
use becivic_core::consensus::Policy;
use becivic_core::corpus::{Corpus, Path};
use becivic_core::log::{ENTRY_VERSION, Entry, Hash, What, canonical, content_digest, inputs_digest};
use becivic_core::vocabulary::Status;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Under what the thresholds are logged.
const POLICY: &str = "policy:consensus";

/// What happened.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// The standing before.
    pub before: &'a Standing,
    /// Whether there was one.
    pub was_there: bool,
    /// Status and version after; `None` when it is gone.
    pub to: Option<(Status, &'a str)>,
    /// Why.
    pub cause: &'a Cause,
    /// The digest of its content; of a row of the catalogue it is found.
    pub content: Option<Hash>,
}

/// Records it; says where.
pub fn record(tx: &mut dyn Tx, it: &Event<'_>, now: Moment) -> Result<i64, DbError> {
    let Event { before, was_there, to, cause, .. } = it;
    let target = (before.target_type.as_str(), before.target_id.as_str());
    let from = before.served().filter(|_| *was_there);
    let status = to.map(|(status, _)| status);
    let nonce = tx.kept().nonces.take().map_err(|_| DbError::Unavailable)?;
    let content = match it.content {
        Some(content) => Some(content),
        None if status.is_some() => content_of_row(tx, target)?,
        None => None,
    };
    // Of what is put away nothing is shown, and so nothing is digested.
    let content = content.filter(|_| status != Some(Status::Quarantined));
    let (artefact, day) = (before.artefact(), now.date());
    let inputs = was_there.then(|| inputs_digest(&nonce, &inputs(before)));
    let content = content.map(|content| content_digest(&nonce, &content));
    let entry = Entry {
        v: ENTRY_VERSION,
        artefact: artefact.as_str(),
        what: What::of(&cause.rule, from, status),
        from,
        to: status,
        version: to.map(|(_, version)| version).filter(|it| !it.is_empty()),
        rule: cause.rule.as_str(),
        numbers: &cause.numbers,
        policy: Some(cause.policy.as_str()).filter(|it| !it.is_empty()),
        day: day.as_str(),
        inputs: inputs.as_deref(),
        content: content.as_deref(),
    };
    let entry = entry.bytes();
    log_entries::append(tx, New { artefact, entry, nonce: Some(nonce) })
}

/// What the log says of an artefact last.
pub fn told(tx: &mut dyn Tx, artefact: &str) -> Result<Option<Entry>, DbError> {
    log_entries::latest(tx, artefact)?.map(|it| read(artefact, &it.entry)).transpose()
}

/// Reads the entry that is found by the name of an artefact. Nothing is appended to a log that was tampered with: what follows
/// would not fit what is there, and could never be taken back.
fn read(artefact: &str, entry: &[u8]) -> Result<Entry, DbError> {
    let broken = |why: String| {
        let which = format!("the latest entry of {artefact:?} in the transparency log");
        DbError::Defect(format!("{which} is broken: {why}; restore the database"))
    };
    let entry = Entry::read(entry).map_err(|error| broken(error.to_string()))?;
    if entry.artefact == artefact {
        Ok(entry)
    } else {
        Err(broken(format!("it is about {}", entry.artefact)))
    }
}

/// What a decision looked at, as text: the cohort, and the numbers of its standing in their order.
fn inputs(it: &Standing) -> Vec<u8> {
    let tally = &it.tally;
    let looked_at = (
        &it.cohort,
        [
            it.started_at.0,
            it.withheld.into(),
            it.base.0,
            it.base.1,
            tally.confirms,
            tally.rejects,
            tally.confirm_records,
            tally.reject_records,
            tally.voters,
            tally.rejecters,
            tally.flaggers,
            tally.carried_flaggers,
            tally.probe_confirms,
            tally.probe_rejects,
            tally.confirm_days,
        ],
    );
    let mut text = Vec::with_capacity(256);
    let _memory_takes_everything = serde_json::to_writer(&mut text, &looked_at);
    text
}

/// The digest of a row's content; nothing for what is no row.
fn content_of_row(tx: &mut dyn Tx, (target_type, uid): (&str, &str)) -> Result<Option<Hash>, DbError> {
    if catalogue::Prefix::of_type(target_type).is_none() {
        return Ok(None);
    }
    Ok(catalogue::said(tx, uid)?.map(content_of_entry))
}

/// The digest of what a row of the catalogue says.
pub fn content_of_entry(said: Map<String, Value>) -> Hash {
    Sha256::digest(canonical(&Value::Object(said))).into()
}

/// The digest of a skill's file.
pub fn content_of_skill(corpus: &Corpus, id: &str) -> Option<Hash> {
    corpus.skills.get(id).map(|skill| Sha256::digest(skill.source.text()).into())
}

/// The digest of a path's entry.
pub fn content_of_path(path: &Path) -> Hash {
    Sha256::digest(canonical(&serde_json::to_value(&path.entry).unwrap_or_default())).into()
}

/// Completes the log; says how many artefacts it did not tell the truth about. With a policy, it is that of whoever goes on to decide.
pub fn complete(db: &Db, live: &Live, policy: Option<&Policy>, now: Moment) -> anyhow::Result<usize> {
    // Contents are digested only where something is missing, and outside of the transaction.
    let (behind, gone) = db.write_now(|tx| behind(tx))?;
    let with_content = behind.into_iter().map(|(target_type, id)| {
        let content = begin::content(live, target_type, &id);
        (target_type, id, content)
    });
    let behind: Vec<(&'static str, String, Option<Hash>)> = with_content.collect();
    let policy = policy.cloned();
    Ok(db.write_now(move |tx| {
        log_entries::lock(tx)?;
        if let Some(policy) = &policy {
            follow_policy(tx, policy, now)?;
        }
        let mut count = 0;
        for (target_type, id, content) in &behind {
            if let Some(standing) = standings::find(tx, target_type, id)? {
                count += usize::from(put_right(tx, &standing, *content, now)?);
            }
        }
        for target in gone.iter().filter_map(|artefact| artefact.split_once(':')) {
            if standings::find(tx, target.0, target.1)?.is_none() {
                count += usize::from(put_away(tx, target, now)?);
            }
        }
        Ok(count)
    })?)
}

/// Writes the thresholds down that are decided under from here on, where they are others than before. Whoever decides does this
/// first: processes with different settings may take turns.
pub fn follow_policy(tx: &mut dyn Tx, policy: &Policy, now: Moment) -> Result<bool, DbError> {
    let version = policy.version();
    if told(tx, POLICY)?.is_some_and(|entry| entry.policy.as_ref() == Some(&version)) {
        return Ok(false);
    }
    let table = policy.rows().into_iter().map(|row| (row.name.to_owned(), Value::from(row.value)));
    let entry = Entry {
        v: ENTRY_VERSION,
        artefact: POLICY.to_owned(),
        what: What::Policy,
        from: None,
        to: None,
        version: None,
        rule: "policy".to_owned(),
        numbers: table.collect::<Map<_, _>>(),
        policy: Some(version),
        day: now.day().date(),
        inputs: None,
        content: None,
    };
    log_entries::append(tx, New { artefact: POLICY.to_owned(), entry: entry.bytes(), nonce: None })?;
    Ok(true)
}

/// Artefacts by type and id; and others by their names.
type Behind = (Vec<(&'static str, String)>, Vec<String>);

/// Artefacts that the log does not tell the truth about, and those it does not know to be gone.
fn behind(tx: &mut dyn Tx) -> Result<Behind, DbError> {
    let mut told = BTreeMap::new();
    for (artefact, entry) in log_entries::latest_of_each(tx)? {
        let entry = read(&artefact, &entry)?;
        told.insert(artefact, entry);
    }
    told.remove(POLICY);
    let mut behind = Vec::new();
    for target_type in ["skill", "path", "volatile_value", "reference"] {
        for (id, status, version, withheld) in standings::served(tx, target_type)? {
            let served = if withheld { Some(Status::Quarantined) } else { Status::named(&status) };
            let told = told.remove(&artefact(target_type, &id));
            if told.is_none_or(|entry| !says(&entry, served, &version)) {
                behind.push((target_type, id));
            }
        }
    }
    let gone = told.into_values().filter(|entry| entry.to.is_some());
    Ok((behind, gone.map(|entry| entry.artefact).collect()))
}

fn says(entry: &Entry, status: Option<Status>, version: &str) -> bool {
    entry.to == status && entry.version.as_deref().unwrap_or_default() == version
}

/// Lets the log say of an artefact what is so; says whether it said something else, or nothing.
pub fn put_right(
    tx: &mut dyn Tx,
    standing: &Standing,
    content: Option<Hash>,
    now: Moment,
) -> Result<bool, DbError> {
    let Some(status) = standing.served() else { return Ok(false) };
    let told = told(tx, &standing.artefact())?;
    if told.as_ref().is_some_and(|entry| says(entry, Some(status), &standing.version)) {
        return Ok(false);
    }
    let before = logged((&standing.target_type, &standing.target_id), told);
    let was_there = !before.status.is_empty();
    if was_there {
        tracing::warn!(
            artefact = standing.artefact(),
            "the log did not agree with what is served; it says so now"
        );
    }
    let cause = Cause::act(if was_there { "corrected_log" } else { "began" });
    let to = Some((status, standing.version.as_str()));
    record(tx, &Event { before: &before, was_there, to, cause: &cause, content }, now)?;
    Ok(true)
}

/// Lets the log say that an artefact is gone; says whether it did not.
fn put_away(tx: &mut dyn Tx, target: (&str, &str), now: Moment) -> Result<bool, DbError> {
    let before = logged(target, told(tx, &artefact(target.0, target.1))?);
    if before.status.is_empty() {
        return Ok(false);
    }
    let cause = Cause::act("corrected_log");
    record(tx, &Event { before: &before, was_there: true, to: None, cause: &cause, content: None }, now)?;
    Ok(true)
}

/// Records an entry of the catalogue that is new.
pub fn minted(tx: &mut dyn Tx, target: (&str, &str), now: Moment) -> Result<(), DbError> {
    let before = logged(target, None);
    let (to, cause) = (Some((Status::Alpha, "")), Cause::act("minted"));
    record(tx, &Event { before: &before, was_there: false, to, cause: &cause, content: None }, now).map(drop)
}

/// What the log says of an artefact, as a standing.
fn logged(target: (&str, &str), told: Option<Entry>) -> Standing {
    let (status, version) = told.map(|it| (it.to, it.version)).unwrap_or_default();
    let status = status.map_or("", Status::as_str);
    Standing::new(target, status, &version.unwrap_or_default(), String::new(), Moment(0))
}
