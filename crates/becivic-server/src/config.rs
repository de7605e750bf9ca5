//! The configuration: defaults, then a TOML file, then the environment, then flags.
//!
//! `BECIVIC_STAGING__WINDOW=2s` sets `window` in `[staging]`. A name nobody knows is an error: a limit that is spelled
//! wrong must not be silently absent. [`DOCUMENTED`] is the whole file with every default.

use anyhow::{Context, anyhow, bail};
use ipnet::IpNet;
use serde::{Deserialize, Deserializer};
use std::path::Path;
use std::time::Duration;

/// Every setting with its default and what it means, as `becivic serve --print-config` shows it.
pub const DOCUMENTED: &str = include_str!("config/default.toml");

/// Everything that can be set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the names are documented in config/default.toml
pub struct Config {
    pub server: Server,
    pub staging: Staging,
    pub jobs: Jobs,
    pub probes: Probes,
    pub limits: Limits,
    pub consensus: Consensus,
    pub forge: Forge,
    pub mcp: Mcp,
}

/// `[mcp]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Mcp {
    pub allowed_hosts: Vec<String>,
    pub allowed_origins: Vec<String>,
}

/// `[server]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Server {
    pub data: String,
    pub corpus: String,
    pub listen: String,
    pub public_url: String,
    pub database: String,
    pub connections: usize,
    pub pepper_file: String,
    pub trusted_proxies: Vec<IpNet>,
    pub log: LogFormat,
    pub body_limit: usize,
    #[serde(deserialize_with = "duration")]
    pub header_timeout: Duration,
    #[serde(deserialize_with = "duration")]
    pub request_timeout: Duration,
    #[serde(deserialize_with = "duration")]
    pub shutdown_timeout: Duration,
    pub connections_at_once: usize,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Human,
    /// One JSON object a line.
    Json,
}

/// `[staging]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Staging {
    #[serde(deserialize_with = "duration")]
    pub window: Duration,
}

/// `[jobs]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Jobs {
    #[serde(deserialize_with = "duration")]
    pub commit_every: Duration,
    #[serde(deserialize_with = "duration")]
    pub tick_every: Duration,
}

/// `[probes]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Probes {
    pub enabled: bool,
    #[serde(deserialize_with = "duration")]
    pub every: Duration,
    #[serde(deserialize_with = "duration")]
    pub per_host_pause: Duration,
}

/// `[forge]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Forge {
    pub kind: ForgeKind,
    pub api: String,
    pub owner: String,
    pub repository: String,
    pub app_id: String,
    pub installation_id: String,
    pub private_key_file: String,
    pub webhook_secret_file: String,
    #[serde(deserialize_with = "duration")]
    pub timeout: Duration,
}

/// Where the corpus lives as commits and pull requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForgeKind {
    /// In the data folder.
    Local,
    /// On GitHub.
    GitHub,
}

impl Forge {
    /// What GitHub cannot be reached without.
    fn check(&self) -> anyhow::Result<()> {
        let needed = [
            ("api", &self.api),
            ("owner", &self.owner),
            ("repository", &self.repository),
            ("app_id", &self.app_id),
            ("installation_id", &self.installation_id),
            ("private_key_file", &self.private_key_file),
        ];
        let missing: Vec<String> = needed
            .iter()
            .filter(|(_, value)| self.kind == ForgeKind::GitHub && value.trim().is_empty())
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        if !missing.is_empty() {
            bail!("[forge] with kind = \"github\" needs {} too", missing.join(", "));
        }
        Ok(())
    }
}

/// `[limits]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Limits {
    pub per_day: u32,
    pub validations_per_day: u32,
    pub flags_per_day: u32,
    pub burst_per_hour: u32,
    pub global_per_hour: u32,
}

/// `[consensus]`, for the state machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Consensus {
    pub beta_confirms: u32,
    pub beta_distinct: u32,
    #[serde(deserialize_with = "duration")]
    pub beta_age: Duration,
    pub beta_days: u32,
    pub stable_confirms: u32,
    pub stable_distinct: u32,
    #[serde(deserialize_with = "duration")]
    pub stable_age: Duration,
    pub stable_days: u32,
    pub stable_rate: f64,
    pub count: Count,
    pub rollback_margin: u32,
    pub rollback_distinct: u32,
    pub freeze_distinct: u32,
    pub quarantine_flags: u32,
    pub quarantine_flags_stable: u32,
    pub probe_weight: f64,
    pub hide_threshold: i32,
    pub hide_distinct: u32,
    pub handoff_confirms: u32,
    #[serde(deserialize_with = "duration")]
    pub stale_after: Duration,
    #[serde(deserialize_with = "duration")]
    pub deprecate_after: Duration,
}

