//! Taking a text, or what was submitted under a public name, out of every table (§10.3). Every row of the tables that hold
//! people's words is read, a page at a time: this is done rarely, and nothing may be missed.

use super::{DbError, Param, Tx, Value, salts};
use crate::moment::Moment;
use std::collections::BTreeMap;

/// Rows read at a time.
const PAGE: i64 = 500;

/// What is done with a row that holds the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// It goes.
    Erased(&'static str),
    /// Its words go, the row stays.
    Blanked(&'static str),
    /// The text in its first column is replaced, the row stays.
    Replaced(&'static str),
}

/// A table that holds people's words.
struct Holder {
    table: &'static str,
    /// A page of it: the key, then what may hold the text.
    page: &'static str,
    first: Value,
    then: Then,
}

macro_rules! holder {
    ($table:literal, $key:literal, $columns:literal, $first:expr, $then:ident $(, $set:literal)?) => {
        Holder {
            table: $table,
            page: concat!(
                "SELECT ", $key, ", ", $columns, " FROM ", $table, " WHERE ", $key, " > $1 ORDER BY ", $key, " LIMIT $2"
            ),
            first: $first,
            then: Then::$then(holder!(@sql $then, $table, $key $(, $set)?)),
        }
    };
    (@sql Erased, $table:literal, $key:literal) => {
        concat!("DELETE FROM ", $table, " WHERE ", $key, " = $1")
    };
    (@sql Blanked, $table:literal, $key:literal, $set:literal) => {
        concat!("UPDATE ", $table, " SET ", $set, " WHERE ", $key, " = $1")
    };
    (@sql Replaced, $table:literal, $key:literal, $column:literal) => {
        concat!("UPDATE ", $table, " SET ", $column, " = $1 WHERE ", $key, " = $2")
    };
}

fn holders() -> Vec<Holder> {
    let (text, bytes) = (|| Value::Text(String::new()), || Value::Bytes(Vec::new()));
    vec![
        holder!("staged", "id", "payload", text(), Erased),
        holder!("held", "id", "payload", text(), Erased),
        holder!("concerns", "uid", "body, observed_value, scope, specifier, evidence_source", text(), Erased),
        holder!("amendments", "uid", "rationale, content", text(), Erased),
        holder!("drafts", "uid", "content, proposed_id", text(), Erased),
        holder!("feedback_channel", "message_key", "body, topic, pointer", bytes(), Erased),
        holder!("analytics_events", "event_key", "content", bytes(), Erased),
        holder!(
            "validations",
            "vote_key",
            "rationale, injection_reason, traversal",
            bytes(),
            Blanked,
            "rationale = NULL, injection_reason = NULL, traversal = NULL"
        ),
        holder!("ratings", "rating_key", "would_be_5_stars", bytes(), Blanked, "would_be_5_stars = NULL"),
        holder!("catalogue_rows", "row_key", "content", text(), Replaced, "content"),
    ]
}

fn param(value: &Value) -> Param<'_> {
    match value {
        Value::Null => Param::Null,
        Value::Int(number) => Param::Int(*number),
        Value::Text(text) => Param::Text(text),
        Value::Bytes(bytes) => Param::Bytes(bytes),
    }
}

/// How many rows of each table hold a text; with `erase` they do not any more. `replaced` gives a column without the text,
/// and nothing where it is not in there.
pub fn text(
    tx: &mut dyn Tx,
    replaced: &dyn Fn(&[u8]) -> Option<Vec<u8>>,
    erase: bool,
) -> Result<BTreeMap<&'static str, u64>, DbError> {
    let mut counts = BTreeMap::new();
    for holder in holders() {
        let mut last = holder.first.clone();
        loop {
            let rows = tx.query(holder.page, &[param(&last), PAGE.into()])?;
            let Some(newest) = rows.last().and_then(|row| row.0.first()) else { break };
            last = newest.clone();
            for row in &rows {
                let Some((key, columns)) = row.0.split_first() else { continue };
                let found = columns.iter().find_map(|column| match column {
                    Value::Text(text) => replaced(text.as_bytes()),
                    Value::Bytes(bytes) => replaced(bytes),
                    Value::Null | Value::Int(_) => None,
                });
                let Some(without) = found else { continue };
                *counts.entry(holder.table).or_default() += 1;
                if erase {
                    erase_row(tx, &holder, key, &without)?;
                }
            }
        }
    }
    Ok(counts)
}

fn erase_row(tx: &mut dyn Tx, holder: &Holder, key: &Value, without: &[u8]) -> Result<(), DbError> {
    match holder.then {
        Then::Erased(sql) | Then::Blanked(sql) => tx.execute(sql, &[param(key)])?,
        Then::Replaced(sql) => {
            let without = String::from_utf8_lossy(without);
            tx.execute(sql, &[without.as_ref().into(), param(key)])?
        }
    };
    let Value::Text(key) = key else { return Ok(()) };
    match holder.table {
        "staged" | "held" => salts::forget_submission(tx, key),
        "concerns" | "amendments" | "drafts" => discard(tx, key),
        _ => Ok(()),
    }
}

