//! `facts`: what a database was begun with, and must go on with.

use super::{DbError, Tx};

/// Notes a fact where there is none yet; false when the database knows another.
pub fn agree(tx: &mut dyn Tx, name: &str, value: &str) -> Result<bool, DbError> {
    const NOTE: &str = "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    tx.execute(NOTE, &[name.into(), value.into()])?;
    Ok(find(tx, name)?.is_some_and(|noted| noted == value))
}

/// Forgets a fact.
pub fn forget(tx: &mut dyn Tx, name: &str) -> Result<(), DbError> {
    tx.execute("DELETE FROM facts WHERE name = $1", &[name.into()]).map(drop)
}

/// A fact.
pub fn find(tx: &mut dyn Tx, name: &str) -> Result<Option<String>, DbError> {
    tx.first("SELECT value FROM facts WHERE name = $1", &[name.into()])?.map(|row| row.text(0)).transpose()
}

/// Notes a fact, whatever was known before.
pub fn set(tx: &mut dyn Tx, name: &str, value: &str) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    tx.execute(SQL, &[name.into(), value.into()]).map(drop)
}
