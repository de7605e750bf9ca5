//! Verdicts that wait for a person. A verdict is kept with its words and counts from its release on; of a flag only the words
//! wait (DECISIONS §5).

use super::states::Wanted;
use crate::consensus::land;
use crate::consensus::{self, follow};
use crate::db::votes::{self, held};
use crate::db::{DbError, Tx, concerns, ledger, salts, staged, standings};
use crate::moment::Moment;
use crate::secrets::Bytes32;
use becivic_core::consensus::Verdict;
use becivic_core::submission::{Kind, Submission, TargetType};

/// Lets a verdict that was held at the door count, and its words be read by maintainers; false when it is not held.
pub fn release(
    tx: &mut dyn Tx,
    id: &str,
    digest: &Bytes32,
    wanted: Wanted,
    now: Moment,
) -> Result<bool, DbError> {
    let Some(kept) = staged::held_vote(tx, id)? else { return Ok(false) };
    let value = serde_json::from_str(&kept.payload).ok();
    if let Some(Submission::Validation(it)) =
        value.and_then(|value| Submission::read(Kind::Validation, &value).ok())
    {
        let words = (it.rationale.as_deref(), it.injection_reason.as_deref());
        held::say(tx, &kept.vote_key, words, it.session_id.as_deref())?;
    }
    count(tx, &kept.vote_key, now)?;
    let entry = ledger::Entry {
        kind: Kind::Validation.as_str().to_owned(),
        state: wanted.as_str().to_owned(),
        day: now.day().0,
        payload_digest: Some(kept.payload_digest),
        submitter_hash: kept.submitter_hash,
        uid: Some(kept.vote_key.iter().map(|byte| format!("{byte:02x}")).collect()),
        forget_at: Some(now.day().0 + ledger::REMEMBERED),
        ..ledger::Entry::default()
    };
    enter(tx, id, digest, &entry, None)?;
    staged::remove(tx, id)
}

/// Enters what became of a verdict, with what its sender is recognised by. A flag was entered when it took effect; of it, what became
/// of its words is noted.
fn enter(
    tx: &mut dyn Tx,
    id: &str,
    digest: &Bytes32,
    entry: &ledger::Entry,
    words: Option<&str>,
) -> Result<(), DbError> {
    if !ledger::insert(tx, digest, entry)? {
        ledger::note_words(tx, digest, words)?;
        return ledger::set_state(tx, digest, &entry.state).map(drop);
    }
    match salts::of_submission(tx, id)? {
        Some(salt) => salts::keep_ledger(tx, digest, &salt),
        None => Ok(()),
    }
}

/// Throws a verdict away that was held at the door.
pub fn discard(tx: &mut dyn Tx, id: &str, digest: &Bytes32, now: Moment) -> Result<(), DbError> {
    let mut entry = ledger::Entry {
        kind: Kind::Validation.as_str().to_owned(),
        state: Wanted::Discarded.as_str().to_owned(),
        day: now.day().0,
        forget_at: Some(now.day().0 + ledger::REMEMBERED),
        ..ledger::Entry::default()
    };
    if let Some(kept) = staged::held_vote(tx, id)? {
        held::discard(tx, &kept.vote_key)?;
        (entry.payload_digest, entry.submitter_hash) = (Some(kept.payload_digest), kept.submitter_hash);
    }
    enter(tx, id, digest, &entry, Some(ledger::WORDS_DISCARDED))?;
    staged::remove(tx, id).map(drop)
}

/// Moves a verdict that has counted: `uid` is its key in hexadecimal digits.
pub fn moved(tx: &mut dyn Tx, uid: &str, wanted: Wanted, now: Moment) -> Result<(), DbError> {
    let Some(key) = key(uid) else { return Ok(()) };
    match wanted {
        Wanted::Held => stop(tx, &key),
        Wanted::Released | Wanted::ReleasedAfterEdit => count(tx, &key, now),
        Wanted::Discarded => held::discard(tx, &key),
    }
}

/// A verdict that is held counts as if it had landed now: its voter may have voted again meanwhile, and is one and the same.
fn count(tx: &mut dyn Tx, key: &Bytes32, now: Moment) -> Result<(), DbError> {
    let Some(vote) = land::let_count(tx, key, now)? else { return Ok(()) };
    if vote.target_type == TargetType::Observation.as_str() && vote.weight > 0 {
        concerns::vote(tx, &vote.target_id, vote.ballot.verdict == Verdict::Confirm)?;
    }
    Ok(())
}

/// A verdict does not count any more, nor does its cohort know of it.
fn stop(tx: &mut dyn Tx, key: &Bytes32) -> Result<(), DbError> {
    let Some(votes::Moved { row, artefact, cohort, weight }) = votes::stop_counting(tx, key)? else {
        return Ok(());
    };
    let (target_type, target_id) = artefact.split_once(':').unwrap_or_default();
    if target_type == TargetType::Observation.as_str() && weight > 0 {
        concerns::take_vote_back(tx, target_id, row.ballot.verdict == Verdict::Confirm)?;
    }
    let standing = standings::lock(tx, target_type, target_id)?.filter(|it| it.cohort == cohort);
    let Some(mut standing) = standing else { return Ok(()) };
    consensus::heal(tx, &mut standing)?;
    follow::recount_sources(tx, &standing)?;
    standings::count(tx, &standing)?;
    standings::look_at(tx, target_type, target_id, Some(Moment(0)))
}

fn key(uid: &str) -> Option<Bytes32> {
    let bytes: Option<Vec<u8>> =
        (0..uid.len() / 2).map(|at| u8::from_str_radix(uid.get(2 * at..2 * at + 2)?, 16).ok()).collect();
    bytes?.try_into().ok()
}
