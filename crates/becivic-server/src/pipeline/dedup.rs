//! Whether an id was used before, and by whom.
//!
//! 1. Look among what is staged, held, and has left staging. Of an amendment, a draft and whatever is only rehearsed, that is done before
//!    any check. The others are checked first, because most are new: the transaction that stores one looks for its id by itself, and one
//!    that a check refuses is looked for before its sender hears of the refusal. Either way, what was sent before is answered as it
//!    stands, whatever the checks would say of it now.
//! 2. The same payload from the same submitter: the record as it stands; while staged or held, with a fresh cancel token.
//! 3. Another payload or another submitter: a conflict. So is an id whose sender has been forgotten.
//!
//! Should the salt of a pair be lost in a crash, whoever knows both the id and every word of the payload is taken for the
//! sender: neither is ever published.

use super::{Accepted, Burst, take_burst};
use crate::app::{App, Sender, fresh};
use crate::db::{DbError, Tx, ledger, salts, staged};
use crate::moment::Moment;
use crate::rejection::{Category, Rejection};
use crate::review::states::{HELD, Wanted};
use crate::secrets::{Bytes32, Pepper, Purpose, Token};
use becivic_core::preflight::Shaped;
use becivic_core::submission::Kind;
use becivic_core::submission::envelope::Mode;

/// What a submission is recognised by when it is sent again.
#[derive(Clone)]
pub struct Imprint {
    pub kind: Kind,
    pub id: String,
    /// The digest of the id.
    pub digest: Bytes32,
    /// The digest of what it says ([`Pepper::payload`]).
    pub payload_digest: Bytes32,
}

impl Imprint {
    /// Of a submission of the right shape.
    pub fn of(shaped: &Shaped, pepper: &Pepper) -> Self {
        let submission = shaped.submission();
        Self {
            kind: submission.kind(),
            id: submission.id().to_owned(),
            digest: pepper.id(submission.id()),
            payload_digest: pepper.payload(shaped.value()),
        }
    }
}

/// Whether looking costs less than the checks of a type, which may run over the whole corpus as it would be.
pub fn is_cheaper(kind: Kind) -> bool {
    matches!(kind, Kind::Amendment | Kind::Draft)
}

/// Where an id was found, and what it takes to recognise its sender.
struct Found {
    place: Place,
    salt: Option<Vec<u8>>,
    submitter_hash: Option<Vec<u8>>,
    payload_digest: Option<Vec<u8>>,
}

enum Place {
    Staged { commit_eta: Moment },
    Held,
    Left { state: String, day: Moment },
}

/// What to answer when the id was used before; `None` when it is new.
pub async fn look_up(
    app: &App,
    sender: &Sender,
    imprint: &Imprint,
    mode: Mode,
    burst: Burst,
) -> Result<Option<Accepted>, Rejection> {
    let (id, kind, digest) = (imprint.id.clone(), imprint.kind, imprint.digest);
    let asked = id.clone();
    let Some(found) = app.db.read(move |tx| find(tx, &asked, &digest)).await? else { return Ok(None) };
    let same_payload = found.payload_digest.as_deref() == Some(imprint.payload_digest.as_slice());
    let same_sender = match (&found.salt, &found.submitter_hash) {
        (Some(salt), Some(hash)) => {
            app.pepper.address(Purpose::Submission, salt, sender.address).as_slice() == hash
        }
        (None, Some(_)) => true,
        (_, None) => false,
    };
    if !same_payload || !same_sender {
        return Err(Rejection::at(
            Category::DuplicateIdDifferentSubmitter,
            &format!("/{}", kind.id_field()),
            "Make a new id for every submission.",
        ));
    }
    // Sending again is sending: it counts like anything else, and before the lost token is replaced.
    match (mode, burst) {
        (Mode::Stage, Burst::Untaken(now)) => take_burst(app, sender, 1, now).await?,
        (Mode::Validate, _) | (Mode::Stage, Burst::Taken) => {}
    }
    match found.place {
        Place::Staged { commit_eta } => match mode {
            Mode::Validate => Ok(Some(Accepted::Known { id, state: "staged".to_owned() })),
            Mode::Stage => again(app, id, commit_eta).await.map(Some),
        },
        // Verdicts are not taken back.
        Place::Held if mode == Mode::Validate || kind == Kind::Validation => {
            Ok(Some(Accepted::Known { id, state: HELD.to_owned() }))
        }
        Place::Held => again_held(app, id).await.map(Some),
        Place::Left { day, state } if counts_at_once(kind) && !is_out(&state) => {
            Ok(Some(Accepted::Applied { id, applied_at: day, again: true }))
        }
        Place::Left { state, .. } => Ok(Some(Accepted::Known { id, state })),
    }
}

fn counts_at_once(kind: Kind) -> bool {
    matches!(kind, Kind::Validation | Kind::Analytics)
}

/// Whether a maintainer has taken it out of every count.
fn is_out(state: &str) -> bool {
    matches!(Wanted::named(state), Some(Wanted::Held | Wanted::Discarded))
}

fn find(tx: &mut dyn Tx, id: &str, digest: &[u8; 32]) -> Result<Option<Found>, DbError> {
    if !staged::is_used(tx, id, digest)? {
        return Ok(None);
    }
    match find_used(tx, id, digest)? {
        Some(found) => Ok(Some(found)),
        // Between two questions it may have moved from where the second looks to where the first did.
        None => find_used(tx, id, digest),
    }
}

fn find_used(tx: &mut dyn Tx, id: &str, digest: &[u8; 32]) -> Result<Option<Found>, DbError> {
    let waiting = match staged::find(tx, id)? {
        Some(head) => Some((Place::Staged { commit_eta: head.commit_eta }, head)),
        None => staged::find_held(tx, id)?.map(|head| (Place::Held, head)),
    };
    if let Some((place, head)) = waiting {
        return Ok(Some(Found {
            place,
            salt: salts::of_submission(tx, id)?,
            submitter_hash: head.submitter_hash,
            payload_digest: Some(head.payload_digest),
        }));
    }
    let Some(entry) = ledger::find(tx, digest)? else { return Ok(None) };
    Ok(Some(Found {
        place: Place::Left { state: entry.state, day: Moment(entry.day) },
        salt: salts::of_ledger(tx, digest)?,
        submitter_hash: entry.submitter_hash,
        payload_digest: entry.payload_digest,
    }))
}

/// The record again, with a token in the place of the lost one.
async fn again(app: &App, id: String, commit_eta: Moment) -> Result<Accepted, Rejection> {
    let token = Token::new(&fresh()?);
    let (row, hash) = (id.clone(), token.hash);
    let replaced = app.db.write(move |tx| staged::replace_token(tx, &row, &hash)).await?;
    if !replaced {
        return Ok(Accepted::Known { id, state: "committed".to_owned() });
    }
    Ok(Accepted::Staged { id, cancel_token: token.shown, commit_eta, again: true })
}

/// The same for what waits for a person.
async fn again_held(app: &App, id: String) -> Result<Accepted, Rejection> {
    let token = Token::new(&fresh()?);
    let (row, hash) = (id.clone(), token.hash);
    let replaced = app.db.write(move |tx| staged::replace_held_token(tx, &row, &hash)).await?;
    Ok(match replaced {
        true => Accepted::Held { id, cancel_token: Some(token.shown) },
        // A person was faster.
        false => Accepted::Known { id, state: Wanted::Released.as_str().to_owned() },
    })
}
