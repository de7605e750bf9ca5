//! What a database does not know yet of the artefacts that are served: since when they are what they are, from Git alone
//! (DECISIONS §5).
//!
//! 1. A cohort began with the newest commit, by first parent, that changed its artefact's `major.minor` or asked for a reset.
//! 2. The walk goes from the oldest commit to the newest and reads only what each changed.
//! 3. Our own commits say only on which day they were made: such a day counts from its end, and never from later than now, so
//!    that nothing is older than it is.
//! 4. An artefact whose standing disagrees with its file follows the file; when the version line differs, with a new cohort.
//!    Whoever commits at the same moment knows better: nothing is done then.
//! 5. A row of the catalogue without a standing gets one: whatever was said of it counts again, and its age from now.

use super::Cause;
use super::follow::{self, Moved, line, resets_in};
use crate::bundled::COMMITTED_AT;
use crate::db::standings::{self, Standing};
use crate::db::{Db, DbError, Tx, corpus_commits, votes};
use crate::live::Live;
use crate::moment::{DAY, Moment};
use crate::repository::Repository;
use crate::transparency;
use becivic_core::corpus::{Corpus, Input};
use becivic_core::log::Hash;
use becivic_core::vocabulary::Status;
use std::collections::BTreeMap;

/// Since when an artefact exists, and its cohort.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Since {
    first: Moment,
    cohort: Moment,
    line: String,
}

/// `(type, id)` with status and version.
type Artefacts = BTreeMap<(&'static str, String), (Status, String)>;

/// Completes the standings of the served corpus; says how many were missing or wrong.
pub fn complete(db: &Db, repository: &Repository, live: &Live, now: Moment) -> anyhow::Result<usize> {
    let known = db.write_now(|tx| {
        let mut known = BTreeMap::new();
        for target_type in ["skill", "path"] {
            for (id, status, version) in standings::of_type(tx, target_type)? {
                known.insert((target_type, id), (status, version));
            }
        }
        Ok(known)
    })?;
    let served = artefacts(&live.corpus);
    let missing = served.keys().any(|key| !known.contains_key(key));
    let since = if missing { since(repository, live, now)? } else { BTreeMap::new() };
    let (mut new, mut moved) = (Vec::new(), Vec::new());
    for ((target_type, id), (status, version)) in &served {
        match known.get(&(*target_type, id.clone())) {
            Some((noted, at)) if noted == status.as_str() && at == version => {}
            Some(_) => {
                let to = Some((*status, version.clone()));
                let content = content(live, target_type, id);
                moved.push(Moved { target_type, id: id.clone(), to, reset: None, content });
            }
            None => {
                let mut standing = follow::begun((*target_type, id), *status, version, now);
                if let Some(since) = since.get(&(*target_type, id.clone())) {
                    standing.started_at = reached(since.cohort, now);
                    standing.first_at = reached(since.first, now);
                }
                new.push(standing);
            }
        }
    }
    let gone = known.keys().filter(|key| !served.contains_key(*key));
    moved.extend(gone.map(|(target_type, id)| Moved {
        target_type,
        id: id.clone(),
        to: None,
        reset: None,
        content: None,
    }));
    let count = new.len() + moved.len();
    if !moved.is_empty() {
        tracing::warn!(artefacts = moved.len(), "standings did not agree with the corpus; they follow it");
    }
    let commit = live.commit.clone();
    let rows = db.write_now(move |tx| {
        for standing in &new {
            // Another process that starts at the same time may have been faster.
            if standings::find(tx, &standing.target_type, &standing.target_id)?.is_none() {
                let mut standing = standing.clone();
                follow::resume(tx, &mut standing, now)?;
                standings::store(tx, &standing)?;
            }
        }
        for it in &moved {
            standings::lock(tx, it.target_type, &it.id)?;
        }
        // What another process has committed since is not undone: its standings are of a corpus that this one has yet to read.
        if corpus_commits::newest(tx)?.is_some_and(|(_, newest)| newest == commit) {
            follow::follow(tx, &moved, &Cause::act("pushed"), &commit, now)?;
        }
        rows(tx, now)
    })?;
    Ok(count + rows)
}

/// Completes the standings of the catalogue; says how many were missing.
fn rows(tx: &mut dyn Tx, now: Moment) -> Result<usize, DbError> {
    let missing = standings::missing_rows(tx)?;
    for it in &missing {
        let target = (it.target_type.as_str(), it.uid.as_str());
        let mut standing = Standing::new(target, &it.status, "", it.row_key.clone(), now);
        standing.tally = votes::recount(tx, &standing.artefact(), &standing.cohort)?;
        standing.look_at = Some(now);
        standings::store(tx, &standing)?;
    }
    Ok(missing.len())
}

/// Status and version of a skill or a path in its file.
pub fn stands<'a>(live: &'a Live, target_type: &str, id: &str) -> Option<(Status, &'a str)> {
    match target_type {
        "skill" => live.skill(id).map(|(_, front)| (front.status, front.version.as_str())),
        "path" => live.path(id).map(|path| (path.entry.status, path.entry.version.as_str())),
        _ => None,
    }
}

