//! What stands alone: feedback, ratings and analytics events. No key of theirs stands anywhere else (DECISIONS §8).

use super::{DbError, Tx};
use crate::moment::Moment;

/// Keeps an event.
pub fn insert_event(
    tx: &mut dyn Tx,
    event_key: &[u8; 32],
    event_type: &str,
    content: &str,
    day: Moment,
) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO analytics_events (event_key, event_type, content, day) VALUES ($1, $2, $3, $4)";
    tx.execute(SQL, &[event_key.into(), event_type.into(), content.into(), day.0.into()]).map(drop)
}

/// How many ratings a target has, and the sum of their stars.
pub fn stars(tx: &mut dyn Tx, target_type: &str) -> Result<Vec<(String, i64, i64)>, DbError> {
    let rows = tx.query(STARS, &[target_type.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?, row.int(2)?))).collect()
}

pub(super) const STARS: &str = "SELECT target_id, CAST(COUNT(*) AS BIGINT), CAST(SUM(stars) AS BIGINT) FROM ratings \
     WHERE target_type = $1 GROUP BY target_id ORDER BY target_id LIMIT 10000";
