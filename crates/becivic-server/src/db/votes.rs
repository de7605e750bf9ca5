//! `validations`: verdicts. They apply at once; the newest of each voter in a cohort is marked, because no time finer
//! than a day is kept.

use super::{DbError, Tx, uids};
use crate::moment::Moment;

/// A verdict to be kept.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the columns
pub struct Vote {
    pub vote_key: [u8; 32],
    pub target_type: &'static str,
    pub target_id: String,
    pub cohort: String,
    pub cohort_anchor: Option<String>,
    pub verdict: &'static str,
    pub injection_flag: bool,
    pub weight: i64,
    pub rationale: Option<String>,
    pub injection_reason: Option<String>,
    pub traversal: Option<String>,
    pub session_id: Option<String>,
    pub day: Moment,
}

/// Keeps a verdict as the newest of its voter.
pub fn insert(tx: &mut dyn Tx, vote: &Vote, voter_hash: &[u8; 32]) -> Result<(), DbError> {
    const OLDER: &str = "UPDATE validations SET latest = 0 \
         WHERE target_type = $1 AND target_id = $2 AND cohort = $3 AND voter_hash = $4 AND latest = 1";
    const NEW: &str = "INSERT INTO validations (vote_key, target_type, target_id, cohort, cohort_anchor, verdict, \
         injection_flag, latest, weight, submitter_type, voter_hash, rationale, injection_reason, traversal, \
         session_id, state, day) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, 'person', $9, $10, $11, $12, $13, 'applied', $14)";
    tx.execute(
        OLDER,
        &[vote.target_type.into(), (&vote.target_id).into(), (&vote.cohort).into(), voter_hash.into()],
    )?;
    tx.execute(
        NEW,
        &[
            (&vote.vote_key).into(),
            vote.target_type.into(),
            (&vote.target_id).into(),
            (&vote.cohort).into(),
            vote.cohort_anchor.as_ref().into(),
            vote.verdict.into(),
            i64::from(vote.injection_flag).into(),
            vote.weight.into(),
            voter_hash.into(),
            vote.rationale.as_ref().into(),
            vote.injection_reason.as_ref().into(),
            vote.traversal.as_ref().into(),
            vote.session_id.as_ref().into(),
            vote.day.0.into(),
        ],
    )
    .map(drop)
}

/// Counts a verdict, or leaves it out of every count; it is named by its key in hexadecimal digits.
pub fn set_counted(tx: &mut dyn Tx, key: &str, counted: bool) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE validations SET state = $1 WHERE vote_key = $2";
    let state = if counted { "applied" } else { "held" };
    let bytes: Option<Vec<u8>> =
        (0..key.len() / 2).map(|at| u8::from_str_radix(key.get(2 * at..2 * at + 2)?, 16).ok()).collect();
    Ok(tx.execute(SQL, &[state.into(), bytes.as_ref().into()])? == 1)
}

/// How many voted on an artefact in a cohort, and how many of them flagged it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Distinct {
    pub voters: i64,
    pub flaggers: i64,
    pub confirms: i64,
    pub rejects: i64,
}

/// Counts the voters of a cohort: the latest verdict of each.
pub fn distinct(
    tx: &mut dyn Tx,
    target_type: &str,
    target_id: &str,
    cohort: &str,
) -> Result<Distinct, DbError> {
    let row = tx.first(DISTINCT, &[target_type.into(), target_id.into(), cohort.into()])?;
    let Some(row) = row else { return Ok(Distinct::default()) };
    Ok(Distinct { voters: row.int(0)?, flaggers: row.int(1)?, confirms: row.int(2)?, rejects: row.int(3)? })
}

pub(super) const DISTINCT: &str = "SELECT CAST(COUNT(DISTINCT voter_hash) AS BIGINT), \
     CAST(COUNT(DISTINCT CASE WHEN injection_flag = 1 THEN voter_hash END) AS BIGINT), \
     CAST(COALESCE(SUM(CASE WHEN verdict = 'confirm' AND latest = 1 THEN 1 ELSE 0 END), 0) AS BIGINT), \
     CAST(COALESCE(SUM(CASE WHEN verdict = 'reject' AND latest = 1 THEN 1 ELSE 0 END), 0) AS BIGINT) \
     FROM validations WHERE target_type = $1 AND target_id = $2 AND cohort = $3 AND weight = 1 AND state = 'applied'";

