//! A verdict lands, in the transaction it is stored in.
//!
//! 1. The artefact's standing is locked: of two verdicts at once, one counts after the other. A source's verdict counts for
//!    its path.
//! 2. What is quarantined, deprecated or gone takes no verdict any more. One that was meant for a version line the artefact has
//!    left since is kept, and counts for nothing.
//! 3. The voter's hash is made with the cohort's salt; the voter's earlier verdicts are found by it.
//! 4. The core counts. Verdict, marks and tally are stored, and the tick will look.
//! 5. One whose words somebody has to look at first waits beside the others, and lands when it is released.
//! 6. A flag that is enough to quarantine does so at once: a row of the catalogue is superseded; a skill or path is withheld
//!    from readers, and its file follows at the tick.

use super::{Cause, Written, follow, note, rows};
use crate::db::source_tallies::{self, OfSource};
use crate::db::standings::{self, Standing};
use crate::db::votes::{self, Vote, held};
use crate::db::{DbError, Tx, salts};
use crate::moment::Moment;
use crate::secrets::Bytes32;
use crate::transparency;
use becivic_core::consensus::{
    Artefact, Ballot, Earlier, Kind, Marks, Outcome, Policy, SourceTally, Verdict, decide,
};
use becivic_core::submission::TargetType;
use becivic_core::vocabulary::Status;

/// Where a verdict counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// In the cohort that is open.
    Here(Box<Standing>),
    /// In one that has ended: it is kept and counts for nothing.
    Past,
    /// Nowhere: the artefact takes no verdicts.
    Closed,
}

/// Finds where a verdict counts; `line` is the version line, or the row, that its sender saw.
pub fn place(tx: &mut dyn Tx, vote: &Vote, line: &str) -> Result<Place, DbError> {
    let (target_type, target_id) = vote.counts_for();
    if target_type == TargetType::Observation.as_str() {
        // Begun with the first vote on it, by whoever is faster.
        let new = Standing::new((target_type, target_id), "committed", "", String::new(), vote.day);
        let standing = match standings::lock(tx, target_type, target_id)? {
            Some(standing) => standing,
            None => {
                standings::begin(tx, &new)?;
                standings::lock(tx, target_type, target_id)?.unwrap_or(new)
            }
        };
        return Ok(Place::Here(Box::new(standing)));
    }
    // Everything that is served has a standing; where somebody removed it, nobody's verdict is lost without a word.
    let Some(standing) = standings::lock(tx, target_type, target_id)? else { return Ok(Place::Closed) };
    Ok(match standing.served() {
        Some(Status::Alpha | Status::Beta | Status::Stable) if standing.line() == line => {
            Place::Here(Box::new(standing))
        }
        Some(Status::Alpha | Status::Beta | Status::Stable) => Place::Past,
        // Probes go on: a path that works again comes back.
        Some(Status::Deprecated) if vote.ballot.probe => Place::Here(Box::new(standing)),
        Some(Status::Draft | Status::Quarantined | Status::Deprecated) | None => Place::Closed,
    })
}

/// Everything that landing a verdict takes.
pub struct Landing<'a> {
    /// The verdict.
    pub vote: &'a Vote,
    /// What the artefact is; `None` for a concern.
    pub kind: Option<Kind>,
    /// A salt should the cohort have none yet.
    pub fresh_salt: &'a Bytes32,
    /// The thresholds.
    pub policy: &'a Policy,
    /// The time.
    pub now: Moment,
}

/// Lands a verdict; says whether it put its artefact away.
pub fn land(
    tx: &mut dyn Tx,
    it: &Landing<'_>,
    place: Place,
    voter: impl FnOnce(&[u8]) -> Bytes32,
) -> Result<bool, DbError> {
    let Landing { vote, kind, policy, now, .. } = it;
    let mut standing = match place {
        Place::Here(standing) => standing,
        Place::Past | Place::Closed => {
            votes::insert(tx, vote, Marks::default(), None)?;
            return Ok(false);
        }
    };
    let voter = voter_of(tx, it, &mut standing, voter)?;
    let day = Moment(standing.tally.day_of(vote.day.0));
    let vote = Vote { cohort: standing.cohort.clone(), day, ..(*vote).clone() };
    if vote.weight == 0 {
        votes::insert(tx, &vote, Marks::default(), None)?;
        return Ok(false);
    }
    let marks = count(tx, &mut standing, &vote, &voter, *now)?;
    votes::insert(tx, &vote, marks, Some(&voter))?;
    let quarantines = match kind {
        Some(kind) if vote.ballot.flag => quarantine(tx, &mut standing, *kind, policy, *now)?,
        Some(_) | None => false,
    };
    Ok(quarantines)
}

