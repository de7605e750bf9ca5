//! `/mcp`: the protocol over HTTP (Streamable HTTP), without sessions.
//!
//! 1. Whoever is barred is told so ([`super::guard`]); a browser that asks first is told what it may send.
//! 2. A body is read up to the limit. A list of messages is a batch, which one version of the protocol has: each is answered as if it had
//!    come alone.
//! 3. The SDK checks versions and headers and calls the door. What it refuses is said in words of ours: nothing of a request is said back.
//! 4. An answer is JSON; a stream where something is told before it ends. A stream may stay open, what comes before it may not take
//!    longer than any other request.

use super::guard::{Barred, Guard};
use super::{Access, Door};
use crate::app::App;
use crate::http::ask::Peer;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use axum::response::Response;
use axum::routing::{MethodRouter, any};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// What a message may be longer than a submission: names, versions, braces.
pub(super) const AROUND: usize = 64 * 1024;

/// Most messages of a batch.
const MOST: usize = 50;

/// The version that has batches, and what is spoken where nobody says.
const WITH_BATCHES: &str = "2025-03-26";

/// JSON-RPC's own numbers.
const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;
const INTERNAL: i32 = -32_603;

/// The number of this protocol for headers that say something else than the message.
const HEADER_MISMATCH: i32 = -32_020;

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

type Service = StreamableHttpService<Door, NeverSessionManager>;

/// The route.
pub fn route(app: &Arc<App>) -> MethodRouter {
    let door = Door::new(Arc::clone(app), Access::Full);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(app.config.server.body_limit + AROUND)
        // The guard has looked already, and says nothing of it in a log.
        .disable_allowed_hosts();
    let service: Arc<Service> =
        Arc::new(StreamableHttpService::new(move || Ok(door.clone()), Arc::default(), config));
    let guard = Arc::new(Guard::new(&app.config));
    let app = Arc::clone(app);
    any(move |request: Request| {
        let (app, service, guard) = (Arc::clone(&app), Arc::clone(&service), Arc::clone(&guard));
        async move {
            let began = Instant::now();
            let method = request.method().clone();
            let limit = app.config.server.request_timeout;
            let answering = answer(&app, &service, &guard, request);
            let late = || error(StatusCode::SERVICE_UNAVAILABLE, INTERNAL, "It took too long; try again.");
            let response = tokio::time::timeout(limit, answering).await.unwrap_or_else(|_| late());
            crate::http::written_down(&app, "/mcp", &method, response.status(), began);
            response
        }
    })
}

async fn answer(app: &App, service: &Service, guard: &Guard, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if let Err(barred) = guard.check(&parts.uri, &parts.headers) {
        return error(StatusCode::FORBIDDEN, INVALID_REQUEST, Barred::help(barred));
    }
    let origin = parts.headers.get(header::ORIGIN).cloned();
    let mut response = match parts.method {
        Method::OPTIONS => preflight(),
        Method::POST => match Limited::new(body, app.config.server.body_limit + AROUND).collect().await {
            Ok(body) => posted(service, parts, body.to_bytes()).await,
            Err(why) if why.is::<LengthLimitError>() => error(
                StatusCode::PAYLOAD_TOO_LARGE,
                INVALID_REQUEST,
                "The message is larger than this server takes.",
            ),
            Err(_) => error(StatusCode::BAD_REQUEST, PARSE_ERROR, "The message was cut off."),
        },
        _ => {
            let words = "Send messages with POST. Nothing is kept between them, so there is no stream to open and no session to end.";
            let mut response = error(StatusCode::METHOD_NOT_ALLOWED, INVALID_REQUEST, words);
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST, OPTIONS"));
            response
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}

/// A browser asks what it may send.
fn preflight() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ALLOW, "POST, OPTIONS"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Accept, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn posted(service: &Service, parts: Parts, body: Bytes) -> Response {
    match body.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'[') => batch(service, &parts, &body).await,
        _ => one(service, parts, body).await,
    }
}

