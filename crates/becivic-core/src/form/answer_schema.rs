//! The JSON Schema of a form as it is handed out, for those who describe a tool that answers one.

use super::{App, CONSENT_VERSION, FORM_VERSION, Keep, Mode, SectionId, Way};
use crate::profile::{AdministrationLanguage, ProfileRegion};
use crate::skill::IoType;
use crate::vocabulary::{Language, Status};
use serde_json::{Map, Value, json};

/// The words of a list.
macro_rules! words {
    ($list:ty) => {
        json!({"enum": <$list>::ALL})
    };
}

/// The schema.
pub fn answer_schema() -> Value {
    let text = || json!({"type": "string"});
    let flag = || json!({"type": "boolean"});
    let list = |items: Value| json!({"type": "array", "items": items});
    let languages = || list(words!(AdministrationLanguage));
    let choice = || closed(&[("value", text()), ("label", text()), ("lang", words!(Language))], &[]);
    let column = closed(
        &[
            ("id", text()),
            ("type", words!(IoType)),
            ("label", text()),
            ("lang", words!(Language)),
            ("required", flag()),
        ],
        &[("options", list(choice()))],
    );
    let count = || json!({"type": "integer", "minimum": 0});
    let marker = closed(&[("__mode", words!(Way)), ("__status", json!({"const": "pending"}))], &[]);
    let way = closed(&[("mode", words!(Way)), ("label", text())], &[("yields", marker)]);
    let whole = || json!({"type": "integer"});
    let field = closed(
        &[
            ("name", text()),
            ("type", words!(IoType)),
            ("label", text()),
            ("lang", words!(Language)),
            ("required", flag()),
            ("keep", words!(Keep)),
        ],
        &[
            ("description", text()),
            ("options", list(choice())),
            ("profile_path", list(text())),
            ("value", json!({})),
            ("columns", list(column)),
            ("bounds", closed(&[("min_rows", count()), ("max_rows", count())], &[])),
            ("capture_modes", list(way)),
            ("range", closed(&[("whole", flag())], &[("minimum", whole()), ("maximum", whole())])),
            ("max_length", count()),
            ("pattern", text()),
        ],
    );
    let section = closed(
        &[("id", words!(SectionId)), ("title", text()), ("hint", text()), ("fields", list(field))],
        &[],
    );
    let clause = closed(&[("id", text()), ("title", text()), ("text", text())], &[]);
    let clauses = json!({"type": "array", "minItems": 4, "maxItems": 4, "items": clause});
    let by_region = json!({"type": "object", "propertyNames": words!(ProfileRegion), "additionalProperties": languages()});
    let by_commune = json!({"type": "object", "propertyNames": {"pattern": "^[0-9]{5}$"}, "additionalProperties": languages()});
    let skill = closed(
        &[("id", text()), ("title", text()), ("status", words!(Status)), ("version", text())],
        &[("superseded_by", text())],
    );
    let consent = closed(
        &[
            ("name", json!({"const": "alpha_bundle"})),
            ("label", text()),
            ("description", text()),
            ("version", json!({"const": CONSENT_VERSION})),
            ("required", json!({"const": false})),
            ("given", flag()),
        ],
        &[],
    );
    let mut schema = closed(
        &[
            ("form_version", json!({"const": FORM_VERSION})),
            ("app", words!(App)),
            ("locale", words!(Language)),
            ("mode", words!(Mode)),
            ("title", text()),
            ("intro", text()),
            ("sections", list(section)),
            ("consent", consent),
            ("trust", closed(&[("title", text()), ("open", flag()), ("clauses", clauses)], &[])),
            (
                "administration_languages",
                closed(
                    &[
                        ("by_region", by_region),
                        ("by_commune", by_commune),
                        ("hint_not_in_belgium_yet", text()),
                    ],
                    &[],
                ),
            ),
            ("payload_schema", json!({"type": "object"})),
        ],
        &[("skill", skill)],
    );
    if let Some(schema) = schema.as_object_mut() {
        let dialect = json!("https://json-schema.org/draft/2020-12/schema");
        schema.insert("$schema".to_owned(), dialect);
    }
    schema
}

/// An object with these fields and no others: first those that are always there.
fn closed(always: &[(&str, Value)], sometimes: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        always.iter().chain(sometimes).map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = always.iter().map(|(name, _)| *name).collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}
