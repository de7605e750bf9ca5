//! Consensus: counting against a model that knows everybody, decisions at every boundary, and what is promised of both.

mod alternatives;
mod counting;
mod document;
mod promises;
mod sentences;
mod steps;
mod targets;
mod trouble;

use becivic_core::consensus::{
    Artefact, Decision, Kind, Millis, Outcome, Policy, Rule, SourceTally, Tally, decide,
};
use becivic_core::vocabulary::Status;

const MINUTE: Millis = 60_000;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// When every cohort of these tests begins.
const START: Millis = 1_800_000_000_000;

/// An artefact and its tally, changed step by step; decided about under the default policy unless another is given.
#[derive(Clone, Debug)]
struct Case {
    artefact: Artefact,
    tally: Tally,
    policy: Policy,
    age: Millis,
}

fn of(kind: Kind, status: Status) -> Case {
    let artefact = Artefact {
        kind,
        status,
        cohort_started_at: START,
        base: (0, 0),
        last_sign_of_life: None,
        sources: Vec::new(),
        revived: false,
    };
    Case { artefact, tally: Tally::default(), policy: Policy::default(), age: 0 }
}

impl Case {
    /// So many people confirm and reject, once each.
    fn people(mut self, confirms: i64, rejects: i64) -> Self {
        self.tally = Tally {
            confirms,
            rejects,
            confirm_records: confirms,
            reject_records: rejects,
            voters: confirms + rejects,
            rejecters: rejects,
            ..self.tally
        };
        self
    }

    fn probes(mut self, confirms: i64, rejects: i64) -> Self {
        self.tally.probe_confirms = confirms;
        self.tally.probe_rejects = rejects;
        self
    }

    fn flags(mut self, flaggers: i64) -> Self {
        self.tally.flaggers = flaggers;
        self
    }

    fn base(mut self, confirms: i64, rejects: i64) -> Self {
        self.artefact.base = (confirms, rejects);
        self
    }

    fn age(mut self, age: Millis) -> Self {
        self.age = age;
        self
    }

    /// A path's sources: how many people confirm and reject each, once each.
    fn sources(mut self, sources: &[(i64, i64)]) -> Self {
        let counted = sources.iter().map(|&(confirms, rejects)| SourceTally {
            confirms,
            rejects,
            confirm_records: confirms,
            reject_records: rejects,
            voters: confirms + rejects,
            ..SourceTally::default()
        });
        self.artefact.sources = counted.collect();
        self
    }

    fn alive_at(mut self, at: Millis) -> Self {
        self.artefact.last_sign_of_life = Some(at);
        self
    }

    fn tallied(mut self, change: impl FnOnce(&mut Tally)) -> Self {
        change(&mut self.tally);
        self
    }

    fn under(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(&mut self.policy);
        self
    }

    fn decide(&self) -> Decision {
        decide(&self.artefact, &self.tally, &self.policy, START + self.age)
    }

    /// What is decided, and by which rule.
    #[track_caller]
    fn is(&self, outcome: Outcome, rule: Rule) -> Decision {
        let decision = self.decide();
        assert_eq!((decision.outcome, decision.rule), (outcome, rule), "{}", decision.explain());
        assert_eq!(decision.from, self.artefact.status);
        decision
    }

    /// That it stays, and what is missing in words.
    #[track_caller]
    fn stays(&self, sentence: &str) -> Decision {
        let decision = self.decide();
        assert_eq!(decision.outcome, Outcome::Stay, "{}", decision.explain());
        assert_eq!(decision.to_string(), sentence);
        decision
    }
}
