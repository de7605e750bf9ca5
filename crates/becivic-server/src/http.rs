//! The HTTP door: one list of routes, and what every answer has in common.
//!
//! 1. [`ROUTES`] is the list. The router, `/openapi.json` and the page at `/api` are made from it.
//! 2. A request is matched; `HEAD` is answered like `GET` without the body, `OPTIONS` with what the address takes.
//! 3. The handler converts in, calls one function, converts out. A panic in it is a 500 that says nothing.
//! 4. Every answer is counted, and logged with its route (never its path), status and duration.
//! 5. A cacheable answer has an `ETag`; a request that names it gets 304.

mod answer;
mod api_page;
mod ask;
mod catalogue;
mod graph;
mod health;
mod internal;
mod openapi;
mod operator;
mod paging;
mod paths;
mod sessions;
mod skills;
mod status;
mod submit;

use crate::app::App;
use crate::rejection::{Category, Rejection};
use answer::Answer;
use ask::Ask;
use axum::Router;
use axum::body::Body;
use axum::extract::{RawPathParams, Request};
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use axum::routing::any;
use becivic_core::submission::Kind;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

pub use ask::Peer;

type Answering = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// One route: what it takes, what it may answer, who answers.
pub struct Route {
    method: Method,
    path: &'static str,
    about: &'static str,
    /// What must stand in `Authorization`.
    token: Auth,
    /// The schema of the body, by name.
    takes: Option<&'static str>,
    /// Query parameters and what they mean.
    query: &'static [(&'static str, &'static str)],
    /// Statuses of good answers and what they hold.
    gives: &'static [(u16, &'static str)],
    /// What it may refuse with.
    refuses: &'static [Category],
    handler: fn(Ask) -> Answering,
}

/// What must stand in `Authorization`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Auth {
    Nothing,
    CancelToken,
    OperatorToken,
}

/// Reads a route as one line; what is not said is not there.
macro_rules! route {
    ($method:ident $path:expr, $about:literal, $handler:expr $(, $field:ident: $value:expr)* $(,)?) => {
        Route {
            $($field: $value,)*
            ..Route {
                method: Method::$method,
                path: $path,
                about: $about,
                token: Auth::Nothing,
                takes: None,
                query: &[],
                gives: &[(200, "The answer.")],
                refuses: &[],
                handler: |ask| Box::pin($handler(ask)),
            }
        }
    };
}

const PAGED: &[(&str, &str)] = &[
    ("status", "Only items of this status."),
    ("limit", "At most this many, up to 200."),
    ("after", "The `next` of the answer before."),
];

const ABOUT_SKILL: &[(&str, &str)] = &[
    ("status", "`committed` concerns, `pending` amendments, or both when left out."),
    ("since", "Only what was committed on or after this day."),
    ("limit", "At most this many, up to 200."),
    ("after", "The `next` of the answer before."),
];

const SUBMITTED: &[(u16, &str)] = &[
    (201, "Accepted: the id, and for what is staged the cancel token and when it is committed."),
    (200, "Accepted before, or `dry_run=1`: the record as it stands."),
    (202, "Held for review."),
];

/// What any submission may be refused with.
const REFUSALS: &[Category] = &[
    Category::MalformedJson,
    Category::SchemaFail,
    Category::IdentityFieldBanned,
    Category::TimingFail,
    Category::CapabilityMismatch,
    Category::PayloadTooLarge,
    Category::UnsupportedMediaType,
    Category::DuplicateIdDifferentSubmitter,
    Category::RegexFail,
    Category::CrossRefFail,
    Category::RateLimitExceeded,
    Category::StagingUnavailable,
];

const DRY_RUN: &[(&str, &str)] = &[("dry_run", "`1`: say whether it would be accepted, and store nothing.")];

const STATES: &[(u16, &str)] = &[(200, "The state, and while staged `commit_eta`.")];

