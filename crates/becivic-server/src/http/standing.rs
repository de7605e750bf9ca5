//! Where an artefact stands, as readers see it: one shape for skills, paths and rows of the catalogue.
//!
//! 1. [`Seen`] is read in one transaction: the standing, what the state machine makes of it now, whether an open flag is on it,
//!    and of a skill the stars of its cohort.
//! 2. [`Seen::cohort`] is the object of §6.10 (`affirms`, `rejects` and `n` count every record of people; probes stand beside
//!    them), with `standing`: status, rule, what is missing, in words and as numbers.
//! 3. Times are days: when a cohort began to the minute is nobody's business, so spans are counted from day to day too, and an
//!    answer stays the same until somebody votes or midnight comes.

use crate::db::log_entries::Logged;
use crate::db::standings::Standing;
use crate::db::{DbError, Tx, log_entries, others, review_items};
use crate::jobs::tick::{Looked, explain};
use crate::live::Live;
use crate::moment::Moment;
use crate::transparency::proved;
use becivic_core::consensus::{Missing, Policy};
use becivic_core::log::Signer;
use serde_json::{Map, Value, json};

/// Ratings below this number are not shown: an average of two is somebody's (§6.2.7).
const FEWEST_RATINGS: i64 = 3;

/// What is known of an artefact.
pub struct Seen {
    /// Where it stands.
    pub standing: Standing,
    /// Whether somebody flagged it and nobody has decided on it yet.
    pub flagged: bool,
    /// Its latest entry in the transparency log.
    pub logged: Option<Logged>,
    looked: Option<Looked>,
    /// How many ratings its cohort has, and the sum of their stars.
    stars: (i64, i64),
    policy: String,
    now: Moment,
}

impl Seen {
    /// Reads; `None` when nothing is known of such an artefact.
    pub fn read(
        tx: &mut dyn Tx,
        live: &Live,
        (target_type, target_id): (&str, &str),
        policy: &Policy,
        now: Moment,
    ) -> Result<Option<Self>, DbError> {
        let found = explain::stands(tx, live, (target_type, target_id), policy, now)?;
        let Some((standing, looked)) = found else { return Ok(None) };
        let flagged = review_items::is_flagged(tx, target_type, target_id)?;
        let stars = if target_type == "skill" { stars(tx, &standing)? } else { (0, 0) };
        let logged = log_entries::latest(tx, (target_type, target_id))?;
        Ok(Some(Self { standing, flagged, logged, looked, stars, policy: policy.version(), now }))
    }

    /// Its latest entry in the transparency log, with the proof that it is there.
    pub fn log(&self, signer: &Signer) -> Value {
        self.logged.as_ref().map_or(Value::Null, |logged| proved::shown(signer, logged))
    }

    /// The cohort as it is published; `version` of what has one.
    pub fn cohort(&self, version: Option<&str>) -> Value {
        let mut cohort = Map::new();
        if let Some(version) = version {
            cohort.insert("anchor".to_owned(), json!(format!("{}@{version}", self.standing.target_id)));
        }
        cohort.extend(numbers(&self.standing));
        let mut add = |name: &str, value: Value| drop(cohort.insert(name.to_owned(), value));
        let (ratings, sum) = self.stars;
        if ratings >= FEWEST_RATINGS {
            add("skill_quality_avg", json!((sum as f64 / ratings as f64 * 10.0).round() / 10.0));
            add("skill_quality_n", json!(ratings));
        }
        add("standing", self.explained());
        Value::Object(cohort)
    }

    fn explained(&self) -> Value {
        let Some(looked) = &self.looked else { return Value::Null };
        let decision = looked.decision.by_the_day(self.now.0);
        json!({
            "status": decision.from,
            "rule": decision.rule,
            "explanation": decision.explain(),
            "missing": decision.missing.iter().map(missing).collect::<Vec<_>>(),
            "numbers": decision.numbers_json(),
            "next_look": day(decision.look_again_at.map(Moment)),
            "policy": self.policy,
        })
    }
}

/// What a cohort adds up to, as it is published.
pub fn numbers(standing: &Standing) -> Map<String, Value> {
    let tally = &standing.tally;
    let mut cohort = Map::new();
    let mut add = |name: &str, value: Value| drop(cohort.insert(name.to_owned(), value));
    add("affirms", json!(tally.confirm_records));
    add("rejects", json!(tally.reject_records));
    add("n", json!(tally.confirm_records + tally.reject_records));
    add("distinct_ips", json!(tally.voters));
    add("injection_flags", json!(tally.flaggers));
    add("cohort_started_at", json!(standing.started_at.day().text()));
    let last = standing.last_vote_day.filter(|day| *day >= standing.started_at.day());
    add("last_validation_at", day(last));
    // Whose latest verdict confirms, and rejects: what thresholds look at.
    add("confirms", json!(tally.confirms));
    add("rejecting", json!(tally.rejects));
    add("probe_confirms", json!(tally.probe_confirms));
    add("probe_rejects", json!(tally.probe_rejects));
    cohort
}

/// One thing that is missing, by its name; what cannot be reached by any number has none.
fn missing(it: &Missing) -> Value {
    match it {
        Missing::Rate(i64::MAX) => json!({"rate": null}),
        Missing::Confirms(_)
        | Missing::Rate(_)
        | Missing::Submitters(_)
        | Missing::Days(_)
        | Missing::Rejects(_)
        | Missing::Time(_) => json!(it),
    }
}

/// A day as it is published.
pub fn day(at: Option<Moment>) -> Value {
    at.map_or(Value::Null, |at| json!(at.day().text()))
}

/// The ratings of a skill's cohort: those of its version line, since the day it began.
fn stars(tx: &mut dyn Tx, standing: &Standing) -> Result<(i64, i64), DbError> {
    let target = (standing.target_type.as_str(), standing.target_id.as_str());
    let line = format!("{}@{}.", standing.target_id, standing.line());
    let rows = others::stars_of(tx, target, standing.started_at.day())?;
    let of_line = rows.iter().filter(|(anchor, ..)| anchor.as_ref().is_some_and(|it| it.starts_with(&line)));
    Ok(of_line.fold((0, 0), |(count, sum), (_, more, stars)| (count + more, sum + stars)))
}
