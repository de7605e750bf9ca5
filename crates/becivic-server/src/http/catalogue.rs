//! Volatile values and references, read from the catalogue as it is now (DECISIONS §4, §13). Of what was put away because
//! somebody flagged it, readers get that it was, and nothing of what it said.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::paging::{Page, word};
use super::standing::Seen;
use crate::consensus;
use crate::db::catalogue::{self, CatalogueRow, Prefix};
use crate::db::{DbError, Tx};
use crate::rejection::{Category, Rejection};
use axum::http::StatusCode;
use becivic_core::vocabulary::Status;
use serde_json::{Map, Value, json};

/// Current rows.
pub async fn list(ask: Ask, prefix: Prefix) -> Answer {
    answered(try_list(&ask, prefix).await)
}

async fn try_list(ask: &Ask, prefix: Prefix) -> Result<Answer, Rejection> {
    let page = Page::of(ask)?;
    let status = word(ask, "status", Status::named)?;
    let (after, limit) = (page.after.clone(), page.limit as i64 + 1);
    let rows = ask
        .app
        .db
        .read(move |tx| {
            let rows = catalogue::list(tx, prefix, status.map(Status::as_str), &after, limit)?;
            rows.into_iter().map(|row| Ok((before(tx, &row)?, row))).collect::<Result<Vec<_>, DbError>>()
        })
        .await?;
    let answer = page.list(rows, |(_, row)| row.uid.clone(), |(stable, row)| shown(row, stable.as_ref()));
    Ok(Answer::json(StatusCode::OK, answer, Cache::Minute))
}

/// One entry, by uid or name.
pub async fn one(ask: Ask, prefix: Prefix) -> Answer {
    answered(try_one(&ask, prefix).await)
}

async fn try_one(ask: &Ask, prefix: Prefix) -> Result<Answer, Rejection> {
    let asked = ask.param("uid").to_owned();
    let (policy, now, served) = (consensus::policy(&ask.app.config.consensus), ask.now, ask.app.served());
    let found = ask
        .app
        .db
        .read(move |tx| {
            let Some(uid) = uid(tx, prefix, &asked)? else { return Ok(None) };
            let Some(row) = catalogue::current(tx, &uid)? else { return Ok(None) };
            let seen = Seen::read(tx, served.files(), (prefix.target_type(), &uid), &policy, now)?;
            Ok(Some((before(tx, &row)?, row, seen)))
        })
        .await?;
    let (stable, row, seen) = found.ok_or_else(|| Rejection::new(Category::NotFound))?;
    let mut answer = shown(&row, stable.as_ref());
    answer["flagged"] = json!(seen.as_ref().is_some_and(|it| it.flagged));
    answer["cohort"] = json!(seen.as_ref().map(|it| it.cohort(None)));
    answer["log"] = seen.map_or(Value::Null, |it| it.log(&ask.app.log_key));
    Ok(Answer::json(StatusCode::OK, answer, Cache::Minute))
}

/// Every version of an entry.
pub async fn history(ask: Ask, prefix: Prefix) -> Answer {
    answered(try_history(&ask, prefix).await)
}

async fn try_history(ask: &Ask, prefix: Prefix) -> Result<Answer, Rejection> {
    let asked = ask.param("uid").to_owned();
    let rows = ask
        .app
        .db
        .read(move |tx| match uid(tx, prefix, &asked)? {
            Some(uid) => catalogue::history(tx, &uid),
            None => Ok(Vec::new()),
        })
        .await?;
    if rows.is_empty() {
        return Err(Rejection::new(Category::NotFound));
    }
    let items: Vec<Value> = rows.iter().map(|row| shown(row, None)).collect();
    Ok(Answer::json(StatusCode::OK, json!({"items": items, "next": null}), Cache::Minute))
}

fn uid(tx: &mut dyn Tx, prefix: Prefix, asked: &str) -> Result<Option<String>, DbError> {
    if prefix.is_uid(asked) { Ok(Some(asked.to_owned())) } else { catalogue::uid_of_name(tx, prefix, asked) }
}

/// The stable row that readers are given while the current one is not stable yet.
fn before(tx: &mut dyn Tx, row: &CatalogueRow) -> Result<Option<CatalogueRow>, DbError> {
    if row.status == "stable" { Ok(None) } else { catalogue::previous_stable(tx, &row.uid) }
}

/// What a row says. A quarantined one, or one that a flag ended, says nothing: the fields are there, and empty.
fn content(row: &CatalogueRow) -> Map<String, Value> {
    let mut content = row.content.clone();
    if row.status == Status::Quarantined.as_str() || row.ended_by.as_deref() == Some("quarantined") {
        content.retain(|name, _| matches!(name.as_str(), "value" | "value_type" | "title" | "url"));
        let said = content.iter_mut().filter(|(name, _)| *name != "value_type");
        said.for_each(|(_, value)| *value = Value::Null);
    }
    content
}

/// A row as it is published: times to the day.
pub fn shown(row: &CatalogueRow, stable: Option<&CatalogueRow>) -> Value {
    let mut fields = Map::new();
    fields.insert("uid".to_owned(), json!(row.uid));
    fields.insert("name".to_owned(), json!(row.name));
    fields.extend(content(row));
    fields.insert("status".to_owned(), json!(row.status));
    fields.insert("committed_at".to_owned(), json!(row.committed_at.day().text()));
    if let Some(at) = row.superseded_at {
        fields.insert("superseded_at".to_owned(), json!(at.day().text()));
        fields.insert("ended_by".to_owned(), json!(row.ended_by));
    }
    if let Some(stable) = stable {
        let mut fields_of_stable = stable.content.clone();
        fields_of_stable.insert("committed_at".to_owned(), json!(stable.committed_at.day().text()));
        fields.insert("previous_stable".to_owned(), Value::Object(fields_of_stable));
    }
    Value::Object(fields)
}
