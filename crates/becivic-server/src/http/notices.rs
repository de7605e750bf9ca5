//! `/corpus-notices.json`: what whoever keeps a copy of the corpus must know. After a retraction it must be made anew.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use crate::rejection::{Category, Rejection};
use crate::retraction::note;
use axum::http::StatusCode;
use serde_json::{Value, json};

/// The notices, newest first.
pub async fn list(ask: Ask) -> Answer {
    let repository = ask.app.repository.clone();
    let read = tokio::task::spawn_blocking(move || note::all(&repository)).await;
    answered(match read {
        Ok(Ok(notices)) => {
            let item = |notice: &note::Notice| json!({"date": notice.date, "id": notice.id, "action": "refresh", "reason": "retraction"});
            let items: Vec<Value> = notices.iter().map(item).collect();
            Ok(Answer::json(StatusCode::OK, json!({"items": items, "next": null}), Cache::Minute))
        }
        Ok(Err(error)) => {
            tracing::error!(error = %format!("{error:#}"), "the repository cannot be read");
            Err(Rejection::new(Category::Internal))
        }
        Err(_) => Err(Rejection::new(Category::Internal)),
    })
}
