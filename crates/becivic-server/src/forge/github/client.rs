//! Asking GitHub over HTTP, so that whatever comes back is one of a few things.
//!
//! 1. Every request carries the installation's token and has an end: of its connection, of its whole, of its answer's size.
//! 2. 401: the token is renewed and the request made once more. A second 401 is [`ForgeError::Refused`].
//! 3. 403 and 429 that speak of limits: [`ForgeError::Wait`], for as long as they say. It is not waited here, but nothing is
//!    sent either until that time is over: who goes on asking is limited longer.
//! 4. 5xx, broken connections, silence and what is not JSON: asked again, a few times, each pause twice the one before;
//!    then [`ForgeError::Unavailable`]. What would happen twice if asked twice (an issue, a comment) is asked once.
//! 5. Everything else is an [`Answer`], for the caller to read. Where it reads no further, 404 is `Missing`, 403 is
//!    `Refused` and 422 is a `Defect`.
//!
//! No redirect is followed: a token goes to the address that was configured and to no other. No error holds anything that
//! was sent or received but the status.

use super::token::{Keys, Token};
use crate::forge::ForgeError;
use crate::moment::Moment;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use ureq::http::{HeaderMap, Method, Request};

/// The version of the interface that is spoken.
const VERSION: &str = "2022-11-28";

/// Most bytes of an answer. The largest are listings of trees, which GitHub cuts at 7 MB, and files, of which the corpus
/// takes none above a few.
const LARGEST_ANSWER: u64 = 48 * 1024 * 1024;

/// How long to wait when a limit does not say: what GitHub's documentation asks for.
const UNSAID_WAIT: Duration = Duration::from_secs(60);

/// The longest wait that is believed: limits are counted by the hour.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);

/// Most pages of one listing.
const MOST_PAGES: usize = 1_000;

/// How long is waited for what, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a connection.
    pub connecting: Duration,
    /// For a whole answer.
    pub answering: Duration,
    /// How often a request is made at most.
    pub attempts: u32,
    /// The first pause between two attempts.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connecting: Duration::from_secs(10),
            answering: Duration::from_secs(30),
            attempts: 4,
            pause: Duration::from_millis(500),
        }
    }
}

/// Whether a request may be made again when nobody knows whether it was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeat {
    Yes,
    No,
}

/// An answer that a caller can do something with.
pub(super) struct Answer {
    pub status: u16,
    /// Whether something new was to be made, which can be missing nowhere.
    makes: bool,
    next: Option<String>,
    body: Value,
}

impl Answer {
    /// What the answer holds, where it is a good one.
    pub fn read<T: DeserializeOwned>(self, what: &'static str) -> Result<T, ForgeError> {
        match self.status {
            200..=299 => serde_json::from_value(self.body).map_err(|_| not_understood(what)),
            404 if self.makes => Err(ForgeError::Refused(format!(
                "GitHub shows the App no such repository, or does not let it make a {what} there (404)"
            ))),
            404 | 410 => Err(ForgeError::Missing(what)),
            403 => Err(ForgeError::Refused(format!("the App may not do this with a {what} (403)"))),
            409 => Err(ForgeError::Moved),
            301 | 302 | 307 | 308 => Err(ForgeError::Defect(
                "the repository has another name now; set `owner` and `repository` in [forge]".to_owned(),
            )),
            status => Err(ForgeError::Defect(format!("GitHub would not do this with a {what} ({status})"))),
        }
    }

    /// Nothing but whether it is a good one.
    pub fn done(self, what: &'static str) -> Result<(), ForgeError> {
        self.read::<Value>(what).map(drop)
    }
}

fn not_understood(what: &'static str) -> ForgeError {
    ForgeError::Unavailable(format!("its answer about a {what} cannot be understood"))
}

