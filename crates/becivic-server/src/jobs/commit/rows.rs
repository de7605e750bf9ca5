//! What becomes a row: concerns, feedback, ratings, and corrections of values and references (DECISIONS §4).
//!
//! Each is stored in the transaction in which it leaves staging. Several share one; when that fails, each gets its own, so that
//! one that cannot be stored does not keep the others.

use super::item::Item;
use super::leave::{self, Left};
use super::{End, Mode, Run, turns};
use crate::app::fresh;
use crate::consensus::{self, Cause, Written};
use crate::db::catalogue::{self, Prefix};
use crate::db::concerns::{self, Concern};
use crate::db::merges::{self, Merge};
use crate::db::others::{self, NewRating};
use crate::db::proposals::{self, NewAmendment};
use crate::db::{DbError, Tx, staged, standings};
use crate::jobs::steps::{Step, reached};
use crate::moment::Moment;
use crate::secrets::Bytes32;
use becivic_core::corpus::KnownTargets;
use becivic_core::preflight::cross_reference;
use becivic_core::submission::amendment::Content as Change;
use becivic_core::submission::concern::{Content, Scalar};
use becivic_core::submission::{Amendment, Submission, TargetType, concern};
use becivic_core::vocabulary::Status;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A row with everything random that storing it takes, made before the transaction so that it can be run again.
#[derive(Clone)]
struct Ready {
    item: Item,
    digest: Bytes32,
    key: Bytes32,
    pair: Bytes32,
    refused: Option<&'static str>,
    /// Why a person has to look first.
    hold: Option<&'static str>,
}

impl Run<'_> {
    /// Stores rows.
    pub fn rows(&mut self, items: &[Item]) -> anyhow::Result<Vec<End>> {
        let mut ready = Vec::with_capacity(items.len());
        for item in items {
            let refused = self.refused(item)?;
            let hold = item.needs_a_look(self.app);
            let digest = self.app.pepper.id(&item.due.id);
            let key = match item.submission {
                // Whoever knows the id can still ask for it to be held.
                Submission::Feedback(_) | Submission::Rating(_) => self.app.pepper.row(&item.due.id),
                _ => fresh()?,
            };
            ready.push(Ready { item: item.clone(), digest, key, pair: fresh()?, refused, hold });
        }
        if self.mode == Mode::Try {
            return Ok(ready.iter().map(would_end).collect());
        }
        let (now, all) = (self.now, ready.clone());
        let together = self
            .app
            .db
            .write_now(move |tx| all.iter().map(|it| store(tx, it, now)).collect::<Result<Vec<_>, _>>());
        let ends = match together {
            Ok(ends) => ends,
            Err(_) => {
                let mut ends = Vec::with_capacity(ready.len());
                for one in ready {
                    let item = one.item.clone();
                    let stored = self.app.db.write_now(move |tx| store(tx, &one, now));
                    ends.push(stored.or_else(|_| self.fail(&item, "not_stored"))?);
                }
                ends
            }
        };
        reached(Step::RowStored);
        // What was corrected is read again by whoever needs the catalogue next.
        if items.iter().any(|item| matches!(item.submission, Submission::Amendment(_))) {
            self.catalogue = None;
        }
        Ok(ends)
    }

    /// What it speaks of may have gone since it was staged.
    fn refused(&mut self, item: &Item) -> anyhow::Result<Option<&'static str>> {
        let live = self.app.live.load_full();
        let catalogue = self.catalogue()?;
        let none = BTreeSet::new();
        let targets = KnownTargets { corpus: &live.corpus, catalogue: &*catalogue, concerns: &none };
        let refusals = cross_reference::resolve(&item.submission, &targets);
        Ok(refusals.first().map(|refusal| refusal.category.as_str()))
    }
}

fn would_end(ready: &Ready) -> End {
    match (ready.refused, ready.hold) {
        (Some(category), _) => End::Rejected(category),
        (None, Some(why)) => End::Held(why),
        (None, None) => End::Committed,
    }
}

