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

/// Keeps a message to the maintainers.
pub fn insert_message(
    tx: &mut dyn Tx,
    message_key: &[u8; 32],
    topic: Option<&str>,
    pointer: Option<&str>,
    body: &str,
    day: Moment,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO feedback_channel (message_key, topic, pointer, body, state, day) \
         VALUES ($1, $2, $3, $4, 'new', $5)";
    let params = [message_key.into(), topic.into(), pointer.into(), body.into(), day.0.into()];
    tx.execute(SQL, &params).map(drop)
}

/// A rating to be kept.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the columns
pub struct NewRating<'a> {
    pub target_type: &'a str,
    pub target_id: &'a str,
    pub stars: i64,
    pub would_be_5_stars: Option<&'a str>,
    pub cohort_anchor: Option<&'a str>,
    pub day: Moment,
}

/// Keeps a rating.
pub fn insert_rating(tx: &mut dyn Tx, rating_key: &[u8; 32], it: &NewRating<'_>) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO ratings (rating_key, target_type, target_id, stars, would_be_5_stars, cohort_anchor, day) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let params = [
        rating_key.into(),
        it.target_type.into(),
        it.target_id.into(),
        it.stars.into(),
        it.would_be_5_stars.into(),
        it.cohort_anchor.into(),
        it.day.0.into(),
    ];
    tx.execute(SQL, &params).map(drop)
}

/// A rating that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct KeptRating {
    pub target_type: String,
    pub target_id: String,
    pub stars: i64,
    pub would_be_5_stars: Option<String>,
    pub cohort_anchor: Option<String>,
    pub day: Moment,
}

/// Takes a rating out, whole.
pub fn take_rating(tx: &mut dyn Tx, key: &[u8; 32]) -> Result<Option<KeptRating>, DbError> {
    let Some(row) = tx.first(ONE_RATING, &[key.into()])? else { return Ok(None) };
    tx.execute("DELETE FROM ratings WHERE rating_key = $1", &[key.into()])?;
    Ok(Some(KeptRating {
        target_type: row.text(0)?,
        target_id: row.text(1)?,
        stars: row.int(2)?,
        would_be_5_stars: row.maybe_text(3)?,
        cohort_anchor: row.maybe_text(4)?,
        day: Moment(row.int(5)?),
    }))
}

pub(super) const ONE_RATING: &str = "SELECT target_type, target_id, stars, would_be_5_stars, cohort_anchor, day FROM ratings \
     WHERE rating_key = $1";

/// How many ratings a target has, and the sum of their stars.
pub fn stars(tx: &mut dyn Tx, target_type: &str) -> Result<Vec<(String, i64, i64)>, DbError> {
    let rows = tx.query(STARS, &[target_type.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?, row.int(2)?))).collect()
}

pub(super) const STARS: &str = "SELECT target_id, CAST(COUNT(*) AS BIGINT), CAST(SUM(stars) AS BIGINT) FROM ratings \
     WHERE target_type = $1 GROUP BY target_id ORDER BY target_id LIMIT 10000";

/// The ratings of one target since a day: by the version they were given for, how many, and the sum of their stars.
pub fn stars_of(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    since: Moment,
) -> Result<Vec<(Option<String>, i64, i64)>, DbError> {
    let rows = tx.query(STARS_OF, &[target_type.into(), target_id.into(), since.0.into()])?;
    rows.iter().map(|row| Ok((row.maybe_text(0)?, row.int(1)?, row.int(2)?))).collect()
}

pub(super) const STARS_OF: &str = "SELECT cohort_anchor, CAST(COUNT(*) AS BIGINT), CAST(SUM(stars) AS BIGINT) FROM ratings \
     WHERE target_type = $1 AND target_id = $2 AND day >= $3 GROUP BY cohort_anchor";
