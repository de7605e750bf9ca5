//! What content a rejected artefact goes back to (DECISIONS §5).
//!
//! 1. Content that was itself rejected is never gone back to, nor an older version of the same content; content that came back
//!    after it was rejected is judged by what happened since.
//! 2. The newest `stable` content that differs from what is rejected.
//! 3. Where there is none: a skill goes back to its newest `alpha` or `beta` content that differs; a path is deprecated; a value
//!    or a reference is quarantined, and so is a skill that has nothing to go back to.

use super::Kind;
use crate::vocabulary::Status;
use rustc_hash::FxHashSet;

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
    /// Nowhere: a meta-skill is not the machine's to move.
    Stays,
}

/// Chooses; `history` holds earlier versions, newest first, `current` the digest of what is rejected.
pub fn rollback_target(kind: Kind, current: &str, history: &[Past]) -> Target {
    let acceptable = acceptable(current, history);
    let newest = |wanted: fn(Status) -> bool| {
        acceptable.iter().find(|past| wanted(past.status)).map(|past| Target::Content((*past).clone()))
    };
    let stable = newest(|status| status == Status::Stable);
    match kind {
        Kind::MetaSkill => Target::Stays,
        Kind::Skill => stable.or_else(|| newest(Status::is_published)).unwrap_or(Target::Quarantined),
        Kind::Path => stable.unwrap_or(Target::Deprecated),
        Kind::Value | Kind::Reference => stable.unwrap_or(Target::Quarantined),
    }
}

/// The versions whose content differs from the current one and was not rejected at that version or later, newest first.
fn acceptable<'a>(current: &'a str, history: &'a [Past]) -> Vec<&'a Past> {
    let mut rejected = FxHashSet::from_iter([current]);
    let mut acceptable = Vec::new();
    for past in history {
        if past.was_rejected {
            rejected.insert(past.digest.as_str());
        }
        if !rejected.contains(past.digest.as_str()) {
            acceptable.push(past);
        }
    }
    acceptable
}
