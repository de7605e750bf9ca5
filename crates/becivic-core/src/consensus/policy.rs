//! The thresholds, in one table (DECISIONS §13 `[consensus]`).
//!
//! 1. Every threshold is a field, with the specified value as its default.
//! 2. [`Policy::rows`] is the table: each setting with its value, its default and what it means. `docs/consensus.md` shows it.
//! 3. [`Policy::version`] names the table, so that a transition says under which numbers it happened.

use super::Millis;
use crate::vocabulary::words;

words! {
    /// Which verdicts of one voter count.
    Count {
        /// The latest.
        Latest = "latest",
        /// Every one.
        Raw = "raw",
    }
}

/// The thresholds.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the settings of `[consensus]`, by their names
pub struct Policy {
    pub beta_confirms: i64,
    pub beta_distinct: i64,
    pub beta_age: Millis,
    pub beta_days: i64,
    pub stable_confirms: i64,
    pub stable_distinct: i64,
    pub stable_age: Millis,
    pub stable_days: i64,
    pub stable_rate: f64,
    pub count: Count,
    pub rollback_margin: i64,
    pub rollback_distinct: i64,
    pub freeze_distinct: i64,
    pub quarantine_flags: i64,
    pub quarantine_flags_stable: i64,
    pub probe_weight: f64,
    pub hide_threshold: i64,
    pub hide_distinct: i64,
    pub stale_after: Millis,
    pub deprecate_after: Millis,
    pub handoff_confirms: i64,
}

const HOUR: Millis = 60 * 60 * 1000;
const DAY: Millis = 24 * HOUR;

/// §9.2, §11.1, and DECISIONS §5 and §14 where they settle what the specification leaves open.
impl Default for Policy {
    fn default() -> Self {
        Self {
            beta_confirms: 3,
            beta_distinct: 3,
            beta_age: 48 * HOUR,
            beta_days: 0,
            stable_confirms: 10,
            stable_distinct: 10,
            stable_age: 14 * DAY,
            stable_days: 0,
            stable_rate: 0.85,
            count: Count::Latest,
            rollback_margin: 2,
            rollback_distinct: 2,
            freeze_distinct: 0,
            quarantine_flags: 1,
            quarantine_flags_stable: 2,
            probe_weight: 0.25,
            hide_threshold: -3,
            hide_distinct: 3,
            stale_after: 30 * DAY,
            deprecate_after: 90 * DAY,
            handoff_confirms: 3,
        }
    }
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Setting {
    /// Its name in `[consensus]`.
    pub name: &'static str,
    /// Its value, as the configuration writes it, without quotes.
    pub value: String,
    /// Its value where nobody configured it.
    pub default: String,
    /// What it means.
    pub means: &'static str,
}

impl Policy {
    /// The table.
    pub fn rows(&self) -> Vec<Setting> {
        let ours = self.values();
        let defaults = Self::default().values();
        let rows = ours.into_iter().zip(defaults);
        rows.map(|((name, value, means), (_, default, _))| Setting { name, value, default, means }).collect()
    }

    /// Its name in every transition: `1` with the defaults, and a digest beside it with anything else.
    pub fn version(&self) -> String {
        if *self == Self::default() {
            return String::from("1");
        }
        let values = self.values();
        Self::name_of(values.iter().map(|(name, value, _)| (*name, value.as_str())))
    }

    /// Whether a concern with these votes is shown behind a disclosure only.
    pub fn hides(&self, up: i64, down: i64, down_voters: i64) -> bool {
        up.saturating_sub(down) <= self.hide_threshold && down_voters >= self.hide_distinct
    }

    /// Whether something confirmed last at a moment is stale: more than `stale_after` ago (§11.1).
    pub fn is_stale(&self, last: Millis, now: Millis) -> bool {
        now.saturating_sub(last) > self.stale_after
    }

