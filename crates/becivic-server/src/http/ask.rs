//! A request, as handlers see it.

use crate::address::Address;
use crate::app::{App, Sender};
use crate::moment::Moment;
use crate::rejection::{Category, Rejection};
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use becivic_core::json;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;
use std::fmt::Write;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// What a proxy says of whoever it speaks for.
const FORWARDED: &str = "x-forwarded-for";

/// The other end of the connection; put into each request by whoever accepted it.
#[derive(Clone, Copy)]
pub struct Peer(pub IpAddr);

/// A request.
pub struct Ask {
    /// What everything is done with.
    pub app: Arc<App>,
    /// When it came.
    pub now: Moment,
    params: Vec<(String, String)>,
    parts: Parts,
    /// A body can be sent between threads but not shared; the lock, never contended, makes it both.
    body: Mutex<Body>,
    /// The body of whoever asks another way than over HTTP, read already.
    given: Option<Value>,
    /// Who is told how far it is.
    progress: Option<Box<dyn Progress>>,
}

/// Told how far something long is.
pub trait Progress: Send + Sync {
    /// So many are done of so many; false when nobody waits for the rest.
    fn done(&self, done: usize, of: usize) -> bool;
}

/// What is asked another way than over HTTP, by whoever sent a request that is being answered.
#[derive(Default)]
pub struct Told {
    /// Parts of the path, by name.
    pub params: Vec<(String, String)>,
    /// Query parameters.
    pub query: Vec<(&'static str, String)>,
    /// The body.
    pub body: Option<Value>,
    /// The token.
    pub bearer: Option<String>,
    /// Who is told how far it is.
    pub progress: Option<Box<dyn Progress>>,
}

impl Ask {
    /// Takes a request apart.
    pub fn new(app: Arc<App>, params: Vec<(String, String)>, request: Request) -> Self {
        let (parts, body) = request.into_parts();
        let params = params.into_iter().map(|(name, value)| (name, without_nul(value))).collect();
        let (body, now) = (Mutex::new(body), app.clock.now());
        Self { app, now, params, parts, body, given: None, progress: None }
    }

    /// The same as a request to a route, in the name of another request: whoever sent that one is counted.
    pub fn told(app: Arc<App>, path: &str, told: Told, by: Option<&Parts>) -> Self {
        let mut place = path.to_owned();
        for (at, (name, value)) in told.query.iter().enumerate() {
            place.push(if at == 0 { '?' } else { '&' });
            place.push_str(name);
            place.push('=');
            encode(value, &mut place);
        }
        let mut request = Request::new(Body::empty());
        // Everything but letters is encoded, and the path is one of ours.
        *request.uri_mut() = place.parse().unwrap_or_default();
        if let Some(by) = by {
            if let Some(peer) = by.extensions.get::<Peer>() {
                request.extensions_mut().insert(*peer);
            }
            for forwarded in by.headers.get_all(FORWARDED) {
                request.headers_mut().append(FORWARDED, forwarded.clone());
            }
        }
        let bearer = told.bearer.and_then(|token| HeaderValue::from_str(&format!("Bearer {token}")).ok());
        request.headers_mut().extend(bearer.map(|bearer| (header::AUTHORIZATION, bearer)));
        Self { given: told.body, progress: told.progress, ..Self::new(app, told.params, request) }
    }

    /// The same, for text rather than for a page.
    pub fn for_text(mut self) -> Self {
        self.parts
            .headers
            .insert(header::ACCEPT, HeaderValue::from_static("text/markdown, application/json;q=0.9"));
        self
    }

    /// Says how far it is; false when nobody waits for the rest.
    pub fn is_at(&self, done: usize, of: usize) -> bool {
        self.progress.as_ref().is_none_or(|progress| progress.done(done, of))
    }

