//! One error of a validator in plain words: what is wrong, and what to do.
//!
//! 1. Words come from the schema and from the place, never from the instance.
//! 2. A pattern is explained through the definition of `common.schema.json` it belongs to; only a pattern
//!    without one is shown as it is.
//! 3. What a `not` refuses is said by the schema under it: a value, or (twice negated) a list that lacks
//!    entries. Its `$comment` is the advice.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as K};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::Schema;

/// What is wrong, and what to do.
pub(super) fn of(error: &ValidationError<'_>, at: &str) -> (String, String) {
    match error.kind() {
        K::FalseSchema => (format!("{at} is not allowed here"), "Remove the field.".into()),
        K::Constant { expected_value } => {
            (format!("{at} has the wrong value"), constant(expected_value, error.instance()))
        }
        K::Enum { options } => {
            let words: Vec<String> = options.as_array().into_iter().flatten().map(word).collect();
            (format!("{at} is none of the allowed values"), format!("Use one of: {}.", words.join(", ")))
        }
        K::Type { kind } => {
            (format!("{at} has the wrong type"), format!("It must be of type {}.", type_name(kind)))
        }
        K::Pattern { pattern } => (format!("{at} is not written in the expected form"), form(pattern)),
        K::UniqueItems => (format!("{at} holds the same entry twice"), "Remove the repetition.".into()),
        K::Not { schema } => refused(schema, at),
        K::Contains => (format!("{at} lacks an entry its kind requires"), entries(&Value::Null)),
        K::PropertyNames { .. } => {
            (format!("{at} has a field whose name is not allowed"), "Rename or remove it.".into())
        }
        kind => limit(kind, at),
    }
}

fn limit(kind: &K, at: &str) -> (String, String) {
    match kind {
        K::MaxLength { limit } => (format!("{at} is too long"), format!("Keep it to {limit} characters.")),
        K::MinLength { limit } => {
            (format!("{at} is too short"), format!("Give it at least {limit} characters."))
        }
        K::MaxItems { limit } => {
            (format!("{at} has too many entries"), format!("At most {limit} are allowed."))
        }
        K::MinItems { limit } => {
            (format!("{at} has too few entries"), format!("At least {limit} are needed."))
        }
        K::MaxProperties { limit } => {
            (format!("{at} has too many fields"), format!("At most {limit} are allowed."))
        }
        K::MinProperties { limit } => {
            (format!("{at} has too few fields"), format!("At least {limit} are needed."))
        }
        K::Minimum { limit } => (format!("{at} is too small"), format!("It must be at least {limit}.")),
        K::Maximum { limit } => (format!("{at} is too large"), format!("It must be at most {limit}.")),
        other => (
            format!("{at} does not fit the schema ({})", other.keyword()),
            "Compare it with the schema.".into(),
        ),
    }
}

/// The one value allowed; when only its quotes are wrong, that.
fn constant(expected: &Value, instance: &Value) -> String {
    match (expected, instance) {
        (Value::Number(number), Value::String(text)) if text.trim() == number.to_string() => {
            format!("Write it without quotes: {number}.")
        }
        (Value::String(text), Value::Number(number)) if *text == number.to_string() => {
            format!("Write it in quotes: \"{text}\".")
        }
        (_, _) => format!("It must be {expected}."),
    }
}

fn refused(schema: &Value, at: &str) -> (String, String) {
    if let Some(value) = schema.get("const") {
        let advice = schema.get("$comment").and_then(Value::as_str);
        (format!("{at} may not be {} here", word(value)), advice.unwrap_or("Use another value.").to_owned())
    } else if let Some(needed) = schema.get("not") {
        (format!("{at} lacks an entry its kind requires"), entries(needed))
    } else {
        (format!("{at} is one of the values that are refused here"), "Compare it with the schema.".into())
    }
}

/// The entries a list must contain, by their `check`.
fn entries(needed: &Value) -> String {
    let all = needed.get("allOf").and_then(Value::as_array);
    let parts = all.map_or(std::slice::from_ref(needed), Vec::as_slice);
    let names: Vec<String> = parts
        .iter()
        .filter_map(|part| part.pointer("/contains/properties"))
        .filter_map(|entry| {
            let name = word(entry.pointer("/check/const")?);
            let value =
                entry.pointer("/value/const").map_or_else(String::new, |v| format!(" with value {v}"));
            Some(format!("{name}{value}"))
        })
        .collect();
    if names.is_empty() {
        return "Compare it with the schema's list for this kind.".to_owned();
    }
    format!("It must hold: {}.", names.join("; "))
}

fn form(pattern: &str) -> String {
    match FORMS.get(pattern) {
        Some(sentence) => (*sentence).to_owned(),
        None => format!("It must match {pattern}"),
    }
}

/// From a pattern to its sentence, through the definition that holds the pattern.
static FORMS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let common: Value = serde_json::from_str(Schema::Common.text()).unwrap_or_default();
    let pattern = |name: &str| common.pointer(&format!("/$defs/{name}/pattern"))?.as_str().map(str::to_owned);
    SENTENCES.iter().filter_map(|(name, sentence)| Some((pattern(name)?, *sentence))).collect()
});

