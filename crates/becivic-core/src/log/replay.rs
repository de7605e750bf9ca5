//! Where everything stands, from the log alone.
//!
//! 1. Each entry must begin where the one before it about the same artefact ended.
//! 2. What an entry calls what happened must be what its rule makes of it (`replay/acts.rs`).
//! 3. What the state machine decided must follow from the numbers beside it (`replay/numbers.rs`), and those must be held against
//!    the thresholds that the log says are in force.
//! 4. In the end every artefact stands somewhere, or is gone; what is served must say the same.
//!
//! A log that was changed does not fit its checkpoint; one that was written wrong from the start is found here.

mod acts;
mod numbers;

use super::entry::{ENTRY_VERSION, Entry, What};
use crate::consensus::Rule;
use crate::vocabulary::Status;
use std::collections::{BTreeMap, BTreeSet};

/// What the log says of an artefact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Believed {
    /// Where it stands.
    pub status: Status,
    /// The version of its text; rows of the catalogue have none.
    pub version: Option<String>,
    /// The entry that says so.
    pub index: u64,
    /// Whether the state machine decided it, and not a person or a merge.
    pub decided: bool,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error, serde::Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
#[allow(missing_docs)] // the sentences say it
pub enum Amiss {
    #[error("entry {index} cannot be read: {why}")]
    Unreadable { index: u64, why: String },
    #[error("entry {index} says that {artefact} was {from}; before it, it was {stood}")]
    BrokenChain { index: u64, artefact: String, from: String, stood: String },
    #[error("entry {index} does not follow: {artefact}, rule {rule}: {why}")]
    DoesNotFollow { index: u64, artefact: String, rule: String, why: String },
    #[error(
        "entry {index} puts the log right without anything that would justify it: {artefact} was {from}, and is {to}"
    )]
    Corrected { index: u64, artefact: String, from: String, to: String },
    #[error("entry {index} was decided under policy {policy}; the log says that {in_force} is in force")]
    OtherPolicy { index: u64, policy: String, in_force: String },
    #[error("entry {index} gives a table of thresholds another name than it has: {policy}")]
    MisnamedPolicy { index: u64, policy: String },
    #[error("{artefact} is served as {served}, and no entry of the log speaks of it")]
    NotInLog { artefact: String, served: String },
    #[error("{artefact} is served as {served}; the log says {logged} (entry {index})")]
    ServedOtherwise { artefact: String, served: String, logged: String, index: u64 },
    #[error("{artefact} is not served; the log says that it is {logged} (entry {index})")]
    NotServed { artefact: String, logged: String, index: u64 },
}

/// A log being read.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    stands: BTreeMap<String, Believed>,
    /// What was there and is gone.
    gone: BTreeSet<String>,
    policy: numbers::InForce,
    next: u64,
}

impl Replay {
    /// Reads the next entry; what is wrong with it, where something is.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), Amiss> {
        let index = self.next;
        self.next += 1;
        let unreadable = |why: String| Amiss::Unreadable { index, why };
        let entry = Entry::read(bytes).map_err(|error| unreadable(error.to_string()))?;
        if entry.v != ENTRY_VERSION {
            return Err(unreadable(format!("its shape has the version {}", entry.v)));
        }
        if entry.what == What::Policy {
            return self.policy.take(&entry, index);
        }
        let stood = self.stands.get(&entry.artefact).map(|it| it.status);
        let chain = if stood == entry.from {
            Ok(())
        } else {
            let (from, stood) = (word(entry.from), word(stood));
            Err(Amiss::BrokenChain { index, artefact: entry.artefact.clone(), from, stood })
        };
        let met_before = entry.what == What::Began && self.gone.contains(&entry.artefact);
        let follows = chain.and_then(|()| acts::fits(&entry, index, met_before));
        let follows = follows.and_then(|()| self.policy.follows(&entry, index));
        let decided = Rule::named(&entry.rule).is_some();
        match entry.to {
            Some(status) => {
                let version = entry.version.filter(|version| !version.is_empty());
                self.stands.insert(entry.artefact, Believed { status, version, index, decided });
            }
            None => {
                self.stands.remove(&entry.artefact);
                self.gone.insert(entry.artefact);
            }
        }
        follows
    }

    /// How many entries were read.
    pub fn size(&self) -> u64 {
        self.next
    }

    /// Every artefact that is there.
    pub fn artefacts(&self) -> &BTreeMap<String, Believed> {
        &self.stands
    }

    /// How many artefacts are beta or stable by somebody's word, and not by votes.
    pub fn by_hand(&self) -> usize {
        let raised = |it: &&Believed| matches!(it.status, Status::Beta | Status::Stable) && !it.decided;
        self.stands.values().filter(raised).count()
    }

    /// Where what is served disagrees; `served` is every artefact with its status and version.
    pub fn compare(&self, served: &BTreeMap<String, (Status, Option<String>)>) -> Vec<Amiss> {
        let mut amiss = Vec::new();
        for (artefact, (status, version)) in served {
            let said = |status: Status, version: &Option<String>| match version {
                Some(version) => format!("{status} {version}"),
                None => status.to_string(),
            };
            let shown = said(*status, version);
            let artefact = artefact.clone();
            match self.stands.get(&artefact) {
                None => amiss.push(Amiss::NotInLog { artefact, served: shown }),
                // Of what is put away nobody says the version.
                Some(it) if it.status == *status && (version.is_none() || it.version == *version) => {}
                Some(it) => {
                    let logged = said(it.status, &it.version);
                    amiss.push(Amiss::ServedOtherwise { artefact, served: shown, logged, index: it.index });
                }
            }
        }
        let unserved = self.stands.iter().filter(|(artefact, _)| !served.contains_key(*artefact));
        amiss.extend(unserved.map(|(artefact, it)| Amiss::NotServed {
            artefact: artefact.clone(),
            logged: it.status.to_string(),
            index: it.index,
        }));
        amiss
    }
}

fn word(status: Option<Status>) -> String {
    status.map_or_else(|| "not there".to_owned(), |it| it.to_string())
}
