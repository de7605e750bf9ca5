//! `uid_counters`: uids without gaps. The counter's row is locked until the transaction that used its number ends, and
//! goes back with it when it fails.

use super::{DbError, Tx};

/// The next number of a prefix.
pub fn next(tx: &mut dyn Tx, prefix: &str) -> Result<i64, DbError> {
    const SQL: &str = "INSERT INTO uid_counters (prefix, last) VALUES ($1, 1) \
         ON CONFLICT (prefix) DO UPDATE SET last = uid_counters.last + 1 RETURNING last";
    let row = tx.first(SQL, &[prefix.into()])?;
    row.ok_or_else(|| DbError::Defect("a counter gave no number".to_owned()))?.int(0)
}

/// The last number given out; the next is one more, unless somebody is faster.
pub fn last(tx: &mut dyn Tx, prefix: &str) -> Result<i64, DbError> {
    let row = tx.first("SELECT last FROM uid_counters WHERE prefix = $1", &[prefix.into()])?;
    row.map_or(Ok(0), |row| row.int(0))
}

/// Lets a prefix go on after a number that was given elsewhere.
pub fn at_least(tx: &mut dyn Tx, prefix: &str, number: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO uid_counters (prefix, last) VALUES ($1, $2) ON CONFLICT (prefix) DO UPDATE SET \
         last = CASE WHEN uid_counters.last < excluded.last THEN excluded.last ELSE uid_counters.last END";
    tx.execute(SQL, &[prefix.into(), number.into()]).map(drop)
}

/// A uid as it is written: five digits at least.
pub fn written(prefix: &str, number: i64) -> String {
    format!("{prefix}-{number:05}")
}

/// The number of a uid.
pub fn number(uid: &str) -> Option<i64> {
    uid.split_once('-').and_then(|(_, digits)| digits.parse().ok())
}
