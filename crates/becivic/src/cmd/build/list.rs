//! The list of what a build wrote, kept in the folder itself: what to leave alone next time, and what to remove.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Where the list is.
pub const NAME: &str = ".becivic-build.json";

/// What a build wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// Whether the build came to its end: otherwise only the names count.
    pub finished: bool,
    /// The files, by name.
    pub files: BTreeMap<String, Entry>,
}

/// One file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// What it was made of.
    pub inputs: String,
    /// What it holds.
    pub content: String,
    /// How long it is.
    pub length: u64,
}

/// A file that was made.
pub struct Made {
    /// Its name.
    pub name: String,
    /// What is noted of it.
    pub entry: Entry,
}

impl List {
    /// What the whole folder holds, names and contents: equal for equal sites, wherever they are.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for (name, entry) in &self.files {
            hash.update(format!("{name}\0{}\n", entry.content));
        }
        hex(&hash.finalize())
    }
}

/// Bytes as text.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