/// A definition of `common.schema.json`, and how to write what it describes.
const SENTENCES: &[(&str, &str)] = &[
    ("kebab_id", "Write lowercase letters and digits, in words joined by single hyphens."),
    ("path_source_id", "Write the path's id, a colon and the source's id."),
    ("semver", "Write three numbers, like 1.4.0, each of at most nine digits and without leading zeros."),
    ("timestamp", "Write a moment with its offset, like 2026-05-12T10:00:00Z."),
    ("date", "Write a day as YYYY-MM-DD."),
    ("month", "Write a month as YYYY-MM."),
    ("https_url", "Write a plain https address: a named host, no user, no port."),
    ("inert", "Write one line of plain text, without control or invisible characters."),
    ("multiline_text", "Write plain text, without tabs and without control or invisible characters."),
    ("diff_text", "Write a plain unified diff, without control or invisible characters."),
    ("submitting_agent", "Write the software's name, a slash and its version, like my-agent/1.0."),
    ("nis5", "Write the five digits of the commune's NIS code, in quotes."),
    ("country_code", "Write the two lowercase letters of the country (ISO 3166-1)."),
    ("val_uid", "Write val- and five or six digits."),
    ("ref_uid", "Write ref- and five or six digits."),
    ("con_uid", "Write con- and five or six digits."),
    ("pth_uid", "Write pth- and five or six digits."),
    ("concern_id", "Write con_ and a lowercase UUIDv7."),
    ("amendment_id", "Write amd_ and a lowercase UUIDv7."),
    ("validation_id", "Write val_ and a lowercase UUIDv7."),
    ("draft_id", "Write drf_ and a lowercase UUIDv7."),
    ("feedback_id", "Write fbk_ and a lowercase UUIDv7."),
    ("rating_id", "Write rtg_ and a lowercase UUIDv7."),
    ("analytics_event_id", "Write anl_ and a lowercase UUIDv7."),
    ("session_id", "Write ses_ and a lowercase UUIDv7."),
    ("category", "Write lowercase letters, digits and hyphens, beginning with a letter."),
    ("git_sha", "Write a commit hash: 7 to 64 lowercase hexadecimal digits."),
    ("field_path", "Write field names joined by dots."),
];

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn type_name(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => kind.to_string(),
        TypeKind::Multiple(kinds) => {
            let names: Vec<String> = kinds.iter().map(|kind| kind.to_string()).collect();
            names.join(" or ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_shared_pattern_has_its_sentence() {
        let common: Value = serde_json::from_str(Schema::Common.text()).expect("JSON");
        let definitions = common["$defs"].as_object().expect("definitions");
        for (name, definition) in definitions {
            if let Some(pattern) = definition.get("pattern").and_then(Value::as_str) {
                assert!(FORMS.contains_key(pattern), "{name}");
            }
        }
        assert_eq!(FORMS.len(), SENTENCES.len());
    }

    /// The message and the help of the one violation at a place.
    fn at(schema: Schema, instance: &Value, pointer: &str) -> (String, String) {
        let violations = schema.violations(instance);
        let found = violations.into_iter().find(|found| found.pointer == pointer).expect("reported");
        (found.message, found.help)
    }

    #[test]
    fn patterns_are_explained() {
        let skill = json!({"title": "a\u{e0041}", "version": "1.2", "id": "A B"});
        for (pointer, name) in [("/title", "inert"), ("/version", "semver"), ("/id", "kebab_id")] {
            let (_, help) = at(Schema::Skill, &skill, pointer);
            assert!(SENTENCES.contains(&(name, help.as_str())), "{help}");
        }
    }

    #[test]
    fn what_a_not_refuses_is_named() {
        let walled = json!({"auth": {"method": "none"}, "actor": {"handoff": {"when": "auth-wall"}}});
        let (message, help) = at(Schema::PathSource, &walled, "/auth/method");
        assert_eq!(message, "`auth.method` may not be none here");
        assert!(help.contains("log in"), "{help}");

        let nameless = json!({"communes": [{"name_fr": null, "name_nl": null, "name_de": null}]});
        let (message, help) = at(Schema::Communes, &nameless, "/communes/0/name_de");
        assert_eq!(message, "`communes.0.name_de` may not be null here");
        assert!(help.contains("at least one name"), "{help}");

        let bare = json!({"source_class": "offline", "validation_path": {"success_signals": []}});
        let (message, help) = at(Schema::PathSource, &bare, "/validation_path/success_signals");
        assert!(message.contains("lacks an entry"), "{message}");
        assert_eq!(help, "It must hold: user-confirms-document-received with value true.");
    }

    #[test]
    fn quotes_around_a_number_are_noticed() {
        assert_eq!(
            at(Schema::Skill, &json!({"schema_version": "4"}), "/schema_version").1,
            "Write it without quotes: 4."
        );
        assert_eq!(at(Schema::Skill, &json!({"schema_version": "3"}), "/schema_version").1, "It must be 4.");
        let profile = json!({"profile_schema_version": 1});
        assert_eq!(at(Schema::Profile, &profile, "/profile_schema_version").1, "Write it in quotes: \"1\".");
    }
}
