//! The identity ban (§6.2, §6.12.9): names that would say who sent something are refused wherever they
//! stand.
//!
//! 1. A name is folded: lowercase, without `-` and `_`. So `userEmail`, `User-Email` and `user_email` are
//!    one name: the ban is about what a field is for, and a spelling of another language's convention
//!    must not slip past it. The list is short and none of its folds is an ordinary word, so nothing
//!    harmless is caught.
//! 2. Every object at any depth is looked at; the pointer of each banned field is kept.
//! 3. Pointers that go into answers end above the first name no schema knows, so that a name made up by
//!    a sender is not echoed.

use super::{Category, Refusal};
use crate::schema::{Schema, Violation};
use rustc_hash::FxHashSet;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The banned names, in the schemas' spelling (§6.12.9, with `session_correlation_id`).
pub const BANNED: &[&str] = &[
    "submitter_name",
    "submitter_email",
    "session_correlation_id",
    "device_id",
    "user_id",
    "user_email",
    "user_name",
    "ip_address",
    "github_login",
];

/// The pointers of all fields with a banned name, outermost first; what lies below one is not searched.
pub fn banned_fields(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    if has_banned(value) {
        search(value, &mut String::new(), &mut found);
    }
    found
}

/// Whether a search would find anything; nearly always not, and then no pointer need be written.
fn has_banned(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.iter().any(|(name, inner)| is_banned(name) || has_banned(inner)),
        Value::Array(items) => items.iter().any(has_banned),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn search(value: &Value, pointer: &mut String, found: &mut Vec<String>) {
    let length = pointer.len();
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                if is_banned(name) {
                    found.push(pointer.clone());
                } else {
                    search(inner, pointer, found);
                }
                pointer.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                pointer.push('/');
                pointer.push_str(&index.to_string());
                search(inner, pointer, found);
                pointer.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a field of this name is banned.
pub fn is_banned(name: &str) -> bool {
    !is_own(name) && is_banned_when_folded(name)
}

/// Whether a field of this name is one of ours: a schema declares it, and it is not banned. Nearly every field of every
/// submission is, so this is asked before anything that costs more.
pub(super) fn is_own(name: &str) -> bool {
    static OWN: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
        NAMES.iter().map(String::as_str).filter(|name| !is_banned_when_folded(name)).collect()
    });
    OWN.contains(name)
}

fn is_banned_when_folded(name: &str) -> bool {
    static FOLDED: LazyLock<BTreeSet<String>> =
        LazyLock::new(|| BANNED.iter().map(|name| fold(name)).collect());
    FOLDED.contains(&fold(name))
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The refusal for one banned field.
pub(super) fn refusal(pointer: &str) -> Refusal {
    Refusal {
        category: Category::IdentityFieldBanned,
        pointer: known_part(pointer),
        missing: None,
        detectors: Vec::new(),
        message: "a field bears the name of something that identifies a person, a device or a session"
            .to_owned(),
        help: "Remove the field. Nothing sent may say who sent it.".to_owned(),
    }
}

/// Whether a schema violation only says again what the ban says: it is at a banned field or inside one.
pub(super) fn repeats(violation: &Violation, banned: &[String]) -> bool {
    let pointer = match violation.keyword.as_str() {
        "required" => violation.pointer.clone(),
        _ => violation.field_pointer(),
    };
    banned.iter().any(|field| {
        pointer.strip_prefix(field.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// The beginning of a pointer, up to the first part that is neither an index nor a name in a schema.
pub(super) fn known_part(pointer: &str) -> String {
    let mut known = String::new();
    for part in pointer.split('/').skip(1) {
        let is_index = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) && part.len() <= 6;
        if !is_index && !NAMES.contains(part) && !is_banned(part) {
            break;
        }
        known.push('/');
        known.push_str(part);
    }
    known
}

/// Every field name that some schema declares.
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut names = BTreeSet::new();
    for schema in Schema::ALL {
        if let Ok(value) = serde_json::from_str::<Value>(schema.text()) {
            collect(&value, &mut names);
        }
    }
    names
});

/// The same, for whoever has to look at each.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(String::as_str)
}

fn collect(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Object(properties)) = fields.get("properties") {
                names.extend(properties.keys().cloned());
            }
            fields.values().for_each(|inner| collect(inner, names));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect(inner, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
