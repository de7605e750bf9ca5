//! Leaving staging: the row goes, the ledger keeps that its id was used and what became of it.

use crate::db::staged::Due;
use crate::db::{DbError, Tx, contributors, ledger, salts, staged};
use crate::moment::{DAY, Moment};
use crate::secrets::Bytes32;

/// How long the pair of a concern's sender is kept, in milliseconds (DECISIONS §6).
const PAIR_OF_A_CONCERN: i64 = 30 * DAY;

/// What an item leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Left<'a> {
    /// What it is called in public.
    pub uid: Option<&'a str>,
    /// Whether its sender can be recognised for 30 days more: not for what shares no key with anything.
    pub recognisable: bool,
    /// The artefact that its sender now has a part in, and a fresh key for that.
    pub wrote: Option<(&'a str, &'a str, Bytes32)>,
}

/// An item is committed.
pub fn committed(
    tx: &mut dyn Tx,
    due: &Due,
    digest: &Bytes32,
    left: &Left<'_>,
    now: Moment,
) -> Result<(), DbError> {
    let salt = salts::of_submission(tx, &due.id)?;
    if let (Some((target_type, target_id, key)), Some(salt)) = (&left.wrote, &salt) {
        let erase_at = (*target_type == "observation").then(|| now.day().plus(PAIR_OF_A_CONCERN));
        contributors::insert(tx, key, (*target_type, *target_id), (salt, &due.submitter_hash), erase_at)?;
    }
    let mut entry = ledger::Entry {
        kind: due.kind.clone(),
        state: "committed".to_owned(),
        day: now.day().0,
        uid: left.uid.map(str::to_owned),
        ..ledger::Entry::default()
    };
    if left.recognisable {
        entry.payload_digest = Some(due.payload_digest.clone());
        entry.submitter_hash = Some(due.submitter_hash.clone());
        entry.forget_at = Some(now.day().0 + ledger::REMEMBERED);
    }
    enter(tx, due, digest, &entry, salt.filter(|_| left.recognisable))
}

/// An item can never be committed: its text is erased at once.
pub fn rejected(
    tx: &mut dyn Tx,
    due: &Due,
    digest: &Bytes32,
    category: &str,
    now: Moment,
) -> Result<bool, DbError> {
    if !staged::lock(tx, &due.id)? {
        return Ok(false);
    }
    staged::take_from_public(tx, &due.id, category, now.day())?;
    let entry = ledger::Entry {
        kind: due.kind.clone(),
        state: "rejected".to_owned(),
        category: Some(category.to_owned()),
        day: now.day().0,
        payload_digest: Some(due.payload_digest.clone()),
        submitter_hash: Some(due.submitter_hash.clone()),
        forget_at: Some(now.day().0 + ledger::REMEMBERED),
        ..ledger::Entry::default()
    };
    let salt = salts::of_submission(tx, &due.id)?;
    enter(tx, due, digest, &entry, salt)?;
    Ok(true)
}

fn enter(
    tx: &mut dyn Tx,
    due: &Due,
    digest: &Bytes32,
    entry: &ledger::Entry,
    salt: Option<Vec<u8>>,
) -> Result<(), DbError> {
    ledger::insert(tx, digest, entry)?;
    if let Some(salt) = salt {
        salts::keep_ledger(tx, digest, &salt)?;
    }
    staged::remove(tx, &due.id).map(drop)
}
