//! Issues on the forge for what has to be looked at at the desk: opened with the item, closed when it is settled. They carry
//! ids and reasons of ours, and nothing that was submitted. (On the local forge the desk alone says so.)

use super::Run;
use crate::db::{desk, facts, review_items};
use crate::forge::{Forge, ForgeError};

/// Issues opened or closed in one run.
const MOST: i64 = 20;

/// The fact that names the issue about held submissions.
const HELD_ISSUE: &str = "held_issue";

/// Brings the forge's issues up to what waits at the desk.
pub fn follow(run: &Run<'_>) -> anyhow::Result<()> {
    let app = run.app;
    if let Forge::Local = app.forge {
        return Ok(());
    }
    for item in app.db.write_now(|tx| review_items::without_issue(tx, MOST))? {
        let title = format!("Review {}: {} {}:{}", item.uid, item.reason, item.target_type, item.target_id);
        let body =
            format!("`becivic review show {}:{}` or the desk show more.\n", item.target_type, item.target_id);
        if let Some(number) = app.forge.open_issue(&title, &body)? {
            app.db.write_now(move |tx| review_items::note_issue(tx, &item.uid, Some(number)))?;
        }
    }
    for (uid, number) in app.db.write_now(|tx| review_items::with_needless_issue(tx, MOST))? {
        close(run, number)?;
        app.db.write_now(move |tx| review_items::note_issue(tx, &uid, None))?;
    }
    held(run)
}

/// One issue for everything that is held: a submission's id is nobody else's business.
fn held(run: &Run<'_>) -> anyhow::Result<()> {
    let app = run.app;
    let (waiting, noted) =
        app.db.write_now(|tx| Ok((!desk::held(tx, "", 1)?.is_empty(), facts::find(tx, HELD_ISSUE)?)))?;
    let noted = noted.and_then(|number| number.parse::<i64>().ok());
    match (waiting, noted) {
        (true, None) => {
            let body = "`becivic review list` or the desk show which.\n";
            if let Some(number) = app.forge.open_issue("Submissions are held for review", body)? {
                app.db.write_now(move |tx| facts::agree(tx, HELD_ISSUE, &number.to_string()))?;
            }
        }
        (false, Some(number)) => {
            close(run, number)?;
            app.db.write_now(|tx| facts::forget(tx, HELD_ISSUE))?;
        }
        (true, Some(_)) | (false, None) => {}
    }
    Ok(())
}

/// Closes an issue; one that is not there any more is as good as closed.
fn close(run: &Run<'_>, number: i64) -> Result<(), ForgeError> {
    match run.app.forge.close_issue(number) {
        Err(ForgeError::Missing(_)) => Ok(()),
        closed => closed,
    }
}
