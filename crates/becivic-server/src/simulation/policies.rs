//! Policies by name: the defaults, the specification's raw reading, and alternatives.
//!
//! Each is what its settings in `[consensus]` make of the configuration: whoever prefers one writes the same lines there.

use crate::config::{Config, Limits};
use crate::consensus;
use anyhow::{Context, bail};
use becivic_core::consensus::Policy;
use std::path::Path;

/// The name of the policy that changes nothing.
pub const DEFAULT: &str = "default";

/// A policy that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: &'static str,
    /// What it is, in half a sentence.
    pub means: &'static str,
    /// The lines of `[consensus]` that make it.
    pub settings: &'static str,
}

/// All of them, in the order they are compared.
pub const NAMED: &[Named] = &[
    Named {
        name: DEFAULT,
        means: "what `becivic serve` does where nobody configured anything",
        settings: "",
    },
    Named {
        name: "raw",
        means: "the specification's raw reading: every record counts, and one person is enough to reject, flag or hide",
        settings: "count = \"raw\"\nrollback_distinct = 1\nquarantine_flags_stable = 1\nhide_distinct = 1\n",
    },
    Named {
        name: "one-flag",
        means: "a single flag quarantines stable content too",
        settings: "quarantine_flags_stable = 1\n",
    },
    Named {
        name: "freeze",
        means: "what two people confirm and two reject stays as it is, until one side gives way",
        settings: "freeze_distinct = 2\n",
    },
    Named {
        name: "slow",
        means: "confirmations come on at least three days for beta, and on ten for stable",
        settings: "beta_days = 3\nstable_days = 10\n",
    },
    Named {
        name: "strict",
        means: "five people for beta and fifteen for stable, on as many days as `slow` asks for",
        settings: "beta_confirms = 5\nbeta_distinct = 5\nbeta_days = 3\nstable_confirms = 15\nstable_distinct = 15\nstable_days = 10\n",
    },
];

/// What a simulation runs under.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The name of the policy.
    pub name: String,
    /// The thresholds.
    pub policy: Policy,
    /// The limits.
    pub limits: Limits,
}

impl Rules {
    /// A policy by name, over a configuration; a scenario's own settings come last.
    pub fn of(config: Option<&Path>, name: &str, overrides: &toml::Table) -> anyhow::Result<Self> {
        let Some(named) = NAMED.iter().find(|it| it.name == name) else {
            let names: Vec<&str> = NAMED.iter().map(|it| it.name).collect();
            bail!("there is no policy `{name}`; there are {}", names.join(", "));
        };
        let settings: toml::Table = named.settings.parse().context("a named policy cannot be read")?;
        let config = Config::with_consensus(config, &[&settings, overrides])?;
        let policy = consensus::policy(&config.consensus);
        let name = match overrides.is_empty() {
            true => name.to_owned(),
            false => format!("{name}, with what the scenario sets"),
        };
        Ok(Self { name, policy, limits: config.limits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use becivic_core::consensus::Count;

    #[test]
    fn every_name_is_what_its_lines_make_of_the_defaults() {
        let default = Policy::default();
        let expected = [
            default.clone(),
            Policy {
                count: Count::Raw,
                rollback_distinct: 1,
                quarantine_flags_stable: 1,
                hide_distinct: 1,
                ..default.clone()
            },
            Policy { quarantine_flags_stable: 1, ..default.clone() },
            Policy { freeze_distinct: 2, ..default.clone() },
            Policy { beta_days: 3, stable_days: 10, ..default.clone() },
            Policy {
                beta_confirms: 5,
                beta_distinct: 5,
                beta_days: 3,
                stable_confirms: 15,
                stable_distinct: 15,
                stable_days: 10,
                ..default
            },
        ];
        let made: Vec<Policy> = NAMED
            .iter()
            .map(|it| Rules::of(None, it.name, &toml::Table::new()).expect("sound").policy)
            .collect();
        assert_eq!(made, expected);
        assert_eq!(made[0].version(), "1");
    }

    #[test]
    fn a_scenario_has_the_last_word_and_mistakes_are_named() {
        let own: toml::Table = "beta_confirms = 9\ncount = \"latest\"".parse().expect("TOML");
        let rules = Rules::of(None, "raw", &own).expect("sound");
        assert_eq!((rules.policy.beta_confirms, rules.policy.count), (9, Count::Latest));
        assert_eq!(rules.policy.rollback_distinct, 1);
        for (wrong, said) in [("beta_confirm = 9", "beta_confirm"), ("beta_confirms = 0", "beta_confirms")] {
            let own: toml::Table = wrong.parse().expect("TOML");
            let error = Rules::of(None, DEFAULT, &own).expect_err(wrong).to_string();
            assert!(error.contains(said), "{error}");
        }
        let error = Rules::of(None, "none", &toml::Table::new()).expect_err("no such policy").to_string();
        assert_eq!(
            error,
            "there is no policy `none`; there are default, raw, one-flag, freeze, slow, strict"
        );
    }
}