/// Which verdicts of one voter count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// The latest.
    Latest,
    /// Every one.
    Raw,
}

impl Config {
    /// Defaults, then the file, then the environment.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> anyhow::Result<Self> {
        let mut table = with_file(file)?;
        for (name, value) in environment {
            set(&mut table, &name, &value)?;
        }
        Self::checked(table)
    }

    /// Defaults, then the file, then settings of `[consensus]` that differ, one table over the other.
    pub fn with_consensus(file: Option<&Path>, layers: &[&toml::Table]) -> anyhow::Result<Self> {
        let mut table = with_file(file)?;
        for layer in layers {
            let section = toml::Value::Table((*layer).clone());
            merge(&mut table, toml::Table::from_iter([("consensus".to_owned(), section)]));
        }
        Self::checked(table)
    }

    fn checked(table: toml::Table) -> anyhow::Result<Self> {
        let config: Self =
            table.try_into().map_err(|error: toml::de::Error| anyhow!("{}", error.message().trim()))?;
        let sizes = [
            ("connections", config.server.connections),
            ("connections_at_once", config.server.connections_at_once),
            ("body_limit", config.server.body_limit),
        ];
        if let Some((name, _)) = sizes.into_iter().find(|(_, size)| *size == 0) {
            bail!("`{name}` in [server] must be more than 0");
        }
        if !(0.0..1.0).contains(&config.consensus.stable_rate) {
            bail!(
                "`stable_rate` in [consensus] is at least 0 and below 1: nothing is confirmed by more than everybody"
            );
        }
        let counts = &config.consensus;
        let counts = [
            ("beta_confirms", counts.beta_confirms),
            ("beta_distinct", counts.beta_distinct),
            ("stable_confirms", counts.stable_confirms),
            ("stable_distinct", counts.stable_distinct),
            ("rollback_margin", counts.rollback_margin),
            ("rollback_distinct", counts.rollback_distinct),
            ("quarantine_flags", counts.quarantine_flags),
            ("quarantine_flags_stable", counts.quarantine_flags_stable),
            ("hide_distinct", counts.hide_distinct),
            ("handoff_confirms", counts.handoff_confirms),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            bail!("`{name}` in [consensus] must be more than 0: nothing happens without a person");
        }
        if config.consensus.hide_threshold >= 0 {
            bail!("`hide_threshold` in [consensus] must be below 0: what nobody voted on is shown");
        }
        if !(0.0..=1.0).contains(&config.consensus.probe_weight) {
            bail!(
                "`probe_weight` in [consensus] is between 0 and 1: a probe never weighs more than a person"
            );
        }
        if config.probes.per_host_pause < Duration::from_secs(1) {
            bail!("`per_host_pause` in [probes] must be at least a second: sites are left in peace");
        }
        config.forge.check()?;
        Ok(config)
    }
}

/// Defaults, then the file.
fn with_file(file: Option<&Path>) -> anyhow::Result<toml::Table> {
    let mut table: toml::Table = DOCUMENTED.parse().context("the built-in configuration cannot be read")?;
    if let Some(file) = file {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let given: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            anyhow!("{}, line {line}: {}", file.display(), error.message())
        })?;
        merge(&mut table, given);
        let read: Result<Config, toml::de::Error> = table.clone().try_into();
        read.map_err(|error| anyhow!("{}: {}", file.display(), error.message().trim()))?;
    }
    Ok(table)
}

/// Sets what one environment variable says, when it is one of ours.
fn set(table: &mut toml::Table, name: &str, value: &str) -> anyhow::Result<()> {
    let Some(rest) = name.strip_prefix("BECIVIC_") else { return Ok(()) };
    let Some((section, key)) = rest.split_once("__") else {
        // Others may use the prefix too; what looks like one of ours with an underscore too few is a mistake.
        let rest = rest.to_lowercase();
        let near = table.keys().find(|section| rest.starts_with(&format!("{section}_")));
        return match near {
            Some(section) => {
                bail!("{name} names no setting: two underscores stand after {}", section.to_uppercase())
            }
            None => Ok(()),
        };
    };
    let (section, key) = (section.to_lowercase(), key.to_lowercase());
    let sections = table.keys().cloned().collect::<Vec<_>>().join(", ");
    let Some(toml::Value::Table(known)) = table.get_mut(&section) else {
        bail!("{name} names no section of the configuration; the sections are {sections}");
    };
    let Some(default) = known.get(&key) else {
        bail!("{name} names no setting of [{section}]; `becivic serve --print-config` lists them");
    };
    let read = typed(default, value).with_context(|| format!("{name} cannot be read"))?;
    known.insert(key, read);
    let whole: Result<Config, toml::de::Error> = table.clone().try_into();
    whole.map(drop).map_err(|error| anyhow!("{name}: {}", error.message().trim()))
}