/// Every route.
pub static ROUTES: std::sync::LazyLock<Vec<Route>> = std::sync::LazyLock::new(|| {
    let mut routes = vec![
        route!(POST "/api/concerns", "Something is wrong with an artefact, or missing.", |ask| submit::one(ask, Kind::Concern),
            takes: Some("concern"), query: DRY_RUN, gives: SUBMITTED, refuses: REFUSALS),
        route!(POST "/api/amendments", "A change to one existing artefact.", |ask| submit::one(ask, Kind::Amendment),
            takes: Some("amendment"), query: DRY_RUN, gives: SUBMITTED,
            refuses: &[Category::DiffApplyFailed, Category::Layer2ScrubFailure, Category::MalformedJson, Category::SchemaFail, Category::IdentityFieldBanned, Category::TimingFail, Category::CapabilityMismatch, Category::PayloadTooLarge, Category::UnsupportedMediaType, Category::DuplicateIdDifferentSubmitter, Category::RegexFail, Category::CrossRefFail, Category::RateLimitExceeded, Category::StagingUnavailable]),
        route!(POST "/api/drafts", "A proposal for a new skill or path.", |ask| submit::one(ask, Kind::Draft),
            takes: Some("draft"), query: DRY_RUN, gives: SUBMITTED,
            refuses: &[Category::Layer2ScrubFailure, Category::MalformedJson, Category::SchemaFail, Category::IdentityFieldBanned, Category::TimingFail, Category::CapabilityMismatch, Category::PayloadTooLarge, Category::UnsupportedMediaType, Category::DuplicateIdDifferentSubmitter, Category::RegexFail, Category::CrossRefFail, Category::RateLimitExceeded, Category::StagingUnavailable]),
        route!(POST "/api/validations", "A verdict on an artefact, or a vote on a concern; applies at once.", |ask| submit::one(ask, Kind::Validation),
            takes: Some("validation"), query: DRY_RUN, gives: SUBMITTED,
            refuses: &[Category::SelfValidationBlocked, Category::MalformedJson, Category::SchemaFail, Category::IdentityFieldBanned, Category::TimingFail, Category::CapabilityMismatch, Category::PayloadTooLarge, Category::UnsupportedMediaType, Category::DuplicateIdDifferentSubmitter, Category::RegexFail, Category::CrossRefFail, Category::RateLimitExceeded, Category::StagingUnavailable]),
        route!(POST "/api/feedback-channel", "A message about Be Civic itself, for its maintainers.", |ask| submit::one(ask, Kind::Feedback),
            takes: Some("feedback"), query: DRY_RUN, gives: SUBMITTED, refuses: REFUSALS),
        route!(POST "/api/ratings", "One to five stars.", |ask| submit::one(ask, Kind::Rating),
            takes: Some("rating"), query: DRY_RUN, gives: SUBMITTED, refuses: REFUSALS),
        route!(POST "/api/analytics", "One consented event of a session's life; applies at once.", |ask| submit::one(ask, Kind::Analytics),
            takes: Some("analytics"), query: DRY_RUN, gives: SUBMITTED, refuses: REFUSALS),
        route!(POST "/api/feedback", "Several submissions in one request; the primary way.", submit::envelope,
            takes: Some("feedback-envelope"), query: &[("dry_run", "`1`: as `mode: validate`; the body's `mode` wins.")],
            gives: &[(200, "`results`, one per item, each accepted or refused on its own.")],
            refuses: &[Category::MalformedJson, Category::SchemaFail, Category::IdentityFieldBanned, Category::PayloadTooLarge, Category::UnsupportedMediaType, Category::RateLimitExceeded, Category::StagingUnavailable]),
        route!(GET "/api/feedback/sessions/{session_id}", "What was sent in a session, for whoever knows its id.", sessions::list,
            gives: &[(200, "`items`: staged submissions and verdicts of the session.")],
            refuses: &[Category::NotFound, Category::StagingUnavailable]),
        route!(GET "/api/volatile-values", "Fees, deadlines and other values, by uid.", |ask| catalogue::list(ask, crate::db::catalogue::Prefix::Value),
            query: PAGED, refuses: &[Category::SchemaFail, Category::StagingUnavailable]),
        route!(GET "/api/volatile-values/{uid}", "One value, by uid or name.", |ask| catalogue::one(ask, crate::db::catalogue::Prefix::Value),
            refuses: &[Category::NotFound, Category::StagingUnavailable]),
        route!(GET "/api/volatile-values/{uid}/history", "Every version of a value, newest first.", |ask| catalogue::history(ask, crate::db::catalogue::Prefix::Value),
            refuses: &[Category::NotFound, Category::StagingUnavailable]),
        route!(GET "/api/references", "Sources, by uid.", |ask| catalogue::list(ask, crate::db::catalogue::Prefix::Reference),
            query: PAGED, refuses: &[Category::SchemaFail, Category::StagingUnavailable]),
        route!(GET "/api/references/{uid}", "One source, by uid or name.", |ask| catalogue::one(ask, crate::db::catalogue::Prefix::Reference),
            refuses: &[Category::NotFound, Category::StagingUnavailable]),
        route!(GET "/api/references/{uid}/history", "Every version of a source, newest first.", |ask| catalogue::history(ask, crate::db::catalogue::Prefix::Reference),
            refuses: &[Category::NotFound, Category::StagingUnavailable]),
        route!(GET "/api/skills", "Every skill, by id.", skills::list,
            query: &[("status", "Only skills of this status."), ("category", "Only skills of this category."), ("limit", "At most this many, up to 200."), ("after", "The `next` of the answer before.")],
            refuses: &[Category::SchemaFail]),
        route!(GET "/api/skills/{id}", "One skill: frontmatter, text, community observations.", skills::one,
            refuses: &[Category::NotFound, Category::StagingUnavailable]),
        route!(GET "/api/skills/{id}/history", "The commits that changed a skill, newest first.", skills::history,
            refuses: &[Category::NotFound]),
        route!(GET "/api/skills/{id}/concerns", "What the community says of a skill and what it cites.", skills::concerns,
            query: ABOUT_SKILL, refuses: &[Category::NotFound, Category::SchemaFail, Category::StagingUnavailable]),
        route!(GET "/api/skills/{id}/observations", "The same, under its other name.", skills::concerns,
            query: ABOUT_SKILL, refuses: &[Category::NotFound, Category::SchemaFail, Category::StagingUnavailable]),
        route!(GET "/api/concerns", "The same for `?skill=`.", skills::concerns_of,
            query: &[("skill", "The skill."), ("status", "`committed` concerns, `pending` amendments, or both when left out."), ("since", "Only what was committed on or after this day."), ("limit", "At most this many, up to 200."), ("after", "The `next` of the answer before.")],
            refuses: &[Category::NotFound, Category::SchemaFail, Category::StagingUnavailable]),
        route!(GET "/api/paths", "The Path Directory: routes to documents and tools.", paths::list,
            query: &[("theme", "Only paths of this theme."), ("status", "Only paths of this status."), ("limit", "At most this many, up to 200."), ("after", "The `next` of the answer before.")],
            refuses: &[Category::SchemaFail]),
        route!(GET "/api/paths/{id}", "One path with its sources.", paths::one, refuses: &[Category::NotFound]),
        route!(GET "/api/skill-graph", "Skills and how they hang together.", graph::show,
            query: &[("applies_to", "Only these domains, joined by commas."), ("status", "Only these statuses, joined by commas; `stable,beta` when left out."), ("customer_locale", "NL, FR, DE or EN."), ("profile_match", "Evaluated on the person's machine: it is neither read nor kept.")],
            refuses: &[Category::SchemaFail]),
        route!(GET "/api/_internal/artefact-stats", "Distinct voters of an artefact.", internal::artefact_stats,
            token: Auth::OperatorToken, query: &[("target_type", "What it is."), ("target_id", "Which.")],
            refuses: &[Category::Unauthorized, Category::SchemaFail, Category::NotFound, Category::StagingUnavailable]),
        route!(GET "/api/_internal/rating-stats", "Stars by target.", internal::rating_stats,
            token: Auth::OperatorToken, query: &[("target_type", "skill, agent_protocol or session.")],
            refuses: &[Category::Unauthorized, Category::SchemaFail, Category::StagingUnavailable]),
        route!(POST "/api/_internal/catalogue-entries", "The uid of a name, minted at alpha where it is new.", internal::mint,
            token: Auth::OperatorToken, gives: &[(201, "The new uid."), (200, "The uid it has.")],
            refuses: &[Category::Unauthorized, Category::MalformedJson, Category::SchemaFail, Category::PayloadTooLarge, Category::UnsupportedMediaType, Category::StagingUnavailable]),
        route!(GET "/healthz", "Whether the process lives.", health::live),
        route!(GET "/readyz", "Whether it can do its work.", health::ready, refuses: &[Category::StagingUnavailable]),
        route!(GET "/metrics", "Counters, for monitoring.", health::metrics),
        route!(GET "/openapi.json", "This list for machines.", openapi::show),
        route!(GET "/api", "This list for people.", api_page::show),
        route!(GET "/schemas/{file}", "A JSON Schema.", openapi::schema, refuses: &[Category::NotFound]),
        route!(GET "/scrub-rules.json", "The rules that find personal data.", openapi::scrub_rules),
    ];
    macro_rules! of_kind {
        ($($folder:literal, $kind:expr, $cancels:literal;)+) => {$(
            routes.push(route!(GET $folder, "Where a submission stands; nothing of its text.", |ask| status::show(ask, $kind),
                gives: STATES, refuses: &[Category::NotFound, Category::StagingUnavailable]));
            if $cancels {
                routes.push(route!(DELETE $folder, "Takes a submission back, while it is staged or held.", |ask| status::cancel(ask, $kind),
                    token: Auth::CancelToken, gives: &[(200, "`cancelled: true`")],
                    refuses: &[Category::Unauthorized, Category::StagingUnavailable]));
            }
            routes.push(route!(PATCH concat!($folder, "/status"), "Moves a submission to another state.", |ask| status::change(ask, $kind),
                token: Auth::OperatorToken, gives: &[(200, "The state now, and the one before.")],
                refuses: &[Category::Unauthorized, Category::MalformedJson, Category::SchemaFail, Category::InvalidTransition, Category::NotFound, Category::PayloadTooLarge, Category::UnsupportedMediaType, Category::StagingUnavailable]));
        )+};
    }
    of_kind! {
        "/api/concerns/{id}", Kind::Concern, true;
        "/api/amendments/{id}", Kind::Amendment, true;
        "/api/drafts/{id}", Kind::Draft, true;
        "/api/validations/{id}", Kind::Validation, false;
        "/api/feedback-channel/{id}", Kind::Feedback, true;
        "/api/ratings/{id}", Kind::Rating, true;
    }
    routes
});

