//! The numbers of the dashboard, counted every five minutes by whoever ticks and kept as a fact: pages read them, and count nothing.

use crate::app::App;
use crate::db::{DbError, Tx, activity, facts};
use crate::moment::{DAY, MINUTE, Moment};
use becivic_site::facts::Activity;

/// The fact that holds them.
const FACT: &str = "activity";

/// The fact that says when they were counted.
const COUNTED_AT: &str = "activity_counted_at";

/// How long the numbers stand.
const EVERY: i64 = 5 * MINUTE;

/// Days that are shown one by one.
const SHOWN: i64 = 90;

/// "Lately", in days.
const LATELY: i64 = 30;

/// Skills named as the busiest.
const NAMED: i64 = 10;

/// Counts, where that was not done a moment ago.
pub fn when_due(app: &App, now: Moment) -> anyhow::Result<()> {
    let last = app.db.read_now(|tx| facts::find(tx, COUNTED_AT))?.and_then(|text| text.parse::<i64>().ok());
    if last.is_some_and(|last| last <= now.0 && now.0 < last.saturating_add(EVERY)) {
        return Ok(());
    }
    let counted = app.db.read_now(move |tx| count(tx, now))?;
    let text = serde_json::to_string(&counted)?;
    app.db.write_now(move |tx| {
        facts::set(tx, FACT, &text)?;
        facts::set(tx, COUNTED_AT, &now.0.to_string())
    })?;
    Ok(())
}

/// What was counted last; nothing before the first tick.
pub fn last(tx: &mut dyn Tx) -> Result<Option<Activity>, DbError> {
    Ok(facts::find(tx, FACT)?.and_then(|text| serde_json::from_str(&text).ok()))
}

fn count(tx: &mut dyn Tx, now: Moment) -> Result<Activity, DbError> {
    let since = |days: i64| now.plus(-days * DAY).day();
    let (concerns, pending_amendments) = activity::totals(tx)?;
    Ok(Activity {
        by_status: activity::by_status(tx)?,
        verdicts_by_day: activity::verdicts(tx, since(SHOWN))?,
        concerns_by_day: activity::concerns(tx, since(SHOWN))?,
        transitions_by_day: activity::transitions(tx, since(SHOWN))?,
        concerns,
        pending_amendments,
        busiest: activity::busiest(tx, since(LATELY), NAMED)?,
    })
}
