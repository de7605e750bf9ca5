//! Whether the process lives, whether it can work, and what it counted.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use axum::http::StatusCode;
use serde_json::json;

/// It lives.
pub async fn live(_: Ask) -> Answer {
    Answer::json(StatusCode::OK, json!({"status": "ok"}), Cache::Never)
}

/// It can read its store, and serves a corpus.
pub async fn ready(ask: Ask) -> Answer {
    let store = ask.app.db.read(crate::db::catalogue::is_empty).await;
    let commit = ask.app.served().commit().to_owned();
    answered(
        store
            .map(|_| Answer::json(StatusCode::OK, json!({"status": "ready", "commit": commit}), Cache::Never))
            .map_err(Into::into),
    )
}

/// The counters.
pub async fn metrics(ask: Ask) -> Answer {
    // A store that does not answer leaves the last age there was.
    if let Ok(since) = ask.app.db.read(|tx| crate::db::staged::oldest_held(tx)).await {
        let age = since.map_or(0, |day| (ask.now.0 - day.0).max(0) / 1_000);
        ask.app.metrics.held_oldest(age);
    }
    let media = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Answer::text(StatusCode::OK, ask.app.metrics.text(), media, Cache::Never)
}
