//! Every change of a status, newest first: what changed, by which rule, on which numbers.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use super::paging::{Page, word};
use crate::db::transitions::{self, Transition};
use crate::moment::Moment;
use crate::rejection::{Category, Rejection};
use axum::http::StatusCode;
use becivic_core::log::public_numbers;
use becivic_core::submission::TargetType;
use serde_json::{Value, json};

/// The changes.
pub async fn list(ask: Ask) -> Answer {
    answered(try_list(&ask).await)
}

async fn try_list(ask: &Ask) -> Result<Answer, Rejection> {
    let page = Page::of(ask)?;
    let wrong = |pointer: &str, help: &str| Rejection::at(Category::SchemaFail, pointer, help);
    let before = match page.after.as_str() {
        "" => i64::MAX,
        text => text.parse().map_err(|_| wrong("/after", "`after` is the `next` of the answer before."))?,
    };
    let together = "Name an artefact by both `target_type` and `target_id`, or neither.";
    let target = match (word(ask, "target_type", TargetType::named)?, ask.query("target_id")) {
        (None, None) => None,
        (Some(target_type), Some(id)) => Some((target_type, id)),
        (Some(_), None) => return Err(wrong("/target_id", together)),
        (None, Some(_)) => return Err(wrong("/target_type", together)),
    };
    let limit = page.limit as i64 + 1;
    let found = ask
        .app
        .db
        .read(move |tx| match &target {
            None => transitions::list(tx, before, limit),
            Some((target_type, id)) => transitions::of_target(tx, (target_type.as_str(), id), before, limit),
        })
        .await?;
    let answer = page.list(found, |it| it.number.to_string(), shown);
    Ok(Answer::json(StatusCode::OK, answer, Cache::Minute))
}

fn shown(it: &Transition) -> Value {
    let known = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    json!({
        "number": it.number,
        "target_type": it.target_type,
        "target_id": it.target_id,
        "from": it.from_status,
        "to": it.to_status,
        "from_version": known(&it.from_version),
        "to_version": known(&it.to_version),
        "rule": it.rule,
        "numbers": public_numbers(serde_json::from_str(&it.numbers).unwrap_or_default()),
        "policy": known(&it.policy),
        "commit": it.commit_sha,
        "at": Moment(it.day).day().text(),
        "log_index": it.log_position,
    })
}
