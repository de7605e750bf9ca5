//! What is forgotten, and when (DECISIONS §6, §8): every minute, and at start-up for what came due while nothing ran.
//!
//! 1. Salts and counters of past days, 61 minutes after midnight.
//! 2. Who sent what has left staging, and the session ids of verdicts, after 30 days.
//! 3. Pairs of contributors whose time has come.
//! 4. Who voted on what is stable, or on a concern, every 90 days.
//! 5. Once an hour, what erased rows left behind in the database's own files (`Db::renew`).

use crate::app::App;
use crate::db::{DbError, Tx, contributors, ledger, salts, standings, votes};
use crate::moment::{DAY, MINUTE, Moment};
use std::sync::Arc;
use std::time::Duration;

/// How long the salt of a stable artefact's votes is kept, in milliseconds (DECISIONS §6).
pub const SALT_OF_WHAT_LASTS: i64 = 90 * DAY;

/// Runs until it is stopped.
pub async fn every_minute(app: Arc<App>) {
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    let mut minutes: u64 = 0;
    loop {
        minute.tick().await;
        minutes += 1;
        if minutes % 60 == 2 {
            let db = app.db.clone();
            let renewed = tokio::task::spawn_blocking(move || db.renew()).await;
            if !matches!(renewed, Ok(Ok(()))) {
                tracing::warn!("could not write the tables anew");
            }
        }
        let now = app.clock.now();
        if let Err(error) = app.db.write(move |tx| forget(tx, now)).await {
            tracing::warn!(error = %error, "could not forget what is due");
        }
    }
}

/// Forgets what is due.
pub fn forget(tx: &mut dyn Tx, now: Moment) -> Result<(), DbError> {
    // The salt of a day outlives it by 61 minutes: the rolling hour may still need it.
    salts::forget_days_before(tx, now.plus(-61 * MINUTE).day())?;
    ledger::forget_due(tx, now)?;
    votes::forget_sessions(tx, now.plus(-ledger::REMEMBERED).day())?;
    contributors::erase_due(tx, now)?;
    // What never ends by itself gets another salt every 90 days; whoever voted under the one before is forgotten.
    for (target_type, target_id, cohort) in salts::worn_out(tx, now.plus(-SALT_OF_WHAT_LASTS).day())? {
        votes::forget_voters(tx, &standings::artefact(&target_type, &target_id), &cohort)?;
        salts::forget_cohort(tx, (&target_type, &target_id), &cohort)?;
    }
    Ok(())
}
