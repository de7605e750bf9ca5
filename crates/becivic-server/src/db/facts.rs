//! `facts`: what a database was begun with, and must go on with.

use super::{DbError, Tx};

/// Notes a fact where there is none yet; false when the database knows another.
pub fn agree(tx: &mut dyn Tx, name: &str, value: &str) -> Result<bool, DbError> {
    const NOTE: &str = "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    tx.execute(NOTE, &[name.into(), value.into()])?;
    let row = tx.first("SELECT value FROM facts WHERE name = $1", &[name.into()])?;
    Ok(row.is_some_and(|row| row.text(0).is_ok_and(|noted| noted == value)))
}
