//! Every string of a JSON value, at any depth, keys too. A number is read as it is written: digits are no
//! less personal without quotes.
//!
//! A rule with `all_strings` reads them all. One with dotted paths reads what is at such a path or below
//! it; `[]` stands for the entries of a list. Keys have no path of their own: they belong to their object.

use super::{Hit, Scrubber};
use crate::scrub_rules::Fields;
use serde_json::Value;

/// Something found in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldHit {
    /// The string, or for a key the object that has it, as a JSON pointer.
    pub pointer: String,
    /// Whether it is in a key of that object.
    pub in_key: bool,
    /// Where in the string, and by which rule.
    pub hit: Hit,
}

impl Scrubber {
    /// Everything found in a value, in its order.
    pub fn scan_value(&self, value: &Value) -> Vec<FieldHit> {
        self.scan_value_but(value, |_| false)
    }

    /// The same without keys that are known to be clean.
    pub fn scan_value_but(&self, value: &Value, is_clean_key: fn(&str) -> bool) -> Vec<FieldHit> {
        let (pointer, path) = (String::new(), String::new());
        let mut walk = Walk { scrubber: self, is_clean_key, pointer, path, found: Vec::new() };
        walk.value(value);
        walk.found
    }
}

struct Walk<'s> {
    scrubber: &'s Scrubber,
    is_clean_key: fn(&str) -> bool,
    pointer: String,
    path: String,
    found: Vec<FieldHit>,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.text(text, false),
            Value::Array(entries) => {
                for (index, entry) in entries.iter().enumerate() {
                    self.below(&index.to_string(), "[]", entry);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    if (self.is_clean_key)(name) {
                        // Such a name has nothing to escape either.
                        self.below(name, name, field);
                        continue;
                    }
                    self.text(name, true);
                    self.below(&name.replace('~', "~0").replace('/', "~1"), name, field);
                }
            }
            Value::Number(number) => self.text(&number.to_string(), false),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn below(&mut self, pointer: &str, step: &str, value: &Value) {
        let (pointer_end, path_end) = (self.pointer.len(), self.path.len());
        self.pointer.push('/');
        self.pointer.push_str(pointer);
        if !self.path.is_empty() && step != "[]" {
            self.path.push('.');
        }
        self.path.push_str(step);
        self.value(value);
        self.pointer.truncate(pointer_end);
        self.path.truncate(path_end);
    }

    fn text(&mut self, text: &str, in_key: bool) {
        let rules = self.scrubber.rules();
        let is_asked =
            |rule: usize| rules.get(rule).is_none_or(|rule| reads(&rule.applies_to_fields, &self.path));
        for hit in self.scrubber.scan_with(text, is_asked) {
            self.found.push(FieldHit { pointer: self.pointer.clone(), in_key, hit });
        }
    }
}

/// Whether a rule with these fields reads what is at this path.
fn reads(fields: &Fields, path: &str) -> bool {
    match fields {
        Fields::Everywhere(_) => true,
        Fields::Paths(paths) => paths.iter().any(|covered| {
            path.strip_prefix(covered.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        }),
    }
}
