//! What is counted without anything being stored: refusals, the rolling hour of an envelope, and what everybody together sends.

use super::Burst;
use crate::app::{App, Sender};
use crate::db;
use crate::limits::{self, Exceeded};
use crate::moment::{MINUTE, Moment};
use crate::rejection::{Category, Rejection};

/// Counts a refused submission against its sender's hour and among its refusals.
pub async fn count_rejection(app: &App, sender: &Sender, burst: Burst, now: Moment) -> Result<(), Rejection> {
    let (from, limits) = (*sender, app.config.limits.clone());
    let full = app
        .db
        .write(move |tx| {
            let mut rate = db::limits::lock(tx, &from.today, from.day)?;
            let before = from.before.map_or(Ok(Vec::new()), |hash| db::limits::recent(tx, &hash))?;
            let taken = match burst {
                Burst::Taken => Ok(()),
                Burst::Untaken(_) => limits::take_burst(&mut rate, &before, 1, &limits, now),
            };
            rate.rejections += 1;
            db::limits::store(tx, &from.today, from.day, &rate)?;
            Ok(taken.err())
        })
        .await?;
    if let Some(Exceeded { until }) = full {
        app.gate.close(sender.today, until, now);
    }
    Ok(())
}

/// Takes an envelope's items from its sender's hour, all or none.
pub async fn take_burst(app: &App, sender: &Sender, items: i64, now: Moment) -> Result<(), Rejection> {
    let (from, limits) = (*sender, app.config.limits.clone());
    let taken = app
        .db
        .write(move |tx| {
            let mut rate = db::limits::lock(tx, &from.today, from.day)?;
            let before = from.before.map_or(Ok(Vec::new()), |hash| db::limits::recent(tx, &hash))?;
            let taken = limits::take_burst(&mut rate, &before, items, &limits, now);
            if taken.is_ok() {
                db::limits::store(tx, &from.today, from.day, &rate)?;
            }
            Ok(taken)
        })
        .await?;
    taken.map_err(|Exceeded { until }| {
        if items == 1 {
            app.gate.close(sender.today, until, now);
        }
        Rejection::until(Category::RateLimitExceeded, now, until)
    })
}

/// Takes from what everybody together may send in an hour.
pub async fn take_global(app: &App, items: i64, now: Moment) -> Result<(), Rejection> {
    let Err(piece) = app.gate.take(items, now) else { return Ok(()) };
    let limit = i64::from(app.config.limits.global_per_hour);
    let minute = now.minute();
    let taken = app
        .db
        .write(move |tx| {
            if db::limits::take_global(tx, minute, piece, limit)? {
                return Ok(Some(piece));
            }
            // Near the limit a whole piece may be too much where the items alone are not.
            Ok(db::limits::take_global(tx, minute, items, limit)?.then_some(items))
        })
        .await?;
    match taken {
        Some(taken) => {
            app.gate.keep(taken - items, now);
            Ok(())
        }
        None => {
            app.metrics.shed();
            tracing::warn!("everybody together has sent more than the limit of an hour");
            let until = Moment((minute + 1) * MINUTE);
            if items == 1 {
                app.gate.close_to_all(until);
            }
            Err(Rejection::until(Category::RateLimitExceeded, now, until))
        }
    }
}
