//! `staged`: what was accepted and can still be taken back.

use super::{DbError, Row, Tx};
use crate::moment::Moment;

/// A row to be staged.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the columns
pub struct Staged {
    pub id: String,
    pub kind: &'static str,
    pub payload: String,
    pub payload_digest: [u8; 32],
    pub submitter_hash: [u8; 32],
    pub cancel_hash: [u8; 32],
    pub received_at: Moment,
    pub commit_eta: Moment,
    pub cohort_anchor: Option<String>,
    /// Why a person must look at it before it is committed.
    pub review: Option<&'static str>,
    pub session_id: Option<String>,
}

/// What is needed to answer for a staged or held row.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Head {
    pub kind: String,
    pub payload_digest: Vec<u8>,
    pub submitter_hash: Option<Vec<u8>>,
    pub cancel_hash: Option<Vec<u8>>,
    pub commit_eta: Moment,
    /// Why somebody has to look at it, or what they left it as.
    pub review: Option<String>,
}

/// Stages a row; false when its id is staged already. `author` is the sender of an amendment, as the target's cohort would
/// know it.
pub fn insert(tx: &mut dyn Tx, row: &Staged, author: Option<&[u8; 32]>) -> Result<bool, DbError> {
    let changed = tx.execute(
        INSERT,
        &[
            (&row.id).into(),
            row.kind.into(),
            (&row.payload).into(),
            (&row.payload_digest).into(),
            (&row.submitter_hash).into(),
            (&row.cancel_hash).into(),
            row.received_at.0.into(),
            row.commit_eta.0.into(),
            row.cohort_anchor.as_ref().into(),
            row.review.into(),
            row.session_id.as_ref().into(),
            author.into(),
        ],
    )?;
    Ok(changed == 1)
}

const INSERT: &str = "INSERT INTO staged (id, kind, payload, payload_digest, submitter_hash, cancel_hash, \
     received_at, commit_eta, due_at, cohort_anchor, review, session_id, author_hash) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING";

/// A staged row.
pub fn find(tx: &mut dyn Tx, id: &str) -> Result<Option<Head>, DbError> {
    tx.first(FIND, &[id.into()])?.as_ref().map(head).transpose()
}

pub(super) const FIND: &str =
    "SELECT kind, payload_digest, submitter_hash, cancel_hash, commit_eta, review FROM staged WHERE id = $1";

/// Whether an id was used before: it is staged, held, or has left staging. One question, asked of every submission.
pub fn is_used(tx: &mut dyn Tx, id: &str, digest: &[u8; 32]) -> Result<bool, DbError> {
    Ok(tx.first(IS_USED, &[id.into(), digest.into()])?.is_some())
}

pub(super) const IS_USED: &str = "SELECT 1 FROM staged WHERE id = $1 UNION ALL SELECT 1 FROM held WHERE id = $1 \
     UNION ALL SELECT 1 FROM ledger WHERE digest = $2 LIMIT 1";

/// Whether an id that is staged here is held or has left staging as well: then it was used before.
pub fn is_used_elsewhere(tx: &mut dyn Tx, id: &str, digest: &[u8; 32]) -> Result<bool, DbError> {
    Ok(tx.first(IS_USED_ELSEWHERE, &[id.into(), digest.into()])?.is_some())
}

pub(super) const IS_USED_ELSEWHERE: &str =
    "SELECT 1 FROM held WHERE id = $1 UNION ALL SELECT 1 FROM ledger WHERE digest = $2 LIMIT 1";

/// Where a staged row stands.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Standing {
    pub kind: String,
    pub commit_eta: Moment,
    /// Why somebody had to look at it, or what they left it as.
    pub review: Option<String>,
}

/// Where a staged row stands, without anything that says who sent what.
pub fn standing(tx: &mut dyn Tx, id: &str) -> Result<Option<Standing>, DbError> {
    let row = tx.first(STANDING, &[id.into()])?;
    row.map(|row| {
        Ok(Standing { kind: row.text(0)?, commit_eta: Moment(row.int(1)?), review: row.maybe_text(2)? })
    })
    .transpose()
}

pub(super) const STANDING: &str = "SELECT kind, commit_eta, review FROM staged WHERE id = $1";

/// A held row.
pub fn find_held(tx: &mut dyn Tx, id: &str) -> Result<Option<Head>, DbError> {
    tx.first(FIND_HELD, &[id.into()])?.as_ref().map(head).transpose()
}

