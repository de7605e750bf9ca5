//! Whether an attempt on a source worked (§6.12.3, §12): what was seen, against the source's signals.
//!
//! 1. Each signal holds, fails, or was not observed. What the walker noted under the check's own name
//!    counts first; otherwise the answer comes from status, media type, first bytes, page text, JSON or
//!    final address.
//! 2. All success signals hold, no failure signal does, and the person confirmed where the source asks
//!    for that: success.
//! 3. A failure signal holds and success is not complete: failure, with the outcome of the first one.
//! 4. Anything else, contradictions included, is ambiguous: a person looks at it.

use crate::jsregex::Regex;
use crate::path::ValidationPath;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

/// What was seen of one attempt. Nothing here is kept or sent.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Sample {
    pub status: Option<u16>,
    pub content_type: Option<String>,
    pub body_start: Option<String>,
    pub page_text: Option<String>,
    pub final_url: Option<String>,
    pub user_confirms: Option<bool>,
    /// What the walker noted, by the name of the check.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub checks: BTreeMap<String, Value>,
}

/// The verdict on one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// It worked.
    Success,
    /// It did not; the outcome the signal names.
    Failure(String),
    /// The signals do not settle it.
    Ambiguous,
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Success => f.write_str("success"),
            Self::Failure(outcome) => write!(f, "failure:{outcome}"),
            Self::Ambiguous => f.write_str("ambiguous"),
        }
    }
}

/// Judges a sample by a source's signals.
pub fn classify(signals: &ValidationPath, sample: &Sample) -> Class {
    let seen = |check: &str, value: &Value| observe(check, value, sample) == Some(true);
    let worked = !signals.success_signals.is_empty()
        && signals.success_signals.iter().all(|signal| seen(&signal.check, &signal.value))
        && (!signals.user_confirms_required || sample.user_confirms == Some(true));
    let broken = signals.failure_signals.iter().find(|signal| seen(&signal.check, &signal.value));
    match (worked, broken) {
        (true, None) => Class::Success,
        (false, Some(signal)) => Class::Failure(signal.outcome.clone()),
        (true, Some(_)) | (false, None) => Class::Ambiguous,
    }
}

/// Whether a signal holds; `None` when nothing seen speaks of it.
fn observe(check: &str, value: &Value, sample: &Sample) -> Option<bool> {
    if let Some(noted) = sample.checks.get(check) {
        return Some(agrees(noted, value));
    }
    let text = value.as_str();
    match check {
        "response-status" | "api-returns-200" | "page-loads-200" => {
            let wanted = value.as_u64().or_else(|| text?.parse().ok())?;
            Some(u64::from(sample.status?) == wanted)
        }
        "response-content-type-includes" => {
            Some(sample.content_type.as_ref()?.to_lowercase().contains(&text?.to_lowercase()))
        }
        "downloaded-bytes-start-with" => Some(sample.body_start.as_ref()?.starts_with(text?)),
        "page-text-contains" | "submit-produces-success-page" => {
            Some(sample.page_text.as_ref()?.contains(text?))
        }
        "json-path-resolves" => Some(json_at(text?, sample)?.is_some()),
        "json-path-missing" => Some(json_at(text?, sample)?.is_none()),
        "json-path-empty" => Some(json_at(text?, sample)?.is_none_or(|found| is_empty(&found))),
        "redirects-to" => Some(leads_to(text?, sample.final_url.as_ref()?)),
        "redirect-chain-matches-pattern" => matches(text?, sample.final_url.as_ref()?),
        "user-confirms-document-received" => Some(sample.user_confirms? == value.as_bool()?),
        _ => None, // partners name checks of their own; they are noted, never derived
    }
}

