//! The crate against the fixtures: one test binary, one module per question.

mod consensus;
mod drift;
mod eligibility;
mod fixtures;
mod form;
mod fuzz_seeds;
mod log;
mod log_answered;
mod log_audit;
mod log_replay;
mod names;
mod probes;
mod scrub;
mod search;
mod signals;
mod words;

use becivic_core::schema::Schema;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// `fixtures/` of the repository.
fn fixture_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// A path as the repository names it, for messages.
fn shown(path: &Path) -> String {
    let inside = path.strip_prefix(fixture_dir()).unwrap_or(path);
    format!("fixtures/{}", inside.display())
}

/// Every JSON file below a folder, in order.
fn json_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else {
        return files;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files.extend(json_files(&path));
        } else if path.extension().is_some_and(|ext| ext == "json") {
            files.push(path);
        }
    }
    files
}

fn read_text(path: &Path) -> String {
    let text = std::fs::read_to_string(path);
    text.map_err(|error| format!("{}: {error}", shown(path))).expect("a readable fixture")
}

/// A fixture, read by the crate's own JSON reader.
fn read_json(path: &Path) -> Value {
    let node = becivic_core::json::read(&read_text(path));
    let node = node.map_err(|error| format!("{}: {}", shown(path), error.message));
    node.expect("a fixture in JSON").to_value()
}

/// The folders of `fixtures/index.json` and the schema each stands for.
fn folders() -> Vec<(PathBuf, Schema)> {
    let index = read_json(&fixture_dir().join("index.json"));
    let entries = index.as_object().expect("an object");
    entries
        .iter()
        .map(|(folder, name)| {
            let schema = name.as_str().and_then(Schema::named).expect("a schema of this name");
            (fixture_dir().join(folder), schema)
        })
        .collect()
}
