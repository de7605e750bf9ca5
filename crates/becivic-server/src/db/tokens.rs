//! `operator_tokens`: who may use the internal endpoints. Only a hash of a token is kept.

use super::{DbError, Tx};
use crate::moment::Moment;

/// A token as it is listed.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the columns
pub struct Listed {
    pub name: String,
    pub created_at: Moment,
    pub revoked_at: Option<Moment>,
}

/// Adds a token; false when the name is taken.
pub fn insert(tx: &mut dyn Tx, name: &str, hash: &[u8; 32], now: Moment) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO operator_tokens (name, token_hash, created_at) VALUES ($1, $2, $3) \
         ON CONFLICT (name) DO NOTHING";
    Ok(tx.execute(SQL, &[name.into(), hash.into(), now.0.into()])? == 1)
}

/// The hash of a valid token equal to this one, and its name. The look-up is by hash: its time says nothing about a token.
pub fn find(tx: &mut dyn Tx, hash: &[u8; 32]) -> Result<Option<(Vec<u8>, String)>, DbError> {
    tx.first(FIND, &[hash.into()])?.map(|row| Ok((row.bytes(0)?, row.text(1)?))).transpose()
}

pub(super) const FIND: &str =
    "SELECT token_hash, name FROM operator_tokens WHERE token_hash = $1 AND revoked_at IS NULL";

/// Whether there is a token of this name that was not revoked.
pub fn is_valid(tx: &mut dyn Tx, name: &str) -> Result<bool, DbError> {
    Ok(tx.first(IS_VALID, &[name.into()])?.is_some())
}

pub(super) const IS_VALID: &str = "SELECT 1 FROM operator_tokens WHERE name = $1 AND revoked_at IS NULL";

/// Every token.
pub fn list(tx: &mut dyn Tx) -> Result<Vec<Listed>, DbError> {
    let rows = tx.query("SELECT name, created_at, revoked_at FROM operator_tokens ORDER BY name", &[])?;
    rows.iter()
        .map(|row| {
            Ok(Listed {
                name: row.text(0)?,
                created_at: Moment(row.int(1)?),
                revoked_at: row.maybe_int(2)?.map(Moment),
            })
        })
        .collect()
}

/// Revokes a token; false when there is no valid one of that name.
pub fn revoke(tx: &mut dyn Tx, name: &str, now: Moment) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE operator_tokens SET revoked_at = $1 WHERE name = $2 AND revoked_at IS NULL";
    Ok(tx.execute(SQL, &[now.0.into(), name.into()])? == 1)
}
