//! Submissions: one at a time, or several in an envelope (§8.3.0a).

use super::answer::{Answer, Cache};
use super::answered;
use super::ask::Ask;
use crate::app::Sender;
use crate::moment::Moment;
use crate::pipeline::{self, Accepted, Burst, Incoming, Would};
use crate::rejection::{Category, Rejection};
use crate::review::states::HELD;
use axum::http::StatusCode;
use becivic_core::preflight::{Doubt, identity};
use becivic_core::schema::Schema;
use becivic_core::submission::Kind;
use becivic_core::submission::envelope::{Envelope, Mode};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// One submission of a type.
pub async fn one(mut ask: Ask, kind: Kind) -> Answer {
    let mode = if ask.dry_run() { Mode::Validate } else { Mode::Stage };
    let sender = match enter(&ask).await {
        Ok(sender) => sender,
        Err(rejection) => return Answer::refused(&rejection),
    };
    let result = try_one(&mut ask, &sender, kind, mode).await;
    if let Err(rejection) = &result {
        ask.app.metrics.refused(kind.as_str(), rejection.category.as_str());
        if mode == Mode::Stage && counts(rejection.category) {
            // Whether or not it could be counted, the answer is the refusal.
            let _counted =
                pipeline::count_rejection(&ask.app, &sender, Burst::Untaken(ask.now), ask.now).await;
        }
    }
    answered(result.map(|accepted| say(kind, &accepted, ask.app.config.staging.window.as_secs() / 3600)))
}

async fn try_one(ask: &mut Ask, sender: &Sender, kind: Kind, mode: Mode) -> Result<Accepted, Rejection> {
    let value = ask.json().await?;
    if mode == Mode::Stage {
        pipeline::take_global(&ask.app, 1, ask.now).await?;
    }
    let incoming = Incoming { kind, value, session: None, burst: Burst::Untaken(ask.now) };
    pipeline::run(&ask.app, sender, incoming, mode, ask.now).await
}

/// The gate: whoever is known to have sent too much is told so before anything is read.
async fn enter(ask: &Ask) -> Result<Sender, Rejection> {
    let sender = ask.sender().await?;
    match ask.app.gate.closed(&sender.today, ask.now) {
        Some(until) => Err(Rejection::until(Category::RateLimitExceeded, ask.now, until)),
        None => Ok(sender),
    }
}

/// Whether a refusal is the sender's doing and was not counted in a transaction already.
fn counts(category: Category) -> bool {
    !matches!(
        category,
        Category::RateLimitExceeded
            | Category::SelfValidationBlocked
            | Category::StagingUnavailable
            | Category::Internal
    )
}

fn say(kind: Kind, accepted: &Accepted, window_hours: u64) -> Answer {
    let id_field = kind.id_field();
    let (status, value) = match accepted {
        Accepted::Validated(it) => (StatusCode::OK, with(json!({"status": "validated"}), would(it))),
        Accepted::Held { id, cancel_token } => {
            (StatusCode::ACCEPTED, with(json!({id_field: id}), held(cancel_token.as_deref())))
        }
        Accepted::Staged { id, cancel_token, commit_eta, again } => (
            if *again { StatusCode::OK } else { StatusCode::CREATED },
            json!({
                id_field: id,
                "cancel_token": cancel_token,
                "commit_eta": commit_eta.text(),
                "staging_window_hours": window_hours,
            }),
        ),
        Accepted::Applied { id, applied_at, again } => (
            if *again { StatusCode::OK } else { StatusCode::CREATED },
            json!({id_field: id, "applied_at": applied_at.text()}),
        ),
        Accepted::Known { id, state } => {
            let held = state == HELD;
            (if held { StatusCode::ACCEPTED } else { StatusCode::OK }, json!({id_field: id, "state": state}))
        }
    };
    Answer::json(status, value, Cache::Never)
}

/// Several submissions.
pub async fn envelope(mut ask: Ask) -> Answer {
    let sender = match enter(&ask).await {
        Ok(sender) => sender,
        Err(rejection) => return Answer::refused(&rejection),
    };
    let result = try_envelope(&mut ask, &sender).await;
    if let Err(rejection) = &result {
        ask.app.metrics.refused("envelope", rejection.category.as_str());
        if counts(rejection.category) {
            let _counted =
                pipeline::count_rejection(&ask.app, &sender, Burst::Untaken(ask.now), ask.now).await;
        }
    }
    answered(result)
}

