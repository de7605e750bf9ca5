//! Messages and ratings that were committed, held again. They share no key with anything (DECISIONS §8): a row is found by a key that
//! only its submission's id and the pepper make.
//!
//! 1. Held, the row goes back among what waits, whole: no maintainer reads it among the messages, and no count has it.
//! 2. Released, it is put back as it was, on its day.
//! 3. Discarded, it goes with what waits.

use super::states::ASKED;
use crate::db::feedback::{self, Message};
use crate::db::others::{self, NewRating};
use crate::db::{DbError, Tx, desk, staged};
use crate::moment::Moment;
use crate::secrets::Bytes32;
use becivic_core::submission::Kind;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether submissions of a kind become such rows.
pub fn is(kind: Kind) -> bool {
    matches!(kind, Kind::Feedback | Kind::Rating)
}

/// Whether a held payload is such a row, and no submission that was never committed.
pub fn is_row(value: &Value) -> bool {
    value.get("committed_day").is_some()
}

#[derive(Serialize, Deserialize)]
struct MessageRow {
    topic: Option<String>,
    pointer: Option<String>,
    body: String,
    triage: String,
    committed_day: i64,
}

#[derive(Serialize, Deserialize)]
struct RatingRow {
    target_type: String,
    target_id: String,
    stars: i64,
    would_be_5_stars: Option<String>,
    cohort_anchor: Option<String>,
    committed_day: i64,
}

/// Takes a row back among what waits; false when there is none under this key.
pub fn hold(tx: &mut dyn Tx, kind: Kind, id: &str, key: &Bytes32, day: Moment) -> Result<bool, DbError> {
    let payload = match kind {
        Kind::Feedback => feedback::take(tx, key)?.and_then(|it| {
            let Message { topic, pointer, body, state, day, .. } = it;
            serde_json::to_string(&MessageRow { topic, pointer, body, triage: state, committed_day: day.0 })
                .ok()
        }),
        _ => others::take_rating(tx, key)?.and_then(|it| {
            let row = RatingRow {
                target_type: it.target_type,
                target_id: it.target_id,
                stars: it.stars,
                would_be_5_stars: it.would_be_5_stars,
                cohort_anchor: it.cohort_anchor,
                committed_day: it.day.0,
            };
            serde_json::to_string(&row).ok()
        }),
    };
    let Some(payload) = payload else { return Ok(false) };
    staged::hold_again(tx, (id, kind.as_str()), &payload, ASKED, day)?;
    Ok(true)
}

/// Puts a row back; false when what is held under this id is none.
pub fn release(tx: &mut dyn Tx, kind: Kind, id: &str, key: &Bytes32) -> Result<bool, DbError> {
    let Some(held) = desk::find_held(tx, id)? else { return Ok(false) };
    match kind {
        Kind::Feedback => {
            let Ok(it) = serde_json::from_str::<MessageRow>(&held.payload) else { return Ok(false) };
            let MessageRow { topic, pointer, body, triage, committed_day } = it;
            let (key, day) = (key.to_vec(), Moment(committed_day));
            feedback::put_back(tx, &Message { key, topic, pointer, body, state: triage, day })?;
        }
        _ => {
            let Ok(it) = serde_json::from_str::<RatingRow>(&held.payload) else { return Ok(false) };
            let rating = NewRating {
                target_type: &it.target_type,
                target_id: &it.target_id,
                stars: it.stars,
                would_be_5_stars: it.would_be_5_stars.as_deref(),
                cohort_anchor: it.cohort_anchor.as_deref(),
                day: Moment(it.committed_day),
            };
            others::insert_rating(tx, key, &rating)?;
        }
    }
    staged::remove(tx, id)
}
