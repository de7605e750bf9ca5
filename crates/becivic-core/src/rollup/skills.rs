//! `skills/rollup.json` (§6.5).

use super::{Unreadable, to_text};
use crate::corpus::Corpus;
use crate::skill::{AppliesTo, Frontmatter};
use crate::vocabulary::{Origin, Status};
use serde::Serialize;
use serde_with::skip_serializing_none;

/// The version of the index's shape (§6.5).
const SCHEMA_VERSION: u32 = 3;

#[derive(Serialize)]
struct File<'a> {
    schema_version: u32,
    skills: Vec<Entry<'a>>,
}

#[skip_serializing_none]
#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    title: Option<&'a str>,
    version: &'a str,
    status: Status,
    origin: Option<Origin>,
    category: Option<&'a str>,
    applies_to: Option<AppliesTo>,
    last_verified: Option<&'a str>,
    summary: Option<&'a str>,
}

/// The text of `skills/rollup.json`.
pub fn skills(corpus: &Corpus) -> Result<String, Unreadable> {
    let broken = corpus.skills.values().filter(|skill| skill.front.is_none());
    let broken = broken.map(|skill| &skill.folder).chain(&corpus.unreadable_skills);
    let mut broken: Vec<String> = broken.map(|id| format!("skills/{id}/canonical.md")).collect();
    if !broken.is_empty() {
        broken.sort();
        return Err(Unreadable(broken));
    }
    let fronts = corpus.skills.values().filter_map(|skill| skill.front.as_ref());
    let mut skills: Vec<Entry<'_>> = fronts.map(entry).collect();
    skills.sort_by_key(|entry| entry.id);
    Ok(to_text(&File { schema_version: SCHEMA_VERSION, skills }))
}

fn entry(front: &Frontmatter) -> Entry<'_> {
    let shown = front.status != Status::Quarantined;
    Entry {
        id: &front.id,
        title: shown.then_some(front.title.as_str()),
        version: &front.version,
        status: front.status,
        origin: shown.then_some(front.origin),
        category: shown.then_some(front.category.as_str()),
        applies_to: shown.then(|| front.applies_to.clone().unwrap_or_default()),
        last_verified: front.last_verified.as_deref().filter(|_| shown),
        summary: front.summary.as_deref().filter(|_| shown),
    }
}
