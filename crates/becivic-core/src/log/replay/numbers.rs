//! Whether a decision follows from its numbers.
//!
//! 1. A rule of the machine has conditions; each is asked of the numbers in the entry.
//! 2. What a number is held against is the threshold of the policy in force.
//! 3. What somebody did, a maintainer or a merge, is no decision: nothing follows from numbers there.
//!
//! Measured spans are logged in whole days: one that is a day short of its threshold at most may have reached it.

use super::Amiss;
use crate::consensus::{Policy, Rule};
use crate::log::entry::{Entry, What};
use crate::vocabulary::Status;
use serde_json::{Map, Value};

const DAY: f64 = 24.0 * 60.0 * 60.0 * 1000.0;

/// The thresholds that the log says are in force.
#[derive(Clone, Debug, Default)]
pub struct InForce {
    name: String,
    table: Map<String, Value>,
}

impl InForce {
    /// Takes a table.
    pub fn take(&mut self, entry: &Entry, index: u64) -> Result<(), Amiss> {
        self.name = entry.policy.clone().unwrap_or_default();
        self.table.clone_from(&entry.numbers);
        let rows = self.table.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()));
        if Policy::is_named(&self.name, rows) {
            Ok(())
        } else {
            Err(Amiss::MisnamedPolicy { index, policy: self.name.clone() })
        }
    }

    /// Whether an entry follows.
    pub fn follows(&self, entry: &Entry, index: u64) -> Result<(), Amiss> {
        let policy = entry.policy.as_deref().unwrap_or_default();
        if !policy.is_empty() && policy != self.name {
            let in_force = self.name.clone();
            return Err(Amiss::OtherPolicy { index, policy: policy.to_owned(), in_force });
        }
        let Some(rule) = Rule::named(&entry.rule) else { return Ok(()) };
        self.why_not(entry, rule).map_or(Ok(()), |why| {
            let (artefact, rule) = (entry.artefact.clone(), entry.rule.clone());
            Err(Amiss::DoesNotFollow { index, artefact, rule, why })
        })
    }

    fn why_not(&self, entry: &Entry, rule: Rule) -> Option<String> {
        let seen = Seen { numbers: &entry.numbers, table: &self.table };
        let step = |to: Status, from: Status| {
            let taken = entry.what == What::Promotion && entry.from == Some(from) && entry.to == Some(to);
            (!taken).then(|| format!("it is the step from {from} to {to}"))
        };
        if seen.number("margin").is_some()
            && let Some(why) = seen.margin_is_right()
        {
            return Some(why);
        }
        match rule {
            Rule::AlphaToBeta => step(Status::Beta, Status::Alpha)
                .or_else(|| seen.reaches("confirms", "beta_confirms"))
                .or_else(|| seen.reaches("submitters", "beta_distinct"))
                .or_else(|| seen.lasts("age_ms", "beta_age"))
                .or_else(|| seen.reaches_where_asked("confirm_days", "beta_days"))
                .or_else(|| (seen.number("rejects")? != 0.0).then(|| "there are rejections".to_owned()))
                .or_else(|| seen.comes_first(entry.from)),
            Rule::BetaToStable => step(Status::Stable, Status::Beta)
                .or_else(|| seen.reaches("confirms", "stable_confirms"))
                .or_else(|| seen.reaches("submitters", "stable_distinct"))
                .or_else(|| seen.lasts("age_ms", "stable_age"))
                .or_else(|| seen.reaches_where_asked("confirm_days", "stable_days"))
                .or_else(|| seen.rate_is_above())
                .or_else(|| seen.comes_first(entry.from)),
            Rule::Rejected => seen
                .reaches("margin", "rollback_margin")
                .or_else(|| seen.reaches("rejecting_people", "rollback_distinct")),
            Rule::AllSourcesRejected => {
                let (all, rejected) = (seen.number("sources")?, seen.number("sources_rejected")?);
                (rejected < 1.0 || rejected < all)
                    .then(|| format!("{rejected} of {all} sources are rejected"))
            }
            Rule::InjectionFlags => seen.is_flagged(entry.from),
            Rule::NobodyConfirms => seen.lasts("unconfirmed_ms", "deprecate_after"),
            Rule::WorksAgain => {
                let returned = entry.from == Some(Status::Deprecated) && entry.to == Some(Status::Alpha);
                (!returned).then(|| "only what is deprecated works again".to_owned())
            }
            Rule::OutsideTheMachine | Rule::NotInTheLifecycle | Rule::Contested | Rule::StableStays => {
                (entry.from != entry.to).then(|| "by this rule nothing changes".to_owned())
            }
        }
    }
}

struct Seen<'a> {
    numbers: &'a Map<String, Value>,
    table: &'a Map<String, Value>,
}