/// Lets a standing that somebody changed follow its file again. Where the version line differs, a cohort begins.
pub fn mend(tx: &mut dyn Tx, live: &Live, standing: &mut Standing, now: Moment) -> Result<(), DbError> {
    let Some((status, version)) = stands(live, &standing.target_type, &standing.target_id) else {
        return Ok(());
    };
    tracing::warn!(
        artefact = standing.artefact(),
        "a standing did not agree with its file; it follows the file"
    );
    status.as_str().clone_into(&mut standing.status);
    version.clone_into(&mut standing.version);
    if standing.line() != line(version) {
        standing.cohort = standing.next_cohort(line(version));
    }
    standing.tally = votes::recount(tx, &standing.artefact(), &standing.cohort)?;
    standings::store(tx, standing)?;
    let content = content(live, &standing.target_type, &standing.target_id);
    transparency::put_right(tx, standing, content, now).map(drop)
}

/// The digest of what a skill or a path says.
pub fn content(live: &Live, target_type: &str, id: &str) -> Option<Hash> {
    match target_type {
        "skill" => transparency::content_of_skill(&live.corpus, id),
        "path" => live.path(id).map(transparency::content_of_path),
        _ => None,
    }
}

fn artefacts(corpus: &Corpus) -> Artefacts {
    let skills = corpus.skills.iter().filter_map(|(id, skill)| {
        let front = skill.front.as_ref()?;
        Some((("skill", id.clone()), (front.status, front.version.clone())))
    });
    let paths = corpus.paths.iter().flat_map(|paths| paths.entries.iter());
    let paths =
        paths.map(|(id, path)| (("path", id.clone()), (path.entry.status, path.entry.version.clone())));
    skills.chain(paths).collect()
}

/// When a commit with this date joined `main`, at the latest.
fn reached(date: Moment, now: Moment) -> Moment {
    let latest = if date == date.day() { date.plus(DAY - 1) } else { date };
    latest.min(now)
}

/// Walks `main` from its beginning.
fn since(
    repository: &Repository,
    live: &Live,
    now: Moment,
) -> anyhow::Result<BTreeMap<(&'static str, String), Since>> {
    let mut found: BTreeMap<(&'static str, String), Since> = BTreeMap::new();
    let mut before: Option<String> = None;
    for sha in repository.first_parents(&live.commit)? {
        // What a data folder begins with has no date of its own: it joined `main` when the folder was made.
        let date = repository.describe(&sha)?.at;
        let at = if before.is_none() && date == COMMITTED_AT { now } else { date };
        let resets = resets_in(&repository.message(&sha)?);
        let seen = match &before {
            None if sha == live.commit => artefacts(&live.corpus),
            None => artefacts(&Corpus::from_inputs(repository.files(&sha)?)),
            Some(before) => artefacts(&Corpus::from_inputs(relevant(repository.changed(before, &sha)?.0))),
        };
        for ((target_type, id), (_, version)) in seen {
            let reset = resets.contains_key(&format!("{target_type}:{id}"));
            let line = line(&version).to_owned();
            let entry = found.entry((target_type, id)).or_insert_with(|| Since {
                first: at,
                cohort: at,
                line: line.clone(),
            });
            if entry.line != line || reset {
                entry.cohort = at;
                entry.line = line;
            }
        }
        before = Some(sha);
    }
    Ok(found)
}

fn relevant(files: Vec<Input>) -> Vec<Input> {
    let is_artefact = |path: &str| path.ends_with("/canonical.md") || path == "paths/index.json";
    files.into_iter().filter(|file| is_artefact(&file.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_counts_from_its_end_and_never_from_later_than_now() {
        let day = Moment(20_000 * DAY);
        let noon = day.plus(DAY / 2);
        assert_eq!(reached(day, noon), noon);
        assert_eq!(reached(day, day.plus(5 * DAY)), day.plus(DAY - 1));
        assert_eq!(reached(noon, day.plus(5 * DAY)), noon, "a maintainer's commit says when");
    }
}