async fn try_envelope(ask: &mut Ask, sender: &Sender) -> Result<Answer, Rejection> {
    let dry_run = ask.dry_run();
    let value = ask.json().await?;
    let (envelope, items) = read(value, dry_run)?;
    let now = ask.now;
    let app = &ask.app;
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    if envelope.mode == Mode::Stage && count > 0 {
        pipeline::take_global(app, count, now).await?;
        pipeline::take_burst(app, sender, count, now).await?;
    }
    let total = items.len();
    let mut results = Vec::with_capacity(total);
    let mut rehearsed = HashSet::new();
    let began = std::time::Instant::now();
    for (index, item) in items.into_iter().enumerate() {
        // The answer must come before the request times out: what is left then is refused, and can be sent again; and so is
        // what nobody waits for any more.
        if !ask.is_at(index, total) || began.elapsed() > app.config.server.request_timeout / 2 {
            results.push(rejected(index, None, &Rejection::unavailable()));
            continue;
        }
        let named = item.get("type").and_then(Value::as_str).and_then(Kind::named);
        let Some(kind) = named.filter(|kind| *kind != Kind::Analytics) else {
            let wrong = Rejection::at(
                Category::SchemaFail,
                "/type",
                "Name one of the types that an envelope may hold.",
            );
            app.metrics.refused("envelope", wrong.category.as_str());
            results.push(rejected(index, None, &wrong));
            continue;
        };
        let id = item.get(kind.id_field()).and_then(Value::as_str).unwrap_or_default().to_owned();
        let incoming = Incoming {
            kind,
            value: envelope.merged(kind, item),
            session: Some(envelope.session_id.clone()),
            burst: Burst::Taken,
        };
        let twice = envelope.mode == Mode::Validate && !rehearsed.insert(id.clone());
        let result = pipeline::run(app, sender, incoming, envelope.mode, now).await;
        results.push(match result {
            Ok(Accepted::Validated(_)) if twice => {
                json!({"idx": index, "type": kind, "ok": true, "status": "duplicate", "id": id})
            }
            Ok(accepted) => accepted_item(index, kind, &accepted),
            Err(rejection) => {
                app.metrics.refused(kind.as_str(), rejection.category.as_str());
                if envelope.mode == Mode::Stage && counts(rejection.category) {
                    let _counted = pipeline::count_rejection(app, sender, Burst::Taken, now).await;
                }
                rejected(index, Some(kind), &rejection)
            }
        });
    }
    ask.is_at(total, total);
    let answer = json!({"session_id": envelope.session_id, "results": results});
    Ok(Answer::json(StatusCode::OK, answer, Cache::Never))
}

/// The envelope without its items, and the items, each an object nobody has looked into.
fn read(mut value: Value, dry_run: bool) -> Result<(Envelope, Vec<Map<String, Value>>), Rejection> {
    let wrong = |pointer: &str, help: &str| Rejection::at(Category::SchemaFail, pointer, help);
    let Some(fields) = value.as_object_mut() else {
        return Err(wrong("", "Send one JSON object."));
    };
    if dry_run {
        fields.entry("mode").or_insert_with(|| json!(Mode::Validate));
    }
    let items = match fields.get_mut("items") {
        Some(Value::Array(items)) => std::mem::take(items),
        Some(_) => return Err(wrong("/items", "`items` is a list.")),
        None => Vec::new(),
    };
    if items.len() > MOST_ITEMS {
        return Err(wrong("/items", "An envelope holds at most 50 items; send the rest in another."));
    }
    // Items stand or fall alone: what is banned or misshapen in one of them is that item's refusal.
    if let Some(pointer) = identity::banned_fields(&value).into_iter().next() {
        return Err(Rejection::at(
            Category::IdentityFieldBanned,
            &pointer,
            "Remove the field. Nothing sent may say who sent it.",
        ));
    }
    let refusals = becivic_core::preflight::shape(Schema::FeedbackEnvelope, &value);
    if !refusals.is_empty() {
        return Err(refusals.into());
    }
    let envelope = Envelope::deserialize(&value).map_err(|_| wrong("", "Compare it with the schema."))?;
    let items = items.into_iter().map(|item| match item {
        Value::Object(fields) => fields,
        _ => Map::new(),
    });
    Ok((envelope, items.collect()))
}

/// Most items in one envelope (DECISIONS §7).
const MOST_ITEMS: usize = 50;

fn accepted_item(index: usize, kind: Kind, accepted: &Accepted) -> Value {
    let text = |at: &Moment| at.text();
    let (status, more) = match accepted {
        Accepted::Validated(it) => ("validated", would(it)),
        Accepted::Held { id, cancel_token } => (HELD, with(json!({"id": id}), held(cancel_token.as_deref()))),
        Accepted::Staged { id, cancel_token, commit_eta, again } => (
            if *again { "duplicate" } else { "staged" },
            json!({"id": id, "cancel_token": cancel_token, "commit_eta": text(commit_eta)}),
        ),
        Accepted::Applied { id, applied_at, again } => {
            (if *again { "duplicate" } else { "applied" }, json!({"id": id, "applied_at": text(applied_at)}))
        }
        Accepted::Known { id, state } if state == HELD => (HELD, json!({"id": id})),
        Accepted::Known { id, state } => ("duplicate", json!({"id": id, "state": state})),
    };
    with(json!({"idx": index, "type": kind, "ok": true, "status": status}), more)
}

/// What would become of a submission: it would count at once, be committed at a time, or be held, and where somebody would have
/// to look. Places are bytes of the string that was sent; nothing of it is said again.
fn would(it: &Would) -> Value {
    let place = |it: &Doubt| json!({"schema_pointer": it.pointer, "start": it.start, "end": it.end, "reason": it.why});
    match it {
        Would::Apply => json!({"would_apply": true}),
        Would::Stage(commit_eta) => json!({"would_stage_for": commit_eta.text()}),
        Would::Hold { doubts, applies } => {
            let places: Vec<Value> = doubts.iter().take(MOST_DOUBTS).map(place).collect();
            let held = json!({"would_hold": true, "doubts": places});
            if *applies { with(held, json!({"would_apply": true})) } else { held }
        }
    }
}

/// Most places that are named.
const MOST_DOUBTS: usize = 100;

/// What the sender of a held submission gets.
fn held(cancel_token: Option<&str>) -> Value {
    match cancel_token {
        Some(token) => json!({"state": HELD, "cancel_token": token}),
        None => json!({"state": HELD}),
    }
}

fn rejected(index: usize, kind: Option<Kind>, rejection: &Rejection) -> Value {
    with(json!({"idx": index, "type": kind, "ok": false, "status": "rejected"}), rejection.body())
}

fn with(mut value: Value, more: Value) -> Value {
    if let (Some(fields), Value::Object(more)) = (value.as_object_mut(), more) {
        fields.extend(more);
    }
    value
}
