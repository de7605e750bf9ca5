//! The last steps, in one transaction: what the sender has left is counted, a vote is compared with who wrote what it is
//! about, and the submission is stored. Either all of it happens or nothing does, whoever else is sending.
//!
//! 1. An id that was used before is found: nothing is counted or touched here then, and it is answered for as it stands
//!    (`pipeline/dedup.rs`). Somebody else may yet store the same id before the last step has; that is found then.
//! 2. Lock the sender's counters; the rolling hour first.
//! 3. The day's quotas. A vote that is refused in the next step has used its own.
//! 4. A vote by somebody who wrote the artefact is refused; one on the sender's own concern weighs nothing. So is one on
//!    what was put away since it was looked up.
//! 5. Store: verdicts and events take effect at once, everything else waits for its window to end. What a person has to look
//!    at first is held instead: a verdict counts when it is released; a flag counts at once, and its words wait.

use super::dedup::{self, Imprint};
use super::look::Looked;
use super::{Accepted, Burst};
use crate::app::{App, Sender, fresh};
use crate::config::Limits;
use crate::consensus;
use crate::consensus::land::{self, Landing, Place};
use crate::db::staged::Staged;
use crate::db::votes::Vote;
use crate::db::{self, DbError, Tx, contributors, flags, ledger, salts, standings};
use crate::limits::{self, Exceeded, Share};
use crate::moment::{DAY, Moment};
use crate::rejection::{Category, Rejection};
use crate::secrets::{Bytes32, Pepper, Purpose, Token};
use becivic_core::consensus::{self as core, Ballot, Policy, Verdict};
use becivic_core::json;
use becivic_core::preflight::Why;
use becivic_core::submission::envelope::Mode;
use becivic_core::submission::{Kind, Submission, TargetType, Validation, validation};

/// A flag is remembered against its sender for this long at most.
pub const SANCTION_PERIOD: i64 = 90 * DAY;

/// Permission to store: only the count and the self-vote check make one.
struct Admitted {
    weight: i64,
    /// Where a vote counts.
    place: Place,
}

/// Why something may not be stored.
struct Refused(Category);

/// What is stored, and everything random that it takes, made before the transaction so that it can be run again.
struct Plan {
    imprint: Imprint,
    salt: Bytes32,
    submitter_hash: Bytes32,
    share: Share,
    what: What,
    /// Why a person has to look first, if one has.
    hold: Option<&'static str>,
    now: Moment,
}

enum What {
    Wait {
        row: Box<Staged>,
        author: Option<Author>,
    },
    Vote {
        vote: Box<Vote>,
        /// What waits for a person, should one have to look.
        words: Option<Box<Staged>>,
        kind: Option<core::Kind>,
        policy: Box<Policy>,
        cohort_salt: Bytes32,
        ticket: Bytes32,
        sanction_salt: Bytes32,
    },
    Event {
        key: Bytes32,
        event_type: &'static str,
        content: String,
    },
}

/// Of an amendment: the cohort whose salt its sender is hashed with, and a salt should there be none yet.
struct Author {
    target_type: &'static str,
    target_id: String,
    cohort: String,
    salt: Bytes32,
}

enum End {
    Stored,
    /// Stored, and its artefact was put away.
    PutAway,
    UsedBefore,
    Refused(Category, Option<Moment>),
}

