//! `ledger`: every submission that has left staging, by a digest of its id. An id is used once, for ever; who sent it and
//! what it said are forgotten after 30 days.

use super::{DbError, Row, Tx};
use crate::moment::{DAY, Moment};

/// How long a committed submission is recognised as its sender's own, in milliseconds.
pub const REMEMBERED: i64 = 30 * DAY;

/// An entry.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)] // the columns
pub struct Entry {
    pub kind: String,
    pub state: String,
    pub day: i64,
    pub payload_digest: Option<Vec<u8>>,
    pub submitter_hash: Option<Vec<u8>>,
    pub uid: Option<String>,
    pub target_type: Option<String>,
    pub target_id: Option<String>,
    pub category: Option<String>,
    pub forget_at: Option<i64>,
}

/// Enters a submission; false when its id was used before.
pub fn insert(tx: &mut dyn Tx, digest: &[u8; 32], entry: &Entry) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO ledger (digest, kind, state, day, payload_digest, submitter_hash, uid, target_type, \
         target_id, category, forget_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (digest) DO NOTHING";
    let changed = tx.execute(
        SQL,
        &[
            digest.into(),
            (&entry.kind).into(),
            (&entry.state).into(),
            entry.day.into(),
            entry.payload_digest.as_ref().into(),
            entry.submitter_hash.as_ref().into(),
            entry.uid.as_ref().into(),
            entry.target_type.as_ref().into(),
            entry.target_id.as_ref().into(),
            entry.category.as_ref().into(),
            entry.forget_at.into(),
        ],
    )?;
    Ok(changed == 1)
}

/// The entry of an id's digest.
pub fn find(tx: &mut dyn Tx, digest: &[u8; 32]) -> Result<Option<Entry>, DbError> {
    tx.first(FIND, &[digest.into()])?.as_ref().map(entry).transpose()
}

pub(super) const FIND: &str = "SELECT kind, state, day, payload_digest, submitter_hash, uid, target_type, target_id, \
     category, forget_at FROM ledger WHERE digest = $1";

fn entry(row: &Row) -> Result<Entry, DbError> {
    Ok(Entry {
        kind: row.text(0)?,
        state: row.text(1)?,
        day: row.int(2)?,
        payload_digest: row.maybe_bytes(3)?,
        submitter_hash: row.maybe_bytes(4)?,
        uid: row.maybe_text(5)?,
        target_type: row.maybe_text(6)?,
        target_id: row.maybe_text(7)?,
        category: row.maybe_text(8)?,
        forget_at: row.maybe_int(9)?,
    })
}

/// Notes another state.
pub fn set_state(tx: &mut dyn Tx, digest: &[u8; 32], state: &str) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE ledger SET state = $1 WHERE digest = $2";
    Ok(tx.execute(SQL, &[state.into(), digest.into()])? == 1)
}

/// What the ledger says of the words of a flag, in its category: they wait for a person.
pub const WORDS_HELD: &str = "words_held";

/// The same: a person has thrown them away.
pub const WORDS_DISCARDED: &str = "words_discarded";

/// Notes what became of the words of a flag.
pub fn note_words(tx: &mut dyn Tx, digest: &[u8; 32], category: Option<&str>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE ledger SET category = $1 WHERE digest = $2";
    tx.execute(SQL, &[category.into(), digest.into()]).map(drop)
}

/// What is noted of the words of the verdict with this key.
pub fn words_of(tx: &mut dyn Tx, vote_key: &[u8]) -> Result<Option<String>, DbError> {
    let uid: String = vote_key.iter().map(|byte| format!("{byte:02x}")).collect();
    tx.first(WORDS_OF, &[(&uid).into()])?.map_or(Ok(None), |row| row.maybe_text(0))
}

pub(super) const WORDS_OF: &str = "SELECT category FROM ledger WHERE uid = $1";

/// Forgets who sent a submission and what it said; its id stays used.
pub fn forget(tx: &mut dyn Tx, digest: &[u8; 32]) -> Result<(), DbError> {
    tx.execute(FORGET, &[digest.into()])?;
    tx.execute("DELETE FROM ledger_salts WHERE digest = $1", &[digest.into()]).map(drop)
}

const FORGET: &str =
    "UPDATE ledger SET payload_digest = NULL, submitter_hash = NULL, forget_at = NULL WHERE digest = $1";

/// Forgets senders and contents whose time has come; the ids stay used.
pub fn forget_due(tx: &mut dyn Tx, now: Moment) -> Result<u64, DbError> {
    let rows = tx.query(DUE, &[now.0.into()])?;
    for row in &rows {
        let digest = row.bytes(0)?;
        tx.execute(FORGET, &[(&digest).into()])?;
        tx.execute("DELETE FROM ledger_salts WHERE digest = $1", &[(&digest).into()])?;
    }
    Ok(rows.len() as u64)
}

pub(super) const DUE: &str =
    "SELECT digest FROM ledger WHERE forget_at IS NOT NULL AND forget_at <= $1 ORDER BY forget_at LIMIT 1000";
