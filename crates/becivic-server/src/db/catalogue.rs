//! `catalogue_entries` and `catalogue_rows`: volatile values and references (DECISIONS §4). Exactly one row of a uid is
//! current; a correction inserts a row and supersedes the one before, in one transaction.

use super::standings::{self, Standing};
use super::{DbError, Row, Tx, contributors, salts, uids, votes};
use crate::moment::Moment;
use becivic_core::catalogue::{ReferenceRow, SeedCatalogue, ValueRow};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Values or references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `val-NNNNN`
    Value,
    /// `ref-NNNNN`
    Reference,
}

impl Prefix {
    /// As it begins a uid.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Value => "val",
            Self::Reference => "ref",
        }
    }

    /// As a submission names what it is about.
    pub fn target_type(self) -> &'static str {
        match self {
            Self::Value => "volatile_value",
            Self::Reference => "reference",
        }
    }

    /// The kind whose uids begin so.
    pub fn named(prefix: &str) -> Option<Self> {
        [Self::Value, Self::Reference].into_iter().find(|it| it.as_str() == prefix)
    }

    /// The kind that a submission names.
    pub fn of_type(target_type: &str) -> Option<Self> {
        [Self::Value, Self::Reference].into_iter().find(|it| it.target_type() == target_type)
    }

    /// Whether a text is a uid of this kind; anything else is a name.
    pub fn is_uid(self, text: &str) -> bool {
        let digits = text.strip_prefix(self.as_str()).and_then(|rest| rest.strip_prefix('-'));
        digits.is_some_and(|digits| digits.len() >= 5 && digits.bytes().all(|b| b.is_ascii_digit()))
    }
}

/// One version of an entry.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the columns
pub struct CatalogueRow {
    pub key: String,
    pub uid: String,
    pub name: String,
    pub status: String,
    pub content: Map<String, Value>,
    pub committed_at: Moment,
    pub superseded_at: Option<Moment>,
    pub previous_row: Option<String>,
    /// Why it is not current any more.
    pub ended_by: Option<String>,
    /// The counts it ended with.
    pub frozen: Option<Value>,
}

impl CatalogueRow {
    /// Confirms and rejects that it ended with: what later verdicts on the same content are added to, once it is stable.
    pub fn frozen_base(&self) -> (i64, i64) {
        let count = |name: &str| {
            self.frozen.as_ref().and_then(|it| it.get(name)).and_then(Value::as_i64).unwrap_or(0)
        };
        (count("confirms"), count("rejects"))
    }

    /// What is left of its content when it is put away: what a reader sees of it is that there is nothing.
    pub fn without_content(&self) -> Map<String, Value> {
        let left = self.content.iter().filter_map(|(name, value)| match name.as_str() {
            "value" => Some((name.clone(), Value::Null)),
            "value_type" => Some((name.clone(), value.clone())),
            "title" | "url" => Some((name.clone(), Value::String(String::new()))),
            _ => None,
        });
        left.collect()
    }
}

/// Whether there is nothing in the catalogue yet.
pub fn is_empty(tx: &mut dyn Tx) -> Result<bool, DbError> {
    Ok(tx.first("SELECT uid FROM catalogue_entries LIMIT 1", &[])?.is_none())
}

/// Inserts an entry with its first row; the uid was given by a maintainer. Its cohort begins now.
pub fn seed(
    tx: &mut dyn Tx,
    prefix: Prefix,
    (uid, name): (&str, &str),
    status: &str,
    content: &str,
    committed_at: Moment,
    now: Moment,
) -> Result<(), DbError> {
    const ENTRY: &str = "INSERT INTO catalogue_entries (uid, prefix, name) VALUES ($1, $2, $3)";
    tx.execute(ENTRY, &[uid.into(), prefix.as_str().into(), name.into()])?;
    uids::at_least(tx, prefix.as_str(), uids::number(uid).unwrap_or(0))?;
    insert_row(tx, prefix, uid, None, status, content, (committed_at, now))
}

/// Mints an entry: an existing name gets its uid back, a new one gets the next, with a first row at alpha.
pub fn mint(
    tx: &mut dyn Tx,
    prefix: Prefix,
    name: &str,
    content: &str,
    now: Moment,
) -> Result<(String, bool), DbError> {
    if let Some(uid) = uid_of_name(tx, prefix, name)? {
        return Ok((uid, false));
    }
    // Whoever mints holds the counter; once it is ours, whoever was faster with the same name has finished.
    uids::at_least(tx, prefix.as_str(), 0)?;
    if let Some(uid) = uid_of_name(tx, prefix, name)? {
        return Ok((uid, false));
    }
    let uid = uids::written(prefix.as_str(), uids::next(tx, prefix.as_str())?);
    seed(tx, prefix, (&uid, name), "alpha", content, now.day(), now)?;
    Ok((uid, true))
}

