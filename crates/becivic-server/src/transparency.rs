//! The transparency log, in the transaction of what it tells (`becivic_core::log`).
//!
//! 1. Every change of an artefact is recorded ([`record`]): what it was and is, by which rule and numbers, and digests of what was
//!    looked at and of the content, under a fresh nonce that is kept beside the entry.
//!    Where the entry stands is kept with the artefact's standing ([`Recorded`]).
//! 2. At the start the log is checked, as far as that is quick (`transparency/end.rs`), and completed (`transparency/complete.rs`): what it has not met yet begins, what does not agree is put right
//!    and told, and thresholds that are new are written down.
//! 3. A checkpoint is signed when somebody asks for it (`transparency/key.rs`): the same log gives the same bytes.
//! 4. An artefact's latest entry travels with a proof that never changes (`transparency/proved.rs`).

pub mod complete;
pub mod end;
pub mod key;
pub mod proved;
pub mod stored;

pub use complete::{complete, put_right};

use crate::consensus::Cause;
use crate::db::catalogue;
use crate::db::log_entries::{self, New};
use crate::db::standings::{self, Standing};
use crate::db::{DbError, Tx};
use crate::moment::Moment;
use becivic_core::consensus::Policy;
use becivic_core::corpus::{Corpus, Path};
use becivic_core::log::{ENTRY_VERSION, Entry, Hash, What, canonical, content_digest, inputs_digest};
use becivic_core::vocabulary::Status;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

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

/// An entry that was written. It is found by the standing of its artefact, and so has to be kept with it.
#[must_use = "the standing has to name it"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded(i64);

impl Recorded {
    /// Its place in the log.
    pub fn position(self) -> i64 {
        self.0
    }

    /// Keeps it with a standing that is about to be stored.
    pub fn name_in(self, standing: &mut Standing) {
        standing.log_position = Some(self.0);
    }

    /// Keeps it with a standing that is stored already.
    pub fn keep(self, tx: &mut dyn Tx, target: (&str, &str)) -> Result<(), DbError> {
        standings::logged(tx, target, self.0)
    }

    /// Its artefact is gone, and so is the standing.
    pub fn is_the_last(self) {}
}

/// Records it.
pub fn record(tx: &mut dyn Tx, it: &Event<'_>, now: Moment) -> Result<Recorded, DbError> {
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
    let edge_of = Some(artefact).filter(|_| from.is_none() || status.is_none());
    log_entries::append(tx, New { edge_of, entry, nonce: Some(nonce) }).map(Recorded)
}

/// What the log says of an artefact last.
pub fn told(tx: &mut dyn Tx, artefact: &str) -> Result<Option<Entry>, DbError> {
    let latest = match artefact.split_once(':') {
        Some(target) => log_entries::latest(tx, target)?,
        None => None,
    };
    let latest = match latest {
        Some(latest) => Some(latest),
        None => log_entries::edge(tx, artefact)?,
    };
    latest.map(|it| read(artefact, &it.entry)).transpose()
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

/// Writes the thresholds down that are decided under from here on, where they are others than before. Whoever decides does this
/// first: processes with different settings may take turns.
pub fn follow_policy(tx: &mut dyn Tx, policy: &Policy, now: Moment) -> Result<bool, DbError> {
    let version = policy.version();
    let before = told(tx, POLICY)?;
    if before.as_ref().is_some_and(|entry| entry.policy.as_ref() == Some(&version)) {
        return Ok(false);
    }
    if before.is_some() {
        tracing::warn!(
            policy = version,
            "the thresholds are others than before; the log says so from here on"
        );
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
    log_entries::append(tx, New { edge_of: Some(POLICY.to_owned()), entry: entry.bytes(), nonce: None })?;
    Ok(true)
}

/// Records an entry of the catalogue that is new.
pub fn minted(tx: &mut dyn Tx, target: (&str, &str), now: Moment) -> Result<(), DbError> {
    let before = logged(target, None);
    let (to, cause) = (Some((Status::Alpha, "")), Cause::act("minted"));
    let event = Event { before: &before, was_there: false, to, cause: &cause, content: None };
    record(tx, &event, now)?.keep(tx, target)
}

/// What the log says of an artefact, as a standing.
fn logged(target: (&str, &str), told: Option<Entry>) -> Standing {
    let (status, version) = told.map(|it| (it.to, it.version)).unwrap_or_default();
    let status = status.map_or("", Status::as_str);
    Standing::new(target, status, &version.unwrap_or_default(), String::new(), Moment(0))
}
