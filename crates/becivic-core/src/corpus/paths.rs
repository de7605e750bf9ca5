//! The Path Directory, `paths/index.json`: entries that fit their schema, and the names of those that do not.

use super::Shape;
use super::data::{schema_findings, typed};
use crate::finding::{Finding, MAX_FINDINGS_PER_FILE};
use crate::json;
use crate::node::Node;
use crate::path::PathEntry;
use crate::schema::Schema;
use crate::text::Source;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The Path Directory as read.
#[derive(Debug)]
pub struct Paths {
    /// The whole file.
    pub source: Source,
    /// The file with places.
    pub node: Node,
    /// The catalogue's own version.
    pub version: Option<String>,
    /// Entries by key.
    pub entries: BTreeMap<String, Path>,
    /// Keys whose entry does not fit the schema.
    pub broken: BTreeSet<String>,
}

/// One entry, and how to find its fields in the file.
#[derive(Debug)]
pub struct Path {
    /// The key in the catalogue.
    pub key: String,
    /// The entry.
    pub entry: PathEntry,
}

impl Paths {
    /// Reads the index; `None` when it is not JSON at all.
    pub fn read(source: Source, shape: Shape, findings: &mut Vec<Finding>) -> Option<Self> {
        let node = match json::read(source.text()) {
            Ok(node) => node,
            Err(error) => {
                let (rule, offset) = (error.rule, error.offset);
                findings.push(Finding::error(rule, &source, offset, error.message, error.help));
                return None;
            }
        };
        let value = node.to_value();
        let wrong = match shape {
            Shape::Unknown => schema_findings(Schema::PathsIndex, &source, &node, &value, findings),
            Shape::Right => Vec::new(),
        };
        let mut broken = wrong
            .into_iter()
            .filter_map(|pointer| {
                let key = pointer.strip_prefix("/paths/")?.split('/').next()?;
                Some(key.replace("~1", "/").replace("~0", "~"))
            })
            .collect::<BTreeSet<_>>();
        let mut entries = BTreeMap::new();
        let written = node.get("paths").map_or(&[][..], |paths| paths.entries());
        for (field, value) in written.iter().zip(values(&value)) {
            let key = field.key.to_string();
            // Where more is wrong than is listed, the rest is not read either.
            let listed = findings.len() <= MAX_FINDINGS_PER_FILE;
            if broken.contains(&key) || !listed {
                broken.insert(key);
                continue;
            }
            match typed(value.clone(), &source, field.key_span.start, findings) {
                Some(entry) => {
                    entries.insert(key.clone(), Path { key, entry });
                }
                None => {
                    broken.insert(key);
                }
            }
        }
        let version = value.get("version").and_then(|v| v.as_str()).map(str::to_owned);
        Some(Self { source, node, version, entries, broken })
    }

    /// Whether an entry exists, fitting or not.
    pub fn has(&self, id: &str) -> bool {
        self.entries.contains_key(id) || self.broken.contains(id)
    }

    /// Where a field of an entry is written; `pointer` is relative to the entry.
    pub fn place(&self, key: &str, pointer: &str) -> u32 {
        match self.node.get("paths").and_then(|paths| paths.entry(key)) {
            None => 0,
            Some(entry) if pointer.is_empty() => entry.key_span.start,
            Some(entry) => entry.value.locate(pointer).start,
        }
    }
}

/// The entries' values, in the order written.
fn values(index: &Value) -> impl Iterator<Item = &Value> {
    let paths = index.get("paths").and_then(Value::as_object);
    paths.into_iter().flat_map(|paths| paths.values())
}