/// What was received, before anybody decided what it is.
struct Received {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// GitHub.
pub(super) struct Client {
    agent: ureq::Agent,
    api: String,
    installation: String,
    repository: String,
    place: String,
    keys: Keys,
    patience: Patience,
    /// Until when nothing may be asked.
    limited_until: Mutex<Option<Moment>>,
}

impl Client {
    pub fn new(
        api: &str,
        (owner, repository): (&str, &str),
        installation: &str,
        keys: Keys,
        patience: Patience,
    ) -> Self {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = ureq::tls::TlsConfig::builder().unversioned_rustls_crypto_provider(provider).build();
        let api = api.trim_end_matches('/');
        let is_remote = api.starts_with("https://");
        let mut config = ureq::Agent::config_builder()
            .tls_config(tls)
            .https_only(is_remote)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(patience.connecting))
            .timeout_global(Some(patience.answering))
            .user_agent(concat!("becivic/", env!("CARGO_PKG_VERSION")));
        if !is_remote {
            // An emulated GitHub on this machine is reached through no proxy.
            config = config.proxy(None);
        }
        Self {
            agent: ureq::Agent::new_with_config(config.build()),
            api: api.to_owned(),
            installation: installation.to_owned(),
            repository: repository.to_owned(),
            place: format!("/repos/{owner}/{repository}"),
            keys,
            patience,
            limited_until: Mutex::new(None),
        }
    }

    /// The time, as commits are stamped with it.
    pub fn now(&self) -> Moment {
        self.keys.now()
    }

    /// Waits a little, for GitHub to notice what it was told.
    pub fn pause(&self) {
        std::thread::sleep(self.patience.pause);
    }

    /// How often something is looked for that GitHub may notice late.
    pub fn attempts(&self) -> u32 {
        self.patience.attempts
    }

    /// Reads something of the repository.
    pub fn get(&self, path: &str) -> Result<Answer, ForgeError> {
        self.ask(&Method::GET, path, None, Repeat::Yes)
    }

    /// Sends something to the repository; it is the same whether it arrives once or twice.
    pub fn send(&self, method: Method, path: &str, body: &Value) -> Result<Answer, ForgeError> {
        self.ask(&method, path, Some(body), Repeat::Yes)
    }

    /// Sends something that would be there twice if it arrived twice.
    pub fn send_once(&self, path: &str, body: &Value) -> Result<Answer, ForgeError> {
        self.ask(&Method::POST, path, Some(body), Repeat::No)
    }

    /// Removes something.
    pub fn delete(&self, path: &str) -> Result<Answer, ForgeError> {
        self.ask(&Method::DELETE, path, None, Repeat::Yes)
    }

    /// Every item of a listing, page by page, until `enough` says so of a page.
    pub fn list<T: DeserializeOwned>(
        &self,
        what: &'static str,
        path: &str,
        query: &str,
        mut enough: impl FnMut(&[T]) -> bool,
    ) -> Result<Vec<T>, ForgeError> {
        let mut items = Vec::new();
        let mut query = format!("per_page=100&{query}");
        for _ in 0..MOST_PAGES {
            let mut answer = self.get(&format!("{path}?{query}"))?;
            let next = answer.next.take();
            let page: Vec<T> = answer.read(what)?;
            let is_enough = enough(&page);
            items.extend(page);
            match next.filter(|_| !is_enough) {
                Some(next) => query = next,
                None => return Ok(items),
            }
        }
        Err(ForgeError::Unavailable("its listing has no end".to_owned()))
    }

    fn ask(
        &self,
        method: &Method,
        path: &str,
        body: Option<&Value>,
        repeat: Repeat,
    ) -> Result<Answer, ForgeError> {
        // A new thing stands in no place of its own yet; a label or a comment is made on something.
        let makes = *method == Method::POST && !path.contains(|c: char| c.is_ascii_digit());
        let path = format!("{}{path}", self.place);
        for is_last in [false, true] {
            let token = self.token()?;
            let received = self.insist(method, &path, body, &token.secret, repeat)?;
            if received.status == 401 && !is_last {
                self.keys.forget(&token);
                continue;
            }
            return self.judge(received, makes);
        }
        Err(ForgeError::Refused("no token of the App is taken (401)".to_owned()))
    }

