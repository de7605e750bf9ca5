//! `artefact_contributors`: who wrote the current text of an artefact, as pairs of salt and hash. Each pair is compared
//! with a voter's address; none of them says who it was.

use super::{DbError, Tx};
use crate::moment::Moment;

/// A salt and the hash under it.
pub type Pair = (Vec<u8>, Vec<u8>);

/// Notes a contributor; the pair is erased at `erase_at`, or with the artefact's cohort.
pub fn insert(
    tx: &mut dyn Tx,
    pair_key: &[u8; 32],
    (target_type, target_id): (&str, &str),
    (salt, submitter_hash): (&[u8], &[u8]),
    erase_at: Option<Moment>,
) -> Result<(), DbError> {
    const PAIR: &str = "INSERT INTO artefact_contributors (pair_key, target_type, target_id, submitter_hash, erase_at) \
         VALUES ($1, $2, $3, $4, $5)";
    let params = [
        pair_key.into(),
        target_type.into(),
        target_id.into(),
        submitter_hash.into(),
        erase_at.map(|it| it.0).into(),
    ];
    tx.execute(PAIR, &params)?;
    const SALT: &str = "INSERT INTO contributor_salts (pair_key, salt) VALUES ($1, $2)";
    tx.execute(SALT, &[pair_key.into(), salt.into()]).map(drop)
}

/// The pairs of an artefact.
pub fn of(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<Vec<Pair>, DbError> {
    let rows = tx.query(OF, &[target_type.into(), target_id.into()])?;
    rows.iter().map(|row| Ok((row.bytes(0)?, row.bytes(1)?))).collect()
}

pub(super) const OF: &str = "SELECT s.salt, c.submitter_hash FROM artefact_contributors c \
     JOIN contributor_salts s ON s.pair_key = c.pair_key WHERE c.target_type = $1 AND c.target_id = $2";

/// Erases the pairs of an artefact.
pub fn erase(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<u64, DbError> {
    const SALTS: &str = "DELETE FROM contributor_salts WHERE pair_key IN \
         (SELECT pair_key FROM artefact_contributors WHERE target_type = $1 AND target_id = $2)";
    const PAIRS: &str = "DELETE FROM artefact_contributors WHERE target_type = $1 AND target_id = $2";
    tx.execute(SALTS, &[target_type.into(), target_id.into()])?;
    tx.execute(PAIRS, &[target_type.into(), target_id.into()])
}

/// Erases pairs whose time has come.
pub fn erase_due(tx: &mut dyn Tx, now: Moment) -> Result<u64, DbError> {
    let rows = tx.query(DUE, &[now.0.into()])?;
    for row in &rows {
        let key = row.bytes(0)?;
        tx.execute("DELETE FROM contributor_salts WHERE pair_key = $1", &[(&key).into()])?;
        tx.execute("DELETE FROM artefact_contributors WHERE pair_key = $1", &[(&key).into()])?;
    }
    Ok(rows.len() as u64)
}

pub(super) const DUE: &str = "SELECT pair_key FROM artefact_contributors \
     WHERE erase_at IS NOT NULL AND erase_at <= $1 ORDER BY erase_at LIMIT 1000";
