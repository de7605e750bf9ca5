//! Skills and paths: what is decided becomes one pull request, with status, version and trailers together.
//!
//! 1. What a flag has withheld becomes quarantined in its file, whatever else depends on it.
//! 2. A promotion, a return or a deprecation is another status; a rollback is earlier content with the status it had
//!    (`files/past.rs`).
//! 3. The transaction that the merge is finished in locks the standing, counts it again, and asks once more: when somebody voted
//!    in the meantime, nothing is done, and the artefact is looked at again.
//! 4. A source whose hand-over enough people have seen through is marked as observed.

mod past;

use super::{End, Looked, Mode, PATIENCE, Run, look};
use crate::consensus::{self, Cause, begin, follow};
use crate::db::source_tallies;
use crate::db::standings::{self, Standing};
use crate::db::{DbError, Tx, corpus_commits, review_items};
use crate::jobs::change::{self, Change, Make, With};
use crate::jobs::merge::Stored;
use crate::live::Live;
use crate::moment::Moment;
use crate::review::Refused;
use becivic_core::consensus::{Decision, Outcome, Policy, Rule, Target};
use becivic_core::materialise::{self, Artefact};
use becivic_core::vocabulary::Status;
use serde_json::json;
use std::sync::Arc;

/// What a pull request of ours says of itself.
const ABOUT: &str = "What the validations of this artefact add up to. Every rule has passed.\n";

/// What is to be done to a file.
struct Step {
    verb: String,
    status: Status,
    /// The text of the file that the content is taken from; the current one where there is none.
    earlier: Option<String>,
    reset: bool,
    cause: Cause,
    at_any_rate: bool,
    /// A review item to be opened.
    review: Option<&'static str>,
}