    /// The token of the installation, asked for where there is none that is good.
    fn token(&self) -> Result<Token, ForgeError> {
        #[derive(Deserialize)]
        struct Given {
            token: String,
            expires_at: String,
        }
        if let Some(kept) = self.keys.kept() {
            return Ok(kept);
        }
        let statement = self.keys.statement().map_err(|error| ForgeError::Refused(format!("{error:#}")))?;
        let path = format!("/app/installations/{}/access_tokens", self.installation);
        let body = json!({"repositories": [self.repository]});
        let received = self.insist(&Method::POST, &path, Some(&body), &statement, Repeat::Yes)?;
        let refused = |why: &str| Err(ForgeError::Refused(why.to_owned()));
        let answer = match received.status {
            401 => {
                return refused("it takes no signature of the App; look at `app_id`, the key and the clock");
            }
            404 => return refused("the App has no such installation; look at `installation_id`"),
            422 => return refused("the App is not installed on this repository"),
            _ => self.judge(received, false)?,
        };
        let given: Given = answer.read("token")?;
        let ends = Moment::read(&given.expires_at).ok_or_else(|| not_understood("token"))?;
        let token = Token { secret: given.token, ends };
        self.keys.keep(token.clone());
        Ok(token)
    }

    /// Asks until there is an answer that is not the fault of a machine on the way.
    fn insist(
        &self,
        method: &Method,
        path: &str,
        body: Option<&Value>,
        bearer: &str,
        repeat: Repeat,
    ) -> Result<Received, ForgeError> {
        let limited_until = *self.limited_until.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = limited_until.filter(|until| self.now() < *until) {
            return Err(ForgeError::Wait(Duration::from_secs(
                self.now().seconds_until(until).unsigned_abs(),
            )));
        }
        let attempts = if repeat == Repeat::Yes { self.patience.attempts.max(1) } else { 1 };
        let mut pause = self.patience.pause;
        let mut last = ForgeError::Unavailable("it was not asked".to_owned());
        for attempt in 0..attempts {
            if attempt > 0 {
                std::thread::sleep(pause);
                pause = pause.saturating_mul(2);
            }
            match self.once(method, path, body, bearer) {
                Ok(received) if received.status >= 500 || received.status == 408 => {
                    last = ForgeError::Unavailable(format!("it answers {}", received.status));
                }
                Ok(received) if is_garbage(&received) => {
                    last = ForgeError::Unavailable("its answer is not JSON".to_owned());
                }
                Ok(received) => return Ok(received),
                Err(why) => last = why,
            }
            tracing::debug!(method = method.as_str(), attempt, "GitHub did not answer");
        }
        Err(last)
    }

    fn once(
        &self,
        method: &Method,
        path: &str,
        body: Option<&Value>,
        bearer: &str,
    ) -> Result<Received, ForgeError> {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.api))
            .header("accept", "application/vnd.github+json")
            .header("x-github-api-version", VERSION)
            .header("authorization", format!("Bearer {bearer}"));
        let unsendable = |_| ForgeError::Defect("a request to GitHub cannot be written".to_owned());
        let answered = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                self.agent.run(request.body(body.to_string()).map_err(unsendable)?)
            }
            None => self.agent.run(request.body(()).map_err(unsendable)?),
        };
        let mut response = answered.map_err(|error| broken(&error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_vec();
        Ok(Received { status, headers, body: body.map_err(|error| broken(&error))? })
    }

    fn judge(&self, received: Received, makes: bool) -> Result<Answer, ForgeError> {
        if let Some(wait) = limited(&received, self.now()) {
            let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
            *self.limited_until.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(self.now().plus(wait_ms));
            return Err(ForgeError::Wait(wait));
        }
        if received.status == 401 {
            return Err(ForgeError::Refused("no token of the App is taken (401)".to_owned()));
        }
        let body = serde_json::from_slice(&received.body).unwrap_or(Value::Null);
        Ok(Answer { status: received.status, makes, next: next_query(&received.headers), body })
    }
}

/// A good answer holds JSON, or nothing where it says that it holds nothing.
fn is_garbage(received: &Received) -> bool {
    (200..300).contains(&received.status)
        && received.status != 204
        && serde_json::from_slice::<serde::de::IgnoredAny>(&received.body).is_err()
}