/// Stores a submission.
pub async fn stage(
    app: &App,
    sender: &Sender,
    looked: Looked,
    imprint: Imprint,
    session: Option<String>,
    burst: Burst,
    now: Moment,
) -> Result<Accepted, Rejection> {
    let token = Token::new(&fresh()?);
    let commit_eta = looked.timed().commit_eta();
    let plan = plan(app, sender, &looked, imprint.clone(), session, &token, now)?;
    let (kind, hold) = (imprint.kind, plan.hold);
    let (from, limits, pepper) = (*sender, app.config.limits.clone(), app.pepper.clone());
    let end = app.db.write(move |tx| store(tx, &plan, &from, burst, &limits, &pepper)).await?;
    match end {
        End::Stored | End::PutAway => {
            let id = imprint.id;
            if matches!(end, End::PutAway) {
                let found = app.db.read(|tx| standings::withheld(tx)).await?;
                app.look_at_withheld(found);
                // A row of the catalogue is cited on any of them.
                app.pages.forget();
                app.wake.notify_one();
            }
            app.metrics.accepted(kind.as_str());
            if let Some(why) = hold {
                app.metrics.held(kind.as_str(), why);
            }
            Ok(match kind {
                // Verdicts are not taken back.
                Kind::Validation if hold.is_some() => Accepted::Held { id, cancel_token: None },
                _ if hold.is_some() => Accepted::Held { id, cancel_token: Some(token.shown) },
                Kind::Validation | Kind::Analytics => Accepted::Applied { id, applied_at: now, again: false },
                Kind::Concern | Kind::Amendment | Kind::Draft | Kind::Feedback | Kind::Rating => {
                    Accepted::Staged { id, cancel_token: token.shown, commit_eta, again: false }
                }
            })
        }
        End::Refused(category, until) => {
            if let Some(until) = until
                // The day's quotas end at midnight and are asked each time; the hour's may reach beyond it.
                && until != now.day().plus(DAY)
            {
                app.gate.close(sender.today, until, now);
            }
            let retry_after = until.map(|until| now.seconds_until(until));
            let rejection = match category {
                Category::CrossRefFail => {
                    Rejection::at(category, "/target_id", "It was put away a moment ago; read it again.")
                }
                _ => Rejection::new(category),
            };
            Err(Rejection { retry_after, ..rejection })
        }
        End::UsedBefore => {
            let known = dedup::look_up(app, sender, &imprint, Mode::Stage, burst).await?;
            known.ok_or_else(Rejection::unavailable)
        }
    }
}

fn plan(
    app: &App,
    sender: &Sender,
    looked: &Looked,
    imprint: Imprint,
    session: Option<String>,
    token: &Token,
    now: Moment,
) -> Result<Plan, Rejection> {
    let timed = looked.timed();
    let resolved = timed.resolved();
    let submission = resolved.submission();
    let salt = fresh()?;
    let submitter_hash = app.pepper.address(Purpose::Submission, &salt, sender.address);
    let hold = looked.hold().map(Why::as_str);
    let row = |session_id: Option<String>| {
        Box::new(Staged {
            id: imprint.id.clone(),
            kind: imprint.kind.as_str(),
            payload: json::text(resolved.value()),
            payload_digest: imprint.payload_digest,
            submitter_hash,
            cancel_hash: token.hash,
            received_at: now,
            commit_eta: timed.commit_eta(),
            cohort_anchor: resolved.cohort_anchor.clone(),
            review: resolved.review,
            session_id,
        })
    };
    let what = match submission {
        Submission::Validation(it) => What::Vote {
            // Of a flag the verdict itself carries the session.
            words: hold.map(|_| row(it.session_id.clone().filter(|_| !it.flags_injection()))),
            vote: Box::new(vote(it, resolved.cohort.clone(), resolved.cohort_anchor.clone(), now)?),
            kind: consensus::kind(it.target_type, resolved.is_meta),
            policy: Box::new(consensus::policy(&app.config.consensus)),
            cohort_salt: fresh()?,
            ticket: fresh()?,
            sanction_salt: fresh()?,
        },
        Submission::Analytics(it) => What::Event {
            key: fresh()?,
            event_type: it.event_type.as_str(),
            content: resolved.value().get("content").map(json::text).unwrap_or_default(),
        },
        Submission::Concern(_)
        | Submission::Amendment(_)
        | Submission::Draft(_)
        | Submission::Feedback(_)
        | Submission::Rating(_) => {
            What::Wait { row: row(session), author: author(submission, &resolved.cohort)? }
        }
    };
    let share = match submission {
        Submission::Validation(it) => Share { validation: true, flag: it.flags_injection() },
        _ => Share { validation: false, flag: false },
    };
    Ok(Plan { imprint, salt, submitter_hash, share, what, hold, now })
}

