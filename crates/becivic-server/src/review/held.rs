//! Held submissions: released, released after an edit, or discarded, by their id; what was public before it was held also by the
//! name it has there.

use super::standalone;
use super::states::{self, HELD, Wanted, Which};
use super::{Done, Record, Refused, subject};
use crate::app::App;
use crate::db::{DbError, Tx, desk, ledger};
use crate::pipeline;
use crate::secrets::{Bytes32, Pepper};
use becivic_core::json;
use becivic_core::submission::Kind;
use serde_json::Value;

/// Fields that an edit leaves as they are: what the submission is, and what it is about.
const FIXED: &[&str] = &[
    "type",
    "target_type",
    "target_id",
    "proposed_id",
    "schema_version",
    "verdict",
    "injection_flag",
    "traversal_metadata",
    "session_id",
];

/// Lets a submission go on.
pub(super) async fn release(app: &App, record: Record, id: String) -> Result<Done, Refused> {
    let text = "It is released; it is committed when its window has ended.";
    move_to(app, record, id, Wanted::Released, None, text).await
}

/// Throws a submission away.
pub(super) async fn discard(app: &App, record: Record, id: String) -> Result<Done, Refused> {
    move_to(app, record, id, Wanted::Discarded, None, "It is discarded; its text is erased.").await
}

/// Lets a submission go on with another text, which passes every check that the first one did.
pub(super) async fn edit_and_release(
    app: &App,
    record: Record,
    id: String,
    edited: String,
) -> Result<Done, Refused> {
    let asked = id.clone();
    let found = app.db.read(move |tx| desk::find_held(tx, &asked)).await?;
    let held = found.ok_or_else(|| missing(&id))?;
    let kind = Kind::named(&held.kind).ok_or_else(|| missing(&id))?;
    let before: Value = serde_json::from_str(&held.payload)
        .map_err(|_| Refused::Conflict("The held text cannot be read; discard it.".to_owned()))?;
    let after = json::value(&edited)
        .map_err(|error| Refused::Invalid(format!("The edited submission is not JSON: {}", error.help)))?;
    if standalone::is_row(&before) {
        let text = "It was committed before; it can be released or discarded, not edited.";
        return Err(Refused::Conflict(text.to_owned()));
    }
    if after == before {
        return Err(Refused::Invalid("Nothing was changed; release it as it is.".to_owned()));
    }
    let moved =
        FIXED.iter().copied().chain([kind.id_field()]).find(|name| after.get(*name) != before.get(*name));
    if let Some(name) = moved {
        return Err(Refused::Invalid(format!("An edit leaves `{name}` as it is.")));
    }
    let text = after.to_string();
    pipeline::judge_again(app, kind, after).await?;
    let edit = Edit { before: held.payload, after: text };
    let said = "It is released after an edit; it is committed when its window has ended.";
    move_to(app, record, id, Wanted::ReleasedAfterEdit, Some(edit), said).await
}

/// A text and what comes in its place.
struct Edit {
    before: String,
    after: String,
}

async fn move_to(
    app: &App,
    record: Record,
    id: String,
    wanted: Wanted,
    edit: Option<Edit>,
    said: &'static str,
) -> Result<Done, Refused> {
    let pepper = app.pepper.clone();
    let work = move |tx: &mut dyn Tx| {
        if let Err(refused) = record.permit(tx)? {
            return Ok(Err(refused));
        }
        let Some((kind, digest)) = held(tx, &pepper, &id)? else { return Ok(Err(missing(&id))) };
        if let Some(edit) = &edit
            && !desk::replace_held(tx, &id, &edit.after, &edit.before)?
        {
            let text = "Somebody else has changed it in the meantime; look at it again.";
            return Ok(Err(Refused::Conflict(text.to_owned())));
        }
        // It was held a moment ago: whoever was faster is seen when this is run again.
        let which = Which { kind, id: &id, digest: &digest, row: &pepper.row(&id) };
        let Ok(moved) = states::transition(tx, which, wanted, record.at())? else {
            return Err(DbError::Collision);
        };
        record.write(tx, &subject(kind, &digest))?;
        Ok(Ok((kind, moved)))
    };
    let (kind, moved) = app.db.write(work).await??;
    app.metrics.moved(kind.as_str(), wanted, moved.why);
    app.pages.forget();
    let text = match (kind, wanted) {
        (Kind::Validation, Wanted::Released | Wanted::ReleasedAfterEdit) => COUNTS,
        _ => said,
    };
    Ok(Done { text: text.to_owned() })
}

/// A verdict has no window.
const COUNTS: &str = "It is released; it counts from now on.";

/// Kind and digest of what is held under an id, or under a name in public.
fn held(tx: &mut dyn Tx, pepper: &Pepper, id: &str) -> Result<Option<(Kind, Bytes32)>, DbError> {
    if let Some(held) = desk::find_held(tx, id)? {
        return Ok(Kind::named(&held.kind).map(|kind| (kind, pepper.id(id))));
    }
    Ok(withdrawn(tx, pepper, id)?.map(|it| (it.kind, it.digest)))
}

/// What was public and is held now.
pub(super) struct Withdrawn {
    pub kind: Kind,
    pub digest: Bytes32,
    /// The name it has in public.
    pub uid: String,
}

/// What was public under a name, or was sent under an id, and is held now.
pub(super) fn withdrawn(tx: &mut dyn Tx, pepper: &Pepper, name: &str) -> Result<Option<Withdrawn>, DbError> {
    let found = match desk::find_withdrawn(tx, name)? {
        Some((digest, kind)) => Some((digest, kind, name.to_owned())),
        None => {
            let digest = pepper.id(name);
            let entry = ledger::find(tx, &digest)?.filter(|entry| entry.state == HELD);
            entry.and_then(|entry| Some((digest, entry.kind, entry.uid?)))
        }
    };
    Ok(found.and_then(|(digest, kind, uid)| Some(Withdrawn { kind: Kind::named(&kind)?, digest, uid })))
}

fn missing(id: &str) -> Refused {
    Refused::Missing(format!("Nothing is held under {id}; `becivic review list` lists what is."))
}
