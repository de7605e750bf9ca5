//! A commit joins `main`: what artefacts are now, in the transaction that notes it.
//!
//! 1. Artefacts whose status or version differs are found by comparing the corpus before and after; what did not change is
//!    shared between the two and passed over.
//! 2. Another version line, or the trailer `Cohort: reset type:id`, ends the cohort and begins the next. An amendment's reset carries
//!    rejects and flags over, with the voters who may still change their minds; confirms stay behind.
//! 3. Whoever voted in a cohort that ended is forgotten; at stable, who wrote the text is too (DECISIONS §6).
//! 4. A change of status is written down with its cause.

use super::{Cause, Written, merged, note};
use crate::db::standings::{self, Standing};
use crate::db::{DbError, Tx, contributors, salts, source_tallies, transitions, votes};
use crate::moment::Moment;
use crate::transparency;
use becivic_core::consensus::{self, SourceTally};
use becivic_core::corpus::{Corpus, Path};
use becivic_core::log::Hash;
use becivic_core::vocabulary::Status;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a cohort is begun anew without another version line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Nothing is carried over.
    Fresh,
    /// Rejects and flags are.
    Carrying,
}

/// What became of an artefact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// `skill` or `path`.
    pub target_type: &'static str,
    /// Which.
    pub id: String,
    /// Status and version; `None` when it is gone.
    pub to: Option<(Status, String)>,
    /// Whether its cohort begins anew in any case.
    pub reset: Option<Reset>,
    /// The digest of what it says.
    pub content: Option<Hash>,
}

/// The resets that a commit's message asks for, by `type:id`.
pub fn resets_in(message: &str) -> BTreeMap<String, Reset> {
    let by_amendment = message.lines().any(|line| line.starts_with("Submission: amd-"));
    let how = if by_amendment { Reset::Carrying } else { Reset::Fresh };
    message
        .lines()
        .filter_map(|line| line.strip_prefix("Cohort: reset "))
        .map(|named| (named.trim().to_owned(), how))
        .collect()
}

/// What became of artefacts between two corpora.
pub fn moved(before: &Corpus, after: &Corpus, resets: &BTreeMap<String, Reset>) -> Vec<Moved> {
    let mut all = Vec::new();
    let mut see = |target_type: &'static str, id: &str, is: Stands<'_>, content: Option<Hash>| {
        let reset = resets.get(&format!("{target_type}:{id}")).copied();
        let to = is.map(|(status, version)| (status, version.to_owned()));
        all.push(Moved { target_type, id: id.to_owned(), to, reset, content });
    };
    let front = |corpus: &Corpus, id: &str| {
        corpus.skills.get(id).and_then(|it| it.front.as_ref()).map(|it| (it.status, it.version.clone()))
    };
    for id in changed_skills(before, after, resets) {
        let (was, is) = (front(before, id), front(after, id));
        if was.is_some() || is.is_some() {
            see("skill", id, borrowed(&is), transparency::content_of_skill(after, id));
        }
    }
    let shared = match (&before.paths, &after.paths) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (Some(_), None) | (None, Some(_)) | (None, None) => false,
    };
    if !shared {
        fn entry<'a>(corpus: &'a Corpus, id: &str) -> Option<&'a Path> {
            corpus.paths.as_ref().and_then(|paths| paths.entries.get(id))
        }
        let keys = |corpus: &Corpus| -> Vec<String> {
            corpus.paths.iter().flat_map(|paths| paths.entries.keys().cloned()).collect()
        };
        let known = keys(before);
        let new = keys(after).into_iter().filter(|id| entry(before, id).is_none());
        for id in known.iter().cloned().chain(new) {
            let (was, is) = (entry(before, &id), entry(after, &id));
            let changed = was.map(|it| &it.entry) != is.map(|it| &it.entry);
            if changed || resets.contains_key(&format!("path:{id}")) {
                let stands = is.map(|it| (it.entry.status, it.entry.version.as_str()));
                see("path", &id, stands, is.map(transparency::content_of_path));
            }
        }
    }
    all
}

/// Skills that are not the same in both, in one walk over the two lists.
fn changed_skills<'a>(
    before: &'a Corpus,
    after: &'a Corpus,
    resets: &BTreeMap<String, Reset>,
) -> Vec<&'a str> {
    let (mut one, mut other) = (before.skills.iter().peekable(), after.skills.iter().peekable());
    let mut changed = Vec::new();
    loop {
        let order = match (one.peek(), other.peek()) {
            (None, None) => return changed,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((was, _)), Some((is, _))) => was.cmp(is),
        };
        let was = if order == Ordering::Greater { None } else { one.next() };
        let is = if order == Ordering::Less { None } else { other.next() };
        let shared = was.zip(is).is_some_and(|((_, was), (_, is))| Arc::ptr_eq(was, is));
        let Some((id, _)) = is.or(was) else { return changed };
        if !shared || (!resets.is_empty() && resets.contains_key(&format!("skill:{id}"))) {
            changed.push(id.as_str());
        }
    }
}

