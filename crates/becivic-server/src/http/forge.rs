//! What GitHub tells by itself.

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use crate::db::jobs;
use crate::forge::github::{Event, Hook};
use crate::jobs::commit;
use crate::rejection::{Category, Rejection};
use axum::http::StatusCode;
use serde_json::json;

/// A delivery: where it is signed and means something, the jobs are woken.
pub async fn webhook(mut ask: Ask) -> Answer {
    answered(try_webhook(&mut ask).await)
}

async fn try_webhook(ask: &mut Ask) -> Result<Answer, Rejection> {
    // Without a secret there is nothing to tell GitHub from anybody else by, and so no such door.
    if ask.app.forge_hook.is_none() {
        return Err(Rejection::new(Category::NotFound));
    }
    let body = ask.bytes().await?;
    let signature = ask.header("x-hub-signature-256").unwrap_or_default();
    if !ask.app.forge_hook.as_ref().is_some_and(|hook| hook.verify(&body, signature)) {
        return Err(Rejection::new(Category::Unauthorized));
    }
    let event = Hook::meaning(ask.header("x-github-event").unwrap_or_default(), &body);
    if event == Event::LookAgain {
        ask.app.db.write(|tx| jobs::hurry(tx, commit::NAME)).await?;
        ask.app.wake.notify_one();
    }
    let answer = json!({"looking": event == Event::LookAgain});
    Ok(Answer::json(StatusCode::OK, answer, Cache::Never))
}
