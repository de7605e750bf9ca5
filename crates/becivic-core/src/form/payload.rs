//! The JSON Schema (2020-12) of exactly what a form yields.
//!
//! 1. `profile`: the two metadata fields, the consent, and what the form asks for the profile. It is a part of a profile,
//!    valid by itself, to be laid over the one that is there.
//! 2. `answers`: what is for the session only.
//! 3. `pending`: markers for rows that come later, whichever of the two they will stand in. Rows stand in one place only.
//! 4. `cleared`: fields that were known and are answered no more.

use super::shape::{Field, FieldColumn, Keep, Range, Section, Way};
use super::{CONSENT_VERSION, SectionId};
use crate::skill::IoType;
use serde_json::{Map, Value, json};

const MONTH: &str = "^[0-9]{4}-(0[1-9]|1[0-2])$";
const MONTH_OR_CURRENT: &str = "^([0-9]{4}-(0[1-9]|1[0-2])|current)$";
const DAY: &str = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
const MOMENT: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z$";

/// The most characters that types.json allows in a cell or a line.
const LONGEST: u64 = 500;

/// The schema of what these sections yield.
pub(super) fn schema(sections: &[Section]) -> Value {
    let fields: Vec<&Field> = sections.iter().flat_map(|section| &section.fields).collect();
    let (rows, scalars): (Vec<&Field>, Vec<&Field>) =
        fields.iter().partition(|field| field.io_type == IoType::RowList);
    let session = fields.iter().filter(|field| field.keep == Keep::Session);
    let answers: Map<String, Value> = session.map(|field| (field.name.clone(), of_field(field))).collect();
    let needed: Vec<&str> = scalars
        .iter()
        .filter(|field| field.required && field.keep == Keep::Session)
        .map(|field| field.name.as_str())
        .collect();
    let pending: Map<String, Value> = rows.iter().map(|field| (field.name.clone(), marker())).collect();
    let known = sections.iter().filter(|section| section.id == SectionId::Known);
    let clearable: Vec<&str> = known
        .flat_map(|section| &section.fields)
        .filter(|field| !field.required)
        .map(|field| field.name.as_str())
        .collect();
    let mut properties = json!({
        "profile": profile(&fields),
        "answers": object(answers, &needed),
        "pending": object(pending, &[]),
    });
    if let (false, Some(properties)) = (clearable.is_empty(), properties.as_object_mut()) {
        let cleared = json!({"type": "array", "uniqueItems": true, "items": {"enum": clearable}});
        properties.insert("cleared".to_owned(), cleared);
    }
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["profile", "answers", "pending"],
        "additionalProperties": false,
        "properties": properties,
    });
    let places: Vec<Value> = rows.iter().flat_map(|field| in_one_place(field)).collect();
    if let (false, Some(schema)) = (places.is_empty(), schema.as_object_mut()) {
        schema.insert("allOf".to_owned(), Value::Array(places));
    }
    schema
}

fn object(properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut object = json!({"type": "object", "additionalProperties": false, "properties": properties});
    if let (false, Some(object)) = (required.is_empty(), object.as_object_mut()) {
        object.insert("required".to_owned(), json!(required));
    }
    object
}

/// The part of a profile.
fn profile(fields: &[&Field]) -> Value {
    let mut properties = Map::new();
    properties.insert("profile_schema_version".to_owned(), json!({"const": "1"}));
    properties.insert("last_updated_at".to_owned(), json!({"type": "string", "pattern": MOMENT}));
    let consent = [
        ("alpha_bundle", json!({"type": "boolean"})),
        ("version", json!({"const": CONSENT_VERSION})),
        ("signed_at", json!({"type": "string", "pattern": DAY})),
    ];
    let consent = consent.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    properties.insert("consent".to_owned(), object(consent, &["alpha_bundle", "version"]));
    let mut required = vec!["profile_schema_version", "last_updated_at", "consent"];
    for field in fields.iter().filter(|field| field.keep == Keep::Profile) {
        match field.profile_path.as_deref() {
            Some([key]) => {
                if field.required && field.io_type != IoType::RowList {
                    required.push(key);
                }
                properties.insert(key.clone(), of_field(field));
            }
            Some([outer, inner]) => {
                let group = properties.entry(outer.clone()).or_insert_with(|| object(Map::new(), &[]));
                if let Some(group) = group.get_mut("properties").and_then(Value::as_object_mut) {
                    group.insert(inner.clone(), of_field(field));
                }
            }
            Some(_) | None => {}
        }
    }
    object(properties, &required)
}

