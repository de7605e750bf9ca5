//! Searches text, files and columns for marks and addresses.

use super::speak::{ADDRESSES, MARK, MARK_LENGTH};
use crate::harness::Place;
use becivic_server::db::{Db, Value};
use memchr::memmem;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// What was found, by file.
#[derive(Debug, Default)]
pub struct Found {
    /// Marks.
    pub marks: BTreeMap<String, BTreeSet<String>>,
    /// Addresses, as text or as bytes.
    pub addresses: BTreeMap<String, BTreeSet<String>>,
}

impl Found {
    /// Whether nothing was.
    pub fn is_nothing(&self) -> bool {
        self.marks.is_empty() && self.addresses.is_empty()
    }

    fn look(&mut self, place: &str, bytes: &[u8]) {
        let marks = marks_in(bytes);
        if !marks.is_empty() {
            self.marks.insert(place.to_owned(), marks);
        }
        let addresses = addresses_in(bytes);
        if !addresses.is_empty() {
            self.addresses.insert(place.to_owned(), addresses);
        }
    }
}

/// Every mark in some bytes.
pub fn marks_in(bytes: &[u8]) -> BTreeSet<String> {
    let lower = bytes.to_ascii_lowercase();
    let mark_at =
        |at: usize| lower.get(at..at + MARK_LENGTH).map(|mark| String::from_utf8_lossy(mark).into_owned());
    memmem::find_iter(&lower, MARK).filter_map(mark_at).collect()
}

/// Every address in some bytes: written out, as sixteen bytes, or as the network it lies in. The four bytes of an IPv4
/// address turn up by chance in megabytes of hashes, so bare ones count only when most of the addresses turn up.
fn addresses_in(bytes: &[u8]) -> BTreeSet<String> {
    let holds = |needle: &[u8]| memmem::find(bytes, needle).is_some();
    let mut found = BTreeSet::new();
    let mut bare = BTreeSet::new();
    for text in ADDRESSES {
        let whole = match text.parse::<IpAddr>().expect("an address") {
            IpAddr::V4(v4) => {
                if holds(&v4.octets()) {
                    bare.insert(format!("{text} as four bytes"));
                }
                v4.to_ipv6_mapped().octets()[10..].to_vec()
            }
            IpAddr::V6(v6) => v6.octets()[..8].to_vec(),
        };
        if holds(text.as_bytes()) {
            found.insert(text.to_string());
        }
        if holds(&whole) {
            found.insert(format!("{text} as bytes"));
        }
    }
    if bare.len() >= 3 {
        found.append(&mut bare);
    }
    found
}

/// The same in one text.
pub fn found_in_text(bytes: &[u8]) -> Found {
    let mut found = Found::default();
    found.look("text", bytes);
    found
}

/// Files at a place that hold any of these bytes.
pub fn files_with(place: &Place, needles: &[Vec<u8>]) -> BTreeSet<String> {
    let holds = |bytes: &[u8]| needles.iter().any(|needle| memmem::find(bytes, needle).is_some());
    let files =
        files_of(place).into_iter().filter(|file| std::fs::read(file).is_ok_and(|bytes| holds(&bytes)));
    files.map(|file| file.display().to_string()).collect()
}

/// Every file at a place: data folder, logs, the database's own files.
fn files_of(place: &Place) -> Vec<PathBuf> {
    let mut files = files_below(place.folder());
    if let Some(cluster) = place.cluster() {
        let data = cluster.files();
        files.extend(files_below(data.parent().expect("a folder")));
    }
    files
}

/// The same in every file at a place.
pub fn found_in_files(place: &Place) -> Found {
    let mut found = Found::default();
    for file in files_of(place) {
        // A file may go while the database works.
        let Ok(bytes) = std::fs::read(&file) else { continue };
        found.look(&file.display().to_string(), &bytes);
    }
    found
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&entry.path()),
            Ok(kind) if kind.is_file() => vec![entry.path()],
            Ok(_) | Err(_) => Vec::new(),
        })
        .collect()
}

/// Which columns hold marks, and which marks.
pub fn holding_columns(place: &Place) -> BTreeMap<String, BTreeSet<String>> {
    let db = place.db();
    let mut holding: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (table, columns) in tables(place) {
        for row in every_row(&db, &table, &columns) {
            for (column, value) in columns.iter().zip(row) {
                let bytes = match value {
                    Value::Null | Value::Int(_) => Vec::new(),
                    Value::Text(text) => text.into_bytes(),
                    Value::Bytes(bytes) => bytes,
                };
                let found = found_in_text(&bytes);
                assert!(found.addresses.is_empty(), "{table}.{column} {found:?}");
                let marks: BTreeSet<String> = found.marks.into_values().flatten().collect();
                if !marks.is_empty() {
                    holding.entry(format!("{table}.{column}")).or_default().extend(marks);
                }
            }
        }
    }
    db.close();
    holding
}

/// Every table with its columns, as the database itself lists them.
pub fn tables(place: &Place) -> BTreeMap<String, Vec<String>> {
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for column in crate::store::columns_of(place) {
        let (table, column) = column.split_once('.').expect("a column of a table");
        tables.entry(table.to_owned()).or_default().push(column.to_owned());
    }
    tables
}

/// Every row of a table.
pub fn every_row(db: &Db, table: &str, columns: &[String]) -> Vec<Vec<Value>> {
    // The layer takes statements that live as long as the program; a test's few may.
    let sql: &'static str = Box::leak(format!("SELECT {} FROM {table}", columns.join(", ")).into_boxed_str());
    let rows = db.write_now(move |tx| tx.query(sql, &[])).expect("rows");
    rows.into_iter().map(|row| row.0).collect()
}
