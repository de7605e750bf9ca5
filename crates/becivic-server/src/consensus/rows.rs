//! Rows of the catalogue take each other's place (DECISIONS §4).
//!
//! 1. A row that is rejected or flagged is superseded by a fresh one: the newest earlier stable value that was not itself rejected,
//!    as stable; where there is none, a marker without content that is quarantined and shows as unresolved.
//! 2. A quarantined row that was nothing bad comes back as a fresh row with the content and the status it had.
//! 3. Each row is a cohort: the counts of the one before are frozen, its voters forgotten.

use super::{Cause, Written, note};
use crate::db::catalogue::{self, CatalogueRow, Prefix};
use crate::db::standings::Standing;
use crate::db::{DbError, Tx, standings, votes};
use crate::moment::Moment;
use crate::transparency;
use becivic_core::consensus::{Kind, Past, Target, rollback_target};
use becivic_core::vocabulary::Status;

/// Why a row is put away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its voters reject it.
    RolledBack,
    /// Somebody flagged it.
    Quarantined,
}

impl End {
    fn word(self) -> &'static str {
        match self {
            Self::RolledBack => "rolled_back",
            Self::Quarantined => "quarantined",
        }
    }
}

/// Puts the current row away; `standing` is what it is afterwards.
pub fn put_away(
    tx: &mut dyn Tx,
    standing: &mut Standing,
    cause: &Cause,
    end: End,
    now: Moment,
) -> Result<(), DbError> {
    let Some(prefix) = Prefix::of_type(&standing.target_type) else { return Ok(()) };
    let uid = standing.target_id.clone();
    let Some(current) = catalogue::current(tx, &uid)? else { return Ok(()) };
    let kind = match prefix {
        Prefix::Value => Kind::Value,
        Prefix::Reference => Kind::Reference,
    };
    let before = earlier_stable(tx, kind, &current)?;
    let (status, content) = match &before {
        Some(row) => ("stable", serde_json::Value::Object(row.content.clone()).to_string()),
        None => ("quarantined", serde_json::Value::Object(current.without_content()).to_string()),
    };
    catalogue::replace(tx, prefix, &uid, status, &content, end.word(), now)?;
    let recorded = note(tx, standing, (status, ""), cause, Written::default(), now)?;
    if let Some(mut after) = standings::find(tx, &standing.target_type, &uid)? {
        if let Some(row) = &before {
            after.base = row.frozen_base();
        }
        recorded.name_in(&mut after);
        standings::store(tx, &after)?;
        *standing = after;
    }
    Ok(())
}

/// Lets a standing agree with the row it is of; says whether it did not.
pub fn agree(
    tx: &mut dyn Tx,
    standing: &mut Standing,
    row: &CatalogueRow,
    now: Moment,
) -> Result<bool, DbError> {
    if row.status == standing.status && row.key == standing.line() {
        return Ok(false);
    }
    tracing::warn!(
        artefact = standing.artefact(),
        "a standing did not agree with its row; it follows the row"
    );
    standing.status.clone_from(&row.status);
    if standing.line() != row.key {
        standing.cohort.clone_from(&row.key);
    }
    standing.tally = votes::recount(tx, &standing.artefact(), &standing.cohort)?;
    standings::store(tx, standing)?;
    transparency::put_right(tx, standing, None, now)?;
    Ok(true)
}

/// The newest earlier stable row with other content that was not itself rejected, by the core's rule.
fn earlier_stable(
    tx: &mut dyn Tx,
    kind: Kind,
    current: &CatalogueRow,
) -> Result<Option<CatalogueRow>, DbError> {
    let text = |row: &CatalogueRow| serde_json::Value::Object(row.content.clone()).to_string();
    let rows = catalogue::history(tx, &current.uid)?;
    let past = rows.iter().filter(|row| row.key != current.key).filter_map(|row| {
        let status = Status::named(&row.status)?;
        let was_rejected = matches!(row.ended_by.as_deref(), Some("rolled_back" | "quarantined"));
        Some(Past { commit: row.key.clone(), status, digest: text(row), was_rejected })
    });
    let past: Vec<Past> = past.collect();
    let target = match rollback_target(kind, &text(current), &past) {
        Target::Content(past) => Some(past.commit),
        Target::Deprecated | Target::Quarantined | Target::Stays => None,
    };
    Ok(rows.into_iter().find(|row| target.as_ref() == Some(&row.key)))
}

/// Brings the row that was put away last back, with the content and the status it had; false when there is none.
pub fn reinstate(tx: &mut dyn Tx, target_type: &str, uid: &str, now: Moment) -> Result<bool, DbError> {
    let Some(prefix) = Prefix::of_type(target_type) else { return Ok(false) };
    let history = catalogue::history(tx, uid)?;
    let (Some(current), Some(before)) = (history.first(), standings::find(tx, target_type, uid)?) else {
        return Ok(false);
    };
    // A flag on the row that is there now is about that one: it stays, and the flag is decided on.
    if before.tally.flaggers > 0 {
        return Ok(false);
    }
    // Only what took its place at once goes again: a correction since then stands. What its voters rejected comes back only
    // from nothing.
    let was_put_away = |row: &&CatalogueRow| {
        Some(&row.key) == current.previous_row.as_ref()
            && match row.ended_by.as_deref() {
                Some("quarantined") => true,
                Some("rolled_back") => current.status == Status::Quarantined.as_str(),
                Some(_) | None => false,
            }
    };
    let Some(row) = history.iter().find(was_put_away) else { return Ok(false) };
    let content = serde_json::Value::Object(row.content.clone()).to_string();
    catalogue::replace(tx, prefix, uid, &row.status, &content, "reinstated", now)?;
    let cause = Cause::act("maintainer");
    let recorded = note(tx, &before, (&row.status, ""), &cause, Written::default(), now)?;
    if let Some(mut after) = standings::find(tx, target_type, uid)? {
        if row.status == Status::Stable.as_str() {
            after.base = row.frozen_base();
        }
        recorded.name_in(&mut after);
        standings::store(tx, &after)?;
    }
    Ok(true)
}
