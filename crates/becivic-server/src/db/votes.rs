//! `validations`: verdicts. They apply at once; how each counts stands on it as marks (`becivic_core::consensus::Marks`),
//! because no time finer than a day is kept and voters are forgotten.

pub mod held;

use super::standings::Standing;
use super::{DbError, Row, Tx};
use crate::moment::Moment;
use becivic_core::consensus::{Ballot, Marks, Tally, Verdict};
use std::collections::HashMap;

/// A verdict to be kept.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the columns
pub struct Vote {
    pub vote_key: [u8; 32],
    pub target_type: &'static str,
    pub target_id: String,
    /// The artefact it counts for, as `type:id`: a source's path.
    pub artefact: String,
    pub cohort: String,
    pub cohort_anchor: Option<String>,
    pub ballot: Ballot,
    pub weight: i64,
    pub rationale: Option<String>,
    pub injection_reason: Option<String>,
    pub traversal: Option<String>,
    pub session_id: Option<String>,
    pub day: Moment,
}

impl Vote {
    /// Type and id of the artefact it counts for.
    pub fn counts_for(&self) -> (&str, &str) {
        self.artefact.split_once(':').unwrap_or((&self.artefact, ""))
    }
}

/// `confirm` or `reject`.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Confirm => "confirm",
        Verdict::Reject => "reject",
    }
}

/// Keeps a verdict. One whose voter is not known counts for nobody in particular: its marks say how.
pub fn insert(tx: &mut dyn Tx, vote: &Vote, marks: Marks, voter_hash: Option<&[u8]>) -> Result<(), DbError> {
    insert_as(tx, vote, marks, voter_hash, "applied")
}

fn insert_as(
    tx: &mut dyn Tx,
    vote: &Vote,
    marks: Marks,
    voter_hash: Option<&[u8]>,
    state: &str,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO validations (vote_key, target_type, target_id, artefact, cohort, cohort_anchor, verdict, \
         injection_flag, marks, weight, submitter_type, voter_hash, rationale, injection_reason, traversal, session_id, \
         state, day) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
    let submitter_type = if vote.ballot.probe { "ci_probe" } else { "person" };
    tx.execute(
        SQL,
        &[
            (&vote.vote_key).into(),
            vote.target_type.into(),
            (&vote.target_id).into(),
            (&vote.artefact).into(),
            (&vote.cohort).into(),
            vote.cohort_anchor.as_ref().into(),
            word(vote.ballot.verdict).into(),
            i64::from(vote.ballot.flag).into(),
            marks.0.into(),
            vote.weight.into(),
            submitter_type.into(),
            voter_hash.into(),
            vote.rationale.as_ref().into(),
            vote.injection_reason.as_ref().into(),
            vote.traversal.as_ref().into(),
            vote.session_id.as_ref().into(),
            state.into(),
            vote.day.0.into(),
        ],
    )
    .map(drop)
}

/// A verdict as counting sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its key.
    pub key: Vec<u8>,
    /// What it is about: the artefact, or one source of it.
    pub target_id: String,
    /// What it says.
    pub ballot: Ballot,
    /// How it counts.
    pub marks: Marks,
    /// The day it landed on.
    pub day: i64,
}

/// The verdicts of one voter in a cohort.
pub fn of_voter(
    tx: &mut dyn Tx,
    artefact: &str,
    cohort: &str,
    voter_hash: &[u8],
) -> Result<Vec<Counted>, DbError> {
    tx.query(OF_VOTER, &[artefact.into(), cohort.into(), voter_hash.into()])?.iter().map(counted).collect()
}

pub(super) const OF_VOTER: &str = "SELECT vote_key, target_id, verdict, injection_flag, marks, submitter_type, day \
     FROM validations WHERE artefact = $1 AND cohort = $2 AND voter_hash = $3 AND state = 'applied'";

/// Every verdict of a cohort that counts.
pub fn of_cohort(tx: &mut dyn Tx, artefact: &str, cohort: &str) -> Result<Vec<Counted>, DbError> {
    tx.query(OF_COHORT, &[artefact.into(), cohort.into()])?.iter().map(counted).collect()
}

pub(super) const OF_COHORT: &str = "SELECT vote_key, target_id, verdict, injection_flag, marks, submitter_type, day \
     FROM validations WHERE artefact = $1 AND cohort = $2 AND weight = 1 AND state = 'applied'";

fn counted(row: &Row) -> Result<Counted, DbError> {
    let marks = Marks(row.int(4)?);
    let verdict = if row.text(2)? == "confirm" { Verdict::Confirm } else { Verdict::Reject };
    let (flag, probe) = (row.int(3)? == 1, row.text(5)? == "ci_probe");
    let ballot = Ballot { verdict, flag, probe, handoff: marks.has(Marks::FIRST_HANDOFF) };
    Ok(Counted { key: row.bytes(0)?, target_id: row.text(1)?, ballot, marks, day: row.int(6)? })
}

/// Counts a cohort again from its verdicts.
pub fn recount(tx: &mut dyn Tx, artefact: &str, cohort: &str) -> Result<Tally, DbError> {
    let rows = of_cohort(tx, artefact, cohort)?;
    Ok(Tally::recount(rows.into_iter().map(|it| (it.ballot, it.marks, it.day))))
}

