//! What was sent in a session, for whoever knows its id (DECISIONS §7): staged submissions of its envelopes, and verdicts
//! that carry it.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use crate::db::{staged, votes};
use crate::moment::Moment;
use crate::rejection::{Category, Rejection};
use crate::review::states;
use axum::http::StatusCode;
use serde_json::{Value, json};

/// The items of a session. A session nobody knows has none: that it exists is not said either.
pub async fn list(ask: Ask) -> Answer {
    answered(try_list(&ask).await)
}

async fn try_list(ask: &Ask) -> Result<Answer, Rejection> {
    let session = ask.param("session_id").to_owned();
    if !is_session(&session) {
        return Err(Rejection::new(Category::NotFound));
    }
    let asked = session.clone();
    let (waiting, verdicts) = ask
        .app
        .db
        .read(move |tx| Ok((staged::of_session(tx, &asked)?, votes::of_session(tx, &asked)?)))
        .await?;
    let mut items: Vec<Value> = waiting
        .iter()
        .map(|it| match it.commit_eta {
            Some(eta) => {
                let state = states::state_of_staged(it.review.as_deref());
                json!({"type": it.kind, "id": it.id, "state": state, "commit_eta": eta.text()})
            }
            None => json!({"type": it.kind, "id": it.id, "state": states::HELD}),
        })
        .collect();
    items.extend(verdicts.iter().map(|it| {
        json!({
            "type": "validation",
            "state": "committed",
            "target_type": it.target_type,
            "target_id": it.target_id,
            "verdict": it.verdict,
            "committed_at": Moment(it.day).text(),
        })
    }));
    let answer = json!({"session_id": session, "items": items, "next": null});
    Ok(Answer::json(StatusCode::OK, answer, Cache::Never))
}

fn is_session(text: &str) -> bool {
    let uuid = text.strip_prefix("ses_");
    uuid.is_some_and(|uuid| {
        let is_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        uuid.len() == 36 && uuid.bytes().all(|b| is_hex(b) || b == b'-')
    })
}