async fn one(service: &Service, parts: Parts, body: Bytes) -> Response {
    let is_sent_as_json = media(&parts.headers).starts_with("application/json");
    let response = service.handle(axum::http::Request::from_parts(parts, Full::new(body.clone()))).await;
    let status = response.status();
    let answered = media(response.headers());
    if status == StatusCode::BAD_REQUEST && answered.starts_with("application/json") {
        let body = response.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        return sent(status, &without_request(serde_json::from_slice(&body).unwrap_or_default()));
    }
    if status.is_success()
        || answered.starts_with("application/json")
        || answered.starts_with("text/event-stream")
    {
        return response.map(Body::new);
    }
    // What is wrong with a message may be said with the message itself; it is said without.
    match status {
        StatusCode::UNSUPPORTED_MEDIA_TYPE if !is_sent_as_json => {
            error(status, INVALID_REQUEST, "Send messages as application/json.")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE if !is_json(&body) => {
            error(StatusCode::BAD_REQUEST, PARSE_ERROR, "The message is not JSON in UTF-8.")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            let words = "Send one JSON-RPC 2.0 message, with the parameters that its method takes.";
            error(StatusCode::BAD_REQUEST, INVALID_REQUEST, words)
        }
        StatusCode::NOT_ACCEPTABLE => {
            error(status, INVALID_REQUEST, "Accept both application/json and text/event-stream.")
        }
        StatusCode::BAD_REQUEST => {
            let words = "The header Mcp-Protocol-Version names a version that is not spoken here: 2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28.";
            error(status, INVALID_REQUEST, words)
        }
        _ => error(status, INTERNAL, "It could not be answered."),
    }
}

/// What the SDK says of headers that do not fit holds the headers; it is said without.
fn without_request(mut refusal: Value) -> Value {
    let code = refusal.pointer("/error/code").and_then(Value::as_i64);
    let words = match code.and_then(|code| i32::try_from(code).ok()) {
        Some(HEADER_MISMATCH) => {
            "The headers Mcp-Protocol-Version, Mcp-Method and Mcp-Name must say what the message says."
        }
        Some(INVALID_REQUEST) => {
            "Send a request whose header Mcp-Protocol-Version, if any, is the version it says."
        }
        _ => return refusal,
    };
    refusal["error"]["message"] = json!(words);
    refusal
}

fn media(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default()
}

/// What is passed over is not looked at for its UTF-8, unlike what is read.
fn is_json(body: &[u8]) -> bool {
    std::str::from_utf8(body).is_ok_and(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok())
}

/// Several messages at once.
async fn batch(service: &Service, parts: &Parts, body: &[u8]) -> Response {
    let version = parts.headers.get(VERSION).map_or(WITH_BATCHES, |it| it.to_str().unwrap_or_default());
    if version != WITH_BATCHES {
        let words = "This version of the protocol has no batches: send the messages one by one.";
        return error(StatusCode::BAD_REQUEST, INVALID_REQUEST, words);
    }
    let Ok(messages) = serde_json::from_slice::<Vec<Box<RawValue>>>(body) else {
        return error(StatusCode::BAD_REQUEST, PARSE_ERROR, "The message is not JSON in UTF-8.");
    };
    if messages.is_empty() || messages.len() > MOST {
        return error(StatusCode::BAD_REQUEST, INVALID_REQUEST, "A batch holds 1 to 50 messages.");
    }
    let mut answers: Vec<Value> = Vec::new();
    for message in messages {
        let mut alone = axum::http::Request::new(()).into_parts().0;
        alone.method = Method::POST;
        alone.uri = parts.uri.clone();
        alone.headers = parts.headers.clone();
        alone.headers.remove(header::CONTENT_LENGTH);
        alone.extensions.extend(
            parts
                .extensions
                .get::<Peer>()
                .map(|peer| {
                    let mut extensions = axum::http::Extensions::new();
                    extensions.insert(*peer);
                    extensions
                })
                .unwrap_or_default(),
        );
        let response = one(service, alone, Bytes::from(message.get().to_owned())).await;
        let Ok(body) = response.into_body().collect().await else { continue };
        answers.extend(told(&body.to_bytes()));
    }
    if answers.is_empty() {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::ACCEPTED;
        return response;
    }
    sent(StatusCode::OK, &Value::Array(answers))
}

/// The messages of an answer, be it JSON or the lines of a stream.
fn told(body: &[u8]) -> Vec<Value> {
    if let Ok(message) = serde_json::from_slice(body) {
        return vec![message];
    }
    let text = String::from_utf8_lossy(body);
    text.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok()).collect()
}

/// A refusal by the door itself.
fn error(status: StatusCode, code: i32, message: &str) -> Response {
    sent(status, &json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}}))
}

fn sent(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
