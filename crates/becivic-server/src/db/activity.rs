//! Counts over whole tables, for the dashboard (§6.5). They read everything once, so a job asks for them now and then and keeps
//! the answer. Only the lists of everything ask here, and they are kept for a while too.

use super::{DbError, Tx};
use crate::moment::Moment;
use std::collections::BTreeMap;

/// How many artefacts of each kind have each status.
pub fn by_status(tx: &mut dyn Tx) -> Result<BTreeMap<String, BTreeMap<String, i64>>, DbError> {
    const SQL: &str = "SELECT target_type, status, CAST(COUNT(*) AS BIGINT) FROM standings \
         WHERE target_type <> 'observation' GROUP BY target_type, status";
    let mut all: BTreeMap<String, BTreeMap<String, i64>> = BTreeMap::new();
    for row in tx.query(SQL, &[])? {
        all.entry(row.text(0)?).or_default().insert(row.text(1)?, row.int(2)?);
    }
    Ok(all)
}

/// Verdicts of people, by day.
pub fn verdicts(tx: &mut dyn Tx, since: Moment) -> Result<BTreeMap<String, i64>, DbError> {
    const SQL: &str = "SELECT day, CAST(COUNT(*) AS BIGINT) FROM validations \
         WHERE day >= $1 AND submitter_type <> 'ci_probe' AND state = 'applied' GROUP BY day";
    by_day(tx, SQL, since)
}

/// Concerns that can be read, by day.
pub fn concerns(tx: &mut dyn Tx, since: Moment) -> Result<BTreeMap<String, i64>, DbError> {
    const SQL: &str =
        "SELECT day, CAST(COUNT(*) AS BIGINT) FROM concerns WHERE day >= $1 AND visible = 1 GROUP BY day";
    by_day(tx, SQL, since)
}

/// Changes of status, by day.
pub fn transitions(tx: &mut dyn Tx, since: Moment) -> Result<BTreeMap<String, i64>, DbError> {
    by_day(tx, "SELECT day, CAST(COUNT(*) AS BIGINT) FROM transitions WHERE day >= $1 GROUP BY day", since)
}

fn by_day(tx: &mut dyn Tx, sql: &'static str, since: Moment) -> Result<BTreeMap<String, i64>, DbError> {
    let rows = tx.query(sql, &[since.0.into()])?;
    rows.iter().map(|row| Ok((Moment(row.int(0)?).date(), row.int(1)?))).collect()
}

/// All concerns that can be read, and all amendments that wait.
pub fn totals(tx: &mut dyn Tx) -> Result<(i64, i64), DbError> {
    let mut one =
        |sql: &'static str| -> Result<i64, DbError> { tx.first(sql, &[])?.map_or(Ok(0), |row| row.int(0)) };
    let concerns = one("SELECT CAST(COUNT(*) AS BIGINT) FROM concerns WHERE visible = 1")?;
    let waiting = one("SELECT CAST(COUNT(*) AS BIGINT) FROM amendments WHERE state = 'pending'")?;
    Ok((concerns, waiting))
}

/// How many concerns there are about each artefact of a kind: ever, and since a day.
pub fn concerns_of(
    tx: &mut dyn Tx,
    target_type: &str,
    since: Moment,
) -> Result<Vec<(String, i64, i64)>, DbError> {
    const SQL: &str = "SELECT target_id, CAST(COUNT(*) AS BIGINT), \
         CAST(SUM(CASE WHEN day >= $1 THEN 1 ELSE 0 END) AS BIGINT) FROM concerns \
         WHERE target_type = $2 AND visible = 1 GROUP BY target_id";
    let rows = tx.query(SQL, &[since.0.into(), target_type.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?, row.int(2)?))).collect()
}

/// The skills with the most concerns since a day.
pub fn busiest(tx: &mut dyn Tx, since: Moment, limit: i64) -> Result<Vec<(String, i64)>, DbError> {
    const SQL: &str = "SELECT target_id, CAST(COUNT(*) AS BIGINT) AS many FROM concerns \
         WHERE day >= $1 AND visible = 1 AND target_type = 'skill' GROUP BY target_id \
         ORDER BY many DESC, target_id LIMIT $2";
    let rows = tx.query(SQL, &[since.0.into(), limit.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?))).collect()
}