fn insert_row(
    tx: &mut dyn Tx,
    prefix: Prefix,
    uid: &str,
    previous: Option<&str>,
    status: &str,
    content: &str,
    (committed_at, now): (Moment, Moment),
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO catalogue_rows (row_key, uid, prefix, previous_row, status, content, committed_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let ordinal = previous.and_then(|key| key.rsplit_once('.')).and_then(|(_, n)| n.parse::<u64>().ok());
    let key = format!("{uid}.{:06}", ordinal.map_or(1, |n| n + 1));
    tx.execute(
        SQL,
        &[
            (&key).into(),
            uid.into(),
            prefix.as_str().into(),
            previous.into(),
            status.into(),
            content.into(),
            committed_at.0.into(),
        ],
    )?;
    // Every row is a cohort of its own.
    let target = (prefix.target_type(), uid);
    let before = standings::find(tx, target.0, uid)?;
    let mut standing = Standing::new(target, status, "", key, now);
    standing.first_at = before.as_ref().map_or(now, |before| before.first_at);
    standing.log_position = before.and_then(|before| before.log_position);
    standings::store(tx, &standing)
}

/// Puts a corrected row in the place of the current one.
pub fn supersede(
    tx: &mut dyn Tx,
    prefix: Prefix,
    uid: &str,
    status: &str,
    content: &str,
    now: Moment,
) -> Result<bool, DbError> {
    replace(tx, prefix, uid, status, content, "corrected", now)
}

/// Puts a new row in the place of the current one, and says on that why.
pub fn replace(
    tx: &mut dyn Tx,
    prefix: Prefix,
    uid: &str,
    status: &str,
    content: &str,
    ended_by: &str,
    now: Moment,
) -> Result<bool, DbError> {
    const CLOSE: &str = "UPDATE catalogue_rows SET superseded_at = $1, ended_by = $2 \
         WHERE uid = $3 AND superseded_at IS NULL RETURNING row_key";
    // Whoever is voting on the row has finished, or counts for the next one.
    standings::lock(tx, prefix.target_type(), uid)?;
    let Some(closed) = tx.first(CLOSE, &[now.day().0.into(), ended_by.into(), uid.into()])? else {
        return Ok(false);
    };
    let closed = closed.text(0)?;
    freeze(tx, prefix, uid, &closed)?;
    insert_row(tx, prefix, uid, Some(&closed), status, content, (now.day(), now))?;
    Ok(true)
}

/// The status of the current row is another; the row is the same.
pub fn set_status(tx: &mut dyn Tx, uid: &str, status: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE catalogue_rows SET status = $1 WHERE uid = $2 AND superseded_at IS NULL";
    tx.execute(SQL, &[status.into(), uid.into()]).map(drop)
}

/// Freezes the counts of a superseded row and forgets who voted on it and who wrote it (DECISIONS §6).
fn freeze(tx: &mut dyn Tx, prefix: Prefix, uid: &str, row_key: &str) -> Result<(), DbError> {
    let target = (prefix.target_type(), uid);
    let standing = standings::find(tx, target.0, uid)?.filter(|it| it.line() == row_key);
    let cohort = standing.as_ref().map_or_else(|| row_key.to_owned(), |it| it.cohort.clone());
    let (tally, base) = standing.map(|it| (it.tally, it.base)).unwrap_or_default();
    let frozen = serde_json::json!({
        "confirms": base.0 + tally.confirms, "rejects": base.1 + tally.rejects, "voters": tally.voters,
        "flaggers": tally.flaggers,
    });
    const FREEZE: &str = "UPDATE catalogue_rows SET frozen = $1 WHERE row_key = $2";
    tx.execute(FREEZE, &[(&frozen.to_string()).into(), row_key.into()])?;
    votes::forget_voters(tx, &standings::artefact(target.0, uid), &cohort)?;
    salts::forget_cohorts(tx, target, "", "")?;
    contributors::erase(tx, target.0, uid).map(drop)
}

/// The status of every current row.
pub fn statuses(tx: &mut dyn Tx) -> Result<Vec<(Prefix, String, String)>, DbError> {
    const SQL: &str = "SELECT prefix, uid, status FROM catalogue_rows WHERE superseded_at IS NULL";
    let read = |row: &Row| {
        let prefix =
            Prefix::named(&row.text(0)?).ok_or_else(|| DbError::Defect("a row of no kind".to_owned()))?;
        Ok((prefix, row.text(1)?, row.text(2)?))
    };
    tx.query(SQL, &[])?.iter().map(read).collect()
}

/// Gives an entry another name; false when there is none of this uid.
pub fn rename(tx: &mut dyn Tx, uid: &str, name: &str) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE catalogue_entries SET name = $1 WHERE uid = $2";
    Ok(tx.execute(SQL, &[name.into(), uid.into()])? == 1)
}