/// Counts the cohorts of a page of standings, which follow each other in the order of their keys: by `type:id`.
pub fn sums(tx: &mut dyn Tx, page: &[Standing]) -> Result<HashMap<String, Tally>, DbError> {
    let (Some(first), Some(last)) = (page.first(), page.last()) else { return Ok(HashMap::new()) };
    let params = [
        (&first.target_type).into(),
        (&first.target_id).into(),
        (&last.target_type).into(),
        (&last.target_id).into(),
    ];
    let mut alike: HashMap<String, Vec<Alike>> = HashMap::new();
    for row in tx.query(SUMS, &params)? {
        let verdict = if row.text(1)? == "confirm" { Verdict::Confirm } else { Verdict::Reject };
        let ballot = Ballot { verdict, flag: false, probe: row.text(2)? == "ci_probe", handoff: false };
        let times = usize::try_from(row.int(5)?).unwrap_or(0);
        alike.entry(row.text(0)?).or_default().push(((ballot, Marks(row.int(3)?), row.int(4)?), times));
    }
    let counted = |rows: Vec<Alike>| {
        Tally::recount(rows.into_iter().flat_map(|(row, times)| std::iter::repeat_n(row, times)))
    };
    Ok(alike.into_iter().map(|(artefact, rows)| (artefact, counted(rows))).collect())
}

/// Verdicts that count alike on a day, and how many they are.
type Alike = ((Ballot, Marks, i64), usize);

pub(super) const SUMS: &str = "SELECT v.artefact, v.verdict, v.submitter_type, v.marks, v.day, CAST(COUNT(*) AS BIGINT) \
     FROM standings s JOIN validations v ON v.artefact = s.target_type || ':' || s.target_id AND v.cohort = s.cohort \
     WHERE (s.target_type, s.target_id) >= ($1, $2) AND (s.target_type, s.target_id) <= ($3, $4) \
     AND v.weight = 1 AND v.state = 'applied' GROUP BY v.artefact, v.verdict, v.submitter_type, v.marks, v.day";

/// The cohorts that an artefact's verdicts are in.
pub fn cohorts(tx: &mut dyn Tx, artefact: &str) -> Result<Vec<String>, DbError> {
    tx.query(COHORTS, &[artefact.into()])?.iter().map(|row| row.text(0)).collect()
}

pub(super) const COHORTS: &str = "SELECT DISTINCT cohort FROM validations WHERE artefact = $1";

/// Whether it is known of a cohort who voted in it: it has not ended.
pub fn has_voters(tx: &mut dyn Tx, artefact: &str, cohort: &str) -> Result<bool, DbError> {
    Ok(tx.first(HAS_VOTERS, &[artefact.into(), cohort.into()])?.is_some())
}

pub(super) const HAS_VOTERS: &str = "SELECT vote_key FROM validations WHERE artefact = $1 AND cohort = $2 \
     AND voter_hash IS NOT NULL AND submitter_type = 'person' LIMIT 1";

/// Whether anybody who voted in a cohort could still be recognised.
pub fn knows_voters(tx: &mut dyn Tx, artefact: &str, cohort: &str) -> Result<bool, DbError> {
    Ok(tx.first(KNOWS_VOTERS, &[artefact.into(), cohort.into()])?.is_some())
}

pub(super) const KNOWS_VOTERS: &str = "SELECT marks FROM validations WHERE artefact = $1 AND cohort = $2 \
     AND voter_hash IS NOT NULL AND submitter_type = 'person' LIMIT 1";

/// Writes how a verdict counts now.
pub fn mark(tx: &mut dyn Tx, key: &[u8], marks: Marks) -> Result<(), DbError> {
    const SQL: &str = "UPDATE validations SET marks = $1 WHERE vote_key = $2";
    tx.execute(SQL, &[marks.0.into(), key.into()]).map(drop)
}

/// Moves a verdict into another cohort.
pub fn move_to(tx: &mut dyn Tx, key: &[u8], cohort: &str, marks: Marks) -> Result<(), DbError> {
    const SQL: &str = "UPDATE validations SET cohort = $1, marks = $2 WHERE vote_key = $3";
    tx.execute(SQL, &[cohort.into(), marks.0.into(), key.into()]).map(drop)
}

/// Takes the flags of an artefact out of every count: somebody has decided on them.
pub fn decide_flags(tx: &mut dyn Tx, artefact: &str) -> Result<u64, DbError> {
    const SQL: &str = "UPDATE validations SET marks = marks - $1 WHERE artefact = $2 AND (marks & $1) <> 0";
    tx.execute(SQL, &[Marks::FIRST_FLAG.into(), artefact.into()])
}

/// A verdict that was taken out of every count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Moved {
    pub row: Counted,
    pub artefact: String,
    pub cohort: String,
    pub weight: i64,
}

/// Takes a verdict out of every count. It has no marks then: whoever lets it count again says how. A flag goes on counting: only
/// its text is withheld (DECISIONS §5).
pub fn stop_counting(tx: &mut dyn Tx, key: &[u8; 32]) -> Result<Option<Moved>, DbError> {
    const SQL: &str = "UPDATE validations SET state = 'held', marks = 0 \
         WHERE vote_key = $1 AND state = 'applied' AND injection_flag = 0 RETURNING vote_key, target_id, \
         verdict, injection_flag, marks, submitter_type, day, artefact, cohort, weight";
    let read = |row: Row| {
        let (artefact, cohort, weight) = (row.text(7)?, row.text(8)?, row.int(9)?);
        Ok(Moved { row: counted(&row)?, artefact, cohort, weight })
    };
    tx.first(SQL, &[key.into()])?.map(read).transpose()
}

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

/// Forgets who voted in a cohort. The verdicts stay, and their marks.
pub fn forget_voters(tx: &mut dyn Tx, artefact: &str, cohort: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE validations SET voter_hash = NULL \
         WHERE artefact = $1 AND cohort = $2 AND voter_hash IS NOT NULL AND submitter_type = 'person'";
    tx.execute(SQL, &[artefact.into(), cohort.into()]).map(drop)
}
