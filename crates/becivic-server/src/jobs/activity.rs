//! The numbers of the dashboard, counted now and then by one process and kept as a fact: pages read them, and count nothing. A job
//! of its own, because it reads whole tables and the tick must not wait for it.

use crate::app::App;
use crate::db::{DbError, Tx, activity, facts};
use crate::moment::{DAY, Moment};
use becivic_site::facts::Activity;
use std::time::Duration;

/// The job's name.
pub const NAME: &str = "activity";

/// How long the numbers stand.
pub const EVERY: Duration = Duration::from_secs(5 * 60);

/// The fact that holds them.
const FACT: &str = "activity";

/// Days that are shown one by one.
const SHOWN: i64 = 90;

/// "Lately", in days.
const LATELY: i64 = 30;

/// Skills named as the busiest.
const NAMED: i64 = 10;

/// Counts.
pub fn run(app: &App) -> anyhow::Result<()> {
    let now = app.clock.now();
    let counted = app.db.read_now(move |tx| count(tx, now))?;
    let text = serde_json::to_string(&counted)?;
    app.db.write_now(move |tx| facts::set(tx, FACT, &text))?;
    Ok(())
}

/// What was counted last; nothing before the first time.
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