/// A note against a signal's value: a flag says whether the check held, unless the signal itself is a
/// flag; anything else must be equal, a number and its digits being the same.
fn agrees(noted: &Value, value: &Value) -> bool {
    match (noted, value) {
        (Value::Bool(noted), Value::Bool(value)) => noted == value,
        (Value::Bool(noted), _) => *noted,
        (_, _) => plain(noted) == plain(value),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What a JSON answer holds at a path like `.product.items[0].title`; the outer `None` when there is no such answer or the
/// path is of another kind, the inner one when nothing is there.
fn json_at(path: &str, sample: &Sample) -> Option<Option<Value>> {
    let is_json = sample.content_type.as_ref()?.to_lowercase().contains("json");
    let mut value: Value = serde_json::from_str(sample.page_text.as_ref().filter(|_| is_json)?).ok()?;
    for step in steps(path)? {
        let found = match step {
            Step::Name(name) => value.get_mut(name),
            Step::Place(place) => value.get_mut(place),
        };
        match found.map(Value::take).filter(|found| !found.is_null()) {
            Some(found) => value = found,
            None => return Some(None),
        }
    }
    Some(Some(value))
}

/// One step into a JSON value.
enum Step<'p> {
    Name(&'p str),
    Place(usize),
}

/// The steps of a path; `None` where it is more than names and places.
fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    for step in path.strip_prefix('.')?.split('.').filter(|_| path != ".") {
        let mut parts = step.split('[');
        let name = parts.next().filter(|name| !name.is_empty())?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        steps.push(Step::Name(Some(name).filter(|name| name.chars().all(is_name))?));
        for place in parts {
            steps.push(Step::Place(place.strip_suffix(']')?.parse().ok()?));
        }
    }
    Some(steps)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether an address is where a `redirects-to` signal says: below an absolute address; ending in
/// `…$`; or of exactly this path. Query and fragment do not count in the last two.
fn leads_to(place: &str, address: &str) -> bool {
    if place.contains("://") {
        return address.starts_with(place);
    }
    let bare = address.split(['?', '#']).next().unwrap_or_default();
    match place.strip_suffix('$') {
        Some(end) => bare.ends_with(end),
        None => {
            let after_scheme = bare.split_once("://").map_or(bare, |(_, rest)| rest);
            let path = after_scheme.find('/').and_then(|at| after_scheme.get(at..));
            path.unwrap_or("/") == place
        }
    }
}

/// Matches an address against a source's pattern, if that is one our engine takes.
fn matches(pattern: &str, address: &str) -> Option<bool> {
    /// Addresses are capped at 2,000 characters everywhere.
    const LONGEST: usize = 2_000;
    let pattern = Regex::new(pattern, "").ok().filter(|_| address.len() <= LONGEST)?;
    Some(pattern.is_match(address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn contradictions_and_silence_are_ambiguous() {
        let signals: ValidationPath = serde_json::from_value(json!({
            "kind": "agent-driven-headed-with-user-auth",
            "success_signals": [
                {"check": "response-content-type-includes", "value": "application/pdf"},
                {"check": "downloaded-bytes-start-with", "value": "%PDF"},
            ],
            "failure_signals": [{"check": "response-status", "value": "404", "outcome": "source-retired"}],
            "user_confirms_required": false,
        }))
        .expect("well-formed");
        let pdf = Sample {
            content_type: Some("Application/PDF; charset=binary".into()),
            body_start: Some("%PDF-1.7".into()),
            ..Sample::default()
        };
        assert_eq!(classify(&signals, &pdf), Class::Success);
        let contradiction = Sample { status: Some(404), ..pdf };
        assert_eq!(classify(&signals, &contradiction), Class::Ambiguous);
        assert_eq!(classify(&signals, &Sample::default()), Class::Ambiguous);
        let gone = Sample { status: Some(404), ..Sample::default() };
        assert_eq!(classify(&signals, &gone).to_string(), "failure:source-retired");
    }

    #[test]
    fn redirects_are_read_three_ways() {
        assert!(leads_to("https://www.belgium.be/", "https://www.belgium.be/en?x=1"));
        assert!(leads_to("/irisbox/$", "https://irisbox.irisnet.be/irisbox/?lang=fr"));
        assert!(!leads_to("/irisbox/$", "https://irisbox.irisnet.be/irisbox/form"));
        assert!(leads_to("/", "https://www.belgium.be"));
        assert!(leads_to("/", "https://www.belgium.be/#top"));
        assert!(!leads_to("/", "https://www.belgium.be/en"));
    }

    #[test]
    fn paths_into_json_are_followed() {
        let sample = Sample {
            content_type: Some("application/hal+JSON; charset=utf-8".into()),
            page_text: Some(
                r#"{"product": {"title": "Huurpremie", "steps": [{"a": ""}, 2], "none": null}}"#.into(),
            ),
            ..Sample::default()
        };
        let seen = |check: &str, path: &str| observe(check, &json!(path), &sample);
        for (path, resolves, empty) in [
            (".", true, false),
            (".product.title", true, false),
            (".product.steps[0].a", true, true),
            (".product.steps[1]", true, false),
            (".product.steps[2]", false, true),
            (".product.none", false, true),
            (".title", false, true),
            (".product.title.x", false, true),
        ] {
            assert_eq!(seen("json-path-resolves", path), Some(resolves), "{path}");
            assert_eq!(seen("json-path-missing", path), Some(!resolves), "{path}");
            assert_eq!(seen("json-path-empty", path), Some(empty), "{path}");
        }
        for unread in ["title", ".a..b", ".a | length", ".a[x]", ".a[0", ".[]"] {
            assert_eq!(seen("json-path-resolves", unread), None, "{unread}");
        }
        let page = Sample { content_type: Some("text/html".into()), ..sample.clone() };
        assert_eq!(observe("json-path-resolves", &json!(".product"), &page), None);
    }

    #[test]
    fn a_pattern_cannot_run_away() {
        assert_eq!(matches("^(a+)+$", &format!("{}!", "a".repeat(60))), Some(false));
        assert_eq!(matches(r"(a)\1", "aa"), None);
        assert_eq!(matches(r"^https://[a-z0-9.-]+[.]fgov[.]be/", "https://idp.fgov.be/x"), Some(true));
    }
}
