//! Answers: a status, a body, how long it may be kept.

use crate::rejection::Rejection;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use serde_json::Value;
use sha2::{Digest, Sha256};

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

impl Cache {
    fn header(self) -> &'static str {
        match self {
            Self::Minute => "public, max-age=60, s-maxage=60",
            Self::HalfMinute => "public, max-age=30, s-maxage=30",
            Self::Forever => "public, max-age=31536000, immutable",
            Self::Never => "no-store",
        }
    }
}

/// What an answer holds.
enum Content {
    /// All of it.
    Whole(Bytes),
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
    tag: Option<String>,
    more: Vec<(HeaderName, String)>,
}

impl Answer {
    /// JSON.
    pub fn json(status: StatusCode, value: &Value, cache: Cache) -> Self {
        Self::text(status, value.to_string(), "application/json", cache)
    }

    /// Any text.
    pub fn text(status: StatusCode, body: impl Into<Bytes>, media: &'static str, cache: Cache) -> Self {
        Self { status, body: Content::Whole(body.into()), media, cache, tag: None, more: Vec::new() }
    }

    /// A page that was made before, with the name of its bytes.
    pub fn tagged(status: StatusCode, body: Bytes, media: &'static str, tag: &str) -> Self {
        Self { tag: Some(tag.to_owned()), ..Self::text(status, body, media, Cache::Minute) }
    }

    /// What is made while it is sent.
    pub fn flowing(body: Body, media: &'static str) -> Self {
        let (status, cache) = (StatusCode::OK, Cache::Never);
        Self { status, body: Content::Flowing(body), media, cache, tag: None, more: Vec::new() }
    }

    /// A refusal.
    pub fn refused(rejection: &Rejection) -> Self {
        let answer = Self::json(rejection.category.status(), &rejection.body(), Cache::Never);
        match rejection.retry_after {
            Some(seconds) => answer.with(header::RETRY_AFTER, &seconds.to_string()),
            None if rejection.category.status() == StatusCode::UNAUTHORIZED => {
                answer.with(header::WWW_AUTHENTICATE, "Bearer")
            }
            None => answer,
        }
    }

    /// One more header.
    pub fn with(mut self, name: HeaderName, value: &str) -> Self {
        self.more.push((name, value.to_owned()));
        self
    }

    /// The answer as it is sent; empty with 304 when the asker has it already.
    pub fn into_response(self, asked_etag: Option<&HeaderValue>) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache.header()));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        for (name, value) in &self.more {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name.clone(), value);
            }
        }
        if let (Content::Whole(body), Cache::Minute | Cache::HalfMinute | Cache::Forever) =
            (&self.body, self.cache)
        {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            let name = self.tag.unwrap_or_else(|| URL_SAFE_NO_PAD.encode(&Sha256::digest(body)[..12]));
            let etag = format!("\"{name}\"");
            let unchanged =
                asked_etag.and_then(|asked| asked.to_str().ok()).is_some_and(|asked| matches(asked, &etag));
            if let Ok(etag) = HeaderValue::from_str(&etag) {
                headers.insert(header::ETAG, etag);
            }
            if unchanged && self.status == StatusCode::OK {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                return response;
            }
        }
        if self.status != StatusCode::NO_CONTENT {
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media));
            *response.body_mut() = match self.body {
                Content::Whole(bytes) => Body::from(bytes),
                Content::Flowing(body) => body,
            };
        }
        response
    }
}

/// Whether `If-None-Match` names the tag; weak and strong are the same here.
fn matches(asked: &str, etag: &str) -> bool {
    asked.split(',').map(str::trim).any(|one| one == "*" || one.trim_start_matches("W/") == etag)
}

/// What an address takes; browsers ask before they read from another site, and are told where they may.
pub fn options(allowed: &str, from_anywhere: bool) -> Answer {
    let answer =
        Answer::text(StatusCode::NO_CONTENT, "", "text/plain", Cache::Never).with(header::ALLOW, allowed);
    if !from_anywhere {
        return answer;
    }
    answer
        .with(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .with(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS")
        .with(header::ACCESS_CONTROL_ALLOW_HEADERS, "If-None-Match")
        .with(header::ACCESS_CONTROL_MAX_AGE, "86400")
}
