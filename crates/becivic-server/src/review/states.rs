//! The states a submission is moved through by a person, or by whatever recognises names: one function, for the status
//! endpoint and for the desk (§8.3, DECISIONS §8).

use super::{standalone, verdicts};
use crate::db::{DbError, Tx, concerns, ledger, salts, staged};
use crate::moment::Moment;
use crate::pipeline::{DRAFT_TARGET, UNLISTED_HOST};
use crate::rejection::{Category, Rejection};
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

/// The reason of what a maintainer holds, public or not.
pub const ASKED: &str = "asked";

/// Why something is held, as a word of ours.
pub fn why(review: Option<&str>) -> &'static str {
    let reasons = [Why::Name.as_str(), UNLISTED_HOST, Why::NotHttps.as_str(), DRAFT_TARGET];
    reasons.into_iter().find(|why| review == Some(*why)).unwrap_or(ASKED)
}

/// The submission that is moved.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Which<'a> {
    pub kind: Kind,
    /// Its id, or the name it has in public.
    pub id: &'a str,
    /// The digest of its id.
    pub digest: &'a Bytes32,
    /// The key of the row that it became, where its id leads there.
    pub row: &'a Bytes32,
}

/// Carries a transition out.
pub fn transition(
    tx: &mut dyn Tx,
    which: Which<'_>,
    wanted: Wanted,
    now: Moment,
) -> Result<Result<Moved, Rejection>, DbError> {
    let Which { kind, id, .. } = which;
    let waiting = staged::standing(tx, id)?.filter(|it| of_kind(kind, &it.kind));
    if let Some(staged::Standing { review, .. }) = waiting {
        if wanted != Wanted::Held {
            return Ok(Err(Rejection::new(Category::InvalidTransition)));
        }
        staged::take_from_public(tx, id, "held", now.day())?;
        let held = staged::hold(tx, id, ASKED, now.day())?;
        let before = state_of_staged(review.as_deref()).to_owned();
        return Ok(if held { Ok(Moved { before, why: ASKED }) } else { Err(not_found()) });
    }
    match staged::find_held(tx, id)?.filter(|head| of_kind(kind, &head.kind)) {
        Some(head) => from_held(tx, which, &head, wanted, now),
        None => from_public(tx, which, wanted, now),
    }
}

fn not_found() -> Rejection {
    Rejection::new(Category::NotFound)
}

/// Moves what waits for a person.
fn from_held(
    tx: &mut dyn Tx,
    which: Which<'_>,
    head: &staged::Head,
    wanted: Wanted,
    now: Moment,
) -> Result<Result<Moved, Rejection>, DbError> {
    let Which { kind, id, digest, row } = which;
    let was_committed = standalone::is(kind) && ledger::find(tx, digest)?.is_some();
    let done = match wanted {
        Wanted::Held => return Ok(Err(Rejection::new(Category::InvalidTransition))),
        Wanted::Released | Wanted::ReleasedAfterEdit if was_committed => {
            let done = standalone::release(tx, kind, id, row)?;
            done && ledger::set_state(tx, digest, wanted.as_str())?
        }
        Wanted::Released | Wanted::ReleasedAfterEdit if kind == Kind::Validation => {
            verdicts::release(tx, id, digest, wanted, now)?
        }
        Wanted::Released | Wanted::ReleasedAfterEdit => staged::release(tx, id, wanted.as_str(), now)?,
        Wanted::Discarded if kind == Kind::Validation => {
            verdicts::discard(tx, id, digest, now)?;
            true
        }
        Wanted::Discarded => {
            discard(tx, which, head, now)?;
            true
        }
    };
    let moved = Moved { before: HELD.to_owned(), why: why(head.review.as_deref()) };
    Ok(if done { Ok(moved) } else { Err(not_found()) })
}

/// Throws away what waits. Its sender is recognised for 30 days more, as after a refusal: whoever sends it again learns what became
/// of it.
fn discard(tx: &mut dyn Tx, which: Which<'_>, head: &staged::Head, now: Moment) -> Result<(), DbError> {
    let state = Wanted::Discarded.as_str();
    let entry = ledger::Entry {
        kind: which.kind.as_str().to_owned(),
        state: state.to_owned(),
        day: now.day().0,
        payload_digest: Some(head.payload_digest.clone()),
        submitter_hash: head.submitter_hash.clone(),
        forget_at: Some(now.day().0 + ledger::REMEMBERED),
        ..ledger::Entry::default()
    };
    if ledger::insert(tx, which.digest, &entry)? {
        if let Some(salt) = salts::of_submission(tx, which.id)? {
            salts::keep_ledger(tx, which.digest, &salt)?;
        }
    } else {
        ledger::set_state(tx, which.digest, state)?;
    }
    staged::remove(tx, which.id).map(drop)
}

/// Moves what has left staging.
fn from_public(
    tx: &mut dyn Tx,
    which: Which<'_>,
    wanted: Wanted,
    now: Moment,
) -> Result<Result<Moved, Rejection>, DbError> {
    let Which { kind, id, digest, row } = which;
    let Some(entry) = ledger::find(tx, digest)?.filter(|entry| of_kind(kind, &entry.kind)) else {
        return Ok(Err(not_found()));
    };
    let allowed = match wanted {
        Wanted::Held => matches!(entry.state.as_str(), "committed" | "released" | "released_after_edit"),
        Wanted::Released | Wanted::ReleasedAfterEdit | Wanted::Discarded => entry.state == HELD,
    };
    if !allowed {
        return Ok(Err(Rejection::new(Category::InvalidTransition)));
    }
    let shown = !matches!(wanted, Wanted::Held | Wanted::Discarded);
    match (kind, &entry.uid) {
        (Kind::Concern, Some(uid)) if wanted == Wanted::Discarded => drop(concerns::erase(tx, uid)?),
        (Kind::Concern, Some(uid)) => drop(concerns::set_visible(tx, uid, shown)?),
        (Kind::Validation, Some(uid)) => verdicts::moved(tx, uid, wanted, now)?,
        (Kind::Feedback | Kind::Rating, _) if standalone::hold(tx, kind, id, row, now.day())? => {}
        (kind, uid) => return Ok(Err(stays(kind, uid.as_deref()))),
    }
    ledger::set_state(tx, digest, wanted.as_str())?;
    Ok(Ok(Moved { before: entry.state, why: ASKED }))
}

/// Why something that was committed cannot be held, and what to do instead.
fn stays(kind: Kind, uid: Option<&str>) -> Rejection {
    let help = match (kind, uid) {
        (Kind::Amendment | Kind::Draft, Some(uid)) => format!(
            "It stands in public as {uid}. What was merged is taken back on the machine that holds the data folder, with the server stopped: `becivic retract --uid {uid}` shows what would go, and with `--apply --who NAME` takes it out."
        ),
        (Kind::Amendment | Kind::Draft, None) => {
            "What was merged is taken back on the machine that holds the data folder, with the server stopped: `becivic retract --uid` with the name it has in public.".to_owned()
        }
        (Kind::Feedback | Kind::Rating, _) => {
            "Its row cannot be found by its id; `becivic retract --text` takes a text out wherever it stands.".to_owned()
        }
        (Kind::Concern | Kind::Validation | Kind::Analytics, _) => {
            "Nothing of it can be told from the others any more.".to_owned()
        }
    };
    Rejection { help: Some(help), ..Rejection::new(Category::InvalidTransition) }
}
