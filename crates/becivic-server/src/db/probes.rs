//! `source_tallies` and `standings`, as far as probes look at them: when each source was last asked, and which paths are
//! withheld.

use super::{DbError, Tx};
use crate::moment::Moment;

/// Every source that was ever asked, by path and source, and when.
pub fn looked_at(tx: &mut dyn Tx) -> Result<Vec<(String, String, Moment)>, DbError> {
    const SQL: &str = "SELECT path_id, source_id, probed_at FROM source_tallies WHERE probed_at IS NOT NULL";
    let rows = tx.query(SQL, &[])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?, Moment(row.int(2)?)))).collect()
}

/// Paths that are quarantined though their file does not say so yet.
pub fn withheld(tx: &mut dyn Tx) -> Result<Vec<String>, DbError> {
    const SQL: &str = "SELECT target_id FROM standings WHERE target_type = 'path' AND withheld = 1";
    tx.query(SQL, &[])?.iter().map(|row| row.text(0)).collect()
}

/// Notes that a source was asked, whatever came of it.
pub fn looked(tx: &mut dyn Tx, path_id: &str, source_id: &str, now: Moment) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO source_tallies (path_id, source_id, cohort, probed_at) VALUES ($1, $2, \
         COALESCE((SELECT cohort FROM standings WHERE target_type = 'path' AND target_id = $1), ''), $3) \
         ON CONFLICT (path_id, source_id) DO UPDATE SET probed_at = excluded.probed_at";
    tx.execute(SQL, &[path_id.into(), source_id.into(), now.0.into()]).map(drop)
}
