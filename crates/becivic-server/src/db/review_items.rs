//! `review_items`: what maintainers have to look at.

use super::{DbError, Row, Tx, uids};
use crate::moment::Moment;

/// Opens an item, unless one of the same reason and target is open.
pub fn open_once(
    tx: &mut dyn Tx,
    reason: &str,
    (target_type, target_id): (&str, &str),
    day: Moment,
) -> Result<(), DbError> {
    let open = tx.query(OPEN, &[target_type.into(), target_id.into()])?;
    for row in &open {
        if row.text(1)? == reason {
            return Ok(());
        }
    }
    const SQL: &str = "INSERT INTO review_items (uid, reason, target_type, target_id, state, day) \
         VALUES ($1, $2, $3, $4, 'open', $5)";
    let uid = uids::written("rev", uids::next(tx, "rev")?);
    let params = [(&uid).into(), reason.into(), target_type.into(), target_id.into(), day.0.into()];
    tx.execute(SQL, &params).map(drop)
}

pub(super) const OPEN: &str = "SELECT uid, reason FROM review_items \
     WHERE target_type = $1 AND target_id = $2 AND state = 'open'";

/// Whether somebody flagged an artefact, and nobody has decided on it yet.
pub fn is_flagged(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<bool, DbError> {
    let open = tx.query(OPEN, &[target_type.into(), target_id.into()])?;
    let reasons = open.iter().map(|row| row.text(1)).collect::<Result<Vec<_>, _>>()?;
    Ok(reasons.iter().any(|reason| reason == "injection_flag"))
}

/// Settles the open items of a reason that concerns the corpus as a whole.
pub fn settle(tx: &mut dyn Tx, reason: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE review_items SET state = 'settled' \
         WHERE target_type = 'corpus' AND state = 'open' AND reason = $1";
    tx.execute(SQL, &[reason.into()]).map(drop)
}

/// An item, as an issue names it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Named {
    pub uid: String,
    pub reason: String,
    pub target_type: String,
    pub target_id: String,
}

/// Open items that the forge has no issue about.
pub fn without_issue(tx: &mut dyn Tx, limit: i64) -> Result<Vec<Named>, DbError> {
    let read = |row: &Row| {
        let (uid, reason, target_type, target_id) = (row.text(0)?, row.text(1)?, row.text(2)?, row.text(3)?);
        Ok(Named { uid, reason, target_type, target_id })
    };
    tx.query(WITHOUT_ISSUE, &[limit.into()])?.iter().map(read).collect()
}

pub(super) const WITHOUT_ISSUE: &str = "SELECT uid, reason, target_type, target_id FROM review_items \
     WHERE state = 'open' AND forge_number IS NULL ORDER BY uid LIMIT $1";

/// Settled items that the forge still has an issue about.
pub fn with_needless_issue(tx: &mut dyn Tx, limit: i64) -> Result<Vec<(String, i64)>, DbError> {
    let rows = tx.query(WITH_NEEDLESS_ISSUE, &[limit.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?))).collect()
}

pub(super) const WITH_NEEDLESS_ISSUE: &str = "SELECT uid, forge_number FROM review_items \
     WHERE forge_number IS NOT NULL AND state <> 'open' ORDER BY forge_number LIMIT $1";

/// Notes the issue about an item.
pub fn note_issue(tx: &mut dyn Tx, uid: &str, number: Option<i64>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE review_items SET forge_number = $1 WHERE uid = $2";
    tx.execute(SQL, &[number.into(), uid.into()]).map(drop)
}