pub(super) const FIND_HELD: &str =
    "SELECT kind, payload_digest, submitter_hash, cancel_hash, commit_eta, review FROM held WHERE id = $1";

fn head(row: &Row) -> Result<Head, DbError> {
    Ok(Head {
        kind: row.text(0)?,
        payload_digest: row.bytes(1)?,
        submitter_hash: row.maybe_bytes(2)?,
        cancel_hash: row.maybe_bytes(3)?,
        commit_eta: Moment(row.int(4)?),
        review: row.maybe_text(5)?,
    })
}

/// Gives a staged row another cancel token; the one before is worth nothing from then on.
pub fn replace_token(tx: &mut dyn Tx, id: &str, cancel_hash: &[u8; 32]) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE staged SET cancel_hash = $1 WHERE id = $2";
    Ok(tx.execute(SQL, &[cancel_hash.into(), id.into()])? == 1)
}

/// The same for a held row.
pub fn replace_held_token(tx: &mut dyn Tx, id: &str, cancel_hash: &[u8; 32]) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE held SET cancel_hash = $1 WHERE id = $2";
    Ok(tx.execute(SQL, &[cancel_hash.into(), id.into()])? == 1)
}

/// Removes a row that is staged or held, with its salt; false when there was none.
pub fn remove(tx: &mut dyn Tx, id: &str) -> Result<bool, DbError> {
    let staged = tx.execute("DELETE FROM staged WHERE id = $1", &[id.into()])?;
    let held = tx.execute("DELETE FROM held WHERE id = $1", &[id.into()])?;
    super::salts::forget_submission(tx, id)?;
    Ok(staged + held > 0)
}

/// Takes a proposal that is pending from the public: its row, and its pull request.
pub fn take_from_public(tx: &mut dyn Tx, id: &str, outcome: &str, day: Moment) -> Result<(), DbError> {
    const SQL: &str = "SELECT public_uid, pull FROM staged WHERE id = $1";
    let Some(row) = tx.first(SQL, &[id.into()])? else { return Ok(()) };
    if let Some(uid) = row.maybe_text(0)? {
        super::proposals::erase(tx, &uid)?;
    }
    if let Some(pull) = row.maybe_int(1)? {
        super::pulls::close(tx, pull, outcome, day)?;
    }
    Ok(())
}

/// Takes out a row that this transaction has just put in.
pub fn withdraw(tx: &mut dyn Tx, id: &str) -> Result<(), DbError> {
    tx.execute("DELETE FROM staged WHERE id = $1", &[id.into()]).map(drop)
}

/// Moves a staged row to those waiting for a person, who reads why; false when it is not staged any more. The row is locked
/// before it is copied: one that is being cancelled is not copied behind its cancellation.
pub fn hold(tx: &mut dyn Tx, id: &str, why: &str, day: Moment) -> Result<bool, DbError> {
    if tx.execute("UPDATE staged SET attempts = attempts WHERE id = $1", &[id.into()])? == 0 {
        return Ok(false);
    }
    const COPY: &str = "INSERT INTO held (id, kind, payload, payload_digest, submitter_hash, cancel_hash, commit_eta, \
         cohort_anchor, session_id, public_uid, author_hash, day, review) \
         SELECT id, kind, payload, payload_digest, submitter_hash, cancel_hash, commit_eta, cohort_anchor, session_id, \
         public_uid, author_hash, CAST($1 AS BIGINT), CAST($2 AS TEXT) FROM staged WHERE id = $3";
    let moved = tx.execute(COPY, &[day.0.into(), why.into(), id.into()])?;
    tx.execute("DELETE FROM staged WHERE id = $1", &[id.into()])?;
    Ok(moved == 1)
}

/// Puts what was committed before among those waiting for a person. Who sent it is known no more.
pub fn hold_again(
    tx: &mut dyn Tx,
    (id, kind): (&str, &str),
    payload: &str,
    why: &str,
    day: Moment,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO held (id, kind, payload, payload_digest, commit_eta, day, review) \
         VALUES ($1, $2, $3, $4, $5, $5, $6)";
    let nobody: &[u8] = &[];
    let params = [id.into(), kind.into(), payload.into(), nobody.into(), day.0.into(), why.into()];
    tx.execute(SQL, &params).map(drop)
}

/// Notes which verdict waits with a held row.
pub fn tie_vote(tx: &mut dyn Tx, id: &str, vote_key: &[u8; 32]) -> Result<(), DbError> {
    tx.execute("UPDATE held SET vote_key = $1 WHERE id = $2", &[vote_key.into(), id.into()]).map(drop)
}

