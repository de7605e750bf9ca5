//! `concerns` and pending `amendments`: what the community says of an artefact, as it is published.

use super::{DbError, Param, Row, Tx, uids};
use crate::moment::Moment;

/// A committed concern.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the columns
pub struct Concern {
    pub uid: String,
    pub target_type: String,
    pub target_id: String,
    pub scope: Option<String>,
    pub specifier: Option<String>,
    pub body: String,
    pub observed_value: Option<String>,
    pub evidence_month: String,
    pub evidence_source: Option<String>,
    pub cohort_anchor: Option<String>,
    pub day: i64,
    pub up: i64,
    pub down: i64,
}

/// Commits a concern under the next uid.
pub fn insert(tx: &mut dyn Tx, it: &Concern) -> Result<String, DbError> {
    const SQL: &str = "INSERT INTO concerns (uid, number, target_type, target_id, scope, specifier, body, \
         observed_value, evidence_month, evidence_source, cohort_anchor, day) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    let number = uids::next(tx, "con")?;
    let uid = uids::written("con", number);
    tx.execute(
        SQL,
        &[
            (&uid).into(),
            number.into(),
            (&it.target_type).into(),
            (&it.target_id).into(),
            it.scope.as_ref().into(),
            it.specifier.as_ref().into(),
            (&it.body).into(),
            it.observed_value.as_ref().into(),
            (&it.evidence_month).into(),
            it.evidence_source.as_ref().into(),
            it.cohort_anchor.as_ref().into(),
            it.day.into(),
        ],
    )?;
    Ok(uid)
}

/// Counts a concern for the country it came from.
pub fn count_country(
    tx: &mut dyn Tx,
    target_type: &str,
    target_id: &str,
    country: &str,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO country_counters (target_type, target_id, country, concerns) VALUES ($1, $2, $3, 1) \
         ON CONFLICT (target_type, target_id, country) DO UPDATE SET concerns = country_counters.concerns + 1";
    tx.execute(SQL, &[target_type.into(), target_id.into(), country.into()]).map(drop)
}

/// Whether a concern is committed and shown.
pub fn is_visible(tx: &mut dyn Tx, uid: &str) -> Result<bool, DbError> {
    Ok(tx.first(VISIBLE, &[uid.into()])?.is_some())
}

pub(super) const VISIBLE: &str = "SELECT uid FROM concerns WHERE uid = $1 AND visible = 1";

/// Shows a concern, or takes it from every public surface.
pub fn set_visible(tx: &mut dyn Tx, uid: &str, visible: bool) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE concerns SET visible = $1 WHERE uid = $2";
    Ok(tx.execute(SQL, &[i64::from(visible).into(), uid.into()])? == 1)
}

/// Erases a concern.
pub fn erase(tx: &mut dyn Tx, uid: &str) -> Result<bool, DbError> {
    Ok(tx.execute("DELETE FROM concerns WHERE uid = $1", &[uid.into()])? == 1)
}

/// Counts a vote.
pub fn vote(tx: &mut dyn Tx, uid: &str, up: bool) -> Result<(), DbError> {
    let sql = if up {
        "UPDATE concerns SET up = up + 1 WHERE uid = $1"
    } else {
        "UPDATE concerns SET down = down + 1 WHERE uid = $1"
    };
    tx.execute(sql, &[uid.into()]).map(drop)
}

/// Takes a vote out of the count.
pub fn take_vote_back(tx: &mut dyn Tx, uid: &str, up: bool) -> Result<(), DbError> {
    let sql = if up {
        "UPDATE concerns SET up = up - 1 WHERE uid = $1 AND up > 0"
    } else {
        "UPDATE concerns SET down = down - 1 WHERE uid = $1 AND down > 0"
    };
    tx.execute(sql, &[uid.into()]).map(drop)
}

/// Concerns about some targets, before a number and since a day: the newest of each, at most so many. One question for many of
/// them.
pub fn of_targets(
    tx: &mut dyn Tx,
    targets: &[(&str, &str)],
    before: i64,
    since: Moment,
    limit: i64,
) -> Result<Vec<Concern>, DbError> {
    let mut found = Vec::new();
    for some in targets.chunks(TOGETHER) {
        let rows = tx.query(OF_TARGETS, &about(some, before.into(), since, limit))?;
        found.extend(rows.iter().map(read).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(found)
}

/// Targets asked about at a time.
const TOGETHER: usize = 8;

/// The parameters of a question about some targets; places that are left name nothing.
fn about<'p>(targets: &[(&'p str, &'p str)], from: Param<'p>, since: Moment, limit: i64) -> Vec<Param<'p>> {
    let target = |at: usize| targets.get(at).copied().unwrap_or_default();
    let (first_type, first_id) = target(0);
    let mut params = vec![first_type.into(), first_id.into(), from, since.0.into(), limit.into()];
    for (target_type, target_id) in (1..TOGETHER).map(target) {
        params.extend([Param::from(target_type), Param::from(target_id)]);
    }
    params
}

