//! A schema in one piece, for readers who cannot follow references to other files: what it refers to comes along, under `$defs`.

use super::Schema;
use serde_json::{Map, Value, json};

impl Schema {
    /// The schema with everything it refers to, and nothing else.
    pub fn alone(self) -> Value {
        let mut defs = Map::new();
        let mut whole = rewritten(self, &file(self), &mut defs);
        if let (Some(fields), false) = (whole.as_object_mut(), defs.is_empty()) {
            fields.insert("$defs".to_owned(), Value::Object(defs));
        }
        whole
    }
}

fn file(schema: Schema) -> Value {
    serde_json::from_str(schema.text()).unwrap_or_default()
}

/// A part of a file, with its references leading into `defs`; what they lead to is added there.
fn rewritten(schema: Schema, part: &Value, defs: &mut Map<String, Value>) -> Value {
    match part {
        Value::Object(fields) => {
            // A name of its own would make references lead elsewhere.
            let own = ["$defs", "$id", "$schema"];
            let each =
                fields.iter().filter(|(name, _)| !own.contains(&name.as_str())).map(|(name, value)| {
                    let value = match (name.as_str(), value.as_str()) {
                        ("$ref", Some(place)) => json!(brought(schema, place, defs)),
                        _ => rewritten(schema, value, defs),
                    };
                    (name.clone(), value)
                });
            Value::Object(each.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| rewritten(schema, item, defs)).collect()),
        plain => plain.clone(),
    }
}

/// Brings along what a reference leads to, and says where it is now.
fn brought(schema: Schema, place: &str, defs: &mut Map<String, Value>) -> String {
    let (named, pointer) = place.split_once('#').unwrap_or((place, ""));
    let schema = named.strip_suffix(".schema.json").and_then(Schema::named).unwrap_or(schema);
    let last = pointer.rsplit('/').next().unwrap_or_default();
    let name = if last.is_empty() { schema.name().to_owned() } else { format!("{}.{last}", schema.name()) };
    if !defs.contains_key(&name) {
        // First a place holder: a definition may lead back to itself.
        defs.insert(name.clone(), Value::Bool(true));
        let found = file(schema).pointer(pointer).cloned().unwrap_or_default();
        let brought = rewritten(schema, &found, defs);
        defs.insert(name.clone(), brought);
    }
    format!("#/$defs/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_stands_alone() {
        for schema in Schema::ALL {
            let alone = schema.alone();
            let text = alone.to_string();
            assert!(
                !text.contains(".schema.json#") && !text.contains("\"#/$defs/date\""),
                "{}",
                schema.name()
            );
            jsonschema::options().build(&alone).unwrap_or_else(|why| panic!("{}: {why}", schema.name()));
        }
    }
}
