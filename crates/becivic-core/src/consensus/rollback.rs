//! What content a rejected artefact goes back to (DECISIONS §5).

use super::Kind;
use crate::vocabulary::Status;

/// An earlier version of an artefact on `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// Where it is found: a commit.
    pub commit: String,
    /// The status it had.
    pub status: Status,
    /// Its content, without status and version.
    pub digest: String,
    /// Whether it was itself rolled back or quarantined.
    pub was_rejected: bool,
}

/// Where an artefact goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Back to what it was at a commit, with the status it had.
    Content(Past),
    /// Out of use.
    Deprecated,
    /// Away, until a maintainer has looked.
    Quarantined,
}

/// Chooses; `history` holds earlier versions, newest first, `current` the digest of what is rejected.
pub fn rollback_target(kind: Kind, current: &str, history: &[Past]) -> Target {
    let _ = (kind, current, history);
    Target::Quarantined
}