/// Whose merges an amendment is counted with: a source belongs to its path.
fn author(submission: &Submission, cohort: &str) -> Result<Option<Author>, DbError> {
    let Submission::Amendment(it) = submission else { return Ok(None) };
    let (target_type, target_id) = artefact(it.target_type, &it.target_id);
    Ok(Some(Author {
        target_type: target_type.as_str(),
        target_id: target_id.to_owned(),
        cohort: cohort.to_owned(),
        salt: fresh()?,
    }))
}

/// What is changed or voted on with a target: a source belongs to its path.
fn artefact(target_type: TargetType, target_id: &str) -> (TargetType, &str) {
    match target_type {
        TargetType::PathSource => (TargetType::Path, target_id.split(':').next().unwrap_or_default()),
        other => (other, target_id),
    }
}

fn vote(
    it: &Validation,
    cohort: String,
    cohort_anchor: Option<String>,
    now: Moment,
) -> Result<Vote, DbError> {
    let traversal = it.traversal_metadata.as_ref().and_then(|it| serde_json::to_string(it).ok());
    let handoff = it.traversal_metadata.as_ref().is_some_and(|it| it.validates_post_handoff == Some(true));
    let (target_type, target_id) = artefact(it.target_type, &it.target_id);
    Ok(Vote {
        vote_key: fresh()?,
        target_type: it.target_type.as_str(),
        target_id: it.target_id.clone(),
        artefact: standings::artefact(target_type.as_str(), target_id),
        cohort,
        cohort_anchor,
        ballot: Ballot {
            verdict: match it.verdict {
                validation::Verdict::Confirm => Verdict::Confirm,
                validation::Verdict::Reject => Verdict::Reject,
            },
            flag: it.flags_injection(),
            probe: false,
            handoff,
        },
        weight: 1,
        rationale: it.rationale.clone(),
        injection_reason: it.injection_reason.clone(),
        traversal,
        session_id: it.session_id.clone(),
        day: now.day(),
    })
}

fn store(
    tx: &mut dyn Tx,
    plan: &Plan,
    sender: &Sender,
    burst: Burst,
    limits: &Limits,
    pepper: &Pepper,
) -> Result<End, DbError> {
    if db::staged::is_used(tx, &plan.imprint.id, &plan.imprint.digest)? {
        return Ok(End::UsedBefore);
    }
    let mut rate = db::limits::lock(tx, &sender.today, sender.day)?;
    if let Burst::Untaken(_) = burst {
        let before = sender.before.map_or(Ok(Vec::new()), |hash| db::limits::recent(tx, &hash))?;
        if let Err(Exceeded { until }) = limits::take_burst(&mut rate, &before, 1, limits, plan.now) {
            return Ok(End::Refused(Category::RateLimitExceeded, Some(until)));
        }
    }
    let sanction = sanction(tx, plan, sender, pepper)?;
    let bogus = sanction.as_ref().map_or(Ok(0), |hash| flags::bogus_flags(tx, hash))?;
    if let Err(Exceeded { until }) = limits::take_day(&mut rate, plan.share, bogus, limits, plan.now) {
        rate.rejections += 1;
        db::limits::store(tx, &sender.today, sender.day, &rate)?;
        return Ok(End::Refused(Category::RateLimitExceeded, Some(until)));
    }
    let admitted = match admit(tx, plan, sender, pepper)? {
        Ok(admitted) => admitted,
        Err(Refused(category)) => {
            rate.rejections += 1;
            db::limits::store(tx, &sender.today, sender.day, &rate)?;
            return Ok(End::Refused(category, None));
        }
    };
    let Some(put_away) = write(tx, plan, sender, pepper, sanction.as_ref(), admitted)? else {
        return Ok(End::UsedBefore);
    };
    db::limits::store(tx, &sender.today, sender.day, &rate)?;
    Ok(if put_away { End::PutAway } else { End::Stored })
}

