//! What the core needs to know of an artefact, from its standing, the served corpus and its sources' tallies.

use crate::db::source_tallies;
use crate::db::standings::Standing;
use crate::db::transitions::{self, Transition};
use crate::db::{DbError, Tx};
use crate::live::Live;
use crate::moment::{DAY, Moment};
use becivic_core::consensus::{Artefact, Decision, Kind, Outcome, Policy, Rule, SourceTally, decide};
use becivic_core::vocabulary::Status;

/// An artefact that was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked {
    /// What the core was told.
    pub artefact: Artefact,
    /// What it said.
    pub decision: Decision,
}

impl Looked {
    /// When to look next: at once, where something is to be done.
    pub fn look_next(&self, now: Moment) -> Option<Moment> {
        let decision = &self.decision;
        if decision.outcome == Outcome::Stay { decision.look_again_at.map(Moment) } else { Some(now) }
    }
}

/// Looks at an artefact; `None` for what the state machine has nothing to do with.
pub fn look(
    tx: &mut dyn Tx,
    live: &Live,
    standing: &Standing,
    policy: &Policy,
    now: Moment,
) -> Result<Option<Looked>, DbError> {
    let Some(status) = standing.served() else { return Ok(None) };
    let id = standing.target_id.as_str();
    let mut artefact = Artefact::new(Kind::Skill, status, standing.started_at.0, standing.base);
    match standing.target_type.as_str() {
        "skill" if live.skill(id).is_some_and(|(_, front)| front.is_meta()) => {
            artefact.kind = Kind::MetaSkill
        }
        "skill" => {}
        "volatile_value" => artefact.kind = Kind::Value,
        "reference" => artefact.kind = Kind::Reference,
        "path" => path(tx, live, standing, &mut artefact, now)?,
        _ => return Ok(None),
    }
    let decision = decide(&artefact, &standing.tally, policy, now.0);
    Ok(Some(Looked { artefact, decision }))
}

/// A path has sources, a clock, and perhaps a second life.
fn path(
    tx: &mut dyn Tx,
    live: &Live,
    standing: &Standing,
    artefact: &mut Artefact,
    now: Moment,
) -> Result<(), DbError> {
    artefact.kind = Kind::Path;
    let Some(path) = live.path(&standing.target_id) else { return Ok(()) };
    let tallies = source_tallies::of_path(tx, &standing.target_id)?;
    let of = |id: &str| tallies.iter().find(|it| it.source_id == id).map(|it| it.in_cohort(&standing.cohort));
    let sources = path.entry.sources.iter();
    artefact.sources = sources.map(|source| of(&source.id).unwrap_or_else(SourceTally::default)).collect();
    // Days count to their end.
    let verified = Moment::read(&format!("{}T00:00:00Z", path.entry.last_verified));
    let days = [standing.last_confirm_day, verified].into_iter().flatten().map(|day| day.plus(DAY - 1));
    artefact.last_sign_of_life = days.chain([standing.first_at]).map(|it| it.0.min(now.0)).max();
    artefact.revived = artefact.status == Status::Deprecated
        && standing.tally.probe_confirms > 0
        && was_deprecated_by_machine(tx, standing)?;
    Ok(())
}

fn was_deprecated_by_machine(tx: &mut dyn Tx, standing: &Standing) -> Result<bool, DbError> {
    let target = (standing.target_type.as_str(), standing.target_id.as_str());
    let newest = transitions::of_target(tx, target, i64::MAX, 1)?;
    let by_machine = |it: &Transition| {
        let rules = [Rule::Rejected, Rule::AllSourcesRejected, Rule::NobodyConfirms];
        it.to_status == Status::Deprecated.as_str() && rules.iter().any(|rule| rule.as_str() == it.rule)
    };
    Ok(newest.first().is_some_and(by_machine))
}
