//! The catalogue of volatile values and references, as far as rules and readers need it.
//!
//! [`Catalogue`] is the interface; [`SeedCatalogue`], read from the corpus' seed files, is its first
//! implementation. A served corpus answers from the database instead (DECISIONS §4, §14).

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use std::sync::Arc;

/// The current row of a volatile value.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ValueRow {
    pub uid: String,
    pub name: String,
    pub value: Value,
    pub value_type: String,
    /// The reference the value was taken from, by name.
    pub source: Option<String>,
    /// The day, month or year that reference speaks for.
    pub as_of: Option<String>,
    pub status: String,
    pub committed_at: String,
}

impl ValueRow {
    /// The value as a reader sees it; of one that was put away, that there is none.
    pub fn shown(&self) -> String {
        match &self.value {
            Value::String(text) => text.clone(),
            Value::Null => "[unresolved]".to_owned(),
            other => other.to_string(),
        }
    }
}

/// The current row of a reference.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ReferenceRow {
    pub uid: String,
    pub name: String,
    pub title: String,
    pub url: String,
    pub last_verified: Option<String>,
    pub archived_url: Option<String>,
    pub status: String,
    pub committed_at: String,
}

/// Current rows by uid and by name.
pub trait Catalogue: Sync {
    /// The value with this uid.
    fn value(&self, uid: &str) -> Option<&ValueRow>;
    /// The value with this name.
    fn value_named(&self, name: &str) -> Option<&ValueRow>;
    /// The reference with this uid.
    fn reference(&self, uid: &str) -> Option<&ReferenceRow>;
    /// The reference with this name.
    fn reference_named(&self, name: &str) -> Option<&ReferenceRow>;
}

impl<C: Catalogue + Send> Catalogue for Arc<C> {
    fn value(&self, uid: &str) -> Option<&ValueRow> {
        self.as_ref().value(uid)
    }

    fn value_named(&self, name: &str) -> Option<&ValueRow> {
        self.as_ref().value_named(name)
    }

    fn reference(&self, uid: &str) -> Option<&ReferenceRow> {
        self.as_ref().reference(uid)
    }

    fn reference_named(&self, name: &str) -> Option<&ReferenceRow> {
        self.as_ref().reference_named(name)
    }
}

/// The catalogue of the seed files.
#[derive(Clone, Debug, Default)]
pub struct SeedCatalogue {
    values: Table<ValueRow>,
    references: Table<ReferenceRow>,
}

#[derive(Clone, Debug)]
struct Table<Row> {
    rows: Vec<Row>,
    by_uid: FxHashMap<String, usize>,
    by_name: FxHashMap<String, usize>,
}

impl<Row> Default for Table<Row> {
    fn default() -> Self {
        Self { rows: Vec::new(), by_uid: FxHashMap::default(), by_name: FxHashMap::default() }
    }
}

impl<Row> Table<Row> {
    /// Adds a row; says which key was taken already.
    fn add(&mut self, uid: &str, name: &str, row: Row) -> Result<(), Taken> {
        if self.by_uid.contains_key(uid) {
            return Err(Taken::Uid);
        }
        if self.by_name.contains_key(name) {
            return Err(Taken::Name);
        }
        self.by_uid.insert(uid.to_owned(), self.rows.len());
        self.by_name.insert(name.to_owned(), self.rows.len());
        self.rows.push(row);
        Ok(())
    }

    fn uid(&self, uid: &str) -> Option<&Row> {
        self.by_uid.get(uid).and_then(|index| self.rows.get(*index))
    }

    fn name(&self, name: &str) -> Option<&Row> {
        self.by_name.get(name).and_then(|index| self.rows.get(*index))
    }
}

/// Which key of a row exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The uid.
    Uid,
    /// The name.
    Name,
}

impl SeedCatalogue {
    /// Adds a value.
    pub fn add_value(&mut self, row: ValueRow) -> Result<(), Taken> {
        let (uid, name) = (row.uid.clone(), row.name.clone());
        self.values.add(&uid, &name, row)
    }

    /// Adds a reference.
    pub fn add_reference(&mut self, row: ReferenceRow) -> Result<(), Taken> {
        let (uid, name) = (row.uid.clone(), row.name.clone());
        self.references.add(&uid, &name, row)
    }

    /// Forgets the values.
    pub(crate) fn clear_values(&mut self) {
        self.values = Table::default();
    }

    /// Forgets the references.
    pub(crate) fn clear_references(&mut self) {
        self.references = Table::default();
    }

    /// Every value, in the order of the file.
    pub fn values(&self) -> &[ValueRow] {
        &self.values.rows
    }

    /// Every reference, in the order of the file.
    pub fn references(&self) -> &[ReferenceRow] {
        &self.references.rows
    }
}

impl Catalogue for SeedCatalogue {
    fn value(&self, uid: &str) -> Option<&ValueRow> {
        self.values.uid(uid)
    }

    fn value_named(&self, name: &str) -> Option<&ValueRow> {
        self.values.name(name)
    }

    fn reference(&self, uid: &str) -> Option<&ReferenceRow> {
        self.references.uid(uid)
    }

    fn reference_named(&self, name: &str) -> Option<&ReferenceRow> {
        self.references.name(name)
    }
}
