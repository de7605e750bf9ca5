//! The catalogue's files in the tree follow what the changed texts cite: whoever checks a clone finds every uid there, and
//! what it says.

use crate::catalogue::{Catalogue, SeedCatalogue};
use crate::corpus::Corpus;
use crate::vocabulary::Status;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

const VALUES: &str = "catalogue/volatile-values.jsonl";
const REFERENCES: &str = "catalogue/references.jsonl";

/// The catalogue files that must change so that these uids say in them what the catalogue says.
pub fn follow(
    corpus: &Corpus,
    catalogue: &dyn Catalogue,
    uids: &BTreeSet<String>,
) -> BTreeMap<String, String> {
    let seeds: &SeedCatalogue = &corpus.catalogue;
    let values = uids.iter().filter_map(|uid| catalogue.value(uid));
    let values = values.filter(|row| seeds.value(&row.uid) != Some(*row) && is_there(&row.status));
    let references = uids.iter().filter_map(|uid| catalogue.reference(uid));
    let references =
        references.filter(|row| seeds.reference(&row.uid) != Some(*row) && is_there(&row.status));
    let mut files = BTreeMap::new();
    let values: BTreeMap<&str, String> = values.map(|row| (row.uid.as_str(), line(row))).collect();
    if !values.is_empty() {
        files.insert(
            VALUES.to_owned(),
            replaced(seeds.values().iter().map(|row| (row.uid.as_str(), line(row))), values),
        );
    }
    let references: BTreeMap<&str, String> = references.map(|row| (row.uid.as_str(), line(row))).collect();
    if !references.is_empty() {
        let rows = seeds.references().iter().map(|row| (row.uid.as_str(), line(row)));
        files.insert(REFERENCES.to_owned(), replaced(rows, references));
    }
    files
}

/// Whether a row says anything. One that was put away has nothing that a file could hold: its line stays as it was, and who
/// cites it does so still.
fn is_there(status: &str) -> bool {
    Status::named(status).is_some_and(Status::is_published)
}

fn replaced<'r>(rows: impl Iterator<Item = (&'r str, String)>, mut new: BTreeMap<&str, String>) -> String {
    let mut text = String::new();
    for (uid, line) in rows {
        text.push_str(&new.remove(uid).unwrap_or(line));
        text.push('\n');
    }
    for line in new.into_values() {
        text.push_str(&line);
        text.push('\n');
    }
    // As `becivic fmt` lays them out: a blank after each separator.
    crate::format::canonical(VALUES, text.as_bytes()).ok().flatten().unwrap_or(text)
}

fn line(row: &impl Serialize) -> String {
    serde_json::to_string(row).unwrap_or_default()
}
