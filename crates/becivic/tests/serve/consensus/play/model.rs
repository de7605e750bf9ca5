//! What may have happened to an artefact, worked out from nothing but what was sent: an independent reading of the rules, that
//! keeps every voter's verdict and counts them anew each time.

use becivic_server::db::transitions::Transition;
use std::collections::{BTreeMap, BTreeSet};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// What happens in a step of the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    Voting,
    Committing,
    Ticking,
    Reinstating,
    Waiting,
}

/// One artefact.
#[derive(Clone, Debug)]
pub struct Model {
    pub name: String,
    pub status: String,
    pub started: i64,
    /// Of each voter, the latest verdict: whether it confirms.
    pub votes: BTreeMap<usize, bool>,
    /// The same of each source.
    pub on_sources: BTreeMap<(String, usize), bool>,
    pub flags: BTreeSet<usize>,
    /// Confirms and rejects that a row was made stable with: who gave them is forgotten, and may vote again.
    pub frozen: (i64, i64),
    pub was_stable: bool,
    /// Changes of its text that Git or the catalogue tell of, and the list of changes does not yet.
    pub amended: usize,
    is_row: bool,
}

impl Model {
    pub fn new(target_type: &str, id: &str, status: &str, started: i64) -> Self {
        Self {
            name: format!("{target_type}:{id}"),
            status: status.to_owned(),
            started,
            votes: BTreeMap::new(),
            on_sources: BTreeMap::new(),
            flags: BTreeSet::new(),
            frozen: (0, 0),
            was_stable: status == "stable",
            amended: 0,
            is_row: matches!(target_type, "volatile_value" | "reference"),
        }
    }

    /// Whether it takes verdicts.
    pub fn is_open(&self) -> bool {
        ["alpha", "beta", "stable"].contains(&self.status.as_str())
    }

    /// Confirms and rejects.
    pub fn counts(&self) -> (i64, i64) {
        let confirms = self.votes.values().filter(|confirms| **confirms).count() as i64;
        (self.frozen.0 + confirms, self.frozen.1 + self.votes.len() as i64 - confirms)
    }

    pub fn voted(&mut self, voter: usize, source: Option<&str>, confirms: bool, flag: bool) {
        self.votes.insert(voter, confirms);
        if let Some(source) = source {
            self.on_sources.insert((source.to_owned(), voter), confirms);
        }
        if flag {
            self.flags.insert(voter);
        }
    }

    /// Its text was changed by somebody: what speaks against it stays.
    pub fn was_amended(&mut self, now: i64) {
        self.started = now;
        self.frozen = (0, 0);
        if self.is_row {
            self.begin(now);
        } else {
            self.votes.retain(|_, confirms| !*confirms);
            self.on_sources.retain(|_, confirms| !*confirms);
        }
        // The first of several makes it alpha; the others find it so.
        if self.status != "alpha" {
            self.amended = 1;
        }
    }

    fn begin(&mut self, now: i64) {
        self.votes.clear();
        self.on_sources.clear();
        self.flags.clear();
        self.frozen = (0, 0);
        self.started = now;
    }

    /// Holds a change against what was sent, and follows it.
    pub fn changes(&mut self, it: &Transition, doing: Doing, now: i64) {
        assert_eq!(self.status, it.from_status, "{self:?} {it:?}");
        assert!(
            self.allows(it, doing, now),
            "nothing justifies it while {doing:?} at {now}: {it:?} {self:?}"
        );
        self.status.clone_from(&it.to_status);
        match it.rule.as_str() {
            "alpha_to_beta" if self.is_row => {}
            "beta_to_stable" if self.is_row => {
                self.frozen = self.counts();
                self.votes.clear();
            }
            "amendment" | "corrected" => self.amended = 0,
            // Until somebody has decided, it stands as it was; a row is another one at once.
            "injection_flags" | "rejected" if it.to_status == "quarantined" && !self.is_row => {}
            _ => self.begin(now),
        }
        self.was_stable |= self.status == "stable";
    }

    fn allows(&self, it: &Transition, doing: Doing, now: i64) -> bool {
        let (confirms, rejects) = self.counts();
        let ticking = doing == Doing::Ticking;
        let age = now - self.started;
        let steps = (it.from_status.as_str(), it.to_status.as_str());
        match it.rule.as_str() {
            "alpha_to_beta" => {
                ticking && steps == ("alpha", "beta") && confirms >= 3 && rejects == 0 && age >= 48 * HOUR
            }
            "beta_to_stable" => {
                let rate = confirms as f64 / (confirms + rejects) as f64;
                ticking && steps == ("beta", "stable") && confirms >= 10 && rate > 0.85 && age >= 14 * DAY
            }
            "injection_flags" => {
                let needed = if it.from_status == "stable" { 2 } else { 1 };
                let back = self.is_row && it.to_status == "stable" && self.was_stable;
                let away = it.to_status == "quarantined";
                (ticking || doing == Doing::Voting) && self.flags.len() >= needed && (away || back)
            }
            // What it was made stable with counts for it: without that, this is the least there must be.
            "rejected" => {
                let people = self.votes.values().filter(|confirms| !**confirms).count();
                let margin = 2 * people as i64 - self.votes.len() as i64;
                // A row that was brought back stands on everything that was ever said of it.
                let outweighs = margin >= 2 || (self.is_row && it.from_status == "stable");
                ticking && people >= 2 && outweighs && self.may_go_back_to(&it.to_status)
            }
            "all_sources_rejected" => {
                let mut rejecters: BTreeMap<&str, i64> = BTreeMap::new();
                for ((source, _), confirms) in &self.on_sources {
                    *rejecters.entry(source).or_default() += if *confirms { -1 } else { 1 };
                }
                ticking && rejecters.len() == 2 && rejecters.values().all(|margin| *margin >= 2)
            }
            "amendment" => {
                doing == Doing::Committing && self.amended > 0 && it.to_status == "alpha" && !self.is_row
            }
            "corrected" => {
                doing == Doing::Committing && self.amended > 0 && it.to_status == "alpha" && self.is_row
            }
            // A row that was rolled back may be brought back too: the command says so, and somebody signed it.
            "maintainer" => doing == Doing::Reinstating && (self.is_row || !self.is_open()),
            _ => false,
        }
    }

    fn may_go_back_to(&self, status: &str) -> bool {
        match status {
            "stable" => self.was_stable,
            "alpha" | "beta" => self.name.starts_with("skill:"),
            "deprecated" => self.name.starts_with("path:"),
            "quarantined" => !self.name.starts_with("path:"),
            _ => false,
        }
    }
}