    /// A part of the path.
    pub fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(param, _)| param == name).map_or("", |(_, value)| value)
    }

    /// A query parameter, decoded.
    pub fn query(&self, name: &str) -> Option<String> {
        let query = self.parts.uri.query().unwrap_or_default();
        let pair = query.split('&').filter_map(|pair| pair.split_once('=').or(Some((pair, ""))));
        pair.filter(|(key, _)| *key == name).map(|(_, value)| decoded(value)).next()
    }

    /// The token in `Authorization: Bearer`.
    pub fn bearer(&self) -> Option<&str> {
        let value = self.parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    }

    /// Whoever is asking, for counting.
    pub async fn sender(&self) -> Result<Sender, Rejection> {
        let peer = self.parts.extensions.get::<Peer>().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0);
        let forwarded = self.parts.headers.get_all(FORWARDED).iter().filter_map(|it| it.to_str().ok());
        let forwarded: Vec<&str> = forwarded.collect();
        let trusted = &self.app.config.server.trusted_proxies;
        let address = Address::of_client(peer, forwarded.into_iter(), trusted);
        Ok(self.app.sender(address, self.now).await?)
    }

    /// A header, where it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.parts.headers.get(name)?.to_str().ok()
    }

    /// A cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let headers = self.parts.headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        let mut pairs = headers.flat_map(|header| header.split(';')).filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
    }

    /// The path, as it was asked for.
    pub fn path(&self) -> &str {
        self.parts.uri.path()
    }

    /// The same request, about something that stands elsewhere in its address.
    pub fn about(mut self, name: &str, value: String) -> Self {
        self.params.push((name.to_owned(), value));
        self
    }

    /// Path and query, as they were asked for.
    pub fn place(&self) -> &str {
        self.parts.uri.path_and_query().map_or("/", |it| it.as_str())
    }

    /// Whether the person's side of the connection is encrypted, as a proxy that we trust says.
    pub fn is_https(&self) -> bool {
        let nearest = self.header("x-forwarded-proto").and_then(|it| it.rsplit(',').next());
        let trusted = &self.app.config.server.trusted_proxies;
        let peer = self.parts.extensions.get::<Peer>().map(|peer| peer.0.to_canonical());
        let by_proxy = peer.is_some_and(|peer| trusted.iter().any(|net| net.contains(&peer)));
        by_proxy && nearest.is_some_and(|it| it.trim().eq_ignore_ascii_case("https"))
    }

    /// The fields of a form, decoded.
    pub async fn form(&mut self) -> Result<Vec<(String, String)>, Rejection> {
        let media = self.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
        if !media.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Rejection::new(Category::UnsupportedMediaType));
        }
        // A byte of a submission takes up to three in a form.
        let bytes = self.bytes_up_to(3 * self.app.config.server.body_limit).await?;
        let text = String::from_utf8_lossy(&bytes);
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| pair.split_once('=').map(|(name, value)| (decoded(name), decoded(value)));
        Ok(pairs.filter_map(pair).collect())
    }

    /// The body, up to the limit.
    pub async fn bytes(&mut self) -> Result<Bytes, Rejection> {
        self.bytes_up_to(self.app.config.server.body_limit).await
    }

    /// The body, up to a limit.
    pub async fn bytes_up_to(&mut self, limit: usize) -> Result<Bytes, Rejection> {
        let body = std::mem::take(self.body.get_mut().unwrap_or_else(PoisonError::into_inner));
        match Limited::new(body, limit).collect().await {
            Ok(collected) => Ok(collected.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(Rejection::new(Category::PayloadTooLarge)),
            Err(_) => Err(Rejection::new(Category::MalformedJson)),
        }
    }

    /// The body as strict JSON.
    pub async fn json(&mut self) -> Result<Value, Rejection> {
        if let Some(given) = self.given.take() {
            return Ok(given);
        }
        is_json(&self.parts.headers)?;
        let bytes = self.bytes().await?;
        let malformed = || Rejection::new(Category::MalformedJson);
        let text = std::str::from_utf8(&bytes).map_err(|_| malformed())?;
        let value = json::value(text)
            .map_err(|error| Rejection { help: Some(error.help.to_owned()), ..malformed() })?;
        Ok(value)
    }

    /// Whether the sender asks for a rehearsal.
    pub fn dry_run(&self) -> bool {
        self.query("dry_run").is_some_and(|value| matches!(value.as_str(), "1" | "true"))
    }
}

fn is_json(headers: &HeaderMap) -> Result<(), Rejection> {
    let text = |name: header::HeaderName| headers.get(name).map_or(Some(""), |value| value.to_str().ok());
    let wrong = || Rejection {
        help: Some("Send application/json in UTF-8, not compressed.".to_owned()),
        ..Rejection::new(Category::UnsupportedMediaType)
    };
    let media = text(header::CONTENT_TYPE).ok_or_else(wrong)?;
    let mut parts = media.split(';').map(|part| part.trim().to_ascii_lowercase());
    let is_json = parts.next().is_some_and(|name| name == "application/json");
    let is_utf8 = parts.all(|part| {
        !part.starts_with("charset=") || part.trim_matches('"').replace('"', "") == "charset=utf-8"
    });
    let plain =
        text(header::CONTENT_ENCODING).is_some_and(|it| it.is_empty() || it.eq_ignore_ascii_case("identity"));
    if is_json && is_utf8 && plain { Ok(()) } else { Err(wrong()) }
}

/// Percent-encoding of everything but letters and digits.
fn encode(text: &str, into: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => into.push(char::from(byte)),
            _ => drop(write!(into, "%{byte:02X}")),
        }
    }
}

/// Percent-decoding; what does not decode stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter().copied();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let mut ahead = rest.clone();
                let digit = |it: Option<u8>| it.and_then(|it| char::from(it).to_digit(16));
                match (digit(ahead.next()), digit(ahead.next())) {
                    (Some(high), Some(low)) => {
                        bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                        rest = ahead;
                    }
                    _ => bytes.push(b'%'),
                }
            }
            other => bytes.push(other),
        }
    }
    without_nul(String::from_utf8_lossy(&bytes).into_owned())
}

/// NUL stands in no name, and PostgreSQL takes no text with one: it becomes the character of what cannot be read.
fn without_nul(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        for (written, meant) in [
            ("a+b", "a b"),
            ("%C3%A9", "é"),
            ("100%", "100%"),
            ("a%00", "a\u{fffd}"),
            ("%zz", "%zz"),
            ("", ""),
        ] {
            assert_eq!(decoded(written), meant);
        }
    }
}
