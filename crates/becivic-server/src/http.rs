//! The HTTP door: one list of routes, and what every answer has in common.
//!
//! 1. [`ROUTES`] is the list (`http/routes.rs`, one file per group in `http/routes/`). The router, `/openapi.json` and the page at `/api` are made from it.
//! 2. A request is matched; `HEAD` is answered like `GET` without the body, `OPTIONS` with what the address takes.
//! 3. The handler converts in, calls one function, converts out. A panic in it is a 500 that says nothing.
//! 4. Every answer is counted, and logged with its route (never its path), status and duration.
//! 5. A cacheable answer has an `ETag`; a request that names it gets 304.

pub(crate) mod answer;
mod api_page;
pub(crate) mod ask;
pub mod catalogue;
mod described;
mod find;
mod fitting;
mod forge;
mod git;
mod graph;
mod health;
mod internal;
mod log;
mod notices;
mod onboarding_form;
mod openapi;
mod operator;
mod paging;
pub mod paths;
pub mod review;
pub(crate) mod routes;
mod sessions;
mod shapes;
pub(crate) mod site;
pub mod skills;
pub mod standing;
mod status;
mod submit;
mod text;
mod transitions;
mod unread;

use crate::app::App;
use crate::logs::{self, Answered};
use crate::rejection::{Category, Rejection};
use answer::Answer;
use ask::Ask;
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{RawPathParams, Request};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use axum::routing::any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

pub use ask::Peer;
pub use described::described;
pub use routes::{ROUTES, Route};

/// The router over every route.
pub fn router(app: &Arc<App>) -> Router {
    let mut paths: Vec<&'static str> = ROUTES.iter().map(|route| route.path.as_str()).collect();
    paths.extend(routes::WITHOUT_METHODS);
    paths.sort_unstable();
    paths.dedup();
    let mut router = Router::new();
    for path in paths {
        let routes: Arc<[&'static Route]> = ROUTES.iter().filter(|route| route.path == path).collect();
        let app = Arc::clone(app);
        let handler = move |params: RawPathParams, request: Request| {
            let (app, routes) = (Arc::clone(&app), Arc::clone(&routes));
            async move { answer_one(app, path, routes, &params, request).await }
        };
        let address = if path == log::TILES { log::TILES_ROUTED } else { path };
        router = router.route(address, any(handler));
    }
    let router = router.route("/mcp", crate::mcp::route(app));
    let app = Arc::clone(app);
    router.fallback(move |request: Request| {
        let app = Arc::clone(&app);
        async move {
            let began = Instant::now();
            let (request, rest) = unread::watch(request);
            let method = request.method().clone();
            let etag = request.headers().get(header::IF_NONE_MATCH).cloned();
            let answer = match method {
                Method::GET | Method::HEAD => {
                    let limit = app.config.server.request_timeout;
                    let ask = Ask::new(Arc::clone(&app), Vec::new(), request);
                    guarded(&app, limit, site::answer(ask)).await
                }
                _ => {
                    let path = request.uri().path().to_owned();
                    // Given up here, so that what is left of it can be read.
                    drop(request);
                    site::unread(&app, &method, &path)
                }
            };
            ended(finish(&app, "site", &method, etag.as_ref(), answer, began), rest).await
        }
    })
}

async fn answer_one(
    app: Arc<App>,
    path: &'static str,
    routes: Arc<[&'static Route]>,
    params: &RawPathParams,
    request: Request,
) -> Response {
    let began = Instant::now();
    let (request, rest) = unread::watch(request);
    let method = request.method().clone();
    let asked = if method == Method::HEAD { Method::GET } else { method.clone() };
    let etag = request.headers().get(header::IF_NONE_MATCH).cloned();
    let found = routes.iter().find(|route| route.method == asked);
    let is_open = found.is_none_or(|route| route.auth == routes::Auth::Nothing);
    let answer = match found {
        Some(route) => {
            let params = params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let ask = Ask::new(Arc::clone(&app), params, request);
            let limit = app.config.server.request_timeout;
            guarded(&app, limit, route.answer(ask)).await
        }
        None => {
            // Given up here, so that what is left of it can be read.
            drop(request);
            let allowed = allowed(&routes);
            let readable = routes.iter().all(|route| route.auth != routes::Auth::Session);
            match asked {
                Method::OPTIONS => answer::options(&allowed, readable),
                _ => Answer::refused(&Rejection::new(Category::MethodNotAllowed))
                    .saying(header::ALLOW, &allowed),
            }
        }
    };
    let mut response = finish(&app, path, &method, etag.as_ref(), answer, began);
    if asked == Method::GET && is_open {
        // Refusals too: a page that may read must be able to read why it got nothing.
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    ended(response, rest).await
}

/// The response; it ends the connection where the request was too long to be read to its end.
async fn ended(mut response: Response, rest: unread::Rest) -> Response {
    if !rest.read_out().await {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Runs a handler so that a defect or an endless wait in it is an answer all the same.
pub(crate) async fn guarded(app: &App, limit: Duration, answering: impl Future<Output = Answer>) -> Answer {
    let mut answering = Box::pin(answering);
    let mut caught = pin!(std::future::poll_fn(|cx| {
        match std::panic::catch_unwind(AssertUnwindSafe(|| answering.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(answer)) => Poll::Ready(Some(answer)),
            Err(_) => Poll::Ready(None),
        }
    }));
    // Most answers are there at once, and no clock need be set for them.
    let at_once = std::future::poll_fn(|cx| match caught.as_mut().poll(cx) {
        Poll::Ready(caught) => Poll::Ready(Some(caught)),
        Poll::Pending => Poll::Ready(None),
    });
    let caught = match at_once.await {
        Some(caught) => Ok(caught),
        None => tokio::time::timeout(limit, caught).await,
    };
    match caught {
        Ok(Some(answer)) => answer,
        Err(_) => Answer::refused(&Rejection::unavailable()),
        Ok(None) => {
            app.metrics.panicked();
            Answer::refused(&Rejection::new(Category::Internal))
        }
    }
}

fn allowed(routes: &[&'static Route]) -> String {
    let mut methods: Vec<&str> = routes.iter().map(|route| route.method.as_str()).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.push("OPTIONS");
    methods.join(", ")
}

fn finish(
    app: &App,
    route: &'static str,
    method: &Method,
    asked_etag: Option<&HeaderValue>,
    answer: Answer,
    began: Instant,
) -> Response {
    let mut response = answer.into_response(asked_etag);
    let status = response.status();
    if method == Method::HEAD {
        let length = response.body().size_hint().exact().filter(|length| *length > 0);
        if let Some(length) = length {
            response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        }
        *response.body_mut() = Body::empty();
    }
    written_down(app, route, method, status, began);
    response
}

/// Counts an answer, and writes its line.
pub(crate) fn written_down(
    app: &App,
    route: &'static str,
    method: &Method,
    status: StatusCode,
    began: Instant,
) {
    let took = began.elapsed();
    let seconds = took.as_secs_f64();
    app.metrics.answered(route, status.as_u16(), seconds);
    let method = known_method(method);
    if status.is_server_error() {
        let milliseconds = (seconds * 1e6).round() / 1e3;
        tracing::warn!(route, method, status = status.as_u16(), milliseconds, "answered");
    } else {
        logs::answered(&Answered { route, method, status, took });
    }
}

/// A method is sent by a stranger too: only those that exist are written down.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        _ => "other",
    }
}

/// The answer of a handler: refusals are answers too.
fn answered(result: Result<Answer, Rejection>) -> Answer {
    result.unwrap_or_else(|rejection| Answer::refused(&rejection))
}
