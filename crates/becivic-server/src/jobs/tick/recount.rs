//! Everything counted again from the verdicts: a tally that somebody edited, or that a defect got wrong, is told and healed.
//!
//! Standings and sums over the verdicts' marks are read side by side, a page of artefacts at a time; only what differs is
//! written. Verdicts that count alike on one day are one row: memory does not grow with their number.

use crate::app::App;
use crate::consensus::{self, follow};
use crate::db::standings::{self, Standing};
use crate::db::{DbError, Tx, facts, votes};
use crate::moment::{DAY, Moment};

/// Artefacts counted in one transaction.
const PAGE: i64 = 2_000;

/// The fact that says when everything was last counted.
const FACT: &str = "recounted_at";

/// Counts everything once a day; says how many tallies were wrong.
pub fn when_due(app: &App, now: Moment) -> anyhow::Result<usize> {
    let last = app.db.read_now(|tx| facts::find(tx, FACT))?.and_then(|text| text.parse::<i64>().ok());
    // A clock that jumped back is no reason to wait for it.
    if last.is_some_and(|last| last <= now.0 && now.0 < last.saturating_add(DAY)) {
        return Ok(0);
    }
    let healed = everything(app, now)?;
    app.db.write_now(move |tx| facts::set(tx, FACT, &now.0.to_string()))?;
    Ok(healed)
}

/// Counts everything; says how many tallies were wrong.
pub fn everything(app: &App, now: Moment) -> anyhow::Result<usize> {
    let (mut after, mut healed) = ((String::new(), String::new()), 0);
    loop {
        let from = after.clone();
        let (last, wrong) = app.db.write_now(move |tx| page(tx, (&from.0, &from.1), now))?;
        healed += wrong;
        let Some(last) = last else { break };
        after = last;
    }
    if healed > 0 {
        tracing::warn!(
            tallies = healed,
            "tallies did not agree with their verdicts; they were counted again"
        );
    }
    Ok(healed)
}

/// Counts a page; gives back where it ended.
#[allow(clippy::type_complexity)]
fn page(
    tx: &mut dyn Tx,
    after: (&str, &str),
    now: Moment,
) -> Result<(Option<(String, String)>, usize), DbError> {
    let standings = standings::page(tx, after, PAGE)?;
    let Some(last) = standings.last().map(|it| (it.target_type.clone(), it.target_id.clone())) else {
        return Ok((None, 0));
    };
    let sums = votes::sums(tx, &standings)?;
    let mut wrong = 0;
    for standing in &standings {
        let counted = sums.get(&standing.artefact()).copied().unwrap_or_default();
        // The sources of a path are counted with it.
        if counted != standing.tally || standing.target_type == "path" {
            wrong += usize::from(heal(tx, standing, now)?);
        }
    }
    Ok((Some(last), wrong))
}

fn heal(tx: &mut dyn Tx, seen: &Standing, now: Moment) -> Result<bool, DbError> {
    let Some(mut standing) = standings::lock(tx, &seen.target_type, &seen.target_id)? else {
        return Ok(false);
    };
    let wrong = consensus::heal(tx, &mut standing)?;
    let wrong = follow::recount_sources(tx, &standing)? || wrong;
    if wrong {
        standings::count(tx, &standing)?;
        standings::look_at(tx, &seen.target_type, &seen.target_id, Some(now))?;
    }
    Ok(wrong)
}
