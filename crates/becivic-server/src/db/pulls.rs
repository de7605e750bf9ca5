//! `pulls`: changes to files, from when they are proposed to when they are merged or closed. Numbers have no gaps.

use super::{DbError, Row, Tx, uids};
use crate::moment::Moment;

/// A pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Pull {
    pub number: i64,
    pub purpose: String,
    pub public_uid: Option<String>,
    pub target_type: String,
    pub target_id: String,
    pub title: String,
    pub state: String,
    pub outcome: Option<String>,
    pub base: Option<String>,
    pub head: Option<String>,
    pub merged: Option<String>,
    pub forge_number: Option<i64>,
}

/// Opens a pull request under the next number. It has no commits yet.
pub fn open(
    tx: &mut dyn Tx,
    purpose: &str,
    public_uid: Option<&str>,
    (target_type, target_id): (&str, &str),
    title: &str,
    day: Moment,
) -> Result<i64, DbError> {
    const SQL: &str = "INSERT INTO pulls (number, purpose, public_uid, target_type, target_id, title, state, opened_day) \
         VALUES ($1, $2, $3, $4, $5, $6, 'open', $7)";
    let number = uids::next(tx, "pull")?;
    tx.execute(
        SQL,
        &[
            number.into(),
            purpose.into(),
            public_uid.into(),
            target_type.into(),
            target_id.into(),
            title.into(),
            day.0.into(),
        ],
    )?;
    Ok(number)
}

/// Notes where its branch stands.
pub fn proposed(
    tx: &mut dyn Tx,
    number: i64,
    base: &str,
    head: &str,
    forge_number: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE pulls SET base = $1, head = $2, forge_number = $3 WHERE number = $4 AND state = 'open'";
    tx.execute(SQL, &[base.into(), head.into(), forge_number.into(), number.into()]).map(drop)
}

/// Notes that it was merged, as this commit.
pub fn merged(tx: &mut dyn Tx, number: i64, commit: &str, day: Moment) -> Result<bool, DbError> {
    const SQL: &str =
        "UPDATE pulls SET state = 'merged', merged = $1, ended_day = $2 WHERE number = $3 AND state = 'open'";
    Ok(tx.execute(SQL, &[commit.into(), day.0.into(), number.into()])? == 1)
}

/// Notes why it will not be merged; the forge is told at the next run.
pub fn close(tx: &mut dyn Tx, number: i64, outcome: &str, day: Moment) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE pulls SET state = 'closing', outcome = $1, ended_day = $2 WHERE number = $3 AND state = 'open'";
    Ok(tx.execute(SQL, &[outcome.into(), day.0.into(), number.into()])? == 1)
}

/// Notes that the forge was told.
pub fn closed(tx: &mut dyn Tx, number: i64) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE pulls SET state = 'closed', head = NULL WHERE number = $1 AND state = 'closing'";
    tx.execute(SQL, &[number.into()]).map(drop)
}

/// A pull request.
pub fn find(tx: &mut dyn Tx, number: i64) -> Result<Option<Pull>, DbError> {
    tx.first(FIND, &[number.into()])?.as_ref().map(read).transpose()
}

pub(super) const FIND: &str = "SELECT number, purpose, public_uid, target_type, target_id, title, state, outcome, base, \
     head, merged, forge_number FROM pulls WHERE number = $1";

/// Pull requests in a state, after a number.
pub fn in_state(tx: &mut dyn Tx, state: &str, after: i64, limit: i64) -> Result<Vec<Pull>, DbError> {
    tx.query(IN_STATE, &[state.into(), after.into(), limit.into()])?.iter().map(read).collect()
}

pub(super) const IN_STATE: &str = "SELECT number, purpose, public_uid, target_type, target_id, title, state, outcome, base, \
     head, merged, forge_number FROM pulls WHERE state = $1 AND number > $2 ORDER BY number LIMIT $3";

fn read(row: &Row) -> Result<Pull, DbError> {
    Ok(Pull {
        number: row.int(0)?,
        purpose: row.text(1)?,
        public_uid: row.maybe_text(2)?,
        target_type: row.text(3)?,
        target_id: row.text(4)?,
        title: row.text(5)?,
        state: row.text(6)?,
        outcome: row.maybe_text(7)?,
        base: row.maybe_text(8)?,
        head: row.maybe_text(9)?,
        merged: row.maybe_text(10)?,
        forge_number: row.maybe_int(11)?,
    })
}