fn store(tx: &mut dyn Tx, ready: &Ready, now: Moment) -> Result<End, DbError> {
    let Ready { item, digest, key, pair, refused, hold } = ready;
    let due = &item.due;
    if !staged::lock(tx, &due.id)? {
        return Ok(End::Gone);
    }
    if let Some(category) = refused {
        leave::rejected(tx, due, digest, category, now)?;
        return Ok(End::Rejected(category));
    }
    if let Some(why) = *hold {
        staged::hold(tx, &due.id, why, now.day())?;
        return Ok(End::Held(why));
    }
    match &item.submission {
        Submission::Concern(it) => {
            let country = it.context.as_ref().and_then(|context| context.country.as_deref());
            if let Some(country) = country {
                concerns::count_country(tx, it.target_type.as_str(), &it.target_id, country)?;
            }
            let uid = concerns::insert(tx, &published(it, due.cohort_anchor.clone(), now))?;
            let wrote = Some((TargetType::Observation.as_str(), uid.as_str(), *pair));
            leave::committed(tx, due, digest, &Left { uid: Some(&uid), recognisable: true, wrote }, now)?;
        }
        Submission::Feedback(it) => {
            let topic = it.topic.map(|topic| topic.as_str());
            others::insert_message(tx, key, topic, it.pointer.as_deref(), &it.body, now.day())?;
            leave::committed(tx, due, digest, &Left::default(), now)?;
        }
        Submission::Rating(it) => {
            let target_id =
                if it.target_type == TargetType::Session { "session" } else { it.target_id.as_str() };
            let rating = NewRating {
                target_type: it.target_type.as_str(),
                target_id,
                stars: it.stars().map_or(0, i64::from),
                would_be_5_stars: it.would_be_5_stars.as_deref(),
                cohort_anchor: due.cohort_anchor.as_deref(),
                day: now.day(),
            };
            others::insert_rating(tx, key, &rating)?;
            leave::committed(tx, due, digest, &Left::default(), now)?;
        }
        Submission::Amendment(it) => return correct(tx, ready, it, now),
        Submission::Draft(_) | Submission::Validation(_) | Submission::Analytics(_) => {
            return Err(DbError::Defect("this does not become a row".to_owned()));
        }
    }
    Ok(End::Committed)
}

/// Puts a corrected row in the place of the current one, when it is its turn.
fn correct(tx: &mut dyn Tx, ready: &Ready, it: &Amendment, now: Moment) -> Result<End, DbError> {
    let Ready { item, digest, key, pair, .. } = ready;
    let due = &item.due;
    let prefix = if it.target_type == TargetType::VolatileValue { Prefix::Value } else { Prefix::Reference };
    let Some(current) = catalogue::current(tx, &it.target_id)? else {
        leave::rejected(tx, due, digest, "cross_ref_fail", now)?;
        return Ok(End::Rejected("cross_ref_fail"));
    };
    let content = corrected(&current.content, &it.content);
    if content == current.content {
        leave::rejected(tx, due, digest, "diff_apply_failed", now)?;
        return Ok(End::Rejected("diff_apply_failed"));
    }
    let (target_type, target_id) = item.artefact();
    let done = merges::of(tx, target_type, target_id)?;
    let turn =
        turns::next(&done, &current.key, due.author_hash.as_deref(), now).filter(|_| !item.was_passed());
    let amendment = NewAmendment {
        target_type,
        target_id,
        rationale: &it.rationale,
        cohort_anchor: due.cohort_anchor.as_deref(),
        day: now.day(),
    };
    let uid = proposals::open_amendment(tx, due.public_uid.as_deref(), &amendment)?;
    if let Some(turn) = turn {
        staged::opened(tx, &due.id, &uid, None)?;
        staged::wait(tx, &due.id, Some(turn))?;
        return Ok(End::Queued(turn));
    }
    let before = standings::lock(tx, target_type, target_id)?;
    catalogue::supersede(tx, prefix, target_id, "alpha", &Value::Object(content).to_string(), now)?;
    if let Some(before) = before {
        let cause = Cause::act("corrected");
        let recorded = match before.status.as_str() {
            "alpha" => {
                consensus::merged(tx, &before, Some((Status::Alpha, "")), &cause, Written::default(), now)?
            }
            _ => consensus::note(tx, &before, ("alpha", ""), &cause, Written::default(), now)?,
        };
        recorded.keep(tx, (target_type, target_id))?;
    }
    proposals::merged(tx, &uid)?;
    let merge = Merge { cohort: current.key, author_hash: due.author_hash.clone(), merged_at: now.hour() };
    merges::insert(tx, key, (target_type, target_id), &merge)?;
    let wrote = Some((target_type, target_id, *pair));
    leave::committed(tx, due, digest, &Left { uid: Some(&uid), recognisable: true, wrote }, now)?;
    Ok(End::Committed)
}

