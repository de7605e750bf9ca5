//! The review desk: what waits for a maintainer, and what a maintainer does about it. The command `becivic review` and the
//! pages under `/review` are two faces of these functions.
//!
//! 1. Whoever acts holds a [`By`]: the name of a valid operator token, and a reason. A reason is one line of a maintainer's
//!    own words; what the scrub rules find something personal in is refused.
//! 2. [`act`] carries one [`Action`] out. What it changes and its line in the audit log are one transaction.
//! 3. Submissions stand in the log by a digest of their id: the id itself would say for ever when it was made.
//!
//! What waits is listed in `review/items.rs`; one file per kind of action: pull requests (`review/pulls.rs`), held submissions
//! (`review/held.rs`), artefacts (`review/artefacts.rs`), classes of sources (`review/revalidate.rs`), messages
//! (`review/triage.rs`).

pub mod artefacts;
pub mod held;
pub mod items;
pub mod json;
pub mod marks;
pub mod preview;
pub mod pulls;
pub mod rename;
pub mod rendered;
mod revalidate;
mod standalone;
pub mod states;
pub mod triage;
mod verdicts;

use crate::app::App;
use crate::db::audit::Deed;
use crate::db::{DbError, Tx, audit, tokens};
use crate::moment::Moment;
use crate::rejection::Rejection;
use crate::secrets::Bytes32;
use artefacts::Target;
use becivic_core::path::SourceClass;
use becivic_core::submission::Kind;
use std::future::Future;
use std::sync::Arc;

/// Most characters of a reason.
pub const LONGEST_REASON: usize = 500;

/// What a maintainer can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Merge a pull request.
    Merge {
        /// Its number.
        number: i64,
    },
    /// Refuse a pull request.
    Reject {
        /// Its number.
        number: i64,
    },
    /// Let a held submission go on.
    Release {
        /// Its id, or the name it has in public.
        id: String,
    },
    /// Let a held submission go on, with an edited text.
    EditAndRelease {
        /// Its id.
        id: String,
        /// The whole submission, as JSON.
        edited: String,
    },
    /// Throw a held submission away.
    Discard {
        /// Its id, or the name it has in public.
        id: String,
    },
    /// Bring an artefact back, and say that there was nothing.
    Reinstate {
        /// The artefact.
        target: Target,
        /// Whether its flags were raised against better knowledge.
        bogus: bool,
    },
    /// Withdraw an artefact that is no longer right.
    Deprecate {
        /// The artefact.
        target: Target,
    },
    /// Take an artefact from every reader.
    Quarantine {
        /// The artefact.
        target: Target,
    },
    /// Ask for every source of a class to be confirmed again.
    Revalidate {
        /// The class.
        class: SourceClass,
    },
    /// Note what became of a message.
    Triage {
        /// The message.
        handle: String,
        /// Its new state.
        state: triage::State,
    },
}

impl Action {
    /// As it is called in commands, forms and the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Merge { .. } => "merge",
            Self::Reject { .. } => "reject",
            Self::Release { .. } => "release",
            Self::EditAndRelease { .. } => "edit-and-release",
            Self::Discard { .. } => "discard",
            Self::Reinstate { bogus: false, .. } => "reinstate",
            Self::Reinstate { bogus: true, .. } => "reinstate-bogus",
            Self::Deprecate { .. } => "deprecate",
            Self::Quarantine { .. } => "quarantine",
            Self::Revalidate { .. } => "revalidate",
            Self::Triage { .. } => "triage",
        }
    }

    /// Whether it takes something from readers or puts something before them: then it needs a reason.
    pub fn needs_reason(&self) -> bool {
        !matches!(self, Self::Triage { .. })
    }
}

/// Why something was not done; the text says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There is no such thing.
    #[error("{0}")]
    Missing(String),
    /// It stands in a state in which this cannot be done.
    #[error("{0}")]
    Conflict(String),
    /// What was sent is wrong.
    #[error("{0}")]
    Invalid(String),
    /// The store does not answer.
    #[error("the database does not answer; nothing was changed, try again in a moment")]
    Unavailable,
}

impl From<DbError> for Refused {
    fn from(error: DbError) -> Self {
        tracing::error!(error = %error, "the database refused work");
        Self::Unavailable
    }
}

