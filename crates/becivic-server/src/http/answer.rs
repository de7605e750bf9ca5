//! Answers: a status, a body, how long it may be kept.

use crate::rejection::Rejection;
use crate::sent::{Named, tag};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use becivic_core::json;
use bytes::Bytes;
use serde_json::Value;

/// How long an answer may be kept (DECISIONS §7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// What changes with the corpus: a minute.
    Minute,
    /// What changes with the community: half a minute.
    HalfMinute,
    /// What has its content in its name.
    Forever,
    /// What is somebody's own, or changes at any time.
    Never,
}

// Headers of every answer are made once: making one reads its text to the end.
static A_MINUTE: HeaderValue = HeaderValue::from_static("public, max-age=60, s-maxage=60");
static HALF_A_MINUTE: HeaderValue = HeaderValue::from_static("public, max-age=30, s-maxage=30");
static FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
static NOT_AT_ALL: HeaderValue = HeaderValue::from_static("no-store");
static NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
static NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");
static ANYBODY: HeaderValue = HeaderValue::from_static("*");

impl Cache {
    fn header(self) -> HeaderValue {
        match self {
            Self::Minute => A_MINUTE.clone(),
            Self::HalfMinute => HALF_A_MINUTE.clone(),
            Self::Forever => FOR_EVER.clone(),
            Self::Never => NOT_AT_ALL.clone(),
        }
    }
}

/// The headers that [`Answer::into_response`] itself may add.
const MOST_OF_OUR_OWN: usize = 8;

/// The headers that others add to a page.
const MOST_OF_OTHERS: usize = 6;

/// What an answer holds.
enum Content {
    /// All of it.
    Whole(Bytes),
    /// All of it, as data that is not written down yet.
    Json(Value),
    /// What is made while it is sent; never kept.
    Flowing(Body),
}

/// An answer before it is sent.
pub struct Answer {
    status: StatusCode,
    body: Content,
    media: &'static str,
    cache: Cache,
    /// What names the body, where that is known already.
    tag: Option<HeaderValue>,
    more: Vec<(HeaderName, HeaderValue)>,
}

impl Answer {
    /// JSON.
    pub fn json(status: StatusCode, value: Value, cache: Cache) -> Self {
        Self { body: Content::Json(value), ..Self::text(status, Bytes::new(), "application/json", cache) }
    }

    /// Any text.
    pub fn text(status: StatusCode, body: impl Into<Bytes>, media: &'static str, cache: Cache) -> Self {
        let more = Vec::with_capacity(MOST_OF_OTHERS);
        Self { status, body: Content::Whole(body.into()), media, cache, tag: None, more }
    }

    /// A page that was made before, with the name of its bytes.
    pub fn tagged(status: StatusCode, body: &Named, media: &'static str, cache: Cache) -> Self {
        Self { tag: Some(body.tag.clone()), ..Self::text(status, body.bytes.clone(), media, cache) }
    }

    /// What is made while it is sent.
    pub fn flowing(body: Body, media: &'static str) -> Self {
        let (status, cache) = (StatusCode::OK, Cache::Never);
        Self { status, body: Content::Flowing(body), media, cache, tag: None, more: Vec::new() }
    }

    /// A refusal.
    pub fn refused(rejection: &Rejection) -> Self {
        let answer = Self::json(rejection.category.status(), rejection.body(), Cache::Never);
        match rejection.retry_after {
            Some(seconds) => answer.saying(header::RETRY_AFTER, &seconds.to_string()),
            None if rejection.category.status() == StatusCode::UNAUTHORIZED => {
                answer.with(header::WWW_AUTHENTICATE, "Bearer")
            }
            None => answer,
        }
    }

    /// One more header, with a text of ours.
    pub fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.more.push((name, HeaderValue::from_static(value)));
        self
    }

    /// More headers, which were made before.
    pub fn with_all(mut self, headers: &[(HeaderName, HeaderValue)]) -> Self {
        self.more.extend_from_slice(headers);
        self
    }

    /// One more header; none where no header can say that.
    pub fn saying(mut self, name: HeaderName, value: &str) -> Self {
        self.more.extend(HeaderValue::from_str(value).map(|value| (name, value)));
        self
    }

    /// The status and the whole body, for whoever passes it on in another way; nothing of what is made while it is sent.
    pub fn whole(self) -> Option<(StatusCode, Bytes)> {
        match self.body {
            Content::Whole(bytes) => Some((self.status, bytes)),
            Content::Json(value) => Some((self.status, Bytes::from(json::text(&value)))),
            Content::Flowing(_) => None,
        }
    }

    /// The status and the data; nothing where it is no data.
    pub fn data(self) -> Option<(StatusCode, Value)> {
        match self.body {
            Content::Json(value) => Some((self.status, value)),
            Content::Whole(_) | Content::Flowing(_) => None,
        }
    }

    /// Where it leads, where it is a redirect.
    pub fn leads_to(&self) -> Option<String> {
        let location = self.more.iter().find(|(name, _)| *name == header::LOCATION);
        location.and_then(|(_, value)| value.to_str().ok()).map(str::to_owned)
    }

    /// The answer as it is sent; empty with 304 when the asker has it already.
    pub fn into_response(self, asked_etag: Option<&HeaderValue>) -> Response {
        let body = match self.body {
            Content::Whole(bytes) => Ok(bytes),
            Content::Json(value) => Ok(Bytes::from(json::text(&value))),
            Content::Flowing(body) => Err(body),
        };
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.reserve(self.more.len() + MOST_OF_OUR_OWN);
        headers.insert(header::CACHE_CONTROL, self.cache.header());
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF.clone());
        headers.insert(header::REFERRER_POLICY, NO_REFERRER.clone());
        for (name, value) in self.more {
            headers.insert(name, value);
        }
        if let (Ok(body), Cache::Minute | Cache::HalfMinute | Cache::Forever) = (&body, self.cache) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANYBODY.clone());
            let tag = self.tag.unwrap_or_else(|| tag(body, ""));
            let unchanged = asked_etag.is_some_and(|asked| matches(asked, &tag));
            headers.insert(header::ETAG, tag);
            if unchanged && self.status == StatusCode::OK {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                return response;
            }
        }
        if self.status != StatusCode::NO_CONTENT {
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media));
            *response.body_mut() = body.map_or_else(|flowing| flowing, Body::from);
        }
        response
    }
}

/// Whether `If-None-Match` names the tag; weak and strong are the same here.
fn matches(asked: &HeaderValue, tag: &HeaderValue) -> bool {
    let mut asked = asked.to_str().unwrap_or_default().split(',').map(str::trim);
    asked.any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

/// What an address takes; browsers ask before they read from another site, and are told where they may.
pub fn options(allowed: &str, from_anywhere: bool) -> Answer {
    let answer =
        Answer::text(StatusCode::NO_CONTENT, "", "text/plain", Cache::Never).saying(header::ALLOW, allowed);
    if !from_anywhere {
        return answer;
    }
    answer
        .with(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .with(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS")
        .with(header::ACCESS_CONTROL_ALLOW_HEADERS, "If-None-Match")
        .with(header::ACCESS_CONTROL_MAX_AGE, "86400")
}