/// Notes that what stood under a public name was discarded, and forgets what it said and who sent it.
fn discard(tx: &mut dyn Tx, uid: &str) -> Result<(), DbError> {
    for row in tx.query("SELECT digest FROM ledger WHERE uid = $1", &[uid.into()])? {
        let digest = row.bytes(0)?;
        const SQL: &str = "UPDATE ledger SET state = 'discarded', payload_digest = NULL, submitter_hash = NULL, \
             forget_at = NULL WHERE digest = $1";
        tx.execute(SQL, &[(&digest).into()])?;
        tx.execute("DELETE FROM ledger_salts WHERE digest = $1", &[(&digest).into()])?;
    }
    Ok(())
}

/// What is known of a public name: how many rows of each table, and the numbers of its pull requests. With `erase` the rows
/// are gone and the pull requests closed.
pub fn uid(
    tx: &mut dyn Tx,
    uid: &str,
    erase: Option<Moment>,
) -> Result<(BTreeMap<&'static str, u64>, Vec<i64>), DbError> {
    let mut counts = BTreeMap::new();
    let mut ids = Vec::new();
    for (table, find, delete) in [
        ("concerns", "SELECT uid FROM concerns WHERE uid = $1", "DELETE FROM concerns WHERE uid = $1"),
        ("amendments", "SELECT uid FROM amendments WHERE uid = $1", "DELETE FROM amendments WHERE uid = $1"),
        ("drafts", "SELECT uid FROM drafts WHERE uid = $1", "DELETE FROM drafts WHERE uid = $1"),
        ("staged", "SELECT id FROM staged WHERE public_uid = $1", "DELETE FROM staged WHERE public_uid = $1"),
        ("held", "SELECT id FROM held WHERE public_uid = $1", "DELETE FROM held WHERE public_uid = $1"),
    ] {
        let rows = tx.query(find, &[uid.into()])?;
        if !rows.is_empty() {
            counts.insert(table, rows.len() as u64);
        }
        if matches!(table, "staged" | "held") {
            ids.extend(rows.iter().map(|row| row.text(0)).collect::<Result<Vec<_>, _>>()?);
        }
        if erase.is_some() {
            tx.execute(delete, &[uid.into()])?;
        }
    }
    let pulls = tx.query("SELECT number FROM pulls WHERE public_uid = $1 ORDER BY number", &[uid.into()])?;
    let pulls: Vec<i64> = pulls.iter().map(|row| row.int(0)).collect::<Result<_, _>>()?;
    if let Some(day) = erase {
        for id in ids {
            salts::forget_submission(tx, &id)?;
        }
        discard(tx, uid)?;
        for pull in &pulls {
            super::pulls::close(tx, *pull, "retracted", day.day())?;
        }
    }
    Ok((counts, pulls))
}

/// Gives the commits that pull requests and the line of `main` name their new names. A line that has not begun is left;
/// `objects` gives what repositories elsewhere need of a commit, by its new name.
pub fn replace_line(
    tx: &mut dyn Tx,
    renamed: &dyn Fn(&str) -> Option<String>,
    objects: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<(), DbError> {
    const SET: &str = "UPDATE corpus_commits SET sha = $1, parent = $2, objects = $3 WHERE number = $4";
    let renamed_or_same = |sha: &str| renamed(sha).unwrap_or_else(|| sha.to_owned());
    for row in tx.query("SELECT number, sha, parent FROM corpus_commits ORDER BY number", &[])? {
        let (number, sha, parent) = (row.int(0)?, row.text(1)?, row.text(2)?);
        let Some(now) = renamed(&sha) else { continue };
        let parent = renamed_or_same(&parent);
        let objects = objects(&now);
        tx.execute(SET, &[(&now).into(), (&parent).into(), objects.as_ref().into(), number.into()])?;
    }
    for row in tx.query("SELECT number, base, head, merged FROM pulls ORDER BY number", &[])? {
        let was: Vec<Option<String>> = (1..4).map(|at| row.maybe_text(at)).collect::<Result<_, _>>()?;
        let now: Vec<Option<String>> = was.iter().map(|sha| sha.as_deref().map(renamed_or_same)).collect();
        if let (true, [base, head, merged]) = (was != now, now.as_slice()) {
            const SQL: &str = "UPDATE pulls SET base = $1, head = $2, merged = $3 WHERE number = $4";
            let params =
                [base.as_ref().into(), head.as_ref().into(), merged.as_ref().into(), row.int(0)?.into()];
            tx.execute(SQL, &params)?;
        }
    }
    Ok(())
}

/// Tables that are written anew afterwards, whatever their size, so that nothing stays in their unused places.
pub const RENEWED: &[&str] = &[
    "staged",
    "held",
    "concerns",
    "amendments",
    "drafts",
    "feedback_channel",
    "analytics_events",
    "validations",
    "ratings",
    "catalogue_rows",
    "corpus_commits",
    "ledger",
];
