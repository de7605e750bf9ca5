//! `review_items`: what maintainers have to look at.

use super::{DbError, Tx, uids};
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

/// Settles the open items of a reason that concerns the corpus as a whole.
pub fn settle(tx: &mut dyn Tx, reason: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE review_items SET state = 'settled' \
         WHERE target_type = 'corpus' AND state = 'open' AND reason = $1";
    tx.execute(SQL, &[reason.into()]).map(drop)
}