/// A held verdict: its words, and who sent it.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the columns
pub struct HeldVote {
    pub vote_key: [u8; 32],
    pub payload: String,
    pub payload_digest: Vec<u8>,
    pub submitter_hash: Option<Vec<u8>>,
}

/// The verdict that waits with a held row, which is locked as in [`hold`].
pub fn held_vote(tx: &mut dyn Tx, id: &str) -> Result<Option<HeldVote>, DbError> {
    if tx.execute("UPDATE held SET day = day WHERE id = $1", &[id.into()])? == 0 {
        return Ok(None);
    }
    let Some(row) = tx.first(HELD_VOTE, &[id.into()])? else { return Ok(None) };
    let Some(Ok(vote_key)) = row.maybe_bytes(0)?.map(TryInto::try_into) else { return Ok(None) };
    Ok(Some(HeldVote {
        vote_key,
        payload: row.text(1)?,
        payload_digest: row.bytes(2)?,
        submitter_hash: row.maybe_bytes(3)?,
    }))
}

pub(super) const HELD_VOTE: &str =
    "SELECT vote_key, payload, payload_digest, submitter_hash FROM held WHERE id = $1";

/// The day since which the oldest held row has been waiting.
pub fn oldest_held(tx: &mut dyn Tx) -> Result<Option<Moment>, DbError> {
    tx.first(OLDEST_HELD, &[])?.map(|row| Ok(Moment(row.int(0)?))).transpose()
}

pub(super) const OLDEST_HELD: &str = "SELECT day FROM held WHERE day >= 0 ORDER BY day LIMIT 1";

/// Puts a held row back among the staged, due when its window has ended: a person has looked at it and left it in this state. Locked first,
/// as in [`hold`].
pub fn release(tx: &mut dyn Tx, id: &str, state: &str, now: Moment) -> Result<bool, DbError> {
    if tx.execute("UPDATE held SET day = day WHERE id = $1", &[id.into()])? == 0 {
        return Ok(false);
    }
    const COPY: &str = "INSERT INTO staged (id, kind, payload, payload_digest, submitter_hash, cancel_hash, received_at, \
         due_at, commit_eta, cohort_anchor, session_id, public_uid, author_hash, review) \
         SELECT id, kind, payload, payload_digest, submitter_hash, cancel_hash, CAST($1 AS BIGINT), \
         CASE WHEN commit_eta > $1 THEN commit_eta ELSE CAST($1 AS BIGINT) END, commit_eta, \
         cohort_anchor, session_id, public_uid, author_hash, CAST($2 AS TEXT) FROM held WHERE id = $3 AND submitter_hash IS NOT NULL";
    let moved = tx.execute(COPY, &[now.0.into(), state.into(), id.into()])?;
    if moved == 1 {
        tx.execute("DELETE FROM held WHERE id = $1", &[id.into()])?;
    }
    Ok(moved == 1)
}

/// A row of a session, as its sender gets it back.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct OfSession {
    pub id: String,
    pub kind: String,
    /// When it is committed; `None` while it is held.
    pub commit_eta: Option<Moment>,
    /// What a person who looked at it left it as.
    pub review: Option<String>,
}

/// What was sent in an envelope with this session id and is staged or held.
pub fn of_session(tx: &mut dyn Tx, session: &str) -> Result<Vec<OfSession>, DbError> {
    let mut found = Vec::new();
    for row in tx.query(OF_SESSION, &[session.into()])? {
        let (commit_eta, review) = (Some(Moment(row.int(2)?)), row.maybe_text(3)?);
        found.push(OfSession { id: row.text(0)?, kind: row.text(1)?, commit_eta, review });
    }
    for row in tx.query(HELD_OF_SESSION, &[session.into()])? {
        found.push(OfSession { id: row.text(0)?, kind: row.text(1)?, commit_eta: None, review: None });
    }
    Ok(found)
}

pub(super) const OF_SESSION: &str =
    "SELECT id, kind, commit_eta, review FROM staged WHERE session_id = $1 ORDER BY id LIMIT 500";

pub(super) const HELD_OF_SESSION: &str =
    "SELECT id, kind FROM held WHERE session_id = $1 ORDER BY id LIMIT 500";

/// A row that is due.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the columns
pub struct Due {
    pub id: String,
    pub kind: String,
    pub payload: String,
    pub payload_digest: Vec<u8>,
    pub submitter_hash: Vec<u8>,
    pub commit_eta: Moment,
    pub cohort_anchor: Option<String>,
    pub review: Option<String>,
    pub attempts: i64,
    pub public_uid: Option<String>,
    pub pull: Option<i64>,
    pub author_hash: Option<Vec<u8>>,
}

