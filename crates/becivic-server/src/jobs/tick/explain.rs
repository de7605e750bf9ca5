//! Why an artefact is where it is, and what is still missing: for `becivic tick --explain` and for readers.

use super::look::{Looked, look};
use crate::app::App;
use crate::consensus;
use crate::db::standings::{self, Standing};
use crate::db::transitions::{self, Transition};
use crate::db::{DbError, Tx};
use crate::live::Live;
use crate::moment::Moment;
use becivic_core::consensus::Policy;

/// What is known of an artefact.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Where it stands.
    pub standing: Standing,
    /// What would be decided now; `None` for what the state machine has nothing to do with.
    pub looked: Option<Looked>,
    /// How it came here, newest first.
    pub transitions: Vec<Transition>,
}

/// Where an artefact stands, and what would be decided now; `None` when there is none of this name.
pub fn stands(
    tx: &mut dyn Tx,
    live: &Live,
    (target_type, target_id): (&str, &str),
    policy: &Policy,
    now: Moment,
) -> Result<Option<(Standing, Option<Looked>)>, DbError> {
    let Some(standing) = standings::find(tx, target_type, target_id)? else { return Ok(None) };
    let looked = look(tx, live, &standing, policy, now)?;
    Ok(Some((standing, looked)))
}

/// Explains an artefact; `None` when there is none of this name.
pub fn explain(
    tx: &mut dyn Tx,
    live: &Live,
    (target_type, target_id): (&str, &str),
    policy: &Policy,
    now: Moment,
) -> Result<Option<Explanation>, DbError> {
    let found = stands(tx, live, (target_type, target_id), policy, now)?;
    let Some((standing, looked)) = found else { return Ok(None) };
    let transitions = transitions::of_target(tx, (target_type, target_id), i64::MAX, 20)?;
    Ok(Some(Explanation { standing, looked, transitions }))
}

/// The same, for whoever may wait on a thread.
pub fn explain_now(app: &App, target_type: &str, target_id: &str) -> anyhow::Result<Option<Explanation>> {
    let (policy, now, live) =
        (consensus::policy(&app.config.consensus), app.clock.now(), app.live.load_full());
    let (target_type, target_id) = (target_type.to_owned(), target_id.to_owned());
    Ok(app.db.read_now(move |tx| explain(tx, &live, (&target_type, &target_id), &policy, now))?)
}