/// The uid an entry's name belongs to.
pub fn uid_of_name(tx: &mut dyn Tx, prefix: Prefix, name: &str) -> Result<Option<String>, DbError> {
    tx.first(UID_OF_NAME, &[prefix.as_str().into(), name.into()])?.map(|row| row.text(0)).transpose()
}

pub(super) const UID_OF_NAME: &str = "SELECT uid FROM catalogue_entries WHERE prefix = $1 AND name = $2";

/// The current row of a uid.
pub fn current(tx: &mut dyn Tx, uid: &str) -> Result<Option<CatalogueRow>, DbError> {
    tx.first(CURRENT, &[uid.into()])?.as_ref().map(read).transpose()
}

pub(super) const CURRENT: &str = "SELECT r.row_key, r.uid, e.name, r.status, r.content, r.committed_at, r.superseded_at, \
     r.previous_row, r.ended_by, r.frozen \
     FROM catalogue_rows r JOIN catalogue_entries e ON e.uid = r.uid WHERE r.uid = $1 AND r.superseded_at IS NULL";

/// What the current row of a uid says.
pub fn said(tx: &mut dyn Tx, uid: &str) -> Result<Option<Map<String, Value>>, DbError> {
    tx.first(SAID, &[uid.into()])?.map(|row| content(&row.text(0)?)).transpose()
}

pub(super) const SAID: &str = "SELECT content FROM catalogue_rows WHERE uid = $1 AND superseded_at IS NULL";

/// What stands behind a current row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind {
    /// Whether an earlier row was stable.
    pub stable: bool,
    /// Whether a flag ended an earlier row.
    pub flagged: bool,
}

/// The current rows of some uids, each with what stands behind it. One question for many of them.
pub fn current_of(tx: &mut dyn Tx, uids: &[&str]) -> Result<Vec<(CatalogueRow, Behind)>, DbError> {
    let mut found = Vec::with_capacity(uids.len());
    for some in uids.chunks(TOGETHER) {
        // Places that are left hold no uid.
        let asked = (0..TOGETHER).map(|at| some.get(at).copied().unwrap_or_default().into());
        for row in tx.query(CURRENT_OF, &asked.collect::<Vec<_>>())? {
            found.push((read(&row)?, Behind { stable: row.int(10)? > 0, flagged: row.int(11)? > 0 }));
        }
    }
    Ok(found)
}

/// Uids asked for at a time.
const TOGETHER: usize = 16;

pub(super) const CURRENT_OF: &str = "SELECT r.row_key, r.uid, e.name, r.status, r.content, r.committed_at, r.superseded_at, \
     r.previous_row, r.ended_by, r.frozen, \
     CAST((SELECT COUNT(*) FROM catalogue_rows s WHERE s.uid = r.uid AND s.status = 'stable' \
     AND s.superseded_at IS NOT NULL) AS BIGINT), \
     CAST((SELECT COUNT(*) FROM catalogue_rows f WHERE f.uid = r.uid AND f.ended_by = 'quarantined') AS BIGINT) \
     FROM catalogue_rows r JOIN catalogue_entries e ON e.uid = r.uid \
     WHERE r.uid IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) \
     AND r.superseded_at IS NULL";

/// Every row of a uid, newest first: their keys count up, whatever the clock did.
pub fn history(tx: &mut dyn Tx, uid: &str) -> Result<Vec<CatalogueRow>, DbError> {
    tx.query(HISTORY, &[uid.into()])?.iter().map(read).collect()
}

pub(super) const HISTORY: &str = "SELECT r.row_key, r.uid, e.name, r.status, r.content, r.committed_at, r.superseded_at, \
     r.previous_row, r.ended_by, r.frozen \
     FROM catalogue_rows r JOIN catalogue_entries e ON e.uid = r.uid WHERE r.uid = $1 \
     ORDER BY r.row_key DESC LIMIT 1000";

/// The rows of a uid that a flag ended and whose content nobody brought back.
pub fn flagged(tx: &mut dyn Tx, uid: &str) -> Result<Vec<CatalogueRow>, DbError> {
    let rows = history(tx, uid)?;
    let was_flagged = |row: &CatalogueRow| row.ended_by.as_deref() == Some("quarantined");
    let is_back = |row: &CatalogueRow| {
        rows.iter().any(|it| it.key > row.key && it.content == row.content && !was_flagged(it))
    };
    Ok(rows.iter().filter(|row| was_flagged(row) && !is_back(row)).cloned().collect())
}