/// One statement for as many targets as are asked about together, from the part for one: it says where the parameters of the
/// target stand.
macro_rules! for_each_target {
    ($part:ident) => {
        concat!(
            $part!("1", "2"),
            " UNION ALL ",
            $part!("6", "7"),
            " UNION ALL ",
            $part!("8", "9"),
            " UNION ALL ",
            $part!("10", "11"),
            " UNION ALL ",
            $part!("12", "13"),
            " UNION ALL ",
            $part!("14", "15"),
            " UNION ALL ",
            $part!("16", "17"),
            " UNION ALL ",
            $part!("18", "19")
        )
    };
}

macro_rules! concerns_of_one {
    ($type:literal, $id:literal) => {
        concat!(
            "SELECT * FROM (SELECT uid, target_type, target_id, scope, specifier, body, observed_value, evidence_month, \
             evidence_source, cohort_anchor, day, up, down FROM concerns WHERE target_type = $",
            $type,
            " AND target_id = $",
            $id,
            " AND number < $3 AND visible = 1 AND day >= $4 ORDER BY number DESC LIMIT $5) AS of_",
            $type
        )
    };
}

pub(super) const OF_TARGETS: &str = for_each_target!(concerns_of_one);

/// One concern, also one that is not shown.
pub fn find(tx: &mut dyn Tx, uid: &str) -> Result<Option<Concern>, DbError> {
    tx.first(FIND, &[uid.into()])?.as_ref().map(read).transpose()
}

pub(super) const FIND: &str = "SELECT uid, target_type, target_id, scope, specifier, body, observed_value, \
     evidence_month, evidence_source, cohort_anchor, day, up, down FROM concerns WHERE uid = $1";

/// What a concern says, for those who look at it.
pub fn shown(it: &Concern) -> serde_json::Value {
    serde_json::json!({
        "uid": it.uid, "target_type": it.target_type, "target_id": it.target_id, "scope": it.scope,
        "specifier": it.specifier, "body": it.body, "observed_value": it.observed_value,
        "evidence_month": it.evidence_month, "evidence_source": it.evidence_source,
    })
}

fn read(row: &Row) -> Result<Concern, DbError> {
    Ok(Concern {
        uid: row.text(0)?,
        target_type: row.text(1)?,
        target_id: row.text(2)?,
        scope: row.maybe_text(3)?,
        specifier: row.maybe_text(4)?,
        body: row.text(5)?,
        observed_value: row.maybe_text(6)?,
        evidence_month: row.text(7)?,
        evidence_source: row.maybe_text(8)?,
        cohort_anchor: row.maybe_text(9)?,
        day: row.int(10)?,
        up: row.int(11)?,
        down: row.int(12)?,
    })
}

/// An amendment past its window and not merged.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Pending {
    pub uid: String,
    pub target_type: String,
    pub target_id: String,
    pub rationale: String,
    pub day: i64,
}

/// The pending amendments to some targets, after a uid and since a day: the first of each, at most so many.
pub fn pending(
    tx: &mut dyn Tx,
    targets: &[(&str, &str)],
    after: &str,
    since: Moment,
    limit: i64,
) -> Result<Vec<Pending>, DbError> {
    let mut found = Vec::new();
    for some in targets.chunks(TOGETHER) {
        for row in tx.query(PENDING, &about(some, after.into(), since, limit))? {
            found.push(Pending {
                uid: row.text(0)?,
                target_type: row.text(1)?,
                target_id: row.text(2)?,
                rationale: row.text(3)?,
                day: row.int(4)?,
            });
        }
    }
    Ok(found)
}

macro_rules! pending_of_one {
    ($type:literal, $id:literal) => {
        concat!(
            "SELECT * FROM (SELECT uid, target_type, target_id, rationale, day FROM amendments WHERE target_type = $",
            $type,
            " AND target_id = $",
            $id,
            " AND state = 'pending' AND uid > $3 AND day >= $4 ORDER BY uid LIMIT $5) AS of_",
            $type
        )
    };
}

pub(super) const PENDING: &str = for_each_target!(pending_of_one);
