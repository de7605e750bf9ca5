//! The life of a submission, in the one order there is (DECISIONS §7):
//!
//! 1. body limit and burst gate  the door keeps both, before it reads (`http/submit.rs`, `gate.rs`)
//! 2. parse                      strict JSON (`becivic_core::json`)
//! 3. identity-field ban         `Raw::shape`
//! 4. schema                     `Raw::shape`
//! 5. dedup lookup               [`dedup`]: says when it is asked; what was sent before is answered as if it had been asked here
//! 6. capability                 `Shaped::permit`
//! 7. scrub                      `Permitted::scrub`
//! 8. cross-reference            [`resolve`]
//! 9. cohort stamp               [`resolve`]
//! 10. timing                    [`timing`]
//! 11. names and hosts           [`look`]: refuses nothing, decides who sees it first
//! 12. daily limits              [`stage`], in the transaction of the last step
//! 13. self-validation           [`stage`], in the same
//! 14. stage, or hold            [`stage`]
//!
//! Each step consumes the type before it: `Raw → Shaped → Permitted → Scrubbed → Resolved → Timed → Looked → Admitted`, and only an
//! `Admitted` can be staged. The per-type endpoints, the envelope and every other door call [`run`]; whoever checks
//! before sending runs steps 3, 4, 6, 7 and 8 from the core.

mod dedup;
pub mod look;
mod quota;
mod resolve;
mod stage;
mod timing;

use crate::app::{App, Sender};
use crate::moment::Moment;
use crate::rejection::Rejection;
use becivic_core::preflight::{Doubt, Raw, Shaped};
use becivic_core::submission::envelope::Mode;
use becivic_core::submission::{Kind, Submission};
use serde_json::Value;

pub use quota::{count_rejection, take_burst, take_global};
pub use resolve::proposal::{DRAFT_TARGET, UNLISTED_HOST};
pub use resolve::{Preview, refuse_withheld};
pub use stage::SANCTION_PERIOD;

/// A submission as it came through a door.
pub struct Incoming {
    /// Its type.
    pub kind: Kind,
    /// What was sent.
    pub value: Value,
    /// The session of the envelope it came in.
    pub session: Option<String>,
    /// Whether it is taken from the sender's hour already.
    pub burst: Burst,
}

/// Whether a submission is taken from its sender's rolling hour already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Burst {
    /// The door has, for all items of an envelope together.
    Taken,
    /// Not yet; it is, at this moment.
    Untaken(Moment),
}

/// How a submission that was not refused ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Accepted {
    /// It would be accepted.
    Validated(Would),
    /// It is staged.
    Staged {
        /// Its id.
        id: String,
        /// What its sender can take it back with.
        cancel_token: String,
        /// When it will be committed.
        commit_eta: Moment,
        /// Whether it was staged before; the token is new all the same.
        again: bool,
    },
    /// A person has to look first.
    Held {
        /// Its id.
        id: String,
        /// What its sender can take it back with, where it can be taken back.
        cancel_token: Option<String>,
    },
    /// It took effect at once.
    Applied {
        /// Its id.
        id: String,
        /// When; the beginning of the day when it was applied before.
        applied_at: Moment,
        /// Whether it was applied before.
        again: bool,
    },
    /// It was sent before, and stands in this state now.
    Known {
        /// Its id.
        id: String,
        /// The state.
        state: String,
    },
}

/// What would become of a submission that is only rehearsed: one of these.
#[derive(Clone, Debug, PartialEq)]
pub enum Would {
    /// It would take effect at once.
    Apply,
    /// It would be staged, and committed then.
    Stage(Moment),
    /// A person would look first.
    Hold {
        /// At what.
        doubts: Vec<Doubt>,
        /// Whether it takes effect at once all the same: of a flag, only the words wait.
        applies: bool,
    },
}

impl Would {
    fn of(looked: &look::Looked) -> Self {
        let (timed, doubts) = (looked.timed(), looked.doubts().to_vec());
        match timed.resolved().submission() {
            Submission::Validation(it) if !doubts.is_empty() => {
                Self::Hold { doubts, applies: it.flags_injection() }
            }
            _ if !doubts.is_empty() => Self::Hold { doubts, applies: false },
            Submission::Validation(_) | Submission::Analytics(_) => Self::Apply,
            Submission::Concern(_)
            | Submission::Amendment(_)
            | Submission::Draft(_)
            | Submission::Feedback(_)
            | Submission::Rating(_) => Self::Stage(timed.commit_eta()),
        }
    }
}

/// Runs the whole list.
pub async fn run(
    app: &App,
    sender: &Sender,
    incoming: Incoming,
    mode: Mode,
    now: Moment,
) -> Result<Accepted, Rejection> {
    let Incoming { kind, value, session, burst } = incoming;
    let shaped = Raw::new(kind, value).shape()?;
    let imprint = dedup::Imprint::of(&shaped, &app.pepper);
    let looks_first = mode == Mode::Validate || dedup::is_cheaper(kind);
    if looks_first && let Some(known) = dedup::look_up(app, sender, &imprint, mode, burst).await? {
        return Ok(known);
    }
    match (judge(app, shaped, now).await, mode) {
        (Ok(looked), Mode::Validate) => Ok(Accepted::Validated(Would::of(&looked))),
        (Ok(looked), Mode::Stage) => stage::stage(app, sender, looked, imprint, session, burst, now).await,
        (Err(rejection), _) if looks_first => Err(rejection),
        (Err(rejection), _) => {
            let known = dedup::look_up(app, sender, &imprint, mode, burst).await?;
            known.ok_or(rejection)
        }
    }
}

/// The steps that judge the submission itself.
async fn judge(app: &App, shaped: Shaped, now: Moment) -> Result<look::Looked, Rejection> {
    let scrubbed = shaped.permit()?.scrub(app.scrubber)?;
    let resolved = resolve::resolve(app, scrubbed, now).await?;
    let timed = timing::check(resolved, app.config.staging.window, now)?;
    look::look(app, timed).await
}

/// The checks again, for a text that a maintainer edited: everything that judges the submission itself, nothing that counts
/// or asks who sent it. Somebody has looked: names and hosts are not asked about again, and a verdict that has taken effect is
/// not asked whether it still could.
pub async fn judge_again(app: &App, kind: Kind, value: Value) -> Result<Submission, Rejection> {
    let scrubbed = Raw::new(kind, value).shape()?.permit()?.scrub(app.scrubber)?;
    if kind == Kind::Validation {
        return Ok(scrubbed.submission().clone());
    }
    let resolved = resolve::resolve(app, scrubbed, app.clock.now()).await?;
    Ok(resolved.submission().clone())
}

/// What a proposal would make of the corpus, for those who look at it before it is merged.
pub async fn preview(app: &App, submission: &Submission) -> Result<Preview, Rejection> {
    resolve::preview(app, submission).await
}