/// A row with a correction in it. A corrected value no longer says what its source said: the source goes.
fn corrected(current: &Map<String, Value>, change: &Change) -> Map<String, Value> {
    let mut content = current.clone();
    match change {
        Change::VolatileValue(change) => {
            let value = json!(change.proposed_value);
            if content.get("value") != Some(&value) {
                content.shift_remove("source");
                content.shift_remove("as_of");
            }
            content.insert("value".to_owned(), value);
            content.insert("value_type".to_owned(), json!(change.value_type));
        }
        Change::Reference(change) => {
            let fields = [
                ("title", &change.proposed_title),
                ("url", &change.proposed_url),
                ("last_verified", &change.proposed_last_verified),
                ("archived_url", &change.archived_url),
            ];
            for (name, value) in fields {
                if let Some(value) = value {
                    content.insert(name.to_owned(), json!(value));
                }
            }
        }
        Change::Skill(_) | Change::Path(_) | Change::PathSource(_) => {}
    }
    content
}

/// A concern as it is published: nothing of its context, and months instead of days (DECISIONS §8).
fn published(it: &concern::Concern, cohort_anchor: Option<String>, now: Moment) -> Concern {
    let month = |date: &str| date.get(..7).unwrap_or(date).to_owned();
    let mut concern = Concern {
        target_type: it.target_type.as_str().to_owned(),
        target_id: it.target_id.clone(),
        cohort_anchor,
        day: now.day().0,
        ..Concern::default()
    };
    match &it.content {
        Content::Skill(issue) => {
            concern.scope = Some(issue.scope.as_str().to_owned());
            concern.specifier.clone_from(&issue.specifier);
            concern.body.clone_from(&issue.body);
            concern.evidence_month = month(&issue.evidence_date);
            concern.evidence_source = Some(issue.evidence_source.as_str().to_owned());
        }
        Content::VolatileValue(issue) => {
            concern.body = issue.note.clone().unwrap_or_default();
            concern.observed_value = Some(match &issue.observed_value {
                Scalar::Number(number) => number.to_string(),
                Scalar::Text(text) => text.clone(),
            });
            concern.evidence_month = month(&issue.evidence_date);
        }
        Content::Reference(issue) => {
            concern.body.clone_from(&issue.body);
            concern.evidence_month = month(&issue.evidence_date);
            concern.evidence_source = Some(issue.evidence_source.as_str().to_owned());
        }
        Content::Path(issue) => {
            concern.scope = Some(issue.scope.as_str().to_owned());
            concern.specifier.clone_from(&issue.specifier);
            concern.body.clone_from(&issue.report);
            concern.evidence_month = month(&issue.evidence_date);
            concern.evidence_source = Some(issue.evidence_source.as_str().to_owned());
        }
        Content::PathSource(issue) => {
            concern.body.clone_from(&issue.body);
            concern.evidence_month = month(&issue.evidence_date);
            concern.evidence_source = Some(issue.evidence_source.as_str().to_owned());
        }
        Content::SkillGraph(issue) => {
            concern.body.clone_from(&issue.body);
            concern.specifier.clone_from(&issue.proposed_skill_id);
            concern.evidence_month = month(&issue.evidence_date);
        }
    }
    concern
}
