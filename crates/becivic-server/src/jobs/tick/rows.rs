//! Values and references: decided and changed in one transaction, many rows at a time.

use super::super::steps::{Step, reached};
use super::{End, Looked, Mode, Run, look};
use crate::consensus::rows::{self, End as RowEnd};
use crate::consensus::{self, Cause, Written, note};
use crate::db::catalogue::{self, CatalogueRow};
use crate::db::standings::{self, Standing};
use crate::db::{DbError, Tx, contributors, review_items, salts, votes};
use crate::live::Live;
use crate::moment::Moment;
use crate::transparency::content_of_entry;
use becivic_core::consensus::{Outcome, Policy};
use becivic_core::vocabulary::Status;

/// Rows changed in one transaction.
const TOGETHER: usize = 100;

impl Run<'_> {
    /// Looks at rows of the catalogue and does what is decided.
    pub fn rows(&mut self, due: &[Standing]) -> anyhow::Result<Vec<(Standing, End)>> {
        let mut ends = Vec::with_capacity(due.len());
        for together in due.chunks(TOGETHER) {
            let live = self.app.live.load_full();
            let (policy, now, mode) = (self.policy.clone(), self.now, self.mode);
            let work = together.to_vec();
            let done = self.app.db.write_now(move |tx| {
                work.iter().map(|it| one(tx, &live, it, &policy, now, mode)).collect::<Result<Vec<_>, _>>()
            })?;
            reached(Step::RowStored);
            for (standing, (end, healed, looked)) in together.iter().zip(done) {
                self.summary.healed += usize::from(healed);
                if let (Mode::Try, Some(looked)) = (mode, &looked) {
                    self.would(standing, looked);
                }
                ends.push((standing.clone(), end));
            }
        }
        Ok(ends)
    }
}

type Done = (End, bool, Option<Looked>);

fn one(
    tx: &mut dyn Tx,
    live: &Live,
    due: &Standing,
    policy: &Policy,
    now: Moment,
    mode: Mode,
) -> Result<Done, DbError> {
    let Some(mut standing) = standings::lock(tx, &due.target_type, &due.target_id)? else {
        return Ok((End::Overtaken, false, None));
    };
    let Some(row) = catalogue::current(tx, &due.target_id)? else {
        return leave(tx, due, mode, false);
    };
    let mended = rows::agree(tx, &mut standing, &row, now)?;
    let healed = consensus::heal(tx, &mut standing)? || mended;
    let Some(looked) = look(tx, live, &standing, policy, now)? else {
        return leave(tx, due, mode, healed);
    };
    let end = End::of(looked.decision.outcome);
    if mode == Mode::Try {
        return Ok((end, false, Some(looked)));
    }
    let cause = Cause::decided(&looked.decision, policy);
    match looked.decision.outcome {
        Outcome::Stay => {
            if healed {
                standings::count(tx, &standing)?;
            }
            standings::look_at(tx, &due.target_type, &due.target_id, looked.look_next(now))?;
        }
        Outcome::Promote(status) => {
            promote(tx, &mut standing, row, status, &cause, now)?;
            standing.look_at = look(tx, live, &standing, policy, now)?.and_then(|next| next.look_next(now));
            standings::store(tx, &standing)?;
        }
        Outcome::RollBack => put_away(tx, &mut standing, &cause, RowEnd::RolledBack, now)?,
        Outcome::Quarantine => put_away(tx, &mut standing, &cause, RowEnd::Quarantined, now)?,
        // What only paths can do.
        Outcome::Deprecate | Outcome::Return => {
            standings::look_at(tx, &due.target_type, &due.target_id, None)?;
        }
    }
    Ok((end, healed, Some(looked)))
}

/// There is nothing to decide on, until something happens to it.
fn leave(tx: &mut dyn Tx, due: &Standing, mode: Mode, healed: bool) -> Result<Done, DbError> {
    if mode == Mode::Carry {
        standings::look_at(tx, &due.target_type, &due.target_id, None)?;
    }
    Ok((End::Stayed, healed, None))
}

/// The row is the same, and so is its cohort. At stable, whoever voted on it or wrote it is forgotten; the counts stay. The standing
/// is stored by whoever knows when to look next.
fn promote(
    tx: &mut dyn Tx,
    standing: &mut Standing,
    row: CatalogueRow,
    status: Status,
    cause: &Cause,
    now: Moment,
) -> Result<(), DbError> {
    let written = Written { content: Some(content_of_entry(row.content)), ..Written::default() };
    note(tx, standing, (status.as_str(), ""), cause, written, now)?.name_in(standing);
    catalogue::set_status(tx, &standing.target_id, status.as_str())?;
    status.as_str().clone_into(&mut standing.status);
    if status == Status::Stable {
        let target = (standing.target_type.as_str(), standing.target_id.as_str());
        votes::forget_voters(tx, &standing.artefact(), &standing.cohort)?;
        salts::forget_cohort(tx, target, &standing.cohort)?;
        contributors::erase(tx, target.0, target.1)?;
    }
    Ok(())
}

fn put_away(
    tx: &mut dyn Tx,
    standing: &mut Standing,
    cause: &Cause,
    end: RowEnd,
    now: Moment,
) -> Result<(), DbError> {
    standings::count(tx, standing)?;
    rows::put_away(tx, standing, cause, end, now)?;
    if standing.status == Status::Quarantined.as_str() {
        let target = (standing.target_type.as_str(), standing.target_id.as_str());
        review_items::open_once(tx, "rolled_back_to_nothing", target, now.day())?;
    }
    standings::look_at(tx, &standing.target_type, &standing.target_id, None)
}