/// Keeps a verdict whose words somebody has to look at first: in its cohort, under its voter's hash, and in no count.
pub fn keep(
    tx: &mut dyn Tx,
    it: &Landing<'_>,
    place: Place,
    voter: impl FnOnce(&[u8]) -> Bytes32,
) -> Result<(), DbError> {
    let mut standing = match place {
        Place::Here(standing) => standing,
        Place::Past | Place::Closed => return held::keep(tx, it.vote, None),
    };
    let voter = voter_of(tx, it, &mut standing, voter)?;
    let vote = Vote { cohort: standing.cohort.clone(), ..it.vote.clone() };
    held::keep(tx, &vote, Some(voter.as_slice()).filter(|_| vote.weight > 0))
}

/// Lets a verdict count that does not, from now on; gives it back. In a cohort that has ended it counts for nothing.
pub fn let_count(tx: &mut dyn Tx, key: &Bytes32, now: Moment) -> Result<Option<Vote>, DbError> {
    let Some((vote, voter)) = held::find(tx, key)? else { return Ok(None) };
    let (target_type, target_id) = vote.counts_for();
    let standing = standings::lock(tx, target_type, target_id)?.filter(|it| it.cohort == vote.cohort);
    let day = standing.as_ref().map_or(now.day(), |it| Moment(it.tally.day_of(now.day().0)));
    let vote = Vote { day, ..vote };
    let marks = match standing.filter(|_| vote.weight > 0) {
        // Nobody's hash is empty: whoever is forgotten has not voted before.
        Some(mut standing) => count(tx, &mut standing, &vote, &voter.unwrap_or_default(), now)?,
        None => Marks::default(),
    };
    held::apply(tx, key, marks, vote.day)?;
    Ok(Some(vote))
}

/// Who votes, as the cohort knows it.
fn voter_of(
    tx: &mut dyn Tx,
    it: &Landing<'_>,
    standing: &mut Standing,
    voter: impl FnOnce(&[u8]) -> Bytes32,
) -> Result<Vec<u8>, DbError> {
    let Landing { vote, fresh_salt, now, .. } = it;
    if vote.ballot.probe {
        // A source's probe is a voter of its own, that everybody knows.
        return Ok(format!("probe of {}", vote.target_id).into_bytes());
    }
    let (target_type, target_id) = vote.counts_for();
    let (salt, made) = salts::of_cohort(tx, target_type, target_id, &standing.cohort, fresh_salt, *now)?;
    if made && votes::knows_voters(tx, &vote.artefact, &standing.cohort)? {
        after_a_lost_salt(tx, standing)?;
    }
    Ok(voter(&salt).to_vec())
}

/// Salts lie where a crash may take them. Whoever voted before can then not be told from whoever votes again: what they
/// confirmed is not counted any more, and what they rejected or flagged still is. On what never ends by itself voters are
/// forgotten now and then in any case.
fn after_a_lost_salt(tx: &mut dyn Tx, standing: &mut Standing) -> Result<(), DbError> {
    let before = standing.clone();
    votes::forget_voters(tx, &before.artefact(), &before.cohort)?;
    if !matches!(standing.served(), Some(Status::Alpha | Status::Beta)) {
        return Ok(());
    }
    tracing::warn!(
        artefact = before.artefact(),
        "the salt of a cohort is lost; its confirmations begin anew"
    );
    standing.cohort = before.next_cohort(before.line());
    follow::carry(tx, &before, standing)?;
    let target = (before.target_type.as_str(), before.target_id.as_str());
    salts::hand_on(tx, target, &before.cohort, &standing.cohort)?;
    standing.tally = votes::recount(tx, &standing.artefact(), &standing.cohort)?;
    standings::store(tx, standing)?;
    follow::recount_sources(tx, standing).map(drop)
}

/// What a probe found out about a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The path, and the source of it.
    pub path_id: String,
    /// The source.
    pub source_id: String,
    /// Whether it worked.
    pub confirms: bool,
    /// What it showed, in a word.
    pub signal: Option<String>,
    /// A key for the verdict.
    pub key: Bytes32,
    /// The time.
    pub now: Moment,
}

