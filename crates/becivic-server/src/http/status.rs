//! One submission: where it stands, taking it back, and moving it to another state (§8.3).

use super::answer::{Answer, Cache};
use super::ask::Ask;
use super::{answered, operator};
use crate::db::audit::Deed;
use crate::db::{DbError, Tx, audit, ledger, staged};
use crate::moment::Moment;
use crate::rejection::{Category, Rejection};
use crate::review::states::{HELD, Wanted, Which, is_id, of_kind, state_of_staged, transition};
use crate::review::subject;
use crate::secrets::{Bytes32, Token};
use axum::http::StatusCode;
use becivic_core::submission::Kind;
use serde_json::{Value, json};

/// Where a submission stands.
pub async fn show(ask: Ask, kind: Kind) -> Answer {
    answered(try_show(&ask, kind).await)
}

async fn try_show(ask: &Ask, kind: Kind) -> Result<Answer, Rejection> {
    let id = ask.param("id").to_owned();
    let not_found = || Rejection::new(Category::NotFound);
    if !is_id(kind, &id) {
        return Err(not_found());
    }
    let digest = ask.app.pepper.id(&id);
    let state = ask.app.db.read(move |tx| state(tx, kind, &id, &digest)).await?;
    Ok(Answer::json(StatusCode::OK, state.ok_or_else(not_found)?, Cache::Never))
}

fn state(tx: &mut dyn Tx, kind: Kind, id: &str, digest: &Bytes32) -> Result<Option<Value>, DbError> {
    if let Some(it) = staged::standing(tx, id)? {
        let state = state_of_staged(it.review.as_deref());
        return Ok(
            of_kind(kind, &it.kind).then(|| json!({"state": state, "commit_eta": it.commit_eta.text()}))
        );
    }
    if let Some(head) = staged::find_held(tx, id)? {
        return Ok(of_kind(kind, &head.kind).then(|| json!({"state": HELD})));
    }
    let Some(entry) = ledger::find(tx, digest)? else { return Ok(None) };
    Ok(match entry.state.as_str() {
        _ if !of_kind(kind, &entry.kind) => None,
        "cancelled" => None,
        "committed" => Some(json!({"state": "committed", "committed_at": Moment(entry.day).text()})),
        "rejected" => Some(json!({"state": "rejected", "category": entry.category})),
        "quarantined" => Some(
            json!({"state": "quarantined", "target_type": entry.target_type, "target_id": entry.target_id}),
        ),
        other => Some(json!({"state": other})),
    })
}

/// Takes a submission back. Whatever is wrong, the answer is the same: nothing is said about which ids exist.
pub async fn cancel(ask: Ask, kind: Kind) -> Answer {
    answered(try_cancel(&ask, kind).await)
}

async fn try_cancel(ask: &Ask, kind: Kind) -> Result<Answer, Rejection> {
    let unauthorized = || Rejection::new(Category::Unauthorized);
    let id = ask.param("id").to_owned();
    let token = ask.bearer().map(str::to_owned).filter(|_| is_id(kind, &id)).ok_or_else(unauthorized)?;
    let (digest, day) = (ask.app.pepper.id(&id), ask.now.day());
    let cancelled = ask
        .app
        .db
        .write(move |tx| {
            let head = match staged::find(tx, &id)? {
                Some(head) => Some(head),
                None => staged::find_held(tx, &id)?,
            };
            let kept = head.filter(|head| of_kind(kind, &head.kind)).and_then(|head| head.cancel_hash);
            if !Token::matches(&token, kept.as_deref().unwrap_or_default()) {
                return Ok(false);
            }
            let entry = ledger::Entry {
                kind: kind.as_str().to_owned(),
                state: "cancelled".to_owned(),
                day: day.0,
                ..ledger::Entry::default()
            };
            ledger::insert(tx, &digest, &entry)?;
            staged::take_from_public(tx, &id, "cancelled", day)?;
            staged::remove(tx, &id)
        })
        .await?;
    if cancelled {
        Ok(Answer::json(StatusCode::OK, json!({"cancelled": true}), Cache::Never))
    } else {
        Err(unauthorized())
    }
}

/// The reason of what a program did.
const OVER_HTTP: &str = "asked over HTTP, which takes no reason";

/// Moves a submission to another state.
pub async fn change(mut ask: Ask, kind: Kind) -> Answer {
    answered(try_change(&mut ask, kind).await)
}

async fn try_change(ask: &mut Ask, kind: Kind) -> Result<Answer, Rejection> {
    let operator = operator::check(ask).await?;
    let value = ask.json().await?;
    let help = "Send {\"state\": …} with ner_held_for_review, released, released_after_edit or discarded.";
    let wrong = || Rejection::at(Category::SchemaFail, "/state", help);
    let fields = value.as_object().filter(|fields| fields.len() == 1).ok_or_else(wrong)?;
    let named = fields.get("state").and_then(Value::as_str).ok_or_else(wrong)?;
    // A state that exists but is nobody's to set is a transition that is not allowed.
    let wanted = Wanted::named(named).ok_or_else(|| match named {
        "staged" | "committed" | "rejected" | "quarantined" => Rejection::new(Category::InvalidTransition),
        _ => wrong(),
    })?;
    let id = ask.param("id").to_owned();
    if !is_id(kind, &id) {
        return Err(Rejection::new(Category::NotFound));
    }
    let (digest, row, now) = (ask.app.pepper.id(&id), ask.app.pepper.row(&id), ask.now);
    let moved = ask
        .app
        .db
        .write(move |tx| {
            let which = Which { kind, id: &id, digest: &digest, row: &row };
            let moved = transition(tx, which, wanted, now)?;
            if moved.is_ok() {
                let (who, action, subject) = (operator.name(), wanted.as_str(), &subject(kind, &digest));
                audit::write(tx, &Deed { at: now, who, action, subject, why: OVER_HTTP })?;
            }
            Ok(moved)
        })
        .await?;
    let moved = moved?;
    // What was held is on no page from now on.
    ask.app.pages.forget();
    ask.app.metrics.moved(kind.as_str(), wanted, moved.why);
    let answer = json!({"state": wanted.as_str(), "previous": moved.before});
    Ok(Answer::json(StatusCode::OK, answer, Cache::Never))
}