/// Status and version, of what is there.
type Stands<'a> = Option<(Status, &'a str)>;

fn borrowed(it: &Option<(Status, String)>) -> Stands<'_> {
    it.as_ref().map(|(status, version)| (*status, version.as_str()))
}

/// Lets standings follow.
pub fn follow(
    tx: &mut dyn Tx,
    moved: &[Moved],
    cause: &Cause,
    commit: &str,
    now: Moment,
) -> Result<(), DbError> {
    for it in moved {
        let written = Written { commit: Some(commit), content: it.content };
        let before = standings::lock(tx, it.target_type, &it.id)?;
        match (&it.to, before) {
            (None, Some(before)) => {
                merged(tx, &before, None, cause, Written::default(), now)?.is_the_last();
                gone(tx, &before)?;
            }
            (None, None) => {}
            (Some((status, version)), None) => {
                let mut new = begun((it.target_type, &it.id), *status, version, now);
                resume(tx, &mut new, now)?;
                new.status.clear();
                let recorded = note(tx, &new, (status.as_str(), version), cause, written, now)?;
                recorded.name_in(&mut new);
                status.as_str().clone_into(&mut new.status);
                standings::store(tx, &new)?;
            }
            (Some((status, version)), Some(before)) => {
                let told = before.withheld && *status == Status::Quarantined;
                // Content that is rejected may leave for content of the same status.
                let changed = before.status != status.as_str() || cause.digest.is_some();
                let mut recorded = None;
                if changed && !told {
                    recorded = Some(note(tx, &before, (status.as_str(), version), cause, written, now)?);
                }
                if told {
                    // Written down when the flag was raised; the commit is known only now.
                    transitions::committed(tx, (it.target_type, &it.id), commit)?;
                }
                let mut after = became(tx, before.clone(), *status, version, it.reset, cause, now)?;
                if !changed || (told && before.version != after.version) {
                    let to = after.served().map(|status| (status, version.as_str()));
                    recorded = Some(merged(tx, &before, to, cause, written, now)?);
                }
                if let Some(recorded) = recorded {
                    recorded.name_in(&mut after);
                }
                standings::store(tx, &after)?;
            }
        }
    }
    Ok(())
}

