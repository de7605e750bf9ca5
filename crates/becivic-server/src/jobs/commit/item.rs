//! A due row, read.

use crate::app::App;
use crate::db::staged::Due;
use becivic_core::preflight::doubts;
use becivic_core::submission::amendment::Content;
use becivic_core::submission::{Kind, Submission, TargetType};

/// A due row and what it says.
#[derive(Clone, Debug)]
pub struct Item {
    /// The row.
    pub due: Due,
    /// Its type.
    pub kind: Kind,
    /// What it says.
    pub submission: Submission,
}

impl Item {
    /// Reads a row; gives it back when it is none that this program could have staged.
    pub fn read(due: Due) -> Result<Self, Due> {
        let Some(kind) = Kind::named(&due.kind).filter(|kind| super::is_staged(*kind)) else {
            return Err(due);
        };
        let value: Option<serde_json::Value> = serde_json::from_str(&due.payload).ok();
        match value.and_then(|value| Submission::read(kind, &value).ok()) {
            Some(submission) => Ok(Self { due, kind, submission }),
            None => Err(due),
        }
    }

    /// Whether it changes files of the corpus.
    pub fn touches_files(&self) -> bool {
        match &self.submission {
            Submission::Draft(_) => true,
            Submission::Amendment(it) => match it.content {
                Content::Skill(_) | Content::Path(_) | Content::PathSource(_) => true,
                Content::VolatileValue(_) | Content::Reference(_) => false,
            },
            Submission::Concern(_)
            | Submission::Validation(_)
            | Submission::Feedback(_)
            | Submission::Rating(_)
            | Submission::Analytics(_) => false,
        }
    }

    /// The artefact whose votes and merges it belongs to: a source belongs to its path.
    pub fn artefact(&self) -> (&'static str, &str) {
        match self.submission.target() {
            Some((TargetType::PathSource, id)) => {
                (TargetType::Path.as_str(), id.split(':').next().unwrap_or(id))
            }
            Some((target_type, id)) => (target_type.as_str(), id),
            None => ("", ""),
        }
    }

    /// Why a person has to look first, as long as none has. Names and hosts are looked for again: whoever recognises them may
    /// know more than when it was sent.
    pub fn needs_a_look(&self, app: &App) -> Option<&'static str> {
        use crate::pipeline::{DRAFT_TARGET, UNLISTED_HOST, look};
        let review = self.due.review.as_deref();
        if self.was_passed() {
            return None;
        }
        let value = serde_json::from_str(&self.due.payload).unwrap_or_default();
        let doubts = look::in_value(app.names, &look::KnownHosts::of(app), self.kind, &value);
        let found = doubts::gravest(&doubts).map(doubts::Why::as_str);
        found.or([UNLISTED_HOST, DRAFT_TARGET].into_iter().find(|why| review == Some(*why)))
    }

    /// Whether a person has looked and let it pass.
    pub fn was_passed(&self) -> bool {
        matches!(self.due.review.as_deref(), Some("released" | "released_after_edit" | "approved"))
    }

    /// The `major.minor` line of the target when it was staged.
    pub fn line(&self) -> String {
        let version = self.due.cohort_anchor.as_deref().and_then(|anchor| anchor.rsplit_once('@'));
        let line = version.and_then(|(_, version)| version.rsplit_once('.')).map(|(line, _)| line);
        line.unwrap_or_default().to_owned()
    }
}