/// Rows stand where they belong or have a marker, never both; where they are needed, one of the two.
fn in_one_place(field: &Field) -> Vec<Value> {
    let home = match field.keep {
        Keep::Profile => "profile",
        Keep::Session => "answers",
    };
    let key = match (field.keep, field.profile_path.as_deref()) {
        (Keep::Profile, Some([key])) => key.as_str(),
        (Keep::Profile | Keep::Session, _) => field.name.as_str(),
    };
    let there = json!({"properties": {home: {"required": [key]}}});
    let later = json!({"properties": {"pending": {"required": [field.name]}}});
    let mut rules = vec![json!({"not": {"allOf": [there, later]}})];
    if field.required {
        rules.push(json!({"anyOf": [there, later]}));
    }
    rules
}

fn marker() -> Value {
    json!({
        "type": "object",
        "required": ["__mode", "__status"],
        "additionalProperties": false,
        "properties": {"__mode": {"enum": [Way::FolderDrop, Way::Chat]}, "__status": {"const": "pending"}},
    })
}

fn of_field(field: &Field) -> Value {
    match field.io_type {
        IoType::RowList => of_rows(field),
        IoType::DocumentArtefact => json!({
            "type": "object",
            "required": ["name"],
            "additionalProperties": false,
            "properties": {"name": {"const": field.name}, "obtained_in": {"type": "string", "pattern": MONTH}},
        }),
        IoType::String | IoType::Text => {
            let mut schema = text(field.max_length.unwrap_or(LONGEST));
            if let (Some(pattern), Some(schema)) = (&field.pattern, schema.as_object_mut()) {
                schema.insert("pattern".to_owned(), json!(pattern));
            }
            schema
        }
        IoType::Number => number(field.range),
        other => of_value(other, field.options.iter().map(|option| option.value.as_str())),
    }
}

fn of_rows(field: &Field) -> Value {
    let cell = |column: &FieldColumn| match column.io_type {
        IoType::String | IoType::Text => text(LONGEST),
        IoType::Number => number(None),
        other => of_value(other, column.options.iter().map(|option| option.value.as_str())),
    };
    let cells = field.columns.iter().map(|column| (column.id.clone(), cell(column))).collect();
    let required: Vec<&str> =
        field.columns.iter().filter(|column| column.required).map(|column| column.id.as_str()).collect();
    let mut row = object(cells, &required);
    if let Some(row) = row.as_object_mut() {
        row.insert("minProperties".to_owned(), json!(1));
    }
    let bounds = field.bounds;
    json!({
        "type": "array",
        // Rows that are not there are left out: an empty list would say that there is nothing.
        "minItems": bounds.map_or(1, |it| it.min_rows.max(1)),
        "maxItems": bounds.map_or(LONGEST, |it| u64::from(it.max_rows)),
        "items": row,
    })
}

fn text(longest: u64) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": longest})
}

fn number(range: Option<Range>) -> Value {
    let mut schema = Map::new();
    let whole = range.is_some_and(|range| range.whole);
    schema.insert("type".to_owned(), json!(if whole { "integer" } else { "number" }));
    for (name, bound) in [
        ("minimum", range.and_then(|range| range.minimum)),
        ("maximum", range.and_then(|range| range.maximum)),
    ] {
        schema.extend(bound.map(|bound| (name.to_owned(), json!(bound))));
    }
    Value::Object(schema)
}

fn of_value<'o>(io_type: IoType, options: impl Iterator<Item = &'o str>) -> Value {
    let like = |pattern: &str| json!({"type": "string", "pattern": pattern});
    match io_type {
        IoType::CountryCode => like("^[a-z]{2}$"),
        IoType::Commune => like("^[0-9]{5}$"),
        IoType::Date => like(DAY),
        IoType::MonthYear => like(MONTH),
        IoType::MonthYearOrCurrent => like(MONTH_OR_CURRENT),
        IoType::Bool | IoType::YesNo => json!({"type": "boolean"}),
        IoType::SingleChoice => json!({"enum": options.collect::<Vec<_>>()}),
        IoType::Number => number(None),
        IoType::String | IoType::Text | IoType::DocumentArtefact | IoType::RowList => text(LONGEST),
    }
}