impl Run<'_> {
    /// Looks at a skill or a path and does what is decided.
    pub fn file(&mut self, due: &Standing) -> anyhow::Result<End> {
        let live = self.app.live.load_full();
        let (policy, now, asked) = (self.policy.clone(), self.now, due.clone());
        let seen = Arc::clone(&live);
        let found = self.app.db.write_now(move |tx| fresh_look(tx, &seen, &asked, &policy, now))?;
        let Some((standing, healed, looked)) = found else { return Ok(End::Overtaken) };
        self.summary.healed += usize::from(healed);
        let Some(looked) = looked else { return Ok(End::Stayed) };
        if self.mode == Mode::Try {
            return Ok(self.would(&standing, &looked));
        }
        let Some(artefact) = artefact(&standing) else { return Ok(End::Stayed) };
        if standing.withheld {
            // The flag has decided already; its numbers were written down with it.
            let rule = Rule::InjectionFlags.as_str().to_owned();
            let step = self.quarantine(Cause { rule, policy: self.policy.version(), ..Cause::default() });
            return self.carry(&standing, &artefact, step, None, End::Quarantined);
        }
        let decision = &looked.decision;
        match decision.outcome {
            Outcome::Stay => self.stay(&standing, decision),
            Outcome::Promote(status) => {
                // What these same people saw of a hand-over would be another cohort's afterwards.
                self.observe(&standing)?;
                let step = self.status(status, "Promote", decision);
                self.carry(&standing, &artefact, step, Some(&looked), End::Promoted)
            }
            Outcome::Quarantine => {
                let step = self.quarantine(Cause::decided(decision, &self.policy));
                self.carry(&standing, &artefact, step, Some(&looked), End::Quarantined)
            }
            Outcome::Deprecate => {
                let step = Step { reset: true, ..self.status(Status::Deprecated, "Deprecate", decision) };
                self.carry(&standing, &artefact, step, Some(&looked), End::Deprecated)
            }
            Outcome::Return => {
                let step = Step { reset: true, ..self.status(Status::Alpha, "Return", decision) };
                self.carry(&standing, &artefact, step, Some(&looked), End::Returned)
            }
            Outcome::RollBack => self.roll_back(&standing, &artefact, &looked),
        }
    }

    fn status(&self, status: Status, verb: &str, decision: &Decision) -> Step {
        Step {
            verb: verb.to_owned(),
            status,
            earlier: None,
            reset: false,
            cause: Cause::decided(decision, &self.policy),
            at_any_rate: false,
            review: None,
        }
    }

    fn quarantine(&self, cause: Cause) -> Step {
        Step {
            verb: "Quarantine".to_owned(),
            status: Status::Quarantined,
            earlier: None,
            reset: false,
            cause,
            at_any_rate: true,
            review: None,
        }
    }

    /// Nothing is to be done about its status.
    fn stay(&mut self, standing: &Standing, decision: &Decision) -> anyhow::Result<End> {
        let observed = self.observe(standing)?;
        let (target_type, id) = (standing.target_type.clone(), standing.target_id.clone());
        let (seen, again) = (standing.clone(), decision.look_again_at.map(Moment));
        let again = if observed { again } else { Some(self.now.plus(PATIENCE)) };
        self.app.db.write_now(move |tx| {
            // Somebody who voted in the meantime wants it looked at again; its time may have come before they did.
            let same = |it: &Standing| {
                (it.look_at, it.tally, &it.cohort) == (seen.look_at, seen.tally, &seen.cohort)
            };
            match standings::lock(tx, &target_type, &id)? {
                Some(it) if same(&it) => standings::look_at(tx, &target_type, &id, again),
                Some(_) | None => Ok(()),
            }
        })?;
        Ok(End::Stayed)
    }

    /// Marks sources whose hand-over enough people have seen through; false when that could not be done.
    fn observe(&mut self, standing: &Standing) -> anyhow::Result<bool> {
        let live = self.app.live.load_full();
        let Some(path) = live.path(&standing.target_id).filter(|_| standing.target_type == "path") else {
            return Ok(true);
        };
        let id = standing.target_id.clone();
        let tallies = self.app.db.write_now(move |tx| source_tallies::of_path(tx, &id))?;
        let enough = |source: &str| {
            let of = tallies.iter().find(|it| it.source_id == source);
            of.is_some_and(|it| it.in_cohort(&standing.cohort).handoffs >= self.policy.handoff_confirms)
        };
        let due = path
            .entry
            .sources
            .iter()
            .find(|source| source.post_handoff_observed != Some(true) && enough(&source.id));
        let Some(source) = due else { return Ok(true) };
        let (path, source) = (standing.target_id.clone(), source.id.clone());
        let title = format!("Note that what follows the hand-over of {path}:{source} was observed");
        let make: Make = Box::new(move |live| {
            let field = "post_handoff_observed";
            materialise::with_source_field(&live.corpus, &path, &source, field, &json!(true))
                .map_err(|refusal| Refused::Missing(refusal.message))
        });
        let change = Change {
            purpose: "observation",
            target: ("path".to_owned(), standing.target_id.clone()),
            title,
            about: ABOUT,
            trailers: format!("Policy: {}\n", self.policy.version()),
            make,
            renamed: None,
            at_any_rate: false,
            cause: Cause::act("observed"),
        };
        match change::commit_now(self.app, &change, Box::new(|_| Ok(Stored::Done))) {
            // There may be another source.
            Ok(_) => self.observe(standing),
            Err(error) => {
                tracing::warn!(error = %error, "a source could not be marked as observed");
                Ok(false)
            }
        }
    }

    fn roll_back(
        &mut self,
        standing: &Standing,
        artefact: &Artefact,
        looked: &Looked,
    ) -> anyhow::Result<End> {
        let (target, digest, base) = past::target(self.app, standing, artefact, looked.artefact.kind)?;
        let mut cause = Cause::decided(&looked.decision, &self.policy);
        cause.digest = digest;
        let rejected = looked.decision.rule == Rule::Rejected;
        match target {
            Target::Content(before) => {
                cause.base = Some(base);
                let text = past::text(self.app, artefact, &before.commit)?;
                let step = Step {
                    verb: "Roll back".to_owned(),
                    status: before.status,
                    earlier: Some(text),
                    reset: true,
                    cause,
                    at_any_rate: false,
                    review: None,
                };
                self.carry(standing, artefact, step, Some(looked), End::RolledBack)
            }
            Target::Deprecated => {
                let step = Step {
                    reset: true,
                    cause,
                    ..self.status(Status::Deprecated, "Deprecate", &looked.decision)
                };
                self.carry(standing, artefact, step, Some(looked), End::Deprecated)
            }
            Target::Stays => self.stay(standing, &looked.decision),
            Target::Quarantined => {
                let review = rejected.then_some("first_version_rejected");
                let step = Step { review, ..self.quarantine(cause) };
                self.carry(standing, artefact, step, Some(looked), End::Quarantined)
            }
        }
    }

    /// Carries a step out; `looked` is what it was decided on, and has to be so still.
    fn carry(
        &mut self,
        standing: &Standing,
        artefact: &Artefact,
        step: Step,
        looked: Option<&Looked>,
        end: End,
    ) -> anyhow::Result<End> {
        let Step { verb, status, earlier, reset, cause, at_any_rate, review } = step;
        let named = standing.artefact();
        let mut trailers = format!("Status: {} to {status}\nRule: {}\n", standing.status, cause.rule);
        trailers.push_str(&format!("Policy: {}\n", self.policy.version()));
        if reset {
            trailers.push_str(&format!("Cohort: reset {named}\n"));
        }
        let made_of = artefact.clone();
        let make: Make = Box::new(move |live| {
            let made = match &earlier {
                Some(text) => materialise::with_content(&live.corpus, &made_of, text, status),
                None => materialise::with_status(&live.corpus, &made_of, status),
            };
            made.map_err(|refusal| Refused::Missing(refusal.message))
        });
        let change = Change {
            purpose: "status",
            target: (standing.target_type.clone(), standing.target_id.clone()),
            title: format!("{verb} {} {} ({status})", standing.target_type, standing.target_id),
            about: ABOUT,
            trailers,
            make,
            renamed: None,
            at_any_rate,
            cause,
        };
        let with = still_so(standing.clone(), looked.cloned(), review, self.policy.clone(), self.now);
        match change::commit_now(self.app, &change, with) {
            Ok(Stored::Done) => Ok(end),
            Ok(Stored::Gone) => Ok(End::Overtaken),
            Err(error) => {
                tracing::warn!(error = %error, artefact = named, "a decision could not be committed");
                let (target_type, id, at) =
                    (standing.target_type.clone(), standing.target_id.clone(), self.now.plus(PATIENCE));
                self.app.db.write_now(move |tx| standings::look_at(tx, &target_type, &id, Some(at)))?;
                Ok(End::Failed)
            }
        }
    }
}