/// The newest stable row before the current one whose content was not rejected, then or later.
pub fn previous_stable(tx: &mut dyn Tx, uid: &str) -> Result<Option<CatalogueRow>, DbError> {
    tx.first(PREVIOUS_STABLE, &[uid.into()])?.as_ref().map(read).transpose()
}

pub(super) const PREVIOUS_STABLE: &str = "SELECT r.row_key, r.uid, e.name, r.status, r.content, r.committed_at, r.superseded_at, \
     r.previous_row, r.ended_by, r.frozen \
     FROM catalogue_rows r JOIN catalogue_entries e ON e.uid = r.uid \
     WHERE r.uid = $1 AND r.status = 'stable' AND r.superseded_at IS NOT NULL \
     AND NOT EXISTS (SELECT 1 FROM catalogue_rows x WHERE x.uid = r.uid AND x.row_key >= r.row_key \
     AND x.content = r.content AND x.ended_by IN ('rolled_back', 'quarantined')) \
     ORDER BY r.row_key DESC LIMIT 1";

/// Current rows after a uid, in their order.
pub fn list(
    tx: &mut dyn Tx,
    prefix: Prefix,
    status: Option<&str>,
    after: &str,
    limit: i64,
) -> Result<Vec<CatalogueRow>, DbError> {
    let rows = match status {
        None => tx.query(LIST, &[prefix.as_str().into(), after.into(), limit.into()])?,
        Some(status) => {
            tx.query(LIST_BY_STATUS, &[prefix.as_str().into(), status.into(), after.into(), limit.into()])?
        }
    };
    rows.iter().map(read).collect()
}

pub(super) const LIST: &str = "SELECT r.row_key, r.uid, e.name, r.status, r.content, r.committed_at, r.superseded_at, \
     r.previous_row, r.ended_by, r.frozen \
     FROM catalogue_rows r JOIN catalogue_entries e ON e.uid = r.uid \
     WHERE r.prefix = $1 AND r.superseded_at IS NULL AND r.uid > $2 ORDER BY r.uid LIMIT $3";

pub(super) const LIST_BY_STATUS: &str = "SELECT r.row_key, r.uid, e.name, r.status, r.content, r.committed_at, r.superseded_at, \
     r.previous_row, r.ended_by, r.frozen \
     FROM catalogue_rows r JOIN catalogue_entries e ON e.uid = r.uid \
     WHERE r.prefix = $1 AND r.status = $2 AND r.superseded_at IS NULL AND r.uid > $3 ORDER BY r.uid LIMIT $4";

/// The first uids of a kind.
pub fn first_uids(tx: &mut dyn Tx, prefix: Prefix, most: usize) -> Result<BTreeSet<String>, DbError> {
    let most = i64::try_from(most).unwrap_or(PAGE);
    Ok(list(tx, prefix, None, "", most)?.into_iter().map(|row| row.uid).collect())
}

/// Every current row.
pub fn each(tx: &mut dyn Tx, mut see: impl FnMut(CatalogueRow)) -> Result<(), DbError> {
    for prefix in [Prefix::Value, Prefix::Reference] {
        let mut after = String::new();
        loop {
            let page = list(tx, prefix, None, &after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.uid.clone();
            page.into_iter().for_each(&mut see);
        }
    }
    Ok(())
}

/// Rows read at a time.
const PAGE: i64 = 1_000;

/// Adds a row to a catalogue as the core knows it.
pub fn add_to(seeds: &mut SeedCatalogue, row: CatalogueRow) {
    let mut content = row.content;
    for (name, value) in [
        ("uid", &row.uid),
        ("name", &row.name),
        ("status", &row.status),
        ("committed_at", &row.committed_at.text()),
    ] {
        content.insert(name.to_owned(), json!(value));
    }
    let content = Value::Object(content);
    // A uid stands once in what is fetched, so neither can be taken.
    if row.uid.starts_with("val-") {
        let _new = serde_json::from_value::<ValueRow>(content).map(|row| seeds.add_value(row));
    } else {
        let _new = serde_json::from_value::<ReferenceRow>(content).map(|row| seeds.add_reference(row));
    }
}

fn content(text: &str) -> Result<Map<String, Value>, DbError> {
    serde_json::from_str(text).map_err(|_| DbError::Defect("the content of a row is not JSON".to_owned()))
}

fn read(row: &Row) -> Result<CatalogueRow, DbError> {
    Ok(CatalogueRow {
        key: row.text(0)?,
        uid: row.text(1)?,
        name: row.text(2)?,
        status: row.text(3)?,
        content: content(&row.text(4)?)?,
        committed_at: Moment(row.int(5)?),
        superseded_at: row.maybe_int(6)?.map(Moment),
        previous_row: row.maybe_text(7)?,
        ended_by: row.maybe_text(8)?,
        frozen: row.maybe_text(9)?.and_then(|text| serde_json::from_str(&text).ok()),
    })
}
