//! Verdicts that do not count: their words wait for a person, or a maintainer took them out. They stand among the others, so that
//! whoever voted is forgotten when the cohort ends, and are in no count.

use super::{Vote, insert_as};
use crate::db::{DbError, Tx};
use crate::moment::Moment;
use becivic_core::consensus::{Ballot, Marks, Verdict};
use becivic_core::submission::TargetType;

/// Keeps a verdict that does not count yet.
pub fn keep(tx: &mut dyn Tx, vote: &Vote, voter_hash: Option<&[u8]>) -> Result<(), DbError> {
    insert_as(tx, vote, Marks::default(), voter_hash, "held")
}

/// A verdict, and the hash of who gave it, as long as that is known.
pub type Kept = (Vote, Option<Vec<u8>>);

/// A verdict that does not count.
pub fn find(tx: &mut dyn Tx, key: &[u8; 32]) -> Result<Option<Kept>, DbError> {
    let Some(row) = tx.first(FIND, &[key.into()])? else { return Ok(None) };
    let Some(target_type) = TargetType::named(&row.text(0)?) else { return Ok(None) };
    let verdict = if row.text(5)? == "confirm" { Verdict::Confirm } else { Verdict::Reject };
    let traversal = row.maybe_text(8)?;
    let ballot = Ballot { verdict, flag: false, probe: false, handoff: is_handoff(traversal.as_deref()) };
    let vote = Vote {
        vote_key: *key,
        target_type: target_type.as_str(),
        target_id: row.text(1)?,
        artefact: row.text(2)?,
        cohort: row.text(3)?,
        cohort_anchor: row.maybe_text(4)?,
        ballot,
        weight: row.int(6)?,
        rationale: None,
        injection_reason: None,
        traversal,
        session_id: None,
        day: Moment(row.int(9)?),
    };
    Ok(Some((vote, row.maybe_bytes(7)?)))
}

pub(in crate::db) const FIND: &str = "SELECT target_type, target_id, artefact, cohort, cohort_anchor, verdict, weight, \
     voter_hash, traversal, day FROM validations WHERE vote_key = $1 AND state = 'held' AND injection_flag = 0";

fn is_handoff(traversal: Option<&str>) -> bool {
    let read = traversal.and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
    read.is_some_and(|it| it.get("validates_post_handoff").and_then(serde_json::Value::as_bool) == Some(true))
}

/// Lets a verdict count from a day on, with these marks.
pub fn apply(tx: &mut dyn Tx, key: &[u8; 32], marks: Marks, day: Moment) -> Result<(), DbError> {
    const SQL: &str = "UPDATE validations SET state = 'applied', marks = $1, day = $2 \
         WHERE vote_key = $3 AND state = 'held'";
    tx.execute(SQL, &[marks.0.into(), day.0.into(), key.into()]).map(drop)
}

/// Gives a verdict the words that waited, and the session it was sent in.
pub fn say(
    tx: &mut dyn Tx,
    key: &[u8; 32],
    (rationale, reason): (Option<&str>, Option<&str>),
    session_id: Option<&str>,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE validations SET rationale = $1, injection_reason = $2, \
         session_id = COALESCE(session_id, $3) WHERE vote_key = $4";
    tx.execute(SQL, &[rationale.into(), reason.into(), session_id.into(), key.into()]).map(drop)
}

/// Throws a verdict away that does not count; of a flag, only its words.
pub fn discard(tx: &mut dyn Tx, key: &[u8; 32]) -> Result<(), DbError> {
    const WORDS: &str =
        "UPDATE validations SET rationale = NULL, injection_reason = NULL WHERE vote_key = $1";
    tx.execute(WORDS, &[key.into()])?;
    let sql = "DELETE FROM validations WHERE vote_key = $1 AND state = 'held' AND injection_flag = 0";
    tx.execute(sql, &[key.into()]).map(drop)
}

/// Carries rejects that wait into another cohort; says whether there were any.
pub fn carry(tx: &mut dyn Tx, artefact: &str, from: &str, to: &str) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE validations SET cohort = $1 \
         WHERE artefact = $2 AND cohort = $3 AND state = 'held' AND verdict = 'reject'";
    Ok(tx.execute(SQL, &[to.into(), artefact.into(), from.into()])? > 0)
}