/// A standing as it is now, counted again, and what is decided about it.
type Fresh = Option<(Standing, bool, Option<Looked>)>;

fn fresh_look(
    tx: &mut dyn Tx,
    live: &Live,
    due: &Standing,
    policy: &Policy,
    now: Moment,
) -> Result<Fresh, DbError> {
    let Some(mut standing) = standings::lock(tx, &due.target_type, &due.target_id)? else { return Ok(None) };
    if !agrees(live, &standing) {
        // Another process may have committed what this one does not serve yet: then it is looked at again.
        let newest = corpus_commits::newest(tx)?;
        if newest.is_some_and(|(_, newest)| newest == live.commit) {
            begin::mend(tx, live, &mut standing, now)?;
        }
        return Ok(None);
    }
    let wrong = consensus::heal(tx, &mut standing)?;
    if wrong {
        standings::count(tx, &standing)?;
    }
    let healed = follow::recount_sources(tx, &standing)? || wrong;
    let looked = look(tx, live, &standing, policy, now)?;
    if looked.is_none() {
        standings::look_at(tx, &due.target_type, &due.target_id, None)?;
    }
    Ok(Some((standing, healed, looked)))
}

/// What the transaction of a merge asks before anything is written: whether the standing is what was decided on.
fn still_so(
    seen: Standing,
    looked: Option<Looked>,
    review: Option<&'static str>,
    policy: Policy,
    now: Moment,
) -> With {
    Box::new(move |tx| {
        let Some(mut is) = standings::lock(tx, &seen.target_type, &seen.target_id)? else {
            return Ok(Stored::Gone);
        };
        consensus::heal(tx, &mut is)?;
        let same = is.cohort == seen.cohort && is.withheld == seen.withheld && is.status == seen.status;
        let decided = looked.as_ref().is_none_or(|looked| {
            let again = becivic_core::consensus::decide(&looked.artefact, &is.tally, &policy, now.0);
            again.outcome == looked.decision.outcome && is.tally == seen.tally
        });
        if !same || !decided {
            return Ok(Stored::Gone);
        }
        if let Some(reason) = review {
            review_items::open_once(tx, reason, (&seen.target_type, &seen.target_id), now.day())?;
        }
        Ok(Stored::Done)
    })
}

/// Whether a standing says of an artefact what its file says.
fn agrees(live: &Live, standing: &Standing) -> bool {
    begin::stands(live, &standing.target_type, &standing.target_id)
        .is_none_or(|(status, version)| status.as_str() == standing.status && version == standing.version)
}

fn artefact(standing: &Standing) -> Option<Artefact> {
    match standing.target_type.as_str() {
        "skill" => Some(Artefact::Skill(standing.target_id.clone())),
        "path" => Some(Artefact::Path(standing.target_id.clone())),
        _ => None,
    }
}