/// The sanction hash of a sender who raises a flag.
fn sanction(
    tx: &mut dyn Tx,
    plan: &Plan,
    sender: &Sender,
    pepper: &Pepper,
) -> Result<Option<Bytes32>, DbError> {
    match &plan.what {
        What::Vote { vote, sanction_salt, .. } if vote.ballot.flag => {
            let salt = salts::of_sanctions(tx, plan.now.0.div_euclid(SANCTION_PERIOD), sanction_salt)?;
            Ok(Some(pepper.address(Purpose::Sanction, &salt, sender.address)))
        }
        What::Vote { .. } | What::Wait { .. } | What::Event { .. } => Ok(None),
    }
}

/// Whether the sender may do this; a vote on what it wrote itself may not be counted.
fn admit(
    tx: &mut dyn Tx,
    plan: &Plan,
    sender: &Sender,
    pepper: &Pepper,
) -> Result<Result<Admitted, Refused>, DbError> {
    let What::Vote { vote, .. } = &plan.what else {
        return Ok(Ok(Admitted { weight: 1, place: Place::Past }));
    };
    // Whoever wrote a path votes on none of its sources.
    let (target_type, target_id) = vote.counts_for();
    let pairs = contributors::of(tx, target_type, target_id)?;
    let wrote_it = pairs.iter().any(|(salt, hash)| {
        pepper.address(Purpose::Submission, salt, sender.address).as_slice() == hash.as_slice()
    });
    let is_concern = target_type == TargetType::Observation.as_str();
    if wrote_it && !is_concern {
        return Ok(Err(Refused(Category::SelfValidationBlocked)));
    }
    let place = land::place(tx, vote, &vote.cohort)?;
    if place == Place::Closed {
        return Ok(Err(Refused(Category::CrossRefFail)));
    }
    Ok(Ok(Admitted { weight: i64::from(!wrote_it), place }))
}

/// Stores, and says whether that put an artefact away; `None` when the id was used in the meantime.
fn write(
    tx: &mut dyn Tx,
    plan: &Plan,
    sender: &Sender,
    pepper: &Pepper,
    sanction: Option<&Bytes32>,
    admitted: Admitted,
) -> Result<Option<bool>, DbError> {
    match &plan.what {
        What::Wait { row, author } => {
            let author_hash = match author {
                Some(Author { target_type, target_id, cohort, salt }) => {
                    let (salt, _) = salts::of_cohort(tx, target_type, target_id, cohort, salt, plan.now)?;
                    Some(pepper.address(Purpose::Author, &salt, sender.address))
                }
                None => None,
            };
            if !put(tx, plan, row, author_hash.as_ref())? {
                return Ok(None);
            }
            if let Some(why) = plan.hold {
                db::staged::hold(tx, &plan.imprint.id, why, plan.now.day())?;
            }
            Ok(Some(false))
        }
        What::Vote { vote, words, kind, policy, cohort_salt, ticket, .. } => {
            let mut vote = Vote { weight: admitted.weight, ..(**vote).clone() };
            if !tx.writes_alone() && words.is_some() && db::staged::find_held(tx, &plan.imprint.id)?.is_some()
            {
                return Ok(None);
            }
            let counts = words.is_none() || vote.ballot.flag;
            if (counts && !enter(tx, plan, Some(&vote))?)
                || !hold_words(tx, plan, words.as_deref(), &mut vote)?
            {
                return Ok(None);
            }
            let landing =
                Landing { vote: &vote, kind: *kind, fresh_salt: cohort_salt, policy, now: plan.now };
            let voter = |salt: &[u8]| pepper.address(Purpose::Vote, salt, sender.address);
            if !counts {
                land::keep(tx, &landing, admitted.place, voter)?;
                return Ok(Some(false));
            }
            let put_away = land::land(tx, &landing, admitted.place, voter)?;
            if vote.target_type == TargetType::Observation.as_str() && vote.weight > 0 {
                db::concerns::vote(tx, &vote.target_id, vote.ballot.verdict == Verdict::Confirm)?;
            }
            if let Some(sanction) = sanction {
                flags::open_for_flag(tx, vote.counts_for(), ticket, sanction, plan.now.day())?;
            }
            Ok(Some(put_away))
        }
        What::Event { key, event_type, content } => {
            if !enter(tx, plan, None)? {
                return Ok(None);
            }
            db::others::insert_event(tx, key, event_type, content, plan.now.day())?;
            Ok(Some(false))
        }
    }
}