    #[rustfmt::skip] // a table
    fn values(&self) -> [(&'static str, String, &'static str); 21] {
        [
            ("beta_confirms", self.beta_confirms.to_string(), "confirmations that alpha needs to become beta; it also needs to have no rejection"),
            ("beta_distinct", self.beta_distinct.to_string(), "distinct submitters, none of them rejecting, that alpha needs to become beta"),
            ("beta_age", duration(self.beta_age), "time since the cohort began that alpha needs to become beta"),
            ("beta_days", self.beta_days.to_string(), "distinct days on which confirmations must have come for alpha to become beta; 0 asks for none"),
            ("stable_confirms", self.stable_confirms.to_string(), "confirmations that beta needs to become stable"),
            ("stable_distinct", self.stable_distinct.to_string(), "distinct submitters, none of them rejecting, that beta needs to become stable"),
            ("stable_age", duration(self.stable_age), "time since the cohort began that beta needs to become stable"),
            ("stable_days", self.stable_days.to_string(), "distinct days on which confirmations must have come for beta to become stable; 0 asks for none"),
            ("stable_rate", self.stable_rate.to_string(), "share of confirmations among all verdicts that beta must be above to become stable"),
            ("count", self.count.to_string(), "which verdicts of one submitter count: the `latest`, or every one (`raw`)"),
            ("rollback_margin", self.rollback_margin.to_string(), "by how much rejections must outweigh confirmations to roll back"),
            ("rollback_distinct", self.rollback_distinct.to_string(), "distinct people who must reject to roll back; probes are not people"),
            ("freeze_distinct", self.freeze_distinct.to_string(), "distinct people who must confirm, and as many who must reject, for the status to freeze: no step up, no rollback; 0 never freezes"),
            ("quarantine_flags", self.quarantine_flags.to_string(), "distinct people whose flags quarantine alpha or beta"),
            ("quarantine_flags_stable", self.quarantine_flags_stable.to_string(), "distinct people whose flags quarantine stable"),
            ("probe_weight", self.probe_weight.to_string(), "what a source's latest probe weighs against a person's verdict in a rollback"),
            ("hide_threshold", self.hide_threshold.to_string(), "score, up less down, at or below which a concern is shown behind a disclosure only"),
            ("hide_distinct", self.hide_distinct.to_string(), "distinct people who must vote a concern down to hide it"),
            ("stale_after", duration(self.stale_after), "time without a confirmation after which a source is shown as stale"),
            ("deprecate_after", duration(self.deprecate_after), "time without a confirmation of any kind after which a path is deprecated"),
            ("handoff_confirms", self.handoff_confirms.to_string(), "distinct people who must confirm what comes after a hand-over for it to count as observed"),
        ]
    }
}

/// A duration as the configuration writes it: whole days from three days on, else the largest unit it is a whole number of.
fn duration(millis: Millis) -> String {
    match millis {
        days if days >= 3 * DAY && days % DAY == 0 => format!("{}d", days / DAY),
        hours if hours % HOUR == 0 => format!("{}h", hours / HOUR),
        minutes if minutes % 60_000 == 0 => format!("{}m", minutes / 60_000),
        seconds if seconds % 1_000 == 0 => format!("{}s", seconds / 1_000),
        millis => format!("{millis}ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_the_documented_ones() {
        let rows = Policy::default().rows();
        let written: Vec<String> = rows.iter().map(|row| format!("{} = {}", row.name, row.default)).collect();
        let documented = "beta_confirms = 3, beta_distinct = 3, beta_age = 48h, beta_days = 0, stable_confirms = 10, stable_distinct = 10, \
            stable_age = 14d, stable_days = 0, stable_rate = 0.85, count = latest, rollback_margin = 2, rollback_distinct = 2, \
            freeze_distinct = 0, quarantine_flags = 1, quarantine_flags_stable = 2, probe_weight = 0.25, hide_threshold = -3, hide_distinct = 3, \
            stale_after = 30d, deprecate_after = 90d, handoff_confirms = 3";
        assert_eq!(written.join(", "), documented);
        assert!(rows.iter().all(|row| row.value == row.default && !row.means.is_empty()));
    }

    #[test]
    fn a_row_shows_its_value_beside_its_default() {
        let policy = Policy { stable_age: 90_000, count: Count::Raw, ..Policy::default() };
        let changed: Vec<Setting> =
            policy.rows().into_iter().filter(|row| row.value != row.default).collect();
        let shown: Vec<(&str, &str, &str)> =
            changed.iter().map(|row| (row.name, row.value.as_str(), row.default.as_str())).collect();
        assert_eq!(shown, [("stable_age", "90s", "14d"), ("count", "raw", "latest")]);
    }

    #[test]
    fn durations_are_written_as_the_configuration_reads_them() {
        let cases =
            [(48 * HOUR, "48h"), (72 * HOUR, "3d"), (73 * HOUR, "73h"), (0, "0h"), (90 * 60_000, "90m")];
        for (millis, text) in cases.into_iter().chain([(2_000, "2s"), (1_500, "1500ms")]) {
            assert_eq!(duration(millis), text);
        }
    }

    #[test]
    fn every_setting_changes_the_version() {
        let default = Policy::default();
        let changed = [
            Policy { beta_confirms: 4, ..default.clone() },
            Policy { beta_distinct: 4, ..default.clone() },
            Policy { beta_age: 1, ..default.clone() },
            Policy { beta_days: 4, ..default.clone() },
            Policy { stable_confirms: 4, ..default.clone() },
            Policy { stable_distinct: 4, ..default.clone() },
            Policy { stable_age: 1, ..default.clone() },
            Policy { stable_days: 4, ..default.clone() },
            Policy { stable_rate: 0.850001, ..default.clone() },
            Policy { count: Count::Raw, ..default.clone() },
            Policy { rollback_margin: 4, ..default.clone() },
            Policy { rollback_distinct: 4, ..default.clone() },
            Policy { freeze_distinct: 4, ..default.clone() },
            Policy { quarantine_flags: 4, ..default.clone() },
            Policy { quarantine_flags_stable: 4, ..default.clone() },
            Policy { probe_weight: 0.5, ..default.clone() },
            Policy { hide_threshold: -4, ..default.clone() },
            Policy { hide_distinct: 4, ..default.clone() },
            Policy { stale_after: 1, ..default.clone() },
            Policy { deprecate_after: 1, ..default.clone() },
            Policy { handoff_confirms: 4, ..default.clone() },
        ];
        let versions: std::collections::BTreeSet<String> = changed.iter().map(Policy::version).collect();
        assert_eq!(versions.len(), changed.len(), "two tables have one name");
        assert_eq!(changed.len(), default.rows().len(), "a setting has no case here");
        for version in versions {
            let digest = version.strip_prefix("1-").expect("a digest");
            assert!(digest.len() == 8 && digest.bytes().all(|b| b.is_ascii_hexdigit()), "{version}");
        }
        assert_eq!(default.version(), "1");
        assert_eq!(Policy { beta_confirms: 4, ..default.clone() }.version(), changed[0].version());
    }

    #[test]
    fn a_concern_is_hidden_by_a_low_score_and_enough_people() {
        let policy = Policy::default();
        let cases = [(0, 3, 3, true), (0, 2, 3, false), (0, 3, 2, false), (1, 3, 3, false), (5, 8, 8, true)];
        for (up, down, people, hidden) in cases {
            assert_eq!(policy.hides(up, down, people), hidden, "{up} up, {down} down by {people}");
        }
        assert!(policy.hides(i64::MIN, i64::MAX, 3));
    }

    #[test]
    fn stale_is_more_than_thirty_days_old() {
        let policy = Policy::default();
        assert!(!policy.is_stale(1_000, 1_000 + 30 * DAY));
        assert!(policy.is_stale(1_000, 1_001 + 30 * DAY));
        assert!(!policy.is_stale(1_000, 0), "a clock that jumped back makes nothing stale");
    }
}