/// What went wrong on the way, without a word of what was sent.
fn broken(error: &ureq::Error) -> ForgeError {
    let why = match error {
        ureq::Error::Timeout(_) => "it does not answer in time",
        ureq::Error::HostNotFound => "its host is not known",
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => "no safe connection can be made",
        ureq::Error::BodyExceedsLimit(_) => "its answer is too long",
        _ => "the connection failed",
    };
    ForgeError::Unavailable(why.to_owned())
}

/// How long to wait, where too much was asked: `retry-after`, or when the hour's count ends, or what the documentation says.
fn limited(received: &Received, now: Moment) -> Option<Duration> {
    if received.status != 403 && received.status != 429 {
        return None;
    }
    let number = |name: &str| received.headers.get(name)?.to_str().ok()?.trim().parse::<i64>().ok();
    let speaks_of_limits = || {
        let text = String::from_utf8_lossy(&received.body).to_ascii_lowercase();
        text.contains("rate limit") || text.contains("abuse detection")
    };
    let wait = if let Some(seconds) = number("retry-after") {
        Duration::from_secs(seconds.max(1).unsigned_abs())
    } else if number("x-ratelimit-remaining") == Some(0) {
        let reset = number("x-ratelimit-reset").map(|at| Moment(at.saturating_mul(1_000)));
        reset.map_or(UNSAID_WAIT, |at| Duration::from_secs(now.seconds_until(at).unsigned_abs()))
    } else if received.status == 429 || speaks_of_limits() {
        UNSAID_WAIT
    } else {
        return None;
    };
    Some(wait.min(LONGEST_WAIT))
}

/// The query of the next page. The address before it is ours already, and is not believed.
fn next_query(headers: &HeaderMap) -> Option<String> {
    let link = headers.get("link")?.to_str().ok()?;
    let next = link.split(',').find(|part| part.contains("rel=\"next\""))?;
    let address = next.split_once('<')?.1.split_once('>')?.0;
    let query = address.split_once('?')?.1;
    let is_plain = query.bytes().all(|b| b.is_ascii_graphic() && b != b'#');
    is_plain.then(|| query.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(status: u16, headers: &[(&'static str, &str)], body: &str) -> Received {
        let headers = headers.iter().map(|(name, value)| {
            (ureq::http::HeaderName::from_static(name), value.parse().expect("a header"))
        });
        Received { status, headers: headers.collect(), body: body.as_bytes().to_vec() }
    }

    #[test]
    fn limits_say_how_long_to_wait() {
        let now = Moment(1_000_000);
        let wait = |status, headers: &[(&'static str, &str)], body| {
            limited(&received(status, headers, body), now).map(|wait| wait.as_secs())
        };
        assert_eq!(wait(403, &[("retry-after", "7")], ""), Some(7));
        assert_eq!(wait(429, &[], ""), Some(60));
        assert_eq!(wait(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1030")], ""), Some(30));
        assert_eq!(wait(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1")], ""), Some(1));
        assert_eq!(wait(429, &[("retry-after", "99999999")], ""), Some(3_600));
        let secondary = r#"{"message":"You have exceeded a secondary rate limit."}"#;
        assert_eq!(wait(403, &[("x-ratelimit-remaining", "4000")], secondary), Some(60));
        assert_eq!(wait(403, &[], r#"{"message":"Resource not accessible by integration"}"#), None);
        assert_eq!(wait(404, &[("retry-after", "7")], ""), None);
    }

    #[test]
    fn the_next_page_is_a_query_of_ours() {
        let next = |link: &str| next_query(&received(200, &[("link", link)], "").headers);
        let link =
            r#"<https://elsewhere.example/x?a=b&page=2>; rel="next", <https://x/y?page=9>; rel="last""#;
        assert_eq!(next(link).as_deref(), Some("a=b&page=2"));
        assert_eq!(next(r#"<https://x/y?page=1>; rel="prev""#), None);
        assert_eq!(next("garbage; rel=\"next\""), None);
    }
}
