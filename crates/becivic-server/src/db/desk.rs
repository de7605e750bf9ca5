//! What waits for a maintainer: pull requests with what they come from, and held submissions.

use super::{DbError, Row, Tx};
use crate::moment::Moment;

/// Most that is counted: the desk says "1000 or more" beyond.
pub const MOST_COUNTED: i64 = 1_000;

/// A pull request that somebody has to decide on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Pull {
    pub number: i64,
    pub purpose: String,
    pub public_uid: Option<String>,
    pub target_type: String,
    pub target_id: String,
    pub title: String,
    pub state: String,
    pub outcome: Option<String>,
    pub forge_number: Option<i64>,
    pub opened: Moment,
    /// The submission it comes from, as long as that is kept.
    pub id: Option<String>,
    pub kind: Option<String>,
    pub review: Option<String>,
    pub failure: Option<String>,
}

/// Open pull requests that wait for a person, after a number.
pub fn pulls(tx: &mut dyn Tx, after: i64, limit: i64) -> Result<Vec<Pull>, DbError> {
    tx.query(PULLS, &[after.into(), limit.into()])?.iter().map(pull).collect()
}

/// What an amendment to a draft proposes is looked at like a draft.
pub(super) const PULLS: &str = "SELECT p.number, p.purpose, p.public_uid, p.target_type, p.target_id, p.title, p.state, \
     p.outcome, p.forge_number, p.opened_day, s.id, s.kind, s.review, s.failure FROM pulls p LEFT JOIN staged s ON s.pull = p.number \
     WHERE p.state = 'open' AND p.number > $1 AND (p.purpose = 'draft' OR s.review IN ('draft_target', 'approved')) \
     ORDER BY p.number LIMIT $2";

/// One pull request, whatever its state.
pub fn find_pull(tx: &mut dyn Tx, number: i64) -> Result<Option<Pull>, DbError> {
    tx.first(FIND_PULL, &[number.into()])?.as_ref().map(pull).transpose()
}

pub(super) const FIND_PULL: &str = "SELECT p.number, p.purpose, p.public_uid, p.target_type, p.target_id, p.title, p.state, \
     p.outcome, p.forge_number, p.opened_day, s.id, s.kind, s.review, s.failure FROM pulls p LEFT JOIN staged s ON s.pull = p.number \
     WHERE p.number = $1";

fn pull(row: &Row) -> Result<Pull, DbError> {
    Ok(Pull {
        number: row.int(0)?,
        purpose: row.text(1)?,
        public_uid: row.maybe_text(2)?,
        target_type: row.text(3)?,
        target_id: row.text(4)?,
        title: row.text(5)?,
        state: row.text(6)?,
        outcome: row.maybe_text(7)?,
        forge_number: row.maybe_int(8)?,
        opened: Moment(row.int(9)?),
        id: row.maybe_text(10)?,
        kind: row.maybe_text(11)?,
        review: row.maybe_text(12)?,
        failure: row.maybe_text(13)?,
    })
}

/// Keeps everybody else from deciding on a pull request until the transaction ends; false when it is not open.
pub fn lock_pull(tx: &mut dyn Tx, number: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE pulls SET state = state WHERE number = $1 AND state = 'open'";
    Ok(tx.execute(SQL, &[number.into()])? == 1)
}

/// Gives up maintainers' changes that were begun and not finished: whoever holds the lease of the commit job knows that nobody
/// is at work on one.
pub fn abandon(tx: &mut dyn Tx, day: Moment) -> Result<u64, DbError> {
    tx.execute(ABANDON, &[day.0.into()])
}

pub(super) const ABANDON: &str = "UPDATE pulls SET state = 'closing', outcome = 'abandoned', ended_day = $1 \
     WHERE state = 'open' AND purpose IN ('status', 'rename')";

/// What a staged submission says.
pub fn staged_payload(tx: &mut dyn Tx, id: &str) -> Result<Option<String>, DbError> {
    tx.first(STAGED_PAYLOAD, &[id.into()])?.map(|row| row.text(0)).transpose()
}

pub(super) const STAGED_PAYLOAD: &str = "SELECT payload FROM staged WHERE id = $1";

/// Lets the commit job merge a pull request at once; false when there is nothing left to merge.
pub fn approve(tx: &mut dyn Tx, number: i64, now: Moment) -> Result<bool, DbError> {
    const SQL: &str =
        "UPDATE staged SET review = 'approved', due_at = $1, attempts = 0, failure = NULL WHERE pull = $2";
    Ok(tx.execute(SQL, &[now.0.into(), number.into()])? == 1)
}

/// A held submission.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Held {
    pub id: String,
    pub kind: String,
    /// Why somebody has to look.
    pub review: Option<String>,
    pub day: Moment,
    pub commit_eta: Moment,
    pub payload: String,
}

