//! Whether a dotted field path leads to a field of a skill, a path or a source, and whether a proposed
//! value fits there.
//!
//! 1. Protected fields are refused by their first part (DECISIONS §9b).
//! 2. The smallest document that holds the value at that place is built: an object per name, a list of
//!    one per index.
//! 3. The artefact's schema judges it. A complaint on the way down means the field does not exist; one
//!    at the value or below means the value does not fit; complaints about everything else that a whole
//!    artefact would have are not about this change.
//! 4. What a source looks like depends on its class, so the field is right when it is right for any class;
//!    the whole source is judged again once the change is applied.

use crate::path::SourceClass;
use crate::schema::{Schema, Violation};
use serde_json::{Map, Value, json};

/// What a field change is made to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Artefact {
    /// A skill's frontmatter.
    Skill,
    /// A path's own fields.
    Path,
    /// A source of a path.
    Source,
}

/// Why a field change is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// Submissions never change the field.
    Protected,
    /// There is no such field.
    Unknown,
    /// The value does not fit; the schema's sentences say how.
    Misfit {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
}

const OF_ARTEFACTS: &[&str] = &[
    "id",
    "uid",
    "status",
    "version",
    "version_pin",
    "schema_version",
    "origin",
    "previous_stable_sha",
    "superseded_by",
    "submission_contract_version",
];

const OF_SOURCES: &[&str] = &["id", "source_class", "audited_document_delivery", "post_handoff_observed"];

/// Whether submissions may never change the field (DECISIONS §9b).
pub fn is_protected(artefact: Artefact, field_path: &str) -> bool {
    let first = field_path.split('.').next().unwrap_or_default();
    match artefact {
        Artefact::Skill => OF_ARTEFACTS.contains(&first),
        Artefact::Path => OF_ARTEFACTS.contains(&first) || first == "sources",
        Artefact::Source => OF_SOURCES.contains(&first),
    }
}

/// Judges one field change.
pub fn judge(artefact: Artefact, field_path: &str, value: &Value) -> Result<(), FieldError> {
    if is_protected(artefact, field_path) {
        return Err(FieldError::Protected);
    }
    match artefact {
        Artefact::Skill => fits(Schema::Skill, Map::new(), field_path, value),
        Artefact::Path => fits(Schema::Path, Map::new(), field_path, value),
        Artefact::Source => {
            let mut outcome = Err(FieldError::Unknown);
            for class in SourceClass::ALL {
                let base = Map::from_iter([("source_class".to_owned(), json!(class))]);
                outcome = match (outcome, fits(Schema::PathSource, base, field_path, value)) {
                    (_, Ok(())) => return Ok(()),
                    (Err(FieldError::Unknown), other) | (other, Err(FieldError::Unknown)) => other,
                    (first, Err(_)) => first,
                };
            }
            outcome
        }
    }
}

fn fits(
    schema: Schema,
    mut document: Map<String, Value>,
    field_path: &str,
    value: &Value,
) -> Result<(), FieldError> {
    let parts: Vec<&str> = field_path.split('.').collect();
    let Some((first, rest)) = parts.split_first() else {
        return Err(FieldError::Unknown);
    };
    let mut inner = value.clone();
    let mut pointer = String::new();
    for part in rest.iter().rev() {
        if is_index(part) {
            inner = Value::Array(vec![inner]);
            pointer = format!("/0{pointer}");
        } else {
            inner = json!({ *part: inner });
            pointer = format!("/{part}{pointer}");
        }
    }
    document.insert((*first).to_owned(), inner);
    let pointer = format!("/{first}{pointer}");

    let violations = schema.violations(&Value::Object(document));
    if violations.iter().any(|violation| bars_the_way(violation, &pointer)) {
        return Err(FieldError::Unknown);
    }
    match violations.iter().find(|violation| is_within(&violation.pointer, &pointer)) {
        None => Ok(()),
        Some(violation) => {
            Err(FieldError::Misfit { message: violation.message.clone(), help: violation.help.clone() })
        }
    }
}

fn is_index(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_digit())
}

/// Whether the violation says that one of the names on the way does not exist, or cannot be entered.
fn bars_the_way(violation: &Violation, pointer: &str) -> bool {
    match violation.keyword.as_str() {
        "additionalProperties" | "falseSchema" | "propertyNames" => {
            is_within(pointer, &violation.field_pointer())
        }
        "type" => violation.pointer != pointer && is_within(pointer, &violation.pointer),
        _ => false,
    }
}

/// Whether `pointer` is `top` or lies below it.
fn is_within(pointer: &str, top: &str) -> bool {
    pointer.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(artefact: Artefact, path: &str, value: Value) -> &'static str {
        match judge(artefact, path, &value) {
            Ok(()) => "fits",
            Err(FieldError::Protected) => "protected",
            Err(FieldError::Unknown) => "unknown",
            Err(FieldError::Misfit { .. }) => "misfit",
        }
    }

    #[test]
    fn fields_are_found_judged_and_protected() {
        use Artefact::{Path, Skill, Source};
        let cases = [
            (Skill, "recurring", json!(true), "fits"),
            (Skill, "recurring", json!("sometimes"), "misfit"),
            (Skill, "opening_hours", json!("9-12"), "unknown"),
            (Skill, "applies_to.origin_countries", json!(["us"]), "fits"),
            (Skill, "applies_to.origin_countries", json!(["USA"]), "misfit"),
            (Skill, "applies_to.colour", json!(["red"]), "unknown"),
            (Skill, "title.en", json!("x"), "unknown"),
            (Skill, "inputs.3.label", json!("Which commune?"), "fits"),
            (Skill, "inputs.3.colour", json!("red"), "unknown"),
            (Skill, "routing_risk", json!("x"), "unknown"),
            (Skill, "user_name", json!("x"), "unknown"),
            (Skill, "status", json!("stable"), "protected"),
            (Skill, "version.major", json!(2), "protected"),
            (Path, "description.en", json!("A certificate."), "fits"),
            (Path, "description.xx", json!("A certificate."), "unknown"),
            (Path, "sources.0.priority", json!(5), "protected"),
            (Path, "themes", json!(["nonsense"]), "misfit"),
            (Source, "priority", json!(55), "fits"),
            (Source, "priority", json!(555), "misfit"),
            (Source, "actor.handoff.resumption", json!("Say when done."), "fits"),
            (Source, "validation_path.nonsense", json!(1), "unknown"),
            (Source, "validation_path.user_confirms_required", json!(true), "fits"),
            (Source, "procedure.kind", json!("commune-visit"), "fits"),
            (Source, "procedure.kind", json!("teleport"), "misfit"),
            (Source, "id", json!("x"), "protected"),
            (Source, "source_class.x", json!("x"), "protected"),
        ];
        for (artefact, path, value, expected) in cases {
            assert_eq!(verdict(artefact, path, value.clone()), expected, "{path} = {value}");
        }
    }
}