/// The ids of rows that are due, oldest first.
pub fn due(tx: &mut dyn Tx, now: Moment, limit: i64) -> Result<Vec<String>, DbError> {
    tx.query(DUE, &[now.0.into(), limit.into()])?.iter().map(|row| row.text(0)).collect()
}

/// A staged row with everything the commit job needs.
pub fn load(tx: &mut dyn Tx, id: &str) -> Result<Option<Due>, DbError> {
    let row = tx.first(LOAD, &[id.into()])?;
    row.map(|row| {
        Ok(Due {
            id: row.text(0)?,
            kind: row.text(1)?,
            payload: row.text(2)?,
            payload_digest: row.bytes(3)?,
            submitter_hash: row.bytes(4)?,
            commit_eta: Moment(row.int(5)?),
            cohort_anchor: row.maybe_text(6)?,
            review: row.maybe_text(7)?,
            attempts: row.int(8)?,
            public_uid: row.maybe_text(9)?,
            pull: row.maybe_int(10)?,
            author_hash: row.maybe_bytes(11)?,
        })
    })
    .transpose()
}

pub(super) const LOAD: &str = "SELECT id, kind, payload, payload_digest, submitter_hash, commit_eta, cohort_anchor, \
     review, attempts, public_uid, pull, author_hash FROM staged WHERE id = $1";

/// The staged row of a proposal, by what it is called in public.
pub fn of_public_uid(tx: &mut dyn Tx, uid: &str) -> Result<Option<Due>, DbError> {
    let Some(row) = tx.first(OF_PUBLIC_UID, &[uid.into()])? else { return Ok(None) };
    load(tx, &row.text(0)?)
}

pub(super) const OF_PUBLIC_UID: &str = "SELECT id FROM staged WHERE public_uid = $1";

/// The staged row in a pull request.
pub fn of_pull(tx: &mut dyn Tx, number: i64) -> Result<Option<Due>, DbError> {
    let Some(row) = tx.first(OF_PULL, &[number.into()])? else { return Ok(None) };
    load(tx, &row.text(0)?)
}

pub(super) const OF_PULL: &str = "SELECT id FROM staged WHERE pull = $1";

/// Locks a row for the rest of the transaction; false when it is not staged any more.
pub fn lock(tx: &mut dyn Tx, id: &str) -> Result<bool, DbError> {
    Ok(tx.execute("UPDATE staged SET attempts = attempts WHERE id = $1", &[id.into()])? == 1)
}

/// Notes what a row is called in public, and the pull request it is in.
pub fn opened(tx: &mut dyn Tx, id: &str, public_uid: &str, pull: Option<i64>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE staged SET public_uid = $1, pull = $2 WHERE id = $3";
    tx.execute(SQL, &[public_uid.into(), pull.into(), id.into()]).map(drop)
}

/// Lets a row wait until a moment, or for a person.
pub fn wait(tx: &mut dyn Tx, id: &str, until: Option<Moment>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE staged SET due_at = $1, failure = NULL WHERE id = $2";
    tx.execute(SQL, &[until.map(|it| it.0).into(), id.into()]).map(drop)
}

/// Notes a failure: the row stays, and is tried again at a moment.
pub fn failed(tx: &mut dyn Tx, id: &str, failure: &str, now: Moment, again: Moment) -> Result<(), DbError> {
    const SQL: &str = "UPDATE staged SET attempts = attempts + 1, attempted_at = $1, failure = $2, due_at = $3 \
         WHERE id = $4";
    tx.execute(SQL, &[now.0.into(), failure.into(), again.0.into(), id.into()]).map(drop)
}

/// How many rows that are due before a moment should have been committed before another.
pub fn overdue(tx: &mut dyn Tx, due_before: Moment, eta_before: Moment) -> Result<i64, DbError> {
    let row = tx.first(OVERDUE, &[due_before.0.into(), eta_before.0.into()])?;
    row.map_or(Ok(0), |row| row.int(0))
}

pub(super) const OVERDUE: &str =
    "SELECT CAST(COUNT(*) AS BIGINT) FROM staged WHERE due_at <= $1 AND commit_eta <= $2";

/// Ids that are due, oldest first. The commit job asks.
pub(super) const DUE: &str = "SELECT id FROM staged WHERE due_at <= $1 ORDER BY due_at LIMIT $2";
