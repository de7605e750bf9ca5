//! `transitions`: every change of a status, with the numbers it was decided on. Rows are added and stay as they are; only the
//! commit of one that Git follows later is filled in.

use super::{DbError, Row, Tx, uids};
use crate::moment::Moment;

/// One change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Transition {
    pub number: i64,
    pub target_type: String,
    pub target_id: String,
    pub from_status: String,
    pub to_status: String,
    pub from_version: String,
    pub to_version: String,
    pub cohort: String,
    pub rule: String,
    /// JSON: each number by its name.
    pub numbers: String,
    pub policy: String,
    pub digest: Option<String>,
    pub commit_sha: Option<String>,
    pub day: i64,
    /// Where it stands in the transparency log.
    pub log_position: Option<i64>,
}

/// Adds one; its number is the next.
pub fn insert(tx: &mut dyn Tx, it: &Transition) -> Result<i64, DbError> {
    const SQL: &str = "INSERT INTO transitions (number, target_type, target_id, from_status, to_status, from_version, \
         to_version, cohort, rule, numbers, policy, digest, commit_sha, day, log_position) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
    let number = uids::next(tx, "transition")?;
    tx.execute(
        SQL,
        &[
            number.into(),
            (&it.target_type).into(),
            (&it.target_id).into(),
            (&it.from_status).into(),
            (&it.to_status).into(),
            (&it.from_version).into(),
            (&it.to_version).into(),
            (&it.cohort).into(),
            (&it.rule).into(),
            (&it.numbers).into(),
            (&it.policy).into(),
            it.digest.as_ref().into(),
            it.commit_sha.as_ref().into(),
            Moment(it.day).day().0.into(),
            it.log_position.into(),
        ],
    )?;
    Ok(number)
}

/// Fills in the commit by which the file followed a flag.
pub fn committed(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    commit: &str,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE transitions SET commit_sha = $1 WHERE number = (SELECT MAX(number) FROM transitions \
         WHERE target_type = $2 AND target_id = $3) AND commit_sha IS NULL AND to_status = 'quarantined'";
    tx.execute(SQL, &[commit.into(), target_type.into(), target_id.into()]).map(drop)
}

/// The newest before a number.
pub fn list(tx: &mut dyn Tx, before: i64, limit: i64) -> Result<Vec<Transition>, DbError> {
    tx.query(LIST, &[before.into(), limit.into()])?.iter().map(read).collect()
}

pub(super) const LIST: &str = "SELECT number, target_type, target_id, from_status, to_status, from_version, to_version, \
     cohort, rule, numbers, policy, digest, commit_sha, day, log_position FROM transitions WHERE number < $1 ORDER BY number DESC LIMIT $2";

/// Those of one artefact, newest first.
pub fn of_target(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    before: i64,
    limit: i64,
) -> Result<Vec<Transition>, DbError> {
    let params = [target_type.into(), target_id.into(), before.into(), limit.into()];
    tx.query(OF_TARGET, &params)?.iter().map(read).collect()
}

pub(super) const OF_TARGET: &str = "SELECT number, target_type, target_id, from_status, to_status, from_version, to_version, \
     cohort, rule, numbers, policy, digest, commit_sha, day, log_position FROM transitions \
     WHERE target_type = $1 AND target_id = $2 AND number < $3 ORDER BY number DESC LIMIT $4";

fn read(row: &Row) -> Result<Transition, DbError> {
    Ok(Transition {
        number: row.int(0)?,
        target_type: row.text(1)?,
        target_id: row.text(2)?,
        from_status: row.text(3)?,
        to_status: row.text(4)?,
        from_version: row.text(5)?,
        to_version: row.text(6)?,
        cohort: row.text(7)?,
        rule: row.text(8)?,
        numbers: row.text(9)?,
        policy: row.text(10)?,
        digest: row.maybe_text(11)?,
        commit_sha: row.maybe_text(12)?,
        day: row.int(13)?,
        log_position: row.maybe_int(14)?,
    })
}
