//! What an answer says of a source: the verdict of a machine, or none.
//!
//! 1. What passes says nothing: 408, 429 and 5xx, and a failure that the source itself calls temporary.
//! 2. What lies behind a redirect of a source with a login is a login page, which may answer anything to whoever has no
//!    cookies: only where it leads counts.
//! 3. The source's signals decide ([`classify`]): success confirms, failure rejects. A probe sent nothing and no person
//!    confirmed anything, so neither can be taken as seen.
//! 4. Where the signals do not settle it, an address that is gone (404, 410) on its own host rejects; nothing else does.

use super::page::text_of;
use super::sitemap::Sitemap;
use crate::path::{AuthMethod, PathSource};
use crate::signals::{Class, Sample, classify};
use serde_json::Value;

/// The outcome that the schema of every class gives to what passes.
const TEMPORARY: &str = "source-temporarily-down";

/// What is said of an address that is gone, where no signal has a word for it.
const GONE: &str = "source-retired";

/// How much of a body is its beginning.
const BEGINNING: usize = 64;

/// What came back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The status of the last answer.
    pub status: u16,
    /// Its media type.
    pub content_type: Option<String>,
    /// What it holds; `None` when only its head was asked for.
    pub body: Option<Vec<u8>>,
    /// The address that gave it.
    pub address: String,
    /// Whether redirects led there.
    pub was_led: bool,
    /// Whether they led to another host.
    pub left_host: bool,
    /// The site's map, where it was asked for.
    pub sitemap: Option<Sitemap>,
}

/// What an answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It works.
    Confirms,
    /// It does not; the outcome.
    Rejects(String),
    /// Nothing that would be kept.
    Nothing(Unsettled),
}

/// Why an answer is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsettled {
    /// Trouble that passes.
    #[error("trouble that may pass")]
    Passing,
    /// The signals do not settle it.
    #[error("its signals do not settle it")]
    Signals,
}

/// Judges an answer by the source's signals.
pub fn judge(source: &PathSource, seen: &Seen) -> Judged {
    if matches!(seen.status, 408 | 429 | 500..) {
        return Judged::Nothing(Unsettled::Passing);
    }
    let has_login = source.auth.method != AuthMethod::None;
    match classify(&source.validation_path, &sample(source, seen, has_login && seen.was_led)) {
        Class::Success if !has_login => Judged::Confirms,
        Class::Failure(outcome) if outcome == TEMPORARY => Judged::Nothing(Unsettled::Passing),
        Class::Failure(outcome) => Judged::Rejects(outcome),
        Class::Success | Class::Ambiguous => {
            let is_elsewhere = seen.left_host || (has_login && seen.was_led);
            match matches!(seen.status, 404 | 410) && !is_elsewhere {
                true => Judged::Rejects(GONE.to_owned()),
                false => Judged::Nothing(Unsettled::Signals),
            }
        }
    }
}

fn sample(source: &PathSource, seen: &Seen, is_login_page: bool) -> Sample {
    let mut sample = Sample { final_url: Some(seen.address.clone()), ..Sample::default() };
    let mut note = |check: &str, held: bool| sample.checks.insert(check.to_owned(), Value::Bool(held));
    note("submit-produces-success-page", false);
    note("user-confirms-document-received", false);
    if !seen.was_led {
        note("redirects-to", false);
    }
    if let Some(map) = &seen.sitemap {
        let path = |value: &Value| value.as_str().map(str::to_owned);
        let signals = &source.validation_path;
        let wanted = signals.success_signals.iter().filter(|signal| signal.check == "sitemap-contains-path");
        let wanted: Vec<_> =
            wanted.map(|signal| map.holds(&path(&signal.value).unwrap_or_default())).collect();
        if wanted.iter().all(|held| *held == Some(true)) {
            note("sitemap-contains-path", true);
        }
        let missed = signals.failure_signals.iter().filter(|signal| signal.check == "sitemap-lacks-path");
        if missed
            .map(|signal| map.holds(&path(&signal.value).unwrap_or_default()))
            .any(|held| held == Some(false))
        {
            note("sitemap-lacks-path", true);
        }
    }
    if is_login_page {
        return sample;
    }
    sample.status = Some(seen.status);
    sample.content_type.clone_from(&seen.content_type);
    if let Some(body) = &seen.body {
        let beginning = body.get(..BEGINNING).unwrap_or(body);
        sample.body_start = Some(String::from_utf8_lossy(beginning).into_owned());
        sample.page_text = page_text(seen.content_type.as_deref().unwrap_or_default(), body);
    }
    sample
}

/// What can be read of a body: the text of a page, JSON and plain text as they are, of anything else nothing.
fn page_text(content_type: &str, body: &[u8]) -> Option<String> {
    let content_type = content_type.to_ascii_lowercase();
    let media = content_type.split(';').next().unwrap_or_default().trim();
    let charset = content_type.split("charset=").nth(1).unwrap_or_default().trim_matches(['"', '\'', ' ']);
    let text = match charset {
        "iso-8859-1" | "iso-8859-15" | "latin1" | "windows-1252" => {
            body.iter().map(|b| char::from(*b)).collect()
        }
        _ => String::from_utf8_lossy(body).into_owned(),
    };
    match media {
        "text/html" | "application/xhtml+xml" | "" => Some(text_of(&text)),
        "text/plain" => Some(text),
        _ if media.ends_with("json") => Some(text),
        _ => None,
    }
}
