//! Fields written as YAML that reads back as exactly the same values.
//!
//! 1. A string is plain where it reads back as itself, in double quotes otherwise.
//! 2. A list of scalars stands on one line, a list of objects has an item per `-`, objects are indented.
//! 3. What was written is read; should it mean anything else, the field is written as JSON, which is YAML too.

use super::read;
use serde_json::{Map, Value};

/// A field of a block mapping, with its newline.
pub fn field(key: &str, value: &Value) -> String {
    let mut text = String::new();
    entry(key, value, 0, &mut text);
    let read_back = read(&text, 0).ok().and_then(|node| node.to_value().get(key).cloned());
    if read_back.as_ref() == Some(value) { text } else { format!("{}: {value}\n", scalar(key)) }
}

/// A string as YAML: plain when it reads back as itself, in double quotes otherwise.
pub fn scalar(text: &str) -> String {
    quoted_unless(text, &format!("k: {text}\n"), |node| node.get("k").and_then(Value::as_str) == Some(text))
}

fn in_list(text: &str) -> String {
    quoted_unless(text, &format!("k: [{text}, x]\n"), |node| {
        let items = node.get("k").and_then(Value::as_array);
        items.is_some_and(|items| items.len() == 2 && items.first().and_then(Value::as_str) == Some(text))
    })
}

fn quoted_unless(text: &str, trial: &str, is_itself: impl Fn(&Value) -> bool) -> String {
    let plain = !text.contains('\n') && read(trial, 0).is_ok_and(|node| is_itself(&node.to_value()));
    if plain { text.to_owned() } else { Value::String(text.to_owned()).to_string() }
}

fn entry(key: &str, value: &Value, indent: usize, out: &mut String) {
    let margin = " ".repeat(indent);
    out.push_str(&format!("{margin}{}:", scalar(key)));
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            out.push('\n');
            object(fields, indent + 2, out);
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            out.push('\n');
            items.iter().for_each(|item| list_item(item, indent + 2, out));
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| plain(item, in_list)).collect();
            out.push_str(&format!(" [{}]\n", items.join(", ")));
        }
        other => out.push_str(&format!(" {}\n", plain(other, scalar))),
    }
}

fn object(fields: &Map<String, Value>, indent: usize, out: &mut String) {
    fields.iter().for_each(|(key, value)| entry(key, value, indent, out));
}

fn list_item(item: &Value, indent: usize, out: &mut String) {
    let margin = " ".repeat(indent);
    match item {
        Value::Object(fields) if !fields.is_empty() => {
            let mut text = String::new();
            object(fields, indent + 2, &mut text);
            out.push_str(&format!("{margin}- {}", text.trim_start()));
        }
        other => out.push_str(&format!("{margin}- {}\n", plain(other, scalar))),
    }
}

fn plain(value: &Value, string: impl Fn(&str) -> String) -> String {
    match value {
        Value::String(text) => string(text),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whatever_is_written_reads_back() {
        let value = json!({
            "title": "A: b # c", "plain": "some words", "number": 3, "word": "true", "empty": "", "none": null,
            "tags": ["a", "b, c", "[d]", "0123"], "lines": "one\ntwo", "nothing": [], "no_fields": {},
            "list": [{"id": "x", "notes": "y: z", "deep": {"a": [1, 2]}}, {"id": "é"}], "mixed": [[1], "- x"],
            "nested": {"fr": ["d'accord", "l'acte"], "k e y": "@x"},
        });
        for (key, value) in value.as_object().expect("an object") {
            let text = field(key, value);
            let read = read(&text, 0).unwrap_or_else(|error| panic!("{text}: {}", error.message));
            assert_eq!(read.to_value().get(key), Some(value), "{text}");
        }
        assert_eq!(field("tags", &json!(["a", "b c"])), "tags: [a, b c]\n");
        assert_eq!(field("r", &json!([{"id": "x", "n": 1}])), "r:\n  - id: x\n    n: 1\n");
    }
}
