//! Schemas as every client reads them. A client that cannot compile a pattern cannot call the tool at all, and the regular expressions of
//! its language need not know properties of characters or code points beyond four digits. Such a pattern is left out: the rule itself is
//! the route's, and holds all the same.

use rmcp::model::JsonObject;
use serde_json::Value;

/// What some language's regular expressions do not know.
const RARE: [&str; 4] = [r"\p", r"\P", r"\u{", "(?<"];

/// The schema without patterns that only some languages have.
pub fn portable(mut schema: JsonObject) -> JsonObject {
    schema.retain(|name, value| {
        let pattern = value.as_str().filter(|_| name == "pattern").unwrap_or_default();
        !RARE.iter().any(|rare| pattern.contains(rare))
    });
    schema.into_iter().map(|(name, value)| (name, within(value))).collect()
}

fn within(value: Value) -> Value {
    match value {
        Value::Object(schema) => Value::Object(portable(schema)),
        Value::Array(schemas) => schemas.into_iter().map(within).collect(),
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_patterns_that_some_languages_lack_are_left_out() {
        let schema = json!({
            "properties": {
                "pattern": {"type": "string", "pattern": r"^[^\p{Cc}]*$"},
                "id": {"pattern": r"^val-\d{5}$"},
                "tags": {"items": [{"pattern": r"\u{e0000}", "maxLength": 3}]},
            },
        });
        let expected = json!({
            "properties": {
                "pattern": {"type": "string"},
                "id": {"pattern": r"^val-\d{5}$"},
                "tags": {"items": [{"maxLength": 3}]},
            },
        });
        assert_eq!(within(schema), expected);
    }
}