/// Stages a row with its salt; false when its id was used before.
fn put(tx: &mut dyn Tx, plan: &Plan, row: &Staged, author: Option<&Bytes32>) -> Result<bool, DbError> {
    if !db::staged::insert(tx, row, author)? {
        return Ok(false);
    }
    // Looked up again: until the row was in, somebody else could have taken the same id back or held it.
    if !tx.writes_alone() && db::staged::is_used_elsewhere(tx, &plan.imprint.id, &plan.imprint.digest)? {
        db::staged::withdraw(tx, &plan.imprint.id)?;
        return Ok(false);
    }
    salts::keep_submission(tx, &plan.imprint.id, &plan.salt)?;
    Ok(true)
}

/// Holds the words of a verdict that somebody has to look at, and takes them from it; false when its id was used before.
fn hold_words(
    tx: &mut dyn Tx,
    plan: &Plan,
    words: Option<&Staged>,
    vote: &mut Vote,
) -> Result<bool, DbError> {
    let (Some(row), Some(why)) = (words, plan.hold) else { return Ok(true) };
    let fresh = if vote.ballot.flag {
        // It stands in the ledger already, as nobody else's does.
        let fresh = db::staged::insert(tx, row, None)?;
        salts::keep_submission(tx, &plan.imprint.id, &plan.salt)?;
        fresh
    } else {
        vote.session_id = None;
        put(tx, plan, row, None)?
    };
    (vote.rationale, vote.injection_reason) = (None, None);
    if fresh {
        db::staged::hold(tx, &plan.imprint.id, why, plan.now.day())?;
        db::staged::tie_vote(tx, &plan.imprint.id, &vote.vote_key)?;
    }
    Ok(fresh)
}

/// Enters what takes effect at once into the ledger.
fn enter(tx: &mut dyn Tx, plan: &Plan, vote: Option<&Vote>) -> Result<bool, DbError> {
    let flagged = vote.filter(|vote| vote.ballot.flag);
    let entry = ledger::Entry {
        kind: plan.imprint.kind.as_str().to_owned(),
        state: "committed".to_owned(),
        day: plan.now.day().0,
        payload_digest: Some(plan.imprint.payload_digest.to_vec()),
        submitter_hash: Some(plan.submitter_hash.to_vec()),
        uid: vote.map(|vote| vote.vote_key.iter().map(|byte| format!("{byte:02x}")).collect()),
        target_type: flagged.map(|vote| vote.target_type.to_owned()),
        target_id: flagged.map(|vote| vote.target_id.clone()),
        category: flagged.and(plan.hold).map(|_| ledger::WORDS_HELD.to_owned()),
        forget_at: Some(plan.now.day().0 + ledger::REMEMBERED),
    };
    // The salt only where the entry is ours: another sender's would no longer fit its hash.
    let entered = ledger::insert(tx, &plan.imprint.digest, &entry)?;
    if entered {
        salts::keep_ledger(tx, &plan.imprint.digest, &plan.salt)?;
    }
    Ok(entered)
}
