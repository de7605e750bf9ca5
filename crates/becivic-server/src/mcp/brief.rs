//! The schema of a submission, as short as an argument of a tool has to be: hosts give the schemas of all tools to their model at once.
//!
//! Of the fields at the top, what is a word, a text or a number says all it says in the file; what is an object says which fields it
//! must have. The whole schema is a resource, and what is wrong is named by the answer.

use becivic_core::schema::Schema;
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

/// Keywords that say what a plain value is.
const PLAIN: &[&str] = &[
    "type",
    "enum",
    "const",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "maxItems",
    "description",
    "format",
];

/// The schema of an argument that holds such a submission.
pub fn of(schema: Schema) -> Value {
    let file = read(schema);
    let properties = file.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let fields: Map<String, Value> =
        properties.iter().map(|(name, field)| (name.clone(), field_of(schema, field, 0))).collect();
    let place = format!("The whole schema: /schemas/{}.schema.json", schema.name());
    json!({
        "type": "object",
        "description": place,
        "required": file.get("required").cloned().unwrap_or_else(|| json!([])),
        "properties": fields,
    })
}

fn read(schema: Schema) -> JsonObject {
    serde_json::from_str(schema.text()).unwrap_or_default()
}

/// References lead through a few files at most; a ring would be a defect of ours.
const DEEPEST: usize = 8;

fn field_of(schema: Schema, field: &Value, depth: usize) -> Value {
    let Some(fields) = field.as_object() else { return field.clone() };
    let mut brief: Map<String, Value> = match fields.get("$ref").and_then(Value::as_str) {
        Some(place) if depth < DEEPEST => {
            let (schema, found) = follow(schema, place);
            match field_of(schema, &found, depth + 1) {
                Value::Object(found) => found,
                _ => Map::new(),
            }
        }
        _ => Map::new(),
    };
    let plain = fields.iter().filter(|(name, _)| PLAIN.contains(&name.as_str()));
    brief.extend(plain.map(|(name, value)| (name.clone(), value.clone())));
    if let Some(items) = fields.get("items") {
        brief.insert("items".to_owned(), field_of(schema, items, depth + 1));
    }
    if let Some(required) = fields.get("required") {
        brief.insert("required".to_owned(), required.clone());
    }
    Value::Object(brief)
}

/// What a reference names, and the file it stands in.
fn follow(schema: Schema, place: &str) -> (Schema, Value) {
    let (file, pointer) = place.split_once('#').unwrap_or((place, ""));
    let named = file.strip_suffix(".schema.json").and_then(Schema::named);
    let schema = named.unwrap_or(schema);
    let found = Value::Object(read(schema)).pointer(pointer).cloned();
    (schema, found.unwrap_or_default())
}
