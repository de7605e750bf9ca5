//! The four kinds of salt (DECISIONS §6), in fleeting tables.

use super::{DbError, Tx};
use crate::moment::Moment;

/// The salt of a UTC day, made where it is missing. Whoever comes second gets the first one's.
pub fn of_day(tx: &mut dyn Tx, day: Moment, fresh: &[u8; 32]) -> Result<Vec<u8>, DbError> {
    tx.execute(
        "INSERT INTO day_salts (day, salt) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING",
        &[day.0.into(), fresh.into()],
    )?;
    found_day(tx, day)?.ok_or_else(missing)
}

/// The salt of a UTC day, if it is still there.
pub fn found_day(tx: &mut dyn Tx, day: Moment) -> Result<Option<Vec<u8>>, DbError> {
    tx.first("SELECT salt FROM day_salts WHERE day = $1", &[day.0.into()])?
        .map(|row| row.bytes(0))
        .transpose()
}

/// Removes the salts, and with them the counters, of days before this one.
pub fn forget_days_before(tx: &mut dyn Tx, day: Moment) -> Result<u64, DbError> {
    let salts = tx.execute("DELETE FROM day_salts WHERE day < $1", &[day.0.into()])?;
    tx.execute("DELETE FROM rates WHERE day < $1", &[day.0.into()])?;
    Ok(salts)
}

/// Keeps the salt of a staged submission.
pub fn keep_submission(tx: &mut dyn Tx, id: &str, salt: &[u8; 32]) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO submission_salts (id, salt) VALUES ($1, $2) \
         ON CONFLICT (id) DO UPDATE SET salt = excluded.salt";
    tx.execute(SQL, &[id.into(), salt.into()]).map(drop)
}

/// The salt of a staged submission.
pub fn of_submission(tx: &mut dyn Tx, id: &str) -> Result<Option<Vec<u8>>, DbError> {
    tx.first(OF_SUBMISSION, &[id.into()])?.map(|row| row.bytes(0)).transpose()
}

pub(super) const OF_SUBMISSION: &str = "SELECT salt FROM submission_salts WHERE id = $1";

/// Erases the salt of a submission.
pub fn forget_submission(tx: &mut dyn Tx, id: &str) -> Result<(), DbError> {
    tx.execute("DELETE FROM submission_salts WHERE id = $1", &[id.into()]).map(drop)
}

/// Keeps the salt of a submission that has left staging.
pub fn keep_ledger(tx: &mut dyn Tx, digest: &[u8; 32], salt: &[u8]) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO ledger_salts (digest, salt) VALUES ($1, $2) \
         ON CONFLICT (digest) DO UPDATE SET salt = excluded.salt";
    tx.execute(SQL, &[digest.into(), salt.into()]).map(drop)
}

/// The salt of a submission that has left staging.
pub fn of_ledger(tx: &mut dyn Tx, digest: &[u8; 32]) -> Result<Option<Vec<u8>>, DbError> {
    const SQL: &str = "SELECT salt FROM ledger_salts WHERE digest = $1";
    tx.first(SQL, &[digest.into()])?.map(|row| row.bytes(0)).transpose()
}

/// The salt of a cohort's votes, made where it is missing; and whether it was.
pub fn of_cohort(
    tx: &mut dyn Tx,
    target_type: &str,
    target_id: &str,
    cohort: &str,
    fresh: &[u8; 32],
    now: Moment,
) -> Result<(Vec<u8>, bool), DbError> {
    const MAKE: &str = "INSERT INTO vote_salts (target_type, target_id, cohort, salt, made_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (target_type, target_id, cohort) DO NOTHING";
    const FIND: &str =
        "SELECT salt FROM vote_salts WHERE target_type = $1 AND target_id = $2 AND cohort = $3";
    let key = [target_type.into(), target_id.into(), cohort.into()];
    if let Some(found) = tx.first(FIND, &key)? {
        return Ok((found.bytes(0)?, false));
    }
    let made = now.day().0;
    tx.execute(MAKE, &[target_type.into(), target_id.into(), cohort.into(), fresh.into(), made.into()])?;
    Ok((tx.first(FIND, &key)?.ok_or_else(missing)?.bytes(0)?, true))
}

/// Lets a cohort go on with the salt of the one before it: what was carried over is still its voters'.
pub fn hand_on(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    from: &str,
    to: &str,
) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE vote_salts SET cohort = $1 WHERE target_type = $2 AND target_id = $3 AND cohort = $4";
    tx.execute(SQL, &[to.into(), target_type.into(), target_id.into(), from.into()]).map(drop)
}

/// Erases the salts of an artefact's cohorts but for the one that goes on and the one of its version line, under which
/// senders of amendments are told apart.
pub fn forget_cohorts(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    but: &str,
    line: &str,
) -> Result<(), DbError> {
    const SQL: &str =
        "DELETE FROM vote_salts WHERE target_type = $1 AND target_id = $2 AND cohort <> $3 AND cohort <> $4";
    tx.execute(SQL, &[target_type.into(), target_id.into(), but.into(), line.into()]).map(drop)
}

/// Cohorts whose salt was made before a day, of what never ends by itself: stable artefacts and concerns.
pub fn worn_out(tx: &mut dyn Tx, before: Moment) -> Result<Vec<(String, String, String)>, DbError> {
    let rows = tx.query(WORN_OUT, &[before.0.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?, row.text(2)?))).collect()
}

pub(super) const WORN_OUT: &str = "SELECT v.target_type, v.target_id, v.cohort FROM vote_salts v \
     JOIN standings s ON s.target_type = v.target_type AND s.target_id = v.target_id \
     WHERE v.made_at < $1 AND (s.status = 'stable' OR s.target_type = 'observation') LIMIT 1000";

/// Erases the salt of one cohort.
pub fn forget_cohort(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    cohort: &str,
) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM vote_salts WHERE target_type = $1 AND target_id = $2 AND cohort = $3";
    tx.execute(SQL, &[target_type.into(), target_id.into(), cohort.into()]).map(drop)
}

/// The salt of a 90-day period of sanctions, made where it is missing; those of earlier periods go, and with them what
/// was remembered under them.
pub fn of_sanctions(tx: &mut dyn Tx, period: i64, fresh: &[u8; 32]) -> Result<Vec<u8>, DbError> {
    tx.execute("DELETE FROM sanction_salts WHERE period < $1", &[period.into()])?;
    tx.execute("DELETE FROM sanctions WHERE period < $1", &[period.into()])?;
    tx.execute(
        "INSERT INTO sanction_salts (period, salt) VALUES ($1, $2) ON CONFLICT (period) DO NOTHING",
        &[period.into(), fresh.into()],
    )?;
    let row = tx.first("SELECT salt FROM sanction_salts WHERE period = $1", &[period.into()])?;
    row.ok_or_else(missing)?.bytes(0)
}

fn missing() -> DbError {
    DbError::Defect("a salt that was just made is missing".to_owned())
}
