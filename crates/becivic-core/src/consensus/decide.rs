//! What is to be done about one artefact.

use super::{Millis, Policy, SourceTally, Tally};
use crate::vocabulary::Status;

/// What an artefact is, as far as rules differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Skill,
    /// Outside the state machine.
    MetaSkill,
    Path,
    Value,
    Reference,
}

/// An artefact, as far as a decision needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Artefact {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub status: Status,
    /// When its cohort began.
    pub cohort_started_at: Millis,
    /// The tally it was made stable with: confirms and rejects that later ones are added to. Zero below stable.
    pub base: (i64, i64),
    /// Of a path: the latest of its last confirm of any kind, `last_verified` and its first commit.
    pub last_sign_of_life: Option<Millis>,
    /// Of a path: its sources, each with its counts.
    pub sources: Vec<SourceTally>,
    /// Whether the machine deprecated it, and a probe has worked since.
    pub revived: bool,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Outcome {
    Stay,
    Promote(Status),
    RollBack,
    Quarantine,
    Deprecate,
    /// A deprecated path works again: back to alpha.
    Return,
}

/// The rule that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Rule {
    OutsideTheMachine,
    NotInTheLifecycle,
    InjectionFlags,
    Rejected,
    AllSourcesRejected,
    NobodyConfirms,
    WorksAgain,
    AlphaToBeta,
    BetaToStable,
    StableStays,
}

/// What is still missing for the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Missing {
    Confirms(i64),
    Submitters(i64),
    Time(Millis),
    /// Rejects that stand in the way.
    Rejects(i64),
    /// Confirms until the rate is above the threshold.
    Rate(i64),
}

/// A decision, explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What is to be done.
    pub outcome: Outcome,
    /// By which rule.
    pub rule: Rule,
    /// The numbers it looked at, by name, in the order it did.
    pub numbers: Vec<(&'static str, f64)>,
    /// What is missing for the next step up.
    pub missing: Vec<Missing>,
    /// When time alone could change the answer.
    pub look_again_at: Option<Millis>,
}

/// Decides.
pub fn decide(artefact: &Artefact, tally: &Tally, policy: &Policy, now: Millis) -> Decision {
    let _ = (artefact, tally, policy, now);
    Decision {
        outcome: Outcome::Stay,
        rule: Rule::StableStays,
        numbers: Vec::new(),
        missing: Vec::new(),
        look_again_at: None,
    }
}
