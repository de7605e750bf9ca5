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
use crate::db::log_entries::{self, Head, New};
use crate::db::standings::{self, Standing};
use crate::db::{Db, DbError, Tx};
use crate::live::Live;
use crate::moment::{DAY, Moment};
use becivic_core::consensus::Policy;
use becivic_core::corpus::{Corpus, Path};
use becivic_core::log::{ENTRY_VERSION, Entry, Hash, What, canonical, content_digest, inputs_digest};
use becivic_core::vocabulary::Status;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Under what the thresholds are logged.
const POLICY: (&str, &str) = ("policy", "consensus");

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
    let version = to.map_or("", |(_, version)| version);
    let entry = Entry {
        v: ENTRY_VERSION,
        artefact: before.artefact(),
        what: What::of(&cause.rule, from, status),
        from,
        to: status,
        version: Some(version.to_owned()).filter(|it| !it.is_empty()),
        rule: cause.rule.clone(),
        numbers: public_numbers(cause.numbers.clone()),
        policy: Some(cause.policy.clone()).filter(|it| !it.is_empty()),
        day: now.day().date(),
        inputs: was_there.then(|| inputs_digest(&nonce, &inputs(before))),
        // Of what is put away nothing is shown, and so nothing is digested.
        content: content
            .filter(|_| status != Some(Status::Quarantined))
            .map(|content| content_digest(&nonce, &content)),
    };
    let status = status.map_or("", Status::as_str);
    log_entries::append(tx, &New { target, status, version, entry: &entry.bytes(), nonce: Some(&nonce) })
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
    serde_json::to_vec(&looked_at).unwrap_or_default()
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

/// The numbers as they are published: measured spans in whole days, since a finer one would tell at which minute a cohort began.
pub fn public_numbers(mut numbers: Map<String, Value>) -> Map<String, Value> {
    for (_, value) in numbers.iter_mut().filter(|(name, _)| name.ends_with("_ms")) {
        if let Some(span) = value.as_i64() {
            *value = json!(span.div_euclid(DAY) * DAY);
        }
    }
    numbers
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
        for (target_type, id) in &gone {
            if standings::find(tx, target_type, id)?.is_none() {
                count += usize::from(put_away(tx, (target_type, id), now)?);
            }
        }
        Ok(count)
    })?)
}

/// Writes the thresholds down that are decided under from here on, where they are others than before. Whoever decides does this
/// first: processes with different settings may take turns.
pub fn follow_policy(tx: &mut dyn Tx, policy: &Policy, now: Moment) -> Result<bool, DbError> {
    let version = policy.version();
    if log_entries::head(tx, POLICY.0, POLICY.1)?.is_some_and(|head| head.version == version) {
        return Ok(false);
    }
    let table = policy.rows().into_iter().map(|row| (row.name.to_owned(), Value::from(row.value)));
    let entry = Entry {
        v: ENTRY_VERSION,
        artefact: format!("{}:{}", POLICY.0, POLICY.1),
        what: What::Policy,
        from: None,
        to: None,
        version: None,
        rule: "policy".to_owned(),
        numbers: table.collect(),
        policy: Some(version.clone()),
        day: now.day().date(),
        inputs: None,
        content: None,
    };
    let new = New { target: POLICY, status: "", version: &version, entry: &entry.bytes(), nonce: None };
    log_entries::append(tx, &new)?;
    Ok(true)
}

type Behind = (Vec<(&'static str, String)>, Vec<(String, String)>);

/// Artefacts that the log does not tell the truth about, and those it does not know to be gone.
fn behind(tx: &mut dyn Tx) -> Result<Behind, DbError> {
    let heads = log_entries::heads(tx)?.into_iter().filter(|it| it.target_type != POLICY.0);
    let mut heads: BTreeMap<(String, String), (String, String)> =
        heads.map(|it| ((it.target_type, it.target_id), (it.status, it.version))).collect();
    let mut behind = Vec::new();
    for target_type in ["skill", "path", "volatile_value", "reference"] {
        for (id, status, version, withheld) in standings::served(tx, target_type)? {
            let served = if withheld { Status::Quarantined.as_str() } else { &status };
            let head = heads.remove(&(target_type.to_owned(), id.clone()));
            if head.is_none_or(|(logged, at)| logged != served || at != version) {
                behind.push((target_type, id));
            }
        }
    }
    let gone = heads.into_iter().filter(|(_, (status, _))| !status.is_empty());
    Ok((behind, gone.map(|(target, _)| target).collect()))
}

/// Lets the log say of an artefact what is so; says whether it said something else, or nothing.
pub fn put_right(
    tx: &mut dyn Tx,
    standing: &Standing,
    content: Option<Hash>,
    now: Moment,
) -> Result<bool, DbError> {
    let Some(status) = standing.served() else { return Ok(false) };
    let head = log_entries::head(tx, &standing.target_type, &standing.target_id)?;
    let agrees = |it: &Head| it.status == status.as_str() && it.version == standing.version;
    if head.as_ref().is_some_and(agrees) {
        return Ok(false);
    }
    let before = logged(&standing.target_type, &standing.target_id, head);
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
fn put_away(tx: &mut dyn Tx, (target_type, id): (&str, &str), now: Moment) -> Result<bool, DbError> {
    let before = logged(target_type, id, log_entries::head(tx, target_type, id)?);
    if before.status.is_empty() {
        return Ok(false);
    }
    let cause = Cause::act("corrected_log");
    record(tx, &Event { before: &before, was_there: true, to: None, cause: &cause, content: None }, now)?;
    Ok(true)
}

/// Records an entry of the catalogue that is new.
pub fn minted(tx: &mut dyn Tx, (target_type, uid): (&str, &str), now: Moment) -> Result<(), DbError> {
    let before = logged(target_type, uid, None);
    let (to, cause) = (Some((Status::Alpha, "")), Cause::act("minted"));
    record(tx, &Event { before: &before, was_there: false, to, cause: &cause, content: None }, now).map(drop)
}

/// What the log says of an artefact, as a standing.
fn logged(target_type: &str, id: &str, head: Option<Head>) -> Standing {
    let (status, version) = head.map(|it| (it.status, it.version)).unwrap_or_default();
    Standing::new((target_type, id), &status, &version, String::new(), Moment(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_spans_are_whole_days_and_thresholds_stay() {
        let numbers =
            json!({"confirms": 3, "age_ms": 180_000_123, "age_ms_needed": 172_800_000, "rate": 0.9});
        let shown = public_numbers(numbers.as_object().cloned().expect("an object"));
        let expected = json!({"confirms": 3, "age_ms": 2 * DAY, "age_ms_needed": 172_800_000, "rate": 0.9});
        assert_eq!(Value::Object(shown), expected);
    }
}
