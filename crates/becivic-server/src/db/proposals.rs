//! `amendments` and `drafts`: changes past their window, under the name they have in public. Their text stays with the staged
//! row as long as they wait, and nowhere once they are merged or refused: Git has it then, or nobody.

use super::{DbError, Tx, uids};
use crate::moment::Moment;

/// An amendment past its window.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the columns
pub struct NewAmendment<'a> {
    pub target_type: &'a str,
    pub target_id: &'a str,
    pub rationale: &'a str,
    pub cohort_anchor: Option<&'a str>,
    pub day: Moment,
}

/// Names an amendment `amd-NNNNN`, unless it has its name already, and shows it as pending.
pub fn open_amendment(
    tx: &mut dyn Tx,
    named: Option<&str>,
    it: &NewAmendment<'_>,
) -> Result<String, DbError> {
    const SQL: &str = "INSERT INTO amendments (uid, target_type, target_id, state, rationale, content, cohort_anchor, day) \
         VALUES ($1, $2, $3, 'pending', $4, '', $5, $6) ON CONFLICT (uid) DO NOTHING";
    let uid = named.map_or_else(|| next(tx, "amd"), |uid| Ok(uid.to_owned()))?;
    let params = [
        (&uid).into(),
        it.target_type.into(),
        it.target_id.into(),
        it.rationale.into(),
        it.cohort_anchor.into(),
        it.day.0.into(),
    ];
    tx.execute(SQL, &params)?;
    Ok(uid)
}

/// Names a draft `drf-NNNNN`, unless it has its name already.
pub fn open_draft(
    tx: &mut dyn Tx,
    named: Option<&str>,
    target_type: &str,
    proposed_id: &str,
    day: Moment,
) -> Result<String, DbError> {
    const SQL: &str = "INSERT INTO drafts (uid, target_type, proposed_id, state, content, day) \
         VALUES ($1, $2, $3, 'pending', '', $4) ON CONFLICT (uid) DO NOTHING";
    let uid = named.map_or_else(|| next(tx, "drf"), |uid| Ok(uid.to_owned()))?;
    tx.execute(SQL, &[(&uid).into(), target_type.into(), proposed_id.into(), day.0.into()])?;
    Ok(uid)
}

fn next(tx: &mut dyn Tx, prefix: &str) -> Result<String, DbError> {
    Ok(uids::written(prefix, uids::next(tx, prefix)?))
}

/// Notes that a proposal was merged.
pub fn merged(tx: &mut dyn Tx, uid: &str) -> Result<(), DbError> {
    let sql = if uid.starts_with("amd-") {
        "UPDATE amendments SET state = 'merged' WHERE uid = $1"
    } else {
        "UPDATE drafts SET state = 'merged' WHERE uid = $1"
    };
    tx.execute(sql, &[uid.into()]).map(drop)
}

/// Takes a proposal from every public surface.
pub fn erase(tx: &mut dyn Tx, uid: &str) -> Result<(), DbError> {
    let sql = if uid.starts_with("amd-") {
        "DELETE FROM amendments WHERE uid = $1"
    } else {
        "DELETE FROM drafts WHERE uid = $1"
    };
    tx.execute(sql, &[uid.into()]).map(drop)
}
