//! `jobs`: which process does a job. A lease is renewed while the job runs, and ends by itself when its holder dies. It lasts for
//! seconds: one that ends much later was taken before the clock was set back, and counts no more.

use super::{DbError, Tx};
use crate::moment::{MINUTE, Moment};

/// Takes a job until a moment; false while somebody else has it.
pub fn take(tx: &mut dyn Tx, name: &str, holder: &str, now: Moment, until: Moment) -> Result<bool, DbError> {
    const MAKE: &str = "INSERT INTO jobs (name) VALUES ($1) ON CONFLICT (name) DO NOTHING";
    const TAKE: &str = "UPDATE jobs SET holder = $1, held_until = $2 \
         WHERE name = $3 AND (holder IS NULL OR holder = $1 OR held_until < $4 OR held_until > $5)";
    tx.execute(MAKE, &[name.into()])?;
    Ok(tx.execute(
        TAKE,
        &[holder.into(), until.0.into(), name.into(), now.0.into(), now.plus(MINUTE).0.into()],
    )? == 1)
}

/// Gives a job back, noting how it ended.
pub fn give_back(
    tx: &mut dyn Tx,
    name: &str,
    holder: &str,
    now: Moment,
    outcome: &str,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET holder = NULL, held_until = NULL, ended_at = $1, outcome = $2 \
         WHERE name = $3 AND holder = $4";
    tx.execute(SQL, &[now.0.into(), outcome.into(), name.into(), holder.into()]).map(drop)
}

/// Lets a job run at the next look: somebody waits for what it does.
pub fn hurry(tx: &mut dyn Tx, name: &str) -> Result<(), DbError> {
    tx.execute("UPDATE jobs SET ended_at = NULL WHERE name = $1 AND holder IS NULL", &[name.into()]).map(drop)
}

/// Whether a job should run: nobody has it and it ended long enough ago, or whoever had it has died.
pub fn is_due(tx: &mut dyn Tx, name: &str, every: i64, now: Moment) -> Result<bool, DbError> {
    const SQL: &str = "SELECT holder, held_until, ended_at FROM jobs WHERE name = $1";
    let Some(row) = tx.first(SQL, &[name.into()])? else { return Ok(true) };
    let (holder, held_until, ended_at) = (row.maybe_text(0)?, row.maybe_int(1)?, row.maybe_int(2)?);
    Ok(match holder {
        Some(_) => held_until.is_none_or(|until| until < now.0 || is_ahead(until, now)),
        // A job that ended later than now is no reason to wait until then: the clock was set back.
        None => ended_at.is_none_or(|ended| now.0 >= ended.saturating_add(every) || is_ahead(ended, now)),
    })
}

/// Whether a job ended at a time that is yet to come: the clock was set back since.
pub fn ended_ahead(tx: &mut dyn Tx, name: &str, now: Moment) -> Result<bool, DbError> {
    let row = tx.first("SELECT ended_at FROM jobs WHERE name = $1", &[name.into()])?;
    let ended = row.map(|row| row.maybe_int(0)).transpose()?.flatten();
    Ok(ended.is_some_and(|ended| is_ahead(ended, now)))
}

/// The clocks of two machines may differ by some seconds.
fn is_ahead(at: i64, now: Moment) -> bool {
    at > now.plus(MINUTE).0
}