/// A standing that begins. The clock of a path runs from its first day; everything else waits for a verdict.
pub fn begun(
    (target_type, id): (&'static str, &str),
    status: Status,
    version: &str,
    now: Moment,
) -> Standing {
    let cohort = format!("{}#1", line(version));
    let look_at = (target_type == "path").then_some(now);
    Standing { look_at, ..Standing::new((target_type, id), status.as_str(), version, cohort, now) }
}

/// The cohort of an artefact whose standing is not known: the one that its latest verdicts are in, while its voters are known and
/// so it has not ended; else one that nobody has voted in. Verdicts of an artefact that was gone in between count for nothing.
pub fn resume(tx: &mut dyn Tx, standing: &mut Standing, now: Moment) -> Result<(), DbError> {
    let number = |cohort: &str| cohort.rsplit_once('#').and_then(|(_, number)| number.parse::<u64>().ok());
    let cohorts = votes::cohorts(tx, &standing.artefact())?;
    let Some(last) = cohorts.into_iter().max_by_key(|cohort| number(cohort)) else { return Ok(()) };
    let is_of_line = last.rsplit_once('#').is_some_and(|(line, _)| line == standing.line());
    if is_of_line && votes::has_voters(tx, &standing.artefact(), &last)? {
        standing.cohort = last;
        standing.tally = votes::recount(tx, &standing.artefact(), &standing.cohort)?;
        standing.look_at = Some(now);
        recount_sources(tx, standing)?;
    } else {
        standing.cohort = format!("{}#{}", standing.line(), number(&last).unwrap_or(0) + 1);
    }
    Ok(())
}

/// The `major.minor` of a version.
pub fn line(version: &str) -> &str {
    version.rsplit_once('.').map_or(version, |(line, _)| line)
}

fn became(
    tx: &mut dyn Tx,
    before: Standing,
    status: Status,
    version: &str,
    reset: Option<Reset>,
    cause: &Cause,
    now: Moment,
) -> Result<Standing, DbError> {
    let mut after = before.clone();
    status.as_str().clone_into(&mut after.status);
    version.clone_into(&mut after.version);
    after.look_at = Some(now);
    // A flag holds until the file says so, or somebody says otherwise.
    if before.status != after.status {
        after.withheld = false;
    }
    if before.line() == line(version) && reset.is_none() {
        return Ok(after);
    }
    after.cohort = before.next_cohort(line(version));
    after.started_at = now;
    after.tally = consensus::Tally::default();
    after.base = match status {
        Status::Stable => cause.base.unwrap_or_else(|| base_of(&before)),
        // A maintainer may bring it back to what it was.
        Status::Quarantined | Status::Deprecated => before.base,
        Status::Draft | Status::Alpha | Status::Beta => (0, 0),
    };
    let target = (before.target_type.as_str(), before.target_id.as_str());
    if reset == Some(Reset::Carrying) && carry(tx, &before, &after)? {
        salts::hand_on(tx, target, &before.cohort, &after.cohort)?;
        after.tally = votes::recount(tx, &after.artefact(), &after.cohort)?;
        recount_sources(tx, &after)?;
    }
    votes::forget_voters(tx, &before.artefact(), &before.cohort)?;
    salts::forget_cohorts(tx, target, &after.cohort, line(version))?;
    if status == Status::Stable {
        contributors::erase(tx, target.0, target.1)?;
    }
    Ok(after)
}

/// What an artefact that becomes stable stands on: everything that was said of it so far. What a maintainer brings back stands
/// on what it was made stable with, and not on what was said while it was put away.
fn base_of(before: &Standing) -> (i64, i64) {
    match Status::named(&before.status) {
        Some(Status::Quarantined | Status::Deprecated) => before.base,
        Some(Status::Draft | Status::Alpha | Status::Beta | Status::Stable) | None => {
            (before.base.0 + before.tally.confirms, before.base.1 + before.tally.rejects)
        }
    }
}

/// Carries rejects and flags over, also rejects that wait for a person; says whether there were any.
pub fn carry(tx: &mut dyn Tx, before: &Standing, after: &Standing) -> Result<bool, DbError> {
    let mut any = votes::held::carry(tx, &before.artefact(), &before.cohort, &after.cohort)?;
    for row in votes::of_cohort(tx, &before.artefact(), &before.cohort)? {
        if let Some(marks) = row.marks.carried(row.ballot) {
            votes::move_to(tx, &row.key, &after.cohort, marks)?;
            any = true;
        }
    }
    Ok(any)
}

/// Counts the sources of a path again in its cohort; says whether one was wrong.
pub fn recount_sources(tx: &mut dyn Tx, standing: &Standing) -> Result<bool, DbError> {
    let mut wrong = false;
    if standing.target_type != "path" {
        return Ok(wrong);
    }
    let sources = source_tallies::of_path(tx, &standing.target_id)?;
    if sources.is_empty() {
        return Ok(wrong);
    }
    let verdicts = votes::of_cohort(tx, &standing.artefact(), &standing.cohort)?;
    for mut source in sources {
        let target = format!("{}:{}", standing.target_id, source.source_id);
        let on_it = verdicts.iter().filter(|it| it.target_id == target);
        let counts = SourceTally::recount(on_it.map(|it| (it.ballot, it.marks)));
        if source.in_cohort(&standing.cohort) != counts {
            source.cohort.clone_from(&standing.cohort);
            source.tally = counts;
            source_tallies::store(tx, &standing.target_id, &source)?;
            wrong = true;
        }
    }
    Ok(wrong)
}

/// An artefact that is gone leaves nothing that says who had to do with it.
fn gone(tx: &mut dyn Tx, before: &Standing) -> Result<(), DbError> {
    let target = (before.target_type.as_str(), before.target_id.as_str());
    votes::forget_voters(tx, &before.artefact(), &before.cohort)?;
    salts::forget_cohorts(tx, target, "", "")?;
    contributors::erase(tx, target.0, target.1)?;
    if before.target_type == "path" {
        source_tallies::remove(tx, &before.target_id)?;
    }
    standings::remove(tx, target.0, target.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_say_what_begins_anew() {
        let by_amendment = "Amend skill a (amd-00001)\n\nSubmission: amd-00001\nCohort: reset skill:a\n";
        assert_eq!(resets_in(by_amendment), BTreeMap::from([("skill:a".to_owned(), Reset::Carrying)]));
        let by_hand = "x\n\nCohort: reset path:b\nCohort: reset skill:c\n";
        assert_eq!(resets_in(by_hand).len(), 2);
        assert!(resets_in(by_hand).values().all(|how| *how == Reset::Fresh));
        assert!(resets_in("Cohort reset skill:a\n> Cohort: reset skill:a\n").is_empty());
    }
}
