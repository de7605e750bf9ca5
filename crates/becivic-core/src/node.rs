//! A tree of values that remembers where each came from: what both the YAML and the JSON reader make.
//!
//! The tree is what schema errors are mapped back onto: a JSON pointer walks it to a [`Span`].

use crate::text::Span;
use serde_json::{Map, Number, Value};

/// No document we read nests deeper than this; more is refused, so recursion stays bounded.
pub const MAX_DEPTH: usize = 64;

/// No document we read holds more values than this (a paths index of 1,000 entries has ~150,000).
pub const MAX_VALUES: usize = 2_000_000;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value is written.
    pub span: Span,
    /// The value.
    pub kind: Kind,
}

/// The kinds of value JSON and our YAML subset share.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// Any number.
    Number(Number),
    /// A string.
    String(Box<str>),
    /// A list.
    List(Vec<Node>),
    /// An object, in the order written.
    Map(Vec<Entry>),
}

/// One key of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Box<str>,
    /// Where the key is written.
    pub key_span: Span,
    /// Its value.
    pub value: Node,
}

/// Why a document could not become a tree, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The rule id of the finding.
    pub rule: &'static str,
    /// Where.
    pub offset: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

impl Node {
    /// The value under a key of an object.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry under a key of an object, with the key's own place.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.kind {
            Kind::Map(entries) => entries.iter().find(|entry| &*entry.key == key),
            _ => None,
        }
    }

    /// The entries of an object; none for anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// Where the value a JSON pointer names is written. When the pointer leads nowhere (a missing
    /// field, say), the deepest value it does reach.
    pub fn locate(&self, pointer: &str) -> Span {
        self.locate_entry(pointer).unwrap_or_else(|deepest| deepest)
    }

    /// Where the *key* of the value a JSON pointer names is written (its value, inside a list).
    pub fn locate_key(&self, pointer: &str) -> Span {
        match pointer.rsplit_once('/') {
            None => self.span,
            Some((parent, last)) => {
                let key = unescape(last);
                let mut node = self;
                for part in parent.split('/').skip(1) {
                    match node.child(&unescape(part)) {
                        Some(next) => node = next,
                        None => return node.span,
                    }
                }
                match node.entry(&key) {
                    Some(entry) => entry.key_span,
                    None => node.child(&key).map_or(node.span, |child| child.span),
                }
            }
        }
    }

    fn locate_entry(&self, pointer: &str) -> Result<Span, Span> {
        let mut node = self;
        for part in pointer.split('/').skip(1) {
            node = node.child(&unescape(part)).ok_or(node.span)?;
        }
        Ok(node.span)
    }

    fn child(&self, part: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Map(_) => self.get(part),
            Kind::List(items) => items.get(part.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// The plain JSON value; strings are moved, not copied.
    pub fn into_value(self) -> Value {
        match self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(flag) => Value::Bool(flag),
            Kind::Number(number) => Value::Number(number),
            Kind::String(text) => Value::String(text.into_string()),
            Kind::List(items) => Value::Array(items.into_iter().map(Node::into_value).collect()),
            Kind::Map(entries) => {
                let mut map = Map::with_capacity(entries.len());
                for entry in entries {
                    map.insert(entry.key.into_string(), entry.value.into_value());
                }
                Value::Object(map)
            }
        }
    }

    /// The plain JSON value, without places.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(flag) => Value::Bool(*flag),
            Kind::Number(number) => Value::Number(number.clone()),
            Kind::String(text) => Value::String(text.to_string()),
            Kind::List(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Kind::Map(entries) => {
                let mut map = Map::with_capacity(entries.len());
                for entry in entries {
                    map.insert(entry.key.to_string(), entry.value.to_value());
                }
                Value::Object(map)
            }
        }
    }
}

/// A number as JSON Schema sees it: `4.0` is the integer 4. Writing it so changes nothing, and must not
/// make a value that fits its schema unreadable as an integer.
pub fn integral(number: Number) -> Number {
    /// Every integer up to here is exact as a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
            (float as i64).into()
        }
        Some(_) | None => number,
    }
}

fn unescape(part: &str) -> std::borrow::Cow<'_, str> {
    if part.contains('~') { part.replace("~1", "/").replace("~0", "~").into() } else { part.into() }
}
