//! The states a submission is moved through by a person, or by whatever recognises names: one function, for the status
//! endpoint and for the desk (§8.3, DECISIONS §8).

use super::verdicts;
use crate::db::{DbError, Tx, concerns, ledger, staged};
use crate::moment::Moment;
use crate::pipeline::{DRAFT_TARGET, UNLISTED_HOST};
use crate::rejection::Category;
use crate::secrets::Bytes32;
use becivic_core::preflight::Why;
use becivic_core::submission::Kind;

/// The state of what waits for a person.
pub const HELD: &str = "ner_held_for_review";

/// Whether a text could be an id of this kind: nothing else is looked up.
pub fn is_id(kind: Kind, text: &str) -> bool {
    let uuid = text.strip_prefix(kind.id_prefix());
    uuid.is_some_and(|uuid| uuid.len() == 36 && uuid.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-'))
}

/// What is staged was released, if somebody held it before.
pub fn state_of_staged(review: Option<&str>) -> &'static str {
    match review.and_then(Wanted::named) {
        Some(it @ (Wanted::Released | Wanted::ReleasedAfterEdit)) => it.as_str(),
        Some(Wanted::Held | Wanted::Discarded) | None => "staged",
    }
}

/// Whether a row of this kind is meant.
pub fn of_kind(kind: Kind, kept: &str) -> bool {
    kind.as_str() == kept
}

/// The states a maintainer, or the recogniser of names, may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Not public, until a person has looked.
    Held,
    /// A person has looked and found nothing.
    Released,
    /// A person has looked and changed it.
    ReleasedAfterEdit,
    /// A person has looked and thrown it away.
    Discarded,
}

impl Wanted {
    /// Reads a state by its name on the wire.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            HELD | "held_for_review" => Some(Self::Held),
            "released" => Some(Self::Released),
            "released_after_edit" => Some(Self::ReleasedAfterEdit),
            "discarded" => Some(Self::Discarded),
            _ => None,
        }
    }

    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Held => HELD,
            Self::Released => "released",
            Self::ReleasedAfterEdit => "released_after_edit",
            Self::Discarded => "discarded",
        }
    }
}

/// A transition that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The state before.
    pub before: String,
    /// Why it was held, or is.
    pub why: &'static str,
}

/// What a maintainer holds.
pub const ASKED: &str = "asked";

/// Why something is held, as a word of ours.
pub fn why(review: Option<&str>) -> &'static str {
    let reasons = [Why::Name.as_str(), UNLISTED_HOST, DRAFT_TARGET];
    reasons.into_iter().find(|why| review == Some(*why)).unwrap_or(ASKED)
}

/// Carries a transition out.
pub fn transition(
    tx: &mut dyn Tx,
    kind: Kind,
    id: &str,
    digest: &Bytes32,
    wanted: Wanted,
    now: Moment,
) -> Result<Result<Moved, Category>, DbError> {
    let waiting = staged::standing(tx, id)?.filter(|it| of_kind(kind, &it.kind));
    if let Some(staged::Standing { review, .. }) = waiting {
        if wanted != Wanted::Held {
            return Ok(Err(Category::InvalidTransition));
        }
        staged::take_from_public(tx, id, "held", now.day())?;
        let held = staged::hold(tx, id, ASKED, now.day())?;
        let before = state_of_staged(review.as_deref()).to_owned();
        return Ok(if held { Ok(Moved { before, why: ASKED }) } else { Err(Category::NotFound) });
    }
    if let Some(head) = staged::find_held(tx, id)?.filter(|head| of_kind(kind, &head.kind)) {
        match wanted {
            Wanted::Held => return Ok(Err(Category::InvalidTransition)),
            Wanted::Released | Wanted::ReleasedAfterEdit if kind == Kind::Validation => {
                if !verdicts::release(tx, id, digest, wanted, now)? {
                    return Ok(Err(Category::NotFound));
                }
            }
            Wanted::Discarded if kind == Kind::Validation => verdicts::discard(tx, id, digest, now)?,
            Wanted::Released | Wanted::ReleasedAfterEdit => {
                if !staged::release(tx, id, wanted.as_str(), now)? {
                    return Ok(Err(Category::NotFound));
                }
            }
            Wanted::Discarded => {
                let entry = ledger::Entry {
                    kind: kind.as_str().to_owned(),
                    state: wanted.as_str().to_owned(),
                    day: now.day().0,
                    ..ledger::Entry::default()
                };
                ledger::insert(tx, digest, &entry)?;
                staged::remove(tx, id)?;
            }
        }
        return Ok(Ok(Moved { before: HELD.to_owned(), why: why(head.review.as_deref()) }));
    }
    let Some(entry) = ledger::find(tx, digest)?.filter(|entry| of_kind(kind, &entry.kind)) else {
        return Ok(Err(Category::NotFound));
    };
    let allowed = match wanted {
        Wanted::Held => matches!(entry.state.as_str(), "committed" | "released" | "released_after_edit"),
        Wanted::Released | Wanted::ReleasedAfterEdit | Wanted::Discarded => entry.state == HELD,
    };
    // What stands in Git is taken back there, and which message or rating came of a submission is not known to anybody.
    let can_be_found = match kind {
        Kind::Concern | Kind::Validation => entry.uid.is_some(),
        Kind::Amendment | Kind::Draft | Kind::Feedback | Kind::Rating | Kind::Analytics => false,
    };
    if !allowed || !can_be_found {
        return Ok(Err(Category::InvalidTransition));
    }
    ledger::set_state(tx, digest, wanted.as_str())?;
    if let Some(uid) = &entry.uid {
        let shown = !matches!(wanted, Wanted::Held | Wanted::Discarded);
        match kind {
            Kind::Concern if wanted == Wanted::Discarded => drop(concerns::erase(tx, uid)?),
            Kind::Concern => drop(concerns::set_visible(tx, uid, shown)?),
            Kind::Validation => verdicts::moved(tx, uid, digest, wanted, now)?,
            Kind::Amendment | Kind::Draft | Kind::Feedback | Kind::Rating | Kind::Analytics => {}
        }
    }
    Ok(Ok(Moved { before: entry.state, why: ASKED }))
}
