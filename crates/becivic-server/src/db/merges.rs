//! `merges`: which artefacts were changed by amendments lately, so that nobody changes one again and again (DECISIONS §5).

use super::{DbError, Tx};
use crate::moment::Moment;

/// A merge of an amendment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Merge {
    pub cohort: String,
    pub author_hash: Option<Vec<u8>>,
    pub merged_at: Moment,
}

/// Notes a merge.
pub fn insert(
    tx: &mut dyn Tx,
    merge_key: &[u8; 32],
    (target_type, target_id): (&str, &str),
    merge: &Merge,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO merges (merge_key, target_type, target_id, cohort, author_hash, merged_at) \
         VALUES ($1, $2, $3, $4, $5, $6)";
    let params = [
        merge_key.into(),
        target_type.into(),
        target_id.into(),
        (&merge.cohort).into(),
        merge.author_hash.as_ref().into(),
        merge.merged_at.0.into(),
    ];
    tx.execute(SQL, &params).map(drop)
}

/// The merges of an artefact that are remembered, oldest first.
pub fn of(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<Vec<Merge>, DbError> {
    let rows = tx.query(OF, &[target_type.into(), target_id.into()])?;
    let read = |row: &super::Row| {
        let (cohort, author_hash) = (row.text(0)?, row.maybe_bytes(1)?);
        Ok(Merge { cohort, author_hash, merged_at: Moment(row.int(2)?) })
    };
    rows.iter().map(read).collect()
}

pub(super) const OF: &str = "SELECT cohort, author_hash, merged_at FROM merges \
     WHERE target_type = $1 AND target_id = $2 ORDER BY merged_at LIMIT 1000";

/// Forgets the merges of an artefact: its votes begin anew.
pub fn forget(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM merges WHERE target_type = $1 AND target_id = $2";
    tx.execute(SQL, &[target_type.into(), target_id.into()]).map(drop)
}
