//! `paths/rollup.json` (§6.5.1).

use super::{Unreadable, to_text};
use crate::corpus::Corpus;
use crate::path::{Multilingual, PathEntry, SourceClass};
use crate::vocabulary::{Origin, Role, Status};
use serde::Serialize;
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

/// The version of the index's shape (§6.5.1).
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct File<'a> {
    schema_version: u32,
    paths: Vec<Entry<'a>>,
}

#[skip_serializing_none]
#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    uid: Option<&'a str>,
    title: Option<&'a Multilingual>,
    version: &'a str,
    status: Status,
    origin: Option<Origin>,
    category: Option<&'a str>,
    purpose: Option<Role>,
    last_verified: Option<&'a str>,
    sources_summary: Option<Sources>,
}

#[derive(Serialize)]
struct Sources {
    count: usize,
    by_class: BTreeMap<SourceClass, usize>,
}

/// The text of `paths/rollup.json`; a corpus without a Path Directory has an empty list.
pub fn paths(corpus: &Corpus) -> Result<String, Unreadable> {
    if corpus.paths_unreadable {
        return Err(Unreadable(vec!["paths/index.json".to_owned()]));
    }
    let mut paths = Vec::new();
    if let Some(directory) = &corpus.paths {
        if !directory.broken.is_empty() {
            let named = directory.broken.iter().map(|id| format!("paths/index.json: {id}"));
            return Err(Unreadable(named.collect()));
        }
        paths.extend(directory.entries.values().map(|path| entry(&path.entry)));
    }
    paths.sort_by_key(|entry: &Entry<'_>| entry.id);
    Ok(to_text(&File { schema_version: SCHEMA_VERSION, paths }))
}

fn entry(path: &PathEntry) -> Entry<'_> {
    let shown = path.status != Status::Quarantined;
    let mut by_class = BTreeMap::new();
    for source in &path.sources {
        *by_class.entry(source.source_class).or_default() += 1;
    }
    Entry {
        id: &path.id,
        uid: path.uid.as_deref().filter(|_| shown),
        title: shown.then_some(&path.title),
        version: &path.version,
        status: path.status,
        origin: shown.then_some(path.origin),
        category: shown.then_some(path.category.as_str()),
        purpose: shown.then_some(path.purpose),
        last_verified: shown.then_some(path.last_verified.as_str()),
        sources_summary: shown.then_some(Sources { count: path.sources.len(), by_class }),
    }
}