impl From<Rejection> for Refused {
    fn from(rejection: Rejection) -> Self {
        let mut text = rejection.category.about().to_owned();
        if let Some(pointer) = &rejection.pointer {
            text = format!("{pointer}: {text}");
        }
        if let Some(rule) = rejection.rule {
            text = format!("{text} The rule is {rule}.");
        }
        if let Some(help) = &rejection.help {
            text = format!("{text} {help}");
        }
        Self::Invalid(text)
    }
}

/// Who acts, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct By {
    who: String,
    why: String,
}

impl By {
    /// Takes a token's name, which must be valid when the action is carried out, and a reason.
    pub fn new(app: &App, who: &str, why: &str, needs_reason: bool) -> Result<Self, Refused> {
        let why = why.trim();
        let wrong = |text: &str| Err(Refused::Invalid(text.to_owned()));
        if why.is_empty() && needs_reason {
            return wrong("Say why, in a line: it stays in the audit log.");
        }
        if why.chars().count() > LONGEST_REASON || why.chars().any(char::is_control) {
            return wrong("A reason is one line of at most 500 characters.");
        }
        if !app.scrubber.scan(why).is_empty() || !app.names.find(why).persons.is_empty() {
            return wrong(
                "The reason holds something personal, and the audit log is kept for ever; leave it out.",
            );
        }
        Ok(Self { who: who.to_owned(), why: why.to_owned() })
    }
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// What a maintainer reads.
    pub text: String,
}

/// Carries an action out.
pub async fn act(app: &Arc<App>, by: By, action: Action) -> Result<Done, Refused> {
    let name = action.name();
    let record = Record { by, action: name, at: app.clock.now() };
    match action {
        Action::Merge { number } => pulls::merge(app, record, number).await,
        Action::Reject { number } => pulls::reject(app, record, number).await,
        Action::Release { id } => held::release(app, record, id).await,
        Action::EditAndRelease { id, edited } => held::edit_and_release(app, record, id, edited).await,
        Action::Discard { id } => held::discard(app, record, id).await,
        Action::Reinstate { target, bogus } => artefacts::reinstate(app, record, target, bogus).await,
        Action::Deprecate { target } => artefacts::deprecate(app, record, target).await,
        Action::Quarantine { target } => artefacts::quarantine(app, record, target).await,
        Action::Revalidate { class } => revalidate::revalidate(app, record, class).await,
        Action::Triage { handle, state } => triage::triage(app, record, handle, state).await,
    }
}

/// The line of the log that goes with an action.
#[derive(Clone, Debug)]
pub struct Record {
    by: By,
    action: &'static str,
    at: Moment,
}

impl Record {
    /// When it is done.
    pub fn at(&self) -> Moment {
        self.at
    }

    /// Refuses whoever may not act any more; asked first in every transaction.
    fn permit(&self, tx: &mut dyn Tx) -> Result<Result<(), Refused>, DbError> {
        if tokens::is_valid(tx, &self.by.who)? {
            return Ok(Ok(()));
        }
        let who = &self.by.who;
        Ok(Err(Refused::Invalid(format!(
            "There is no valid operator token named {who}; `becivic token list` lists them."
        ))))
    }

    /// Writes the line, in the transaction of what it tells about.
    fn write(&self, tx: &mut dyn Tx, subject: &str) -> Result<(), DbError> {
        let (who, why) = (self.by.who.as_str(), self.by.why.as_str());
        audit::write(tx, &Deed { at: self.at, who, action: self.action, subject, why }).map(drop)
    }
}

/// Runs work that refuses before it has written anything.
async fn decide<F>(app: &App, work: F) -> Result<Done, Refused>
where
    F: FnMut(&mut dyn Tx) -> Result<Result<Done, Refused>, DbError> + Send + 'static,
{
    app.db.write(work).await?
}

/// What a submission is called in the log: enough of the digest of its id to find it by, nothing to read a time from.
pub fn subject(kind: Kind, digest: &Bytes32) -> String {
    let digits: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("{kind} {digits}")
}

/// Runs the library's functions for a command, which has no runtime of its own.
pub fn now<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(work))
}