fn merge(table: &mut toml::Table, given: toml::Table) {
    for (key, value) in given {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => merge(inner, value),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

/// The text of an environment variable as the type its default has.
fn typed(default: &toml::Value, text: &str) -> anyhow::Result<toml::Value> {
    match default {
        toml::Value::String(_) => Ok(toml::Value::String(text.to_owned())),
        _ => {
            let wrong = || format!("write it as in TOML, like {default}");
            let table: toml::Table = format!("value = {text}").parse().map_err(|_| anyhow!(wrong()))?;
            table.get("value").cloned().with_context(wrong)
        }
    }
}

/// Reads `"90s"`, `"5m"`, `"24h"` or `"14d"`.
fn duration<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(from)?;
    read_duration(&text).ok_or_else(|| {
        serde::de::Error::custom("a duration is a whole number and one of ms, s, m, h, d, as in \"24h\"")
    })
}

fn read_duration(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(digits)?;
    let number: u64 = number.parse().ok()?;
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    // A century is more than anyone means, and its milliseconds fit everywhere.
    number.checked_mul(milliseconds).filter(|it| *it <= 100 * 366 * 86_400_000).map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(environment: &[(&str, &str)]) -> anyhow::Result<Config> {
        Config::load(None, environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn the_documented_defaults_are_the_contract() {
        let config = load(&[]).expect("sound");
        assert_eq!(config.staging.window, Duration::from_secs(24 * 3600));
        assert_eq!(
            (config.limits.per_day, config.limits.validations_per_day, config.limits.flags_per_day),
            (50, 10, 2)
        );
        assert_eq!((config.limits.burst_per_hour, config.limits.global_per_hour), (60, 1000));
        assert_eq!(config.consensus.stable_age, Duration::from_secs(14 * 24 * 3600));
        assert!(config.server.trusted_proxies.is_empty());
        assert!(!config.probes.enabled, "nobody is asked unless somebody wants it");
    }

    #[test]
    fn a_forge_on_github_needs_its_names_and_keys() {
        let forge = [
            ("BECIVIC_FORGE__KIND", "github"),
            ("BECIVIC_FORGE__OWNER", "be-civic"),
            ("BECIVIC_FORGE__REPOSITORY", "corpus"),
            ("BECIVIC_FORGE__APP_ID", "12345"),
            ("BECIVIC_FORGE__INSTALLATION_ID", "100"),
            ("BECIVIC_FORGE__PRIVATE_KEY_FILE", "app.pem"),
        ];
        assert_eq!(load(&forge).expect("sound").forge.kind, ForgeKind::GitHub);
        assert_eq!(load(&[]).expect("sound").forge.kind, ForgeKind::Local);
        let said = load(&forge[..4]).expect_err("something is missing").to_string();
        assert_eq!(said, "[forge] with kind = \"github\" needs `installation_id`, `private_key_file` too");
        assert!(load(&[("BECIVIC_FORGE__KIND", "gitlab")]).is_err());
    }

    #[test]
    fn the_environment_overrides_and_unknown_names_are_errors() {
        let set = [
            ("BECIVIC_STAGING__WINDOW", "2s"),
            ("BECIVIC_LIMITS__PER_DAY", "7"),
            ("BECIVIC_SERVER__TRUSTED_PROXIES", "[\"127.0.0.1/32\"]"),
            ("HOME", "x"),
        ];
        let config = load(&set).expect("sound");
        assert_eq!((config.staging.window, config.limits.per_day), (Duration::from_secs(2), 7));
        assert_eq!(config.server.trusted_proxies.len(), 1);
        for (name, value) in [
            ("BECIVIC_LIMITS__PER_DAYS", "7"),
            ("BECIVIC_LIMIT__PER_DAY", "7"),
            ("BECIVIC_LIMITS__PER_DAY", "many"),
            ("BECIVIC_LIMITS__PER_DAY", "-1"),
            ("BECIVIC_STAGING__WINDOW", "2 weeks"),
            ("BECIVIC_STAGING__WINDOW", "99999999999999999999d"),
            ("BECIVIC_STAGING_WINDOW", "2s"),
            ("BECIVIC_SERVER__CONNECTIONS_AT_ONCE", "0"),
            ("BECIVIC_PROBES__PER_HOST_PAUSE", "999ms"),
        ] {
            let said = load(&[(name, value)]).err().map(|error| format!("{error:#}")).unwrap_or_default();
            let setting = name.rsplit("__").next().unwrap_or_default().to_lowercase();
            assert!(said.contains(name) || said.contains(&setting), "{name}={value}: {said}");
            assert!(!said.contains('\n'), "{said}");
        }
    }
}
