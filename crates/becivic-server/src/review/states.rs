//! The states a submission is moved through by a person, or by whatever recognises names: one function, for the status
//! endpoint and for the desk (§8.3, DECISIONS §8).

use crate::consensus::{self, follow};
use crate::db::{DbError, Tx, concerns, ledger, staged, standings, votes};
use crate::moment::Moment;
use crate::rejection::Category;
use crate::secrets::Bytes32;
use becivic_core::consensus::{Earlier, SourceTally};
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

/// Carries a transition out; gives back the state before.
pub fn transition(
    tx: &mut dyn Tx,
    kind: Kind,
    id: &str,
    digest: &Bytes32,
    wanted: Wanted,
    now: Moment,
) -> Result<Result<String, Category>, DbError> {
    let waiting = staged::standing(tx, id)?.filter(|it| of_kind(kind, &it.kind));
    if let Some(staged::Standing { review, .. }) = waiting {
        if wanted != Wanted::Held {
            return Ok(Err(Category::InvalidTransition));
        }
        staged::take_from_public(tx, id, "held", now.day())?;
        let held = staged::hold(tx, id, "asked", now.day())?;
        let before = state_of_staged(review.as_deref()).to_owned();
        return Ok(if held { Ok(before) } else { Err(Category::NotFound) });
    }
    if staged::find_held(tx, id)?.is_some_and(|head| of_kind(kind, &head.kind)) {
        match wanted {
            Wanted::Held => return Ok(Err(Category::InvalidTransition)),
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
        return Ok(Ok(HELD.to_owned()));
    }
    let Some(entry) = ledger::find(tx, digest)?.filter(|entry| of_kind(kind, &entry.kind)) else {
        return Ok(Err(Category::NotFound));
    };
    let allowed = match wanted {
        Wanted::Held => matches!(entry.state.as_str(), "committed" | "released" | "released_after_edit"),
        Wanted::Released | Wanted::ReleasedAfterEdit | Wanted::Discarded => entry.state == HELD,
    };
    if !allowed {
        return Ok(Err(Category::InvalidTransition));
    }
    ledger::set_state(tx, digest, wanted.as_str())?;
    if let Some(uid) = &entry.uid {
        let shown = !matches!(wanted, Wanted::Held | Wanted::Discarded);
        match kind {
            Kind::Concern if wanted == Wanted::Discarded => concerns::erase(tx, uid)?,
            Kind::Concern => concerns::set_visible(tx, uid, shown)?,
            Kind::Validation => {
                let of = votes::set_counted(tx, uid, shown)?;
                count_again(tx, of, shown)?
            }
            Kind::Amendment | Kind::Draft | Kind::Feedback | Kind::Rating | Kind::Analytics => false,
        };
    }
    Ok(Ok(entry.state))
}

/// Counts the cohort of a verdict again that counts now, or does not any more. One that is released counts as if it had landed
/// now: its voter may have voted again meanwhile, and is one and the same.
fn count_again(tx: &mut dyn Tx, of: Option<votes::Moved>, counts: bool) -> Result<bool, DbError> {
    let Some(votes::Moved { row, artefact, cohort, voter_hash }) = of else { return Ok(false) };
    let (target_type, target_id) = artefact.split_once(':').unwrap_or_default();
    let standing = standings::lock(tx, target_type, target_id)?.filter(|it| it.cohort == cohort);
    let Some(mut standing) = standing else { return Ok(true) };
    if counts {
        let mut before = match &voter_hash {
            Some(voter) => votes::of_voter(tx, &artefact, &cohort, voter)?,
            None => Vec::new(),
        };
        before.retain(|it| it.key != row.key);
        let same = |it: &votes::Counted| it.target_id == row.target_id;
        let earlier: Vec<Earlier> = before
            .iter()
            .map(|it| Earlier { ballot: it.ballot, marks: it.marks, same_source: same(it) })
            .collect();
        let landed = standing.tally.land(&mut SourceTally::default(), row.ballot, &earlier);
        votes::mark(tx, &row.key, landed.marks)?;
        for (before, marks) in before.iter().zip(&landed.earlier) {
            votes::mark(tx, &before.key, *marks)?;
        }
    }
    consensus::heal(tx, &mut standing)?;
    follow::recount_sources(tx, &standing)?;
    standings::count(tx, &standing)?;
    standings::look_at(tx, target_type, target_id, Some(Moment(0)))?;
    Ok(true)
}
