//! `audit`: what maintainers did. Rows are added and never changed: the database itself refuses anything else. They hold
//! names of tokens, of actions and of things, and the maintainer's reason; nothing of a submission.

use super::{DbError, Row, Tx, uids};
use crate::moment::Moment;

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Deed<'a> {
    pub at: Moment,
    /// The name of the token it was done with.
    pub who: &'a str,
    pub action: &'a str,
    /// What it was done to, by a name that says nothing of a sender.
    pub subject: &'a str,
    pub why: &'a str,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Entry {
    pub number: i64,
    pub at: Moment,
    pub who: String,
    pub action: String,
    pub subject: String,
    pub why: String,
}

/// Adds a line, in the transaction of what it tells about.
pub fn write(tx: &mut dyn Tx, deed: &Deed<'_>) -> Result<i64, DbError> {
    const SQL: &str =
        "INSERT INTO audit (number, at, who, action, subject, why) VALUES ($1, $2, $3, $4, $5, $6)";
    let number = uids::next(tx, "aud")?;
    let words = [deed.who.into(), deed.action.into(), deed.subject.into(), deed.why.into()];
    let params: Vec<_> = [number.into(), deed.at.0.into()].into_iter().chain(words).collect();
    tx.execute(SQL, &params)?;
    Ok(number)
}

/// Lines before a number, newest first.
pub fn list(tx: &mut dyn Tx, before: i64, limit: i64) -> Result<Vec<Entry>, DbError> {
    tx.query(LIST, &[before.into(), limit.into()])?.iter().map(read).collect()
}

pub(super) const LIST: &str =
    "SELECT number, at, who, action, subject, why FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2";

/// The number of the newest line; 0 where there is none.
pub fn newest(tx: &mut dyn Tx) -> Result<i64, DbError> {
    tx.first(LIST, &[i64::MAX.into(), 1_i64.into()])?.map_or(Ok(0), |row| row.int(0))
}

/// What was done to one thing, newest first.
pub fn about(tx: &mut dyn Tx, subject: &str) -> Result<Vec<Entry>, DbError> {
    tx.query(ABOUT, &[subject.into()])?.iter().map(read).collect()
}

pub(super) const ABOUT: &str = "SELECT number, at, who, action, subject, why FROM audit WHERE subject = $1 \
     ORDER BY number DESC LIMIT 100";

fn read(row: &Row) -> Result<Entry, DbError> {
    Ok(Entry {
        number: row.int(0)?,
        at: Moment(row.int(1)?),
        who: row.text(2)?,
        action: row.text(3)?,
        subject: row.text(4)?,
        why: row.text(5)?,
    })
}