/// A verdict of a session, as its sender gets it back.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct OfSession {
    pub target_type: String,
    pub target_id: String,
    pub verdict: String,
    pub day: i64,
}

/// The verdicts that carry a session id.
pub fn of_session(tx: &mut dyn Tx, session: &str) -> Result<Vec<OfSession>, DbError> {
    let rows = tx.query(OF_SESSION, &[session.into()])?;
    rows.iter()
        .map(|row| {
            Ok(OfSession {
                target_type: row.text(0)?,
                target_id: row.text(1)?,
                verdict: row.text(2)?,
                day: row.int(3)?,
            })
        })
        .collect()
}

pub(super) const OF_SESSION: &str = "SELECT target_type, target_id, verdict, day FROM validations \
     WHERE session_id = $1 ORDER BY target_type, target_id LIMIT 500";

/// Erases session ids from verdicts older than a day.
pub fn forget_sessions(tx: &mut dyn Tx, before: Moment) -> Result<u64, DbError> {
    const SQL: &str = "UPDATE validations SET session_id = NULL WHERE session_id IS NOT NULL AND day < $1";
    tx.execute(SQL, &[before.0.into()])
}

/// Forgets who voted in a cohort: hashes and the salt they were made with. The verdicts stay.
pub fn forget_voters(
    tx: &mut dyn Tx,
    target_type: &str,
    target_id: &str,
    cohort: &str,
) -> Result<(), DbError> {
    const HASHES: &str = "UPDATE validations SET voter_hash = NULL \
         WHERE target_type = $1 AND target_id = $2 AND cohort = $3 AND voter_hash IS NOT NULL";
    const SALT: &str = "DELETE FROM vote_salts WHERE target_type = $1 AND target_id = $2 AND cohort = $3";
    tx.execute(HASHES, &[target_type.into(), target_id.into(), cohort.into()])?;
    tx.execute(SALT, &[target_type.into(), target_id.into(), cohort.into()]).map(drop)
}

/// Opens a review item for a flagged artefact. The flagger's sanction hash stands apart, under a ticket.
pub fn open_flag_review(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    ticket: &[u8; 32],
    sanction_hash: &[u8; 32],
    day: Moment,
) -> Result<String, DbError> {
    const ITEM: &str = "INSERT INTO review_items (uid, reason, target_type, target_id, state, ticket, day) \
         VALUES ($1, 'injection_flag', $2, $3, 'open', $4, $5)";
    let uid = uids::written("rev", uids::next(tx, "rev")?);
    tx.execute(ITEM, &[(&uid).into(), target_type.into(), target_id.into(), ticket.into(), day.0.into()])?;
    tx.execute(
        "INSERT INTO sanction_tickets (ticket, sanction_hash) VALUES ($1, $2)",
        &[ticket.into(), sanction_hash.into()],
    )?;
    Ok(uid)
}

/// How many flags of this hash were found bogus.
pub fn bogus_flags(tx: &mut dyn Tx, sanction_hash: &[u8; 32]) -> Result<i64, DbError> {
    let row =
        tx.first("SELECT bogus_flags FROM sanctions WHERE sanction_hash = $1", &[sanction_hash.into()])?;
    row.map_or(Ok(0), |row| row.int(0))
}

/// Remembers that a flag was bogus.
pub fn note_bogus(tx: &mut dyn Tx, sanction_hash: &[u8; 32], period: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO sanctions (sanction_hash, bogus_flags, period) VALUES ($1, 1, $2) \
         ON CONFLICT (sanction_hash) DO UPDATE SET bogus_flags = sanctions.bogus_flags + 1";
    tx.execute(SQL, &[sanction_hash.into(), period.into()]).map(drop)
}
