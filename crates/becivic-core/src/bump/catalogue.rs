//! The versions of the Path Directory: each entry's, then its own (§6.12.7).

use super::{Bump, Plan, Seen, Why, replaced, version_span};
use crate::corpus::{Path, Paths};
use crate::path::PathEntry;
use crate::text::Span;
use crate::version::{self, Before, Edit, Version};
use std::collections::BTreeMap;

/// Plans the directory's versions.
pub fn plan(paths: &Paths, before: Option<&Paths>, existed: bool, plan: &mut Plan) {
    let mut edits: Vec<(Span, Version)> = Vec::new();
    let mut after: BTreeMap<&str, PathEntry> = BTreeMap::new();
    for path in paths.entries.values() {
        let artefact = format!("paths/{}", path.key);
        let mut entry = path.entry.clone();
        match judge(path, before, existed) {
            Judged::Pinned => plan.pinned.push(artefact),
            Judged::Fine => {}
            Judged::Bump(from, to, why) => {
                if let Some(span) = entry_version(paths, &path.key, from) {
                    edits.push((span, to));
                    entry.version = to.to_string();
                    plan.bumps.push(Bump { artefact, from, to, why });
                }
            }
        }
        after.insert(&path.key, entry);
    }
    plan.unreadable.extend(paths.broken.iter().map(|key| format!("paths/{key}")));
    if paths.broken.is_empty()
        && let Some((from, to, why)) = own_version(paths, before, existed, &after)
        && let Some(span) = version_span(&paths.node, paths.source.text(), from)
    {
        edits.push((span, to));
        plan.bumps.push(Bump { artefact: "paths/index.json".to_owned(), from, to, why });
    }
    if !edits.is_empty() {
        let text = replaced(paths.source.text(), &mut edits);
        plan.files.insert(paths.source.path().to_owned(), text);
    }
}

enum Judged {
    Fine,
    Pinned,
    Bump(Version, Version, Why),
}

fn judge(path: &Path, before: Option<&Paths>, existed: bool) -> Judged {
    let old = before.and_then(|before| before.entries.get(&path.key)).map(|old| &old.entry);
    if old == Some(&path.entry) {
        return Judged::Fine;
    }
    let Ok(now) = path.entry.version.parse::<Version>() else {
        return Judged::Fine;
    };
    if path.entry.version_pin == Some(true) {
        return Judged::Pinned;
    }
    let was = old.and_then(|old| Some(Before { status: old.status, version: old.version.parse().ok()? }));
    let edit = match old {
        Some(old) if same_but_version(old, &path.entry) => Edit::Nothing,
        Some(_) | None => Edit::Content,
    };
    // The entry may have existed in a base that cannot be read, whole or in part.
    let existed = match before {
        None => existed,
        Some(before) => before.has(&path.key),
    };
    let seen = Seen { was, existed, edit, status: path.entry.status, now };
    seen.judge().map_or(Judged::Fine, |(to, why)| Judged::Bump(now, to, why))
}

fn own_version(
    paths: &Paths,
    before: Option<&Paths>,
    existed: bool,
    after: &BTreeMap<&str, PathEntry>,
) -> Option<(Version, Version, Why)> {
    let now: Version = paths.version.as_deref()?.parse().ok()?;
    let was = before.and_then(|before| before.version.as_deref()?.parse::<Version>().ok());
    let changed = before.is_none_or(|before| {
        !before.broken.is_empty()
            || before.entries.len() != after.len()
            || before.entries.iter().any(|(key, old)| after.get(key.as_str()) != Some(&old.entry))
    });
    let from = match was {
        Some(was) => Some(was),
        None if existed => Some(now),
        None => None,
    };
    let statuses = after.values().map(|entry| entry.status);
    let to = version::catalogue(statuses, from, changed && was.is_some());
    let why = match (existed, changed) {
        (false, _) => Why::New,
        (true, true) => Why::Entries,
        (true, false) => Why::NothingElse,
    };
    (to != now).then_some((now, to, why))
}

fn same_but_version(old: &PathEntry, new: &PathEntry) -> bool {
    let mut old = old.clone();
    old.version.clone_from(&new.version);
    old == *new
}

/// Where an entry's version is written, without its quotes.
fn entry_version(paths: &Paths, key: &str, version: Version) -> Option<Span> {
    let entry = paths.node.get("paths")?.get(key)?;
    version_span(entry, paths.source.text(), version)
}
