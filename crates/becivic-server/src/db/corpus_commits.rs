//! `corpus_commits`: the commits of `main` in their order. Whoever appends names the one before: of two that do so at once,
//! one finds that `main` has moved.

use super::{DbError, Tx};

/// A commit of `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct CorpusCommit {
    pub number: i64,
    pub sha: String,
    pub parent: String,
    /// The objects it brought, where repositories elsewhere need them.
    pub objects: Option<Vec<u8>>,
}

/// Begins the line with the commit that a repository was made with; leaves a line that has begun.
pub fn begin(tx: &mut dyn Tx, sha: &str) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO corpus_commits (number, sha, parent) VALUES (1, $1, '') ON CONFLICT (number) DO NOTHING";
    tx.execute(SQL, &[sha.into()]).map(drop)
}

/// Appends a commit; false when `parent` is not the newest any more.
pub fn append(tx: &mut dyn Tx, parent: &str, sha: &str, objects: Option<&[u8]>) -> Result<bool, DbError> {
    let Some((number, newest)) = newest(tx)? else { return Ok(false) };
    if newest != parent {
        return Ok(false);
    }
    const SQL: &str = "INSERT INTO corpus_commits (number, sha, parent, objects) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (number) DO NOTHING";
    Ok(tx.execute(SQL, &[(number + 1).into(), sha.into(), parent.into(), objects.into()])? == 1)
}

/// The newest commit: its number and hash.
pub fn newest(tx: &mut dyn Tx) -> Result<Option<(i64, String)>, DbError> {
    tx.first(NEWEST, &[])?.map(|row| Ok((row.int(0)?, row.text(1)?))).transpose()
}

pub(super) const NEWEST: &str = "SELECT number, sha FROM corpus_commits ORDER BY number DESC LIMIT 1";

/// The commits after a number, in their order.
pub fn after(tx: &mut dyn Tx, number: i64, limit: i64) -> Result<Vec<CorpusCommit>, DbError> {
    let rows = tx.query(AFTER, &[number.into(), limit.into()])?;
    let read = |row: &super::Row| {
        let (number, sha, parent, objects) = (row.int(0)?, row.text(1)?, row.text(2)?, row.maybe_bytes(3)?);
        Ok(CorpusCommit { number, sha, parent, objects })
    };
    rows.iter().map(read).collect()
}

pub(super) const AFTER: &str =
    "SELECT number, sha, parent, objects FROM corpus_commits WHERE number > $1 ORDER BY number LIMIT $2";
