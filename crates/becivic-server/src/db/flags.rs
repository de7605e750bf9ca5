//! `review_items`: artefacts that somebody flagged or that were put away, until a maintainer has decided. Whoever raised a
//! flag stands apart under a ticket, which goes when the flag is decided on (DECISIONS §6).

use super::{DbError, Row, Tx, ledger, uids};
use crate::moment::Moment;
use std::collections::BTreeSet;

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the columns
pub struct Item {
    pub uid: String,
    pub reason: String,
    pub target_type: String,
    pub target_id: String,
    pub state: String,
    pub day: Moment,
    pub forge_number: Option<i64>,
}

/// Open items after a uid.
pub fn open(tx: &mut dyn Tx, after: &str, limit: i64) -> Result<Vec<Item>, DbError> {
    tx.query(OPEN, &[after.into(), limit.into()])?.iter().map(item).collect()
}

pub(super) const OPEN: &str = "SELECT uid, reason, target_type, target_id, state, day, forge_number FROM review_items \
     WHERE state = 'open' AND uid > $1 ORDER BY uid LIMIT $2";

/// One item.
pub fn find(tx: &mut dyn Tx, uid: &str) -> Result<Option<Item>, DbError> {
    tx.first(FIND, &[uid.into()])?.as_ref().map(item).transpose()
}

pub(super) const FIND: &str =
    "SELECT uid, reason, target_type, target_id, state, day, forge_number FROM review_items WHERE uid = $1";

/// Every item about one artefact, open and decided.
pub fn of_target(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<Vec<Item>, DbError> {
    tx.query(OF_TARGET, &[target_type.into(), target_id.into()])?.iter().map(item).collect()
}

pub(super) const OF_TARGET: &str = "SELECT uid, reason, target_type, target_id, state, day, forge_number FROM review_items \
     WHERE target_type = $1 AND target_id = $2 LIMIT 200";

fn item(row: &Row) -> Result<Item, DbError> {
    Ok(Item {
        uid: row.text(0)?,
        reason: row.text(1)?,
        target_type: row.text(2)?,
        target_id: row.text(3)?,
        state: row.text(4)?,
        day: Moment(row.int(5)?),
        forge_number: row.maybe_int(6)?,
    })
}

/// How open items of an artefact are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There was something.
    Upheld,
    /// There was nothing, said in good faith.
    Dismissed,
    /// There was nothing, and whoever said so knew.
    Bogus,
}

impl Verdict {
    fn state(self) -> &'static str {
        match self {
            Self::Upheld => "upheld",
            Self::Dismissed => "dismissed",
            Self::Bogus => "bogus",
        }
    }
}

/// Decides every open item of an artefact; says how many there were. The tickets go; a bogus flag is remembered against
/// its sender's hash of this period.
pub fn decide(
    tx: &mut dyn Tx,
    (target_type, target_id): (&str, &str),
    verdict: Verdict,
    period: i64,
) -> Result<usize, DbError> {
    const CLOSE: &str = "UPDATE review_items SET state = $1, ticket = NULL WHERE uid = $2";
    const RELEASE: &str = "DELETE FROM sanction_tickets WHERE ticket = $1";
    let open = tx.query(OPEN_OF_TARGET, &[target_type.into(), target_id.into()])?;
    let mut known = BTreeSet::new();
    for row in &open {
        let (uid, ticket, hash) = (row.text(0)?, row.maybe_bytes(1)?, row.maybe_bytes(2)?);
        let hash: Option<[u8; 32]> = hash.and_then(|hash| hash.try_into().ok());
        // Whoever flagged one thing twice was wrong once.
        if let (Verdict::Bogus, Some(hash)) = (verdict, hash)
            && known.insert(hash)
        {
            note_bogus(tx, &hash, period)?;
        }
        tx.execute(CLOSE, &[verdict.state().into(), (&uid).into()])?;
        if let Some(ticket) = &ticket {
            tx.execute(RELEASE, &[ticket.into()])?;
        }
    }
    Ok(open.len())
}

pub(super) const OPEN_OF_TARGET: &str = "SELECT r.uid, r.ticket, t.sanction_hash FROM review_items r \
     LEFT JOIN sanction_tickets t ON t.ticket = r.ticket \
     WHERE r.target_type = $1 AND r.target_id = $2 AND r.state = 'open'";

/// A verdict with a flag, for maintainers' eyes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Flag {
    pub verdict: String,
    pub reason: Option<String>,
    /// Where the reason is, if it is not here: `words_held` or `words_discarded`.
    pub words: Option<String>,
    pub rationale: Option<String>,
    pub cohort_anchor: Option<String>,
    pub state: String,
    pub day: Moment,
}

/// The flags on an artefact.
pub fn raised(tx: &mut dyn Tx, target_type: &str, target_id: &str) -> Result<Vec<Flag>, DbError> {
    let artefact = super::standings::artefact(target_type, target_id);
    let rows = tx.query(RAISED, &[(&artefact).into()])?;
    rows.iter()
        .map(|row| {
            let reason = row.maybe_text(1)?;
            let words = match reason {
                Some(_) => None,
                None => ledger::words_of(tx, &row.bytes(6)?)?,
            };
            Ok(Flag {
                verdict: row.text(0)?,
                reason,
                words,
                rationale: row.maybe_text(2)?,
                cohort_anchor: row.maybe_text(3)?,
                state: row.text(4)?,
                day: Moment(row.int(5)?),
            })
        })
        .collect()
}

pub(super) const RAISED: &str = "SELECT verdict, injection_reason, rationale, cohort_anchor, state, day, vote_key FROM validations \
     WHERE artefact = $1 AND injection_flag = 1 LIMIT 200";

/// Opens a review item for a flagged artefact. The flagger's sanction hash stands apart, under a ticket.
pub fn open_for_flag(
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
fn note_bogus(tx: &mut dyn Tx, sanction_hash: &[u8; 32], period: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO sanctions (sanction_hash, bogus_flags, period) VALUES ($1, 1, $2) \
         ON CONFLICT (sanction_hash) DO UPDATE SET bogus_flags = sanctions.bogus_flags + 1";
    tx.execute(SQL, &[sanction_hash.into(), period.into()]).map(drop)
}
