//! Pull requests: what is approved is merged by the commit job, which makes the change anew against the head of `main`; what
//! is refused is erased at once, and the job closes it on the forge.

use super::{Done, Record, Refused, decide};
use crate::app::App;
use crate::db::{DbError, Tx, desk, jobs, pulls, staged};
use crate::jobs::commit::{self, leave};
use std::sync::Arc;

/// The category of a submission that a person refused.
pub const REVIEW_REJECTED: &str = "review_rejected";

/// The review of what a person wants merged.
pub const APPROVED: &str = "approved";

/// Lets a pull request be merged.
pub(super) async fn merge(app: &Arc<App>, record: Record, number: i64) -> Result<Done, Refused> {
    decide(app, move |tx| {
        let pull = match open(tx, &record, number)? {
            Ok(pull) => pull,
            Err(refused) => return Ok(Err(refused)),
        };
        if pull.review.as_deref() == Some(APPROVED) {
            let text = "It is approved already; the commit job merges it in a moment.";
            return Ok(Err(Refused::Conflict(text.to_owned())));
        }
        if !desk::approve(tx, number, record.at())? {
            return Ok(Err(withdrawn(number)));
        }
        jobs::hurry(tx, commit::NAME)?;
        record.write(tx, &subject(number))?;
        Ok(Ok(Done {
            text: format!("Pull request {number} is approved; the commit job merges it in a moment."),
        }))
    })
    .await
}

/// Refuses a pull request.
pub(super) async fn reject(app: &Arc<App>, record: Record, number: i64) -> Result<Done, Refused> {
    let pepper = app.pepper.clone();
    decide(app, move |tx| {
        let pull = match open(tx, &record, number)? {
            Ok(pull) => pull,
            Err(refused) => return Ok(Err(refused)),
        };
        let due = match &pull.id {
            Some(id) => staged::load(tx, id)?,
            None => None,
        };
        match due {
            Some(due) => {
                leave::rejected(tx, &due, &pepper.id(&due.id), REVIEW_REJECTED, record.at())?;
            }
            // What it came from was taken back: there is only the pull request left to close.
            None => {
                pulls::close(tx, number, REVIEW_REJECTED, record.at().day())?;
            }
        }
        record.write(tx, &subject(number))?;
        Ok(Ok(Done { text: format!("Pull request {number} is refused; its text is erased.") }))
    })
    .await
}

/// The pull request, if it is open; nobody else decides on it until this transaction ends.
fn open(tx: &mut dyn Tx, record: &Record, number: i64) -> Result<Result<desk::Pull, Refused>, DbError> {
    if let Err(refused) = record.permit(tx)? {
        return Ok(Err(refused));
    }
    let locked = desk::lock_pull(tx, number)?;
    Ok(match desk::find_pull(tx, number)? {
        None => Err(Refused::Missing(format!(
            "There is no pull request {number}; `becivic review list` lists those that wait."
        ))),
        Some(pull) if !locked => {
            Err(Refused::Conflict(format!("Pull request {number} is {} already.", pull.state)))
        }
        Some(pull) => Ok(pull),
    })
}

fn withdrawn(number: i64) -> Refused {
    Refused::Conflict(format!(
        "What pull request {number} comes from is gone; refuse it, so that it is closed."
    ))
}

fn subject(number: i64) -> String {
    format!("pull request {number}")
}