/// Lands what a probe found out, as a verdict of its own kind.
pub fn land_probe(tx: &mut dyn Tx, it: &Probe, policy: &Policy) -> Result<(), DbError> {
    let Some(standing) = standings::lock(tx, TargetType::Path.as_str(), &it.path_id)? else { return Ok(()) };
    let verdict = if it.confirms { Verdict::Confirm } else { Verdict::Reject };
    let vote = Vote {
        vote_key: it.key,
        target_type: TargetType::PathSource.as_str(),
        target_id: format!("{}:{}", it.path_id, it.source_id),
        artefact: standing.artefact(),
        cohort: standing.line().to_owned(),
        cohort_anchor: Some(format!("{}@{}", it.path_id, standing.version)),
        ballot: Ballot { verdict, flag: false, probe: true, handoff: false },
        weight: 1,
        rationale: None,
        injection_reason: None,
        traversal: it.signal.as_ref().map(|signal| serde_json::json!({"signal": signal}).to_string()),
        session_id: None,
        day: it.now.day(),
    };
    let place = place(tx, &vote, &vote.cohort)?;
    if place == Place::Closed {
        return Ok(());
    }
    let landing = Landing { vote: &vote, kind: Some(Kind::Path), fresh_salt: &it.key, policy, now: it.now };
    land(tx, &landing, place, |_| it.key).map(drop)
}

/// Counts a verdict in its cohort, and on its source.
fn count(
    tx: &mut dyn Tx,
    standing: &mut Standing,
    vote: &Vote,
    voter: &[u8],
    now: Moment,
) -> Result<Marks, DbError> {
    let before = votes::of_voter(tx, &vote.artefact, &vote.cohort, voter)?;
    let earlier: Vec<Earlier> = before
        .iter()
        .map(|it| Earlier { ballot: it.ballot, marks: it.marks, same_source: it.target_id == vote.target_id })
        .collect();
    let source = vote.target_id.split_once(':').filter(|_| vote.target_type == "path_source");
    let mut of_source = match source {
        Some((path, source)) => source_tallies::find(tx, path, source)?,
        None => None,
    };
    let mut counts =
        of_source.as_ref().map_or_else(SourceTally::default, |it| it.in_cohort(&standing.cohort));
    let landed = standing.tally.land(&mut counts, vote.ballot, &earlier, vote.day.0);
    for (before, marks) in
        before.iter().zip(&landed.earlier).filter(|(before, marks)| before.marks != **marks)
    {
        votes::mark(tx, &before.key, *marks)?;
    }
    let confirms = vote.ballot.verdict == Verdict::Confirm;
    if let Some((path, source)) = source {
        let mut it = of_source
            .take()
            .unwrap_or_else(|| OfSource { source_id: source.to_owned(), ..OfSource::default() });
        it.cohort.clone_from(&standing.cohort);
        it.tally = counts;
        if confirms {
            it.last_confirm_day = Some(vote.day);
            it.revalidate = false;
            if !vote.ballot.probe {
                it.last_user_confirm_day = Some(vote.day);
            }
        }
        if vote.ballot.probe {
            it.probed_at = Some(now);
        }
        source_tallies::store(tx, path, &it)?;
    }
    if confirms {
        standing.last_confirm_day = Some(vote.day);
    }
    standing.last_vote_day = Some(vote.day);
    standings::count(tx, standing)?;
    let waits = standing.look_at.is_none_or(|at| at > now);
    if waits && vote.target_type != TargetType::Observation.as_str() {
        standing.look_at = Some(now);
        standings::look_at(tx, &standing.target_type, &standing.target_id, Some(now))?;
    }
    Ok(landed.marks)
}

/// Puts an artefact away when its flags are enough.
fn quarantine(
    tx: &mut dyn Tx,
    standing: &mut Standing,
    kind: Kind,
    policy: &Policy,
    now: Moment,
) -> Result<bool, DbError> {
    let Some(status) = standing.served() else { return Ok(false) };
    let artefact = Artefact::new(kind, status, standing.started_at.0, standing.base);
    let decision = decide(&artefact, &standing.tally, policy, now.0);
    if decision.outcome != Outcome::Quarantine {
        return Ok(false);
    }
    transparency::follow_policy(tx, policy, now)?;
    let cause = Cause::decided(&decision, policy);
    match kind {
        Kind::Value | Kind::Reference => rows::put_away(tx, standing, &cause, rows::End::Quarantined, now)?,
        Kind::Skill | Kind::MetaSkill | Kind::Path => {
            let to = (Status::Quarantined.as_str(), standing.version.as_str());
            note(tx, standing, to, &cause, Written::default(), now)?.name_in(standing);
            standing.withheld = true;
            standings::store(tx, standing)?;
        }
    }
    Ok(true)
}
