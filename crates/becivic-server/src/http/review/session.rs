//! Who sits at the desk (DECISIONS §9).
//!
//! 1. A login form takes an operator token and gives a cookie: the token's name and an end, sealed with the pepper. It is not
//!    the token, and says nothing that could be used anywhere else. It ends after eight hours, and with the token.
//! 2. It comes back from pages of this site only (`SameSite=Strict`), under `/review` only, and no script reads it.
//! 3. A form carries a second seal, over the cookie: another site could send a form, but not with that in it. A browser that
//!    says a form comes from elsewhere is believed at once.
//! 4. Whoever sends wrong tokens waits, by address, in this process' memory.

use crate::app::App;
use crate::db::tokens;
use crate::http::ask::Ask;
use crate::moment::{HOUR, MINUTE, Moment};
use crate::rejection::Rejection;
use crate::secrets::{self, Bytes32};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The cookie.
const COOKIE: &str = "becivic_review";

/// How long a session lasts.
pub const LASTS: i64 = 8 * HOUR;

/// Wrong tokens from one address before it waits.
const MOST_FAILURES: u32 = 10;

/// How long it waits.
const WAITS: i64 = 15 * MINUTE;

/// More addresses than this are not remembered.
const MOST_REMEMBERED: usize = 10_000;

/// A maintainer at the desk.
pub struct Session {
    /// The name of the token.
    pub who: String,
    /// What every form of this session carries.
    pub form: String,
}

impl Session {
    /// Whose session the request belongs to, if it is anybody's.
    pub async fn of(ask: &Ask) -> Result<Option<Self>, Rejection> {
        let Some(cookie) = ask.cookie(COOKIE) else { return Ok(None) };
        let Some(who) = opened(&ask.app, cookie, ask.now) else { return Ok(None) };
        let form = URL_SAFE_NO_PAD.encode(ask.app.pepper.form(cookie));
        let asked = who.clone();
        let valid = ask.app.db.read(move |tx| tokens::is_valid(tx, &asked)).await?;
        Ok(valid.then_some(Self { who, form }))
    }

    /// Whether a form came from a page of this session.
    pub fn sent(&self, seal: &str) -> bool {
        secrets::same(seal.as_bytes(), self.form.as_bytes())
    }
}

/// The name in a cookie whose seal is ours and whose time has not ended.
fn opened(app: &App, cookie: &str, now: Moment) -> Option<String> {
    let mut parts = cookie.split('.');
    let (name, expires, seal) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || cookie.len() > 1_000 {
        return None;
    }
    let name = String::from_utf8(URL_SAFE_NO_PAD.decode(name).ok()?).ok()?;
    let expires = Moment(expires.parse().ok()?);
    let seal = URL_SAFE_NO_PAD.decode(seal).ok()?;
    let ours = secrets::same(&seal, &app.pepper.session(&name, expires));
    (ours && now < expires && expires <= now.plus(LASTS)).then_some(name)
}

/// The cookie of a new session, as `Set-Cookie` has it.
pub fn begin(ask: &Ask, name: &str) -> String {
    let expires = ask.now.plus(LASTS);
    let seal = URL_SAFE_NO_PAD.encode(ask.app.pepper.session(name, expires));
    let value = format!("{}.{}.{seal}", URL_SAFE_NO_PAD.encode(name), expires.0);
    set(ask, &value, LASTS / 1_000)
}

/// What ends a session.
pub fn end(ask: &Ask) -> String {
    set(ask, "", 0)
}

fn set(ask: &Ask, value: &str, seconds: i64) -> String {
    let secure = if ask.is_https() { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path=/review; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

/// Whether a browser says that a form comes from another site. One that says nothing has no cookie of ours to send along,
/// or sends a form with the seal in it.
pub fn is_foreign(ask: &Ask) -> bool {
    if let Some(site) = ask.header("sec-fetch-site") {
        return site != "same-origin";
    }
    // Pages that give no referrer away send `null` for themselves too.
    match (ask.header("origin").filter(|origin| *origin != "null"), ask.header("host")) {
        (Some(origin), Some(host)) => origin.split_once("://").map(|(_, from)| from) != Some(host),
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// A place under `/review` to go back to; anything else is the desk itself.
pub fn place_within(asked: &str) -> &str {
    let inside = asked == "/review" || asked.starts_with("/review/") || asked.starts_with("/review?");
    let plain = asked.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') && !asked.contains("//");
    let login = asked.starts_with("/review/login") || asked.starts_with("/review/logout");
    if inside && plain && !login && asked.len() <= 500 { asked } else { "/review" }
}

/// Who has sent wrong tokens.
#[derive(Default)]
pub struct Attempts(Mutex<HashMap<Bytes32, (u32, Moment)>>);

impl Attempts {
    /// Until when an address has to wait.
    pub fn wait(&self, address: &Bytes32, now: Moment) -> Option<Moment> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(address).copied();
        let (failures, until) = kept?;
        (failures >= MOST_FAILURES && now < until).then_some(until)
    }

    /// Remembers a wrong token.
    pub fn failed(&self, address: Bytes32, now: Moment) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_REMEMBERED {
            kept.retain(|_, (_, until)| now < *until);
        }
        if kept.len() < MOST_REMEMBERED || kept.contains_key(&address) {
            let (failures, until) = kept.entry(address).or_insert((0, now));
            *failures = if now < *until { *failures + 1 } else { 1 };
            *until = now.plus(WAITS);
        }
    }

    /// Forgets an address that has sent a right one.
    pub fn succeeded(&self, address: &Bytes32) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_goes_back_to_places_of_the_desk_only() {
        for inside in ["/review", "/review/held/con_1", "/review?done=merge", "/review/audit?before=3"] {
            assert_eq!(place_within(inside), inside);
        }
        for outside in [
            "",
            "/",
            "/reviewer",
            "//elsewhere.example/review",
            "https://elsewhere.example/review/",
            "/review//elsewhere.example",
            "/review/\\elsewhere.example",
            "/review/a\r\nSet-Cookie: x",
            "/review/login?next=/review/login",
        ] {
            assert_eq!(place_within(outside), "/review", "{outside}");
        }
    }

    #[test]
    fn an_address_waits_after_some_wrong_tokens_and_not_for_ever() {
        let (attempts, address, now) = (Attempts::default(), [1; 32], Moment(0));
        for _ in 0..MOST_FAILURES {
            assert_eq!(attempts.wait(&address, now), None);
            attempts.failed(address, now);
        }
        assert_eq!(attempts.wait(&address, now), Some(now.plus(WAITS)));
        assert_eq!(attempts.wait(&[2; 32], now), None);
        assert_eq!(attempts.wait(&address, now.plus(WAITS)), None);
        attempts.failed(address, now.plus(WAITS));
        assert_eq!(attempts.wait(&address, now.plus(WAITS)), None, "it begins anew");
        attempts.succeeded(&address);
        assert_eq!(attempts.wait(&address, now), None);
    }
}
