//! `rates` and `global_minutes`: how much an address, and everybody, has sent. Reading a row locks it until the
//! transaction ends, so that counting is exact whoever else counts.

use super::{DbError, Tx};
use crate::moment::Moment;

/// What one address sent in a day, and in which minutes of the last hour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Rate {
    pub total: i64,
    pub validations: i64,
    pub flags: i64,
    pub rejections: i64,
    pub recent: Vec<u8>,
}

/// Locks and reads the counters of a hash, making them where they are missing. Where nobody else can write, reading is
/// enough. What is set to itself, for the lock's sake, stands in no index.
pub fn lock(tx: &mut dyn Tx, rate_hash: &[u8; 32], day: Moment) -> Result<Rate, DbError> {
    const LOCK: &str = "INSERT INTO rates (rate_hash, day, total, validations, flags, rejections, recent) \
         VALUES ($1, $2, 0, 0, 0, 0, $3) ON CONFLICT (rate_hash) DO UPDATE SET total = rates.total \
         RETURNING total, validations, flags, rejections, recent";
    const READ: &str = "SELECT total, validations, flags, rejections, recent FROM rates WHERE rate_hash = $1";
    let row = match tx.writes_alone() {
        true => tx.first(READ, &[rate_hash.into()])?,
        false => tx.first(LOCK, &[rate_hash.into(), day.0.into(), (&[] as &[u8]).into()])?,
    };
    let Some(row) = row else { return Ok(Rate::default()) };
    Ok(Rate {
        total: row.int(0)?,
        validations: row.int(1)?,
        flags: row.int(2)?,
        rejections: row.int(3)?,
        recent: row.bytes(4)?,
    })
}

/// Writes the counters back.
pub fn store(tx: &mut dyn Tx, rate_hash: &[u8; 32], day: Moment, rate: &Rate) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO rates (rate_hash, day, total, validations, flags, rejections, recent) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (rate_hash) DO UPDATE SET total = excluded.total, \
         validations = excluded.validations, flags = excluded.flags, rejections = excluded.rejections, \
         recent = excluded.recent";
    tx.execute(
        SQL,
        &[
            rate_hash.into(),
            day.0.into(),
            rate.total.into(),
            rate.validations.into(),
            rate.flags.into(),
            rate.rejections.into(),
            (&rate.recent).into(),
        ],
    )
    .map(drop)
}

/// The recent minutes of a hash of the day before, while that day still counts.
pub fn recent(tx: &mut dyn Tx, rate_hash: &[u8; 32]) -> Result<Vec<u8>, DbError> {
    let row = tx.first(RECENT, &[rate_hash.into()])?;
    row.map_or(Ok(Vec::new()), |row| row.bytes(0))
}

pub(super) const RECENT: &str = "SELECT recent FROM rates WHERE rate_hash = $1";

/// Takes `wanted` of what everybody may send in an hour; `None` when that is more than is left.
///
/// The row of minute zero is only a lock: whoever counts holds it.
pub fn take_global(tx: &mut dyn Tx, minute: i64, wanted: i64, limit: i64) -> Result<bool, DbError> {
    const LOCK: &str = "INSERT INTO global_minutes (minute, taken) VALUES (0, 0) \
         ON CONFLICT (minute) DO UPDATE SET taken = 0";
    const ADD: &str = "INSERT INTO global_minutes (minute, taken) VALUES ($1, $2) \
         ON CONFLICT (minute) DO UPDATE SET taken = global_minutes.taken + excluded.taken";
    tx.execute(LOCK, &[])?;
    let first = minute - crate::limits::WINDOW;
    let row = tx.first(TAKEN, &[first.into()])?;
    let taken = row.map_or(Ok(0), |row| row.int(0))?;
    if taken + wanted > limit {
        return Ok(false);
    }
    tx.execute(ADD, &[minute.into(), wanted.into()])?;
    tx.execute("DELETE FROM global_minutes WHERE minute > 0 AND minute < $1", &[first.into()])?;
    Ok(true)
}

pub(super) const TAKEN: &str =
    "SELECT CAST(COALESCE(SUM(taken), 0) AS BIGINT) FROM global_minutes WHERE minute >= $1";
