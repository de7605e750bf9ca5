//! JSON laid out: two spaces for documents, one line per object for JSON Lines.
//!
//! Strings and numbers are copied as they are written, so nothing is re-spelled; objects keep their
//! order, except for the Path Directory: entries by key, fields of an entry as in §6.12.1.

use crate::json;
use crate::node::{Entry, Kind, Node, ReadError};
use crate::text::Span;

/// Which objects of a document are put in order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// None.
    Kept,
    /// This is the Path Directory: its `paths` and each entry.
    Paths,
    /// This is `paths`: by key.
    ByKey,
    /// This is an entry: by [`ENTRY_ORDER`].
    Entry,
}

/// The fields of a path entry in the order of §6.12.1, the optional ones where they belong.
const ENTRY_ORDER: &[&str] = &[
    "id",
    "uid",
    "title",
    "description",
    "themes",
    "authority_id",
    "schema_version",
    "version",
    "version_pin",
    "status",
    "origin",
    "category",
    "purpose",
    "applies_to",
    "outputs",
    "sources",
    "related_skills",
    "last_verified",
    "verification_notes",
    "superseded_by",
    "previous_stable_sha",
];

/// A document with two spaces per level.
pub fn document(text: &str, order: Order) -> Result<String, ReadError> {
    let node = json::read(text)?;
    let mut out = String::with_capacity(text.len());
    pretty(text, &node, order, 0, &mut out);
    Ok(out)
}

/// JSON Lines: one object per line, blank lines dropped.
pub fn lines(text: &str) -> Result<String, ReadError> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            let node = json::read(line)
                .map_err(|error| ReadError { offset: Span::at(at + error.offset as usize).start, ..error })?;
            compact(line, &node, &mut out);
            out.push('\n');
        }
        at += line.len();
    }
    Ok(out)
}

fn pretty(text: &str, node: &Node, order: Order, depth: usize, out: &mut String) {
    match &node.kind {
        Kind::List(items) if items.is_empty() => out.push_str("[]"),
        Kind::Map(entries) if entries.is_empty() => out.push_str("{}"),
        Kind::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                new_line(index > 0, depth + 1, out);
                pretty(text, item, Order::Kept, depth + 1, out);
            }
            new_line(false, depth, out);
            out.push(']');
        }
        Kind::Map(entries) => {
            out.push('{');
            for (index, entry) in in_order(entries, order).into_iter().enumerate() {
                new_line(index > 0, depth + 1, out);
                out.push_str(slice(text, entry.key_span));
                out.push_str(": ");
                pretty(text, &entry.value, order.below(&entry.key), depth + 1, out);
            }
            new_line(false, depth, out);
            out.push('}');
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) => {
            out.push_str(slice(text, node.span));
        }
    }
}

fn compact(text: &str, node: &Node, out: &mut String) {
    let separate = |index: usize, out: &mut String| {
        if index > 0 {
            out.push_str(", ");
        }
    };
    match &node.kind {
        Kind::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(index, out);
                compact(text, item, out);
            }
            out.push(']');
        }
        Kind::Map(entries) => {
            out.push('{');
            for (index, entry) in entries.iter().enumerate() {
                separate(index, out);
                out.push_str(slice(text, entry.key_span));
                out.push_str(": ");
                compact(text, &entry.value, out);
            }
            out.push('}');
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) => {
            out.push_str(slice(text, node.span));
        }
    }
}

impl Order {
    /// The order of the value under `key` of an object in this order.
    fn below(self, key: &str) -> Self {
        match self {
            Self::Paths if key == "paths" => Self::ByKey,
            Self::ByKey => Self::Entry,
            Self::Kept | Self::Paths | Self::Entry => Self::Kept,
        }
    }
}

fn in_order(entries: &[Entry], order: Order) -> Vec<&Entry> {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    match order {
        Order::Kept | Order::Paths => {}
        Order::ByKey => entries.sort_by(|a, b| a.key.cmp(&b.key)),
        Order::Entry => entries.sort_by_key(|entry| {
            let known = ENTRY_ORDER.iter().position(|field| *field == &*entry.key);
            known.unwrap_or(ENTRY_ORDER.len())
        }),
    }
    entries
}

fn new_line(comma: bool, depth: usize, out: &mut String) {
    if comma {
        out.push(',');
    }
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.range()).unwrap_or_default()
}
