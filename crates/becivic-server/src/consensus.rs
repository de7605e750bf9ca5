//! Where artefacts stand is kept true (§9, DECISIONS §5): each in the transaction of what changes it.
//!
//! 1. A verdict lands and is counted; a flag may take effect there and then ([`land`]).
//! 2. A commit joins `main`: versions and statuses follow, cohorts begin and end, voters are forgotten ([`follow`]).
//! 3. A row of the catalogue takes another's place ([`rows`]).
//! 4. A database that knows nothing of an artefact yet learns from Git since when it is what it is ([`begin`]).
//!
//! What is decided, and why, is the core's (`becivic_core::consensus`); when it is looked at is the tick's (`jobs/tick.rs`).

pub mod begin;
pub mod follow;
pub mod land;
pub mod rows;

use crate::config;
use crate::db::standings::Standing;
use crate::db::transitions::{self, Transition};
use crate::db::{DbError, Tx, votes};
use crate::moment::Moment;
use crate::transparency::{self, Event, Recorded};
use becivic_core::consensus::{Count, Decision, Kind, Policy};
use becivic_core::log::{Hash, Numbers};
use becivic_core::submission::TargetType;
use becivic_core::vocabulary::Status;
use std::time::Duration;

/// The thresholds, as configured.
pub fn policy(config: &config::Consensus) -> Policy {
    let ms = |it: Duration| i64::try_from(it.as_millis()).unwrap_or(i64::MAX);
    Policy {
        beta_confirms: config.beta_confirms.into(),
        beta_distinct: config.beta_distinct.into(),
        beta_age: ms(config.beta_age),
        beta_days: config.beta_days.into(),
        stable_confirms: config.stable_confirms.into(),
        stable_distinct: config.stable_distinct.into(),
        stable_age: ms(config.stable_age),
        stable_days: config.stable_days.into(),
        stable_rate: config.stable_rate,
        count: match config.count {
            config::Count::Latest => Count::Latest,
            config::Count::Raw => Count::Raw,
        },
        rollback_margin: config.rollback_margin.into(),
        rollback_distinct: config.rollback_distinct.into(),
        freeze_distinct: config.freeze_distinct.into(),
        quarantine_flags: config.quarantine_flags.into(),
        quarantine_flags_stable: config.quarantine_flags_stable.into(),
        probe_weight: config.probe_weight,
        hide_threshold: config.hide_threshold.into(),
        hide_distinct: config.hide_distinct.into(),
        stale_after: ms(config.stale_after),
        deprecate_after: ms(config.deprecate_after),
        handoff_confirms: config.handoff_confirms.into(),
    }
}

/// What an artefact is to the core; `None` for what has no status.
pub fn kind(target_type: TargetType, is_meta: bool) -> Option<Kind> {
    match target_type {
        TargetType::Skill if is_meta => Some(Kind::MetaSkill),
        TargetType::Skill => Some(Kind::Skill),
        TargetType::Path | TargetType::PathSource => Some(Kind::Path),
        TargetType::VolatileValue => Some(Kind::Value),
        TargetType::Reference => Some(Kind::Reference),
        TargetType::Observation
        | TargetType::SkillGraph
        | TargetType::AgentProtocol
        | TargetType::Session => None,
    }
}

/// Why a status changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cause {
    /// The rule of the core's, or what somebody did: `maintainer`, `amendment`, `merged`, `pushed`, `corrected`, `minted`.
    pub rule: String,
    /// The numbers it was decided on.
    pub numbers: Numbers,
    /// The policy it was decided under; empty where none was asked.
    pub policy: String,
    /// The digest of the content that was left, where it was rejected.
    pub digest: Option<String>,
    /// Of content that goes back to being stable: what it was made stable with.
    pub base: Option<(i64, i64)>,
}

impl Cause {
    /// Something that somebody did.
    pub fn act(rule: &str) -> Self {
        Self { rule: rule.to_owned(), ..Self::default() }
    }

    /// A decision under a policy.
    pub fn decided(decision: &Decision, policy: &Policy) -> Self {
        Self {
            rule: decision.rule.as_str().to_owned(),
            numbers: Numbers::of(decision),
            policy: policy.version(),
            ..Self::default()
        }
    }
}

/// How an artefact was written, where it is a file: by which commit, and what it says since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written<'a> {
    /// The commit.
    pub commit: Option<&'a str>,
    /// The digest of the content.
    pub content: Option<Hash>,
}

/// Writes a change of status down, here and in the transparency log. Of a row of the catalogue this is done once the row is there
/// that is current from now on.
pub fn note(
    tx: &mut dyn Tx,
    before: &Standing,
    (status, version): (&str, &str),
    cause: &Cause,
    written: Written<'_>,
    now: Moment,
) -> Result<Recorded, DbError> {
    let to = Status::named(status).map(|status| (status, version));
    let event = Event { before, was_there: !before.status.is_empty(), to, cause, content: written.content };
    let recorded = transparency::record(tx, &event, now)?;
    let transition = Transition {
        number: 0,
        target_type: before.target_type.clone(),
        target_id: before.target_id.clone(),
        from_status: before.status.clone(),
        to_status: status.to_owned(),
        from_version: before.version.clone(),
        to_version: version.to_owned(),
        cohort: before.cohort.clone(),
        rule: cause.rule.clone(),
        numbers: cause.numbers.as_str().to_owned(),
        policy: cause.policy.clone(),
        digest: cause.digest.clone(),
        commit_sha: written.commit.map(str::to_owned),
        day: now.0,
        log_position: Some(recorded.position()),
    };
    transitions::insert(tx, &transition)?;
    Ok(recorded)
}

/// Writes down that an artefact says something else than before, or that it is gone, in the transparency log alone: its status is
/// what it was.
pub fn merged(
    tx: &mut dyn Tx,
    before: &Standing,
    to: Option<(Status, &str)>,
    cause: &Cause,
    written: Written<'_>,
    now: Moment,
) -> Result<Recorded, DbError> {
    let event = Event { before, was_there: true, to, cause, content: written.content };
    transparency::record(tx, &event, now)
}

/// Counts an artefact's cohort again from its verdicts; says whether the tally was wrong. It is right then.
pub fn heal(tx: &mut dyn Tx, standing: &mut Standing) -> Result<bool, DbError> {
    let counted = votes::recount(tx, &standing.artefact(), &standing.cohort)?;
    let wrong = counted != standing.tally;
    standing.tally = counted;
    Ok(wrong)
}
