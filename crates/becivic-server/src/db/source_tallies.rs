//! `source_tallies`: what the verdicts on each source of a path say, in the path's cohort.

use super::{DbError, Row, Tx};
use crate::moment::Moment;
use becivic_core::consensus::SourceTally;

/// One source's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct OfSource {
    pub source_id: String,
    pub cohort: String,
    pub tally: SourceTally,
    pub last_confirm_day: Option<Moment>,
    pub last_user_confirm_day: Option<Moment>,
    pub probed_at: Option<Moment>,
    pub revalidate: bool,
}

impl OfSource {
    /// Its counts in a cohort: none where they are of another.
    pub fn in_cohort(&self, cohort: &str) -> SourceTally {
        if self.cohort == cohort { self.tally } else { SourceTally::default() }
    }
}

/// Every source of a path that somebody voted on or probed.
pub fn of_path(tx: &mut dyn Tx, path_id: &str) -> Result<Vec<OfSource>, DbError> {
    tx.query(OF_PATH, &[path_id.into()])?.iter().map(read).collect()
}

pub(super) const OF_PATH: &str = "SELECT source_id, cohort, confirms, rejects, confirm_records, reject_records, voters, \
     handoffs, probe_confirms, probe_rejects, last_confirm_day, last_user_confirm_day, probed_at, revalidate \
     FROM source_tallies WHERE path_id = $1";

/// One source.
pub fn find(tx: &mut dyn Tx, path_id: &str, source_id: &str) -> Result<Option<OfSource>, DbError> {
    tx.first(FIND, &[path_id.into(), source_id.into()])?.as_ref().map(read).transpose()
}

pub(super) const FIND: &str = "SELECT source_id, cohort, confirms, rejects, confirm_records, reject_records, voters, \
     handoffs, probe_confirms, probe_rejects, last_confirm_day, last_user_confirm_day, probed_at, revalidate \
     FROM source_tallies WHERE path_id = $1 AND source_id = $2";

/// Stores a source's, in the place of the one that is there; whoever does holds the path's standing.
pub fn store(tx: &mut dyn Tx, path_id: &str, it: &OfSource) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO source_tallies (path_id, source_id, cohort, confirms, rejects, confirm_records, \
         reject_records, voters, handoffs, probe_confirms, probe_rejects, last_confirm_day, last_user_confirm_day, \
         probed_at, revalidate) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) \
         ON CONFLICT (path_id, source_id) DO UPDATE SET cohort = excluded.cohort, confirms = excluded.confirms, \
         rejects = excluded.rejects, confirm_records = excluded.confirm_records, \
         reject_records = excluded.reject_records, voters = excluded.voters, handoffs = excluded.handoffs, \
         probe_confirms = excluded.probe_confirms, probe_rejects = excluded.probe_rejects, \
         last_confirm_day = excluded.last_confirm_day, last_user_confirm_day = excluded.last_user_confirm_day, \
         probed_at = excluded.probed_at, revalidate = excluded.revalidate";
    let (t, ms) = (&it.tally, |at: Option<Moment>| at.map(|at| at.0));
    tx.execute(
        SQL,
        &[
            path_id.into(),
            (&it.source_id).into(),
            (&it.cohort).into(),
            t.confirms.into(),
            t.rejects.into(),
            t.confirm_records.into(),
            t.reject_records.into(),
            t.voters.into(),
            t.handoffs.into(),
            t.probe_confirms.into(),
            t.probe_rejects.into(),
            ms(it.last_confirm_day).into(),
            ms(it.last_user_confirm_day).into(),
            ms(it.probed_at).into(),
            i64::from(it.revalidate).into(),
        ],
    )
    .map(drop)
}

/// Removes what is known of the sources of a path that is gone.
pub fn remove(tx: &mut dyn Tx, path_id: &str) -> Result<(), DbError> {
    tx.execute("DELETE FROM source_tallies WHERE path_id = $1", &[path_id.into()]).map(drop)
}

fn read(row: &Row) -> Result<OfSource, DbError> {
    Ok(OfSource {
        source_id: row.text(0)?,
        cohort: row.text(1)?,
        tally: SourceTally {
            confirms: row.int(2)?,
            rejects: row.int(3)?,
            confirm_records: row.int(4)?,
            reject_records: row.int(5)?,
            voters: row.int(6)?,
            handoffs: row.int(7)?,
            probe_confirms: row.int(8)?,
            probe_rejects: row.int(9)?,
        },
        last_confirm_day: row.maybe_int(10)?.map(Moment),
        last_user_confirm_day: row.maybe_int(11)?.map(Moment),
        probed_at: row.maybe_int(12)?.map(Moment),
        revalidate: row.int(13)? == 1,
    })
}