/// Addresses that exist and take nothing: an event cannot be asked for or taken back.
const WITHOUT_METHODS: &[&str] = &["/api/analytics/{id}"];

/// The router over every route.
pub fn router(app: &Arc<App>) -> Router {
    let mut paths: Vec<&'static str> = ROUTES.iter().map(|route| route.path).collect();
    paths.extend(WITHOUT_METHODS);
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
        router = router.route(path, any(handler));
    }
    let app = Arc::clone(app);
    router.fallback(move |request: Request| {
        let app = Arc::clone(&app);
        async move {
            let began = Instant::now();
            let answer = Answer::refused(&Rejection::new(Category::NotFound));
            finish(&app, "unmatched", request.method(), None, answer, began)
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
    let method = request.method().clone();
    let asked = if method == Method::HEAD { Method::GET } else { method.clone() };
    let etag = request.headers().get(header::IF_NONE_MATCH).cloned();
    let answer = match routes.iter().find(|route| route.method == asked) {
        Some(route) => {
            let params = params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let ask = Ask::new(Arc::clone(&app), params, request);
            let limit = app.config.server.request_timeout;
            guarded(&app, tokio::time::timeout(limit, (route.handler)(ask))).await
        }
        None if asked == Method::OPTIONS => answer::options(&allowed(&routes)),
        None => Answer::refused(&Rejection::new(Category::MethodNotAllowed))
            .with(header::ALLOW, &allowed(&routes)),
    };
    finish(&app, path, &method, etag.as_ref(), answer, began)
}

/// Runs a handler so that a defect or an endless wait in it is an answer all the same.
async fn guarded(
    app: &App,
    answering: impl Future<Output = Result<Answer, tokio::time::error::Elapsed>>,
) -> Answer {
    let mut answering = Box::pin(AssertUnwindSafe(answering));
    let caught = std::future::poll_fn(|cx| {
        let poll = std::panic::catch_unwind(AssertUnwindSafe(|| answering.as_mut().poll(cx)));
        match poll {
            Ok(std::task::Poll::Pending) => std::task::Poll::Pending,
            Ok(std::task::Poll::Ready(answer)) => std::task::Poll::Ready(Some(answer)),
            Err(_) => std::task::Poll::Ready(None),
        }
    })
    .await;
    match caught {
        Some(Ok(answer)) => answer,
        Some(Err(_)) => Answer::refused(&Rejection::unavailable()),
        None => {
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
    let seconds = began.elapsed().as_secs_f64();
    let mut response = answer.into_response(asked_etag);
    let status = response.status();
    if method == Method::HEAD {
        *response.body_mut() = Body::empty();
    }
    app.metrics.answered(route, status.as_u16(), seconds);
    let level_is_warning = status.is_server_error();
    let milliseconds = (seconds * 1e6).round() / 1e3;
    if level_is_warning {
        tracing::warn!(
            route,
            method = known_method(method),
            status = status.as_u16(),
            milliseconds,
            "answered"
        );
    } else {
        tracing::info!(
            route,
            method = known_method(method),
            status = status.as_u16(),
            milliseconds,
            "answered"
        );
    }
    response
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
