//! Whether an entry is what it says.
//!
//! 1. Who can have made it: a rule of the machine, or one of the acts there are.
//! 2. What happened has one name, by the rule and by what it was and is ([`What::of`]).
//! 3. What a stranger sends enters as alpha. Only maintainers give a status by their word.
//! 4. What was decided says on what, and what is published says what of; days are days.
//! 5. Nothing begins twice, and a log that had to be put right says so.

use super::{Amiss, word};
use crate::consensus::Rule;
use crate::date::is_real;
use crate::log::entry::{Entry, What};
use crate::vocabulary::Status;

/// What people and merges do.
const ACTS: [&str; 9] = [
    "began",
    "maintainer",
    "pushed",
    "merged",
    "amendment",
    "corrected",
    "minted",
    "observed",
    "corrected_log",
];

/// Whether it fits; `met_before` where it begins though the log knew it.
pub fn fits(entry: &Entry, index: u64, met_before: bool) -> Result<(), Amiss> {
    if entry.what == What::Correction {
        let (from, to) = (word(entry.from), word(entry.to));
        return Err(Amiss::Corrected { index, artefact: entry.artefact.clone(), from, to });
    }
    why_not(entry, met_before).map_or(Ok(()), |why| {
        let (artefact, rule) = (entry.artefact.clone(), entry.rule.clone());
        Err(Amiss::DoesNotFollow { index, artefact, rule, why })
    })
}

fn why_not(entry: &Entry, met_before: bool) -> Option<String> {
    let is_decided = Rule::named(&entry.rule).is_some();
    if !is_decided && !ACTS.contains(&entry.rule.as_str()) {
        return Some("there is no such rule".to_owned());
    }
    let what = What::of(&entry.rule, entry.from, entry.to);
    if what != entry.what {
        return Some(format!("it is called {}, and is a {what}", entry.what));
    }
    if met_before || (entry.what == What::Began && entry.from.is_some()) {
        return Some("it began before".to_owned());
    }
    let is_strangers = matches!(entry.rule.as_str(), "amendment" | "merged" | "corrected" | "minted");
    let is_raised = matches!(entry.to, Some(Status::Beta | Status::Stable)) && entry.to != entry.from;
    if is_strangers && is_raised {
        return Some("what strangers send enters as alpha".to_owned());
    }
    if is_decided && entry.inputs.is_none() {
        return Some("it does not say what it was decided on".to_owned());
    }
    if matches!(entry.to, Some(Status::Alpha | Status::Beta | Status::Stable)) && entry.content.is_none() {
        return Some("it does not say what is published".to_owned());
    }
    (!is_real(&entry.day)).then(|| "its day is none".to_owned())
}