/// Held submissions after an id.
pub fn held(tx: &mut dyn Tx, after: &str, limit: i64) -> Result<Vec<Held>, DbError> {
    tx.query(HELD, &[after.into(), limit.into()])?.iter().map(one_held).collect()
}

pub(super) const HELD: &str =
    "SELECT id, kind, review, day, commit_eta, payload FROM held WHERE id > $1 ORDER BY id LIMIT $2";

/// One held submission.
pub fn find_held(tx: &mut dyn Tx, id: &str) -> Result<Option<Held>, DbError> {
    tx.first(ONE_HELD, &[id.into()])?.as_ref().map(one_held).transpose()
}

pub(super) const ONE_HELD: &str = "SELECT id, kind, review, day, commit_eta, payload FROM held WHERE id = $1";

fn one_held(row: &Row) -> Result<Held, DbError> {
    Ok(Held {
        id: row.text(0)?,
        kind: row.text(1)?,
        review: row.maybe_text(2)?,
        day: Moment(row.int(3)?),
        commit_eta: Moment(row.int(4)?),
        payload: row.text(5)?,
    })
}

/// Puts an edited text in the place of a held one, if that still is what the editor read. The digest stays that of what was
/// sent: its sender is recognised when it is sent again.
pub fn replace_held(tx: &mut dyn Tx, id: &str, payload: &str, before: &str) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE held SET payload = $1 WHERE id = $2 AND payload = $3";
    Ok(tx.execute(SQL, &[payload.into(), id.into(), before.into()])? == 1)
}

/// What was published and is held now: the name it has in public, and its kind.
pub fn withdrawn(tx: &mut dyn Tx, after: &str, limit: i64) -> Result<Vec<(String, String, Moment)>, DbError> {
    let rows = tx.query(WITHDRAWN, &[after.into(), limit.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?, Moment(row.int(2)?)))).collect()
}

pub(super) const WITHDRAWN: &str = "SELECT uid, kind, day FROM ledger \
     WHERE state = 'ner_held_for_review' AND uid IS NOT NULL AND uid > $1 ORDER BY uid LIMIT $2";

/// What was published under this name and is held now: the digest of its id, and its kind.
pub fn find_withdrawn(tx: &mut dyn Tx, uid: &str) -> Result<Option<([u8; 32], String)>, DbError> {
    let Some(row) = tx.first(FIND_WITHDRAWN, &[uid.into()])? else { return Ok(None) };
    let digest = row.bytes(0)?.try_into();
    Ok(Some((digest.map_err(|_| DbError::Defect("a digest has 32 bytes".to_owned()))?, row.text(1)?)))
}

pub(super) const FIND_WITHDRAWN: &str =
    "SELECT digest, kind FROM ledger WHERE uid = $1 AND state = 'ner_held_for_review'";

/// How much waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Counts {
    pub drafts: i64,
    pub held: i64,
    pub flags: i64,
    pub feedback: i64,
}

/// Counts what waits, up to [`MOST_COUNTED`] of each.
pub fn counts(tx: &mut dyn Tx) -> Result<Counts, DbError> {
    let mut count = |sql: &'static str| {
        let rows = tx.query(sql, &[MOST_COUNTED.into()])?;
        Ok::<_, DbError>(i64::try_from(rows.len()).unwrap_or(MOST_COUNTED))
    };
    let held = count(COUNT_HELD)? + count(COUNT_WITHDRAWN)?;
    Ok(Counts {
        drafts: count(COUNT_PULLS)?,
        held: held.min(MOST_COUNTED),
        flags: count(COUNT_FLAGS)?,
        feedback: count(COUNT_FEEDBACK)?,
    })
}

pub(super) const COUNT_PULLS: &str = "SELECT p.number FROM pulls p LEFT JOIN staged s ON s.pull = p.number \
     WHERE p.state = 'open' AND (p.purpose = 'draft' OR s.review IN ('draft_target', 'approved')) \
     ORDER BY p.number LIMIT $1";
pub(super) const COUNT_HELD: &str = "SELECT kind FROM held WHERE id > '' ORDER BY id LIMIT $1";
pub(super) const COUNT_WITHDRAWN: &str = "SELECT kind FROM ledger \
     WHERE state = 'ner_held_for_review' AND uid > '' ORDER BY uid LIMIT $1";
pub(super) const COUNT_FLAGS: &str =
    "SELECT uid FROM review_items WHERE state = 'open' ORDER BY uid LIMIT $1";
pub(super) const COUNT_FEEDBACK: &str =
    "SELECT day FROM feedback_channel WHERE state = 'new' ORDER BY day LIMIT $1";