impl Seen<'_> {
    fn number(&self, name: &str) -> Option<f64> {
        self.numbers.get(name).and_then(Value::as_f64)
    }

    /// A number and what it is held against, where both are there and the threshold is the policy's.
    fn pair(&self, name: &str, setting: &str) -> Result<(f64, f64), String> {
        let needed = self
            .number(&format!("{name}_needed"))
            .ok_or_else(|| format!("it does not say what `{name}` is held against"))?;
        let seen = self.number(name).ok_or_else(|| format!("it does not say `{name}`"))?;
        let set = self.table.get(setting).and_then(Value::as_str);
        let set = set.ok_or_else(|| format!("the policy has no `{setting}`"))?;
        let millis = |text: &str| crate::consensus::Policy::millis(text).map(|it| it as f64);
        let threshold = set.parse::<f64>().ok().or_else(|| millis(set));
        // At least one person, whatever is configured.
        let least = if name == "rejecting_people" || name == "flaggers" { 1.0 } else { f64::MIN };
        match threshold.map(|it| it.max(least)) {
            Some(threshold) if (threshold - needed).abs() < 1e-9 => Ok((seen, needed)),
            _ => Err(format!("`{name}` is held against {needed}; the policy's `{setting}` is {set}")),
        }
    }

    fn reaches(&self, name: &str, setting: &str) -> Option<String> {
        match self.pair(name, setting) {
            Ok((seen, needed)) if seen >= needed - 1e-9 => None,
            Ok((seen, needed)) => Some(format!("`{name}` is {seen}; {needed} are needed")),
            Err(why) => Some(why),
        }
    }

    /// A condition that older policies do not have.
    fn reaches_where_asked(&self, name: &str, setting: &str) -> Option<String> {
        let asked = self.table.get(setting).and_then(Value::as_str).is_some_and(|it| it != "0");
        if asked { self.reaches(name, setting) } else { None }
    }

    fn lasts(&self, name: &str, setting: &str) -> Option<String> {
        match self.pair(name, setting) {
            Ok((seen, needed)) if seen + DAY > needed => None,
            Ok((seen, needed)) => Some(format!("{} days passed; {} are needed", seen / DAY, needed / DAY)),
            Err(why) => Some(why),
        }
    }

    fn rate_is_above(&self) -> Option<String> {
        let (rate, needed) = match self.pair("rate", "stable_rate") {
            Ok(pair) => pair,
            Err(why) => return Some(why),
        };
        let (confirms, rejects) = (self.number("confirms")?, self.number("rejects").unwrap_or(0.0));
        let counted = if confirms + rejects > 0.0 { confirms / (confirms + rejects) } else { 0.0 };
        let wrong = (counted - rate).abs() > 1e-9 || rate <= needed;
        wrong.then(|| {
            format!("{confirms} of {} confirm; the share must be above {needed}", confirms + rejects)
        })
    }

    fn margin_is_right(&self) -> Option<String> {
        let of = |name: &str| self.number(name).unwrap_or(0.0);
        let people = (of("base_rejects") + of("rejects")) - (of("base_confirms") + of("confirms"));
        let probes = of("probe_weight") * (of("probe_rejects") - of("probe_confirms"));
        let margin = of("margin");
        let wrong = (people + probes - margin).abs() > 1e-6;
        wrong.then(|| format!("the margin is {}, not {margin}", people + probes))
    }

    /// What would have come before a step up.
    fn comes_first(&self, from: Option<Status>) -> Option<String> {
        if self.number("flaggers").is_some_and(|it| it > 0.0) && self.is_flagged(from).is_none() {
            return Some("enough people flagged it".to_owned());
        }
        let reached = |name: &str| {
            let needed = self.number(&format!("{name}_needed"));
            self.number(name).zip(needed).is_some_and(|(seen, needed)| seen >= needed - 1e-9)
        };
        let rejected = reached("margin") && reached("rejecting_people");
        rejected.then(|| "its rejections outweigh it".to_owned())
    }

    fn is_flagged(&self, from: Option<Status>) -> Option<String> {
        let setting =
            if from == Some(Status::Stable) { "quarantine_flags_stable" } else { "quarantine_flags" };
        let (flaggers, needed) = match self.pair("flaggers", setting) {
            Ok(pair) => pair,
            Err(why) => return Some(why),
        };
        let carried = self.number("carried_flaggers").unwrap_or(0.0);
        let carried_needed = self.number("carried_flaggers_needed").unwrap_or(needed);
        let enough = flaggers - carried >= needed || (carried > 0.0 && flaggers >= carried_needed);
        (!enough).then(|| format!("{flaggers} people flagged it; {needed} are needed"))
    }
}
