//! What is to be done about one artefact.
//!
//! 1. A meta-skill is outside the machine. Drafts and quarantined artefacts are a maintainer's, and so are deprecated ones,
//!    except a path that works again.
//! 2. Flags: enough people flagged it, and it is quarantined.
//! 3. Where the policy freezes what is contested, and enough people stand on both sides, nothing is rolled back and
//!    nothing promoted: of what follows, only time deprecates.
//! 4. Rejections: people's verdicts and, at their weight, the probes' outweigh the confirmations, and enough people reject. On
//!    `stable` the tally it was made stable with is added to both sides.
//! 5. A path all of whose sources are rejected, or that nobody and nothing has confirmed for long.
//! 6. The next step up, by people's verdicts and the time since the cohort began; what is missing for it is said exactly.
//!
//! The first of these that applies decides. A clock that jumped back promotes and deprecates nothing.

use super::{Count, Millis, Policy, SourceTally, Tally};
use crate::vocabulary::{Status, words};

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

impl Artefact {
    /// One that has neither sources nor a clock.
    pub fn new(kind: Kind, status: Status, cohort_started_at: Millis, base: (i64, i64)) -> Self {
        let (last_sign_of_life, sources, revived) = (None, Vec::new(), false);
        Self { kind, status, cohort_started_at, base, last_sign_of_life, sources, revived }
    }
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

words! {
    /// The rule that decided. Its spelling is stored with every transition.
    Rule {
        /// A meta-skill.
        OutsideTheMachine = "outside_the_machine",
        /// A draft, or quarantined, or deprecated.
        NotInTheLifecycle = "not_in_the_lifecycle",
        /// Enough people flagged an injection.
        InjectionFlags = "injection_flags",
        /// Rejections outweigh confirmations.
        Rejected = "rejected",
        /// Enough people confirm and enough reject for the status to freeze.
        Contested = "contested",
        /// Every source of a path is rejected.
        AllSourcesRejected = "all_sources_rejected",
        /// A path that nobody and nothing confirms any more.
        NobodyConfirms = "nobody_confirms",
        /// A deprecated path that a probe saw working.
        WorksAgain = "works_again",
        /// The step from alpha to beta, taken or not yet.
        AlphaToBeta = "alpha_to_beta",
        /// The step from beta to stable, taken or not yet.
        BetaToStable = "beta_to_stable",
        /// Stable, and nothing speaks against it.
        StableStays = "stable_stays",
    }
}

/// What is still missing for the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Missing {
    Confirms(i64),
    /// Confirms until the rate is above the threshold; `i64::MAX` where no number of them gets it there.
    Rate(i64),
    Submitters(i64),
    /// Distinct days on which confirmations come.
    Days(i64),
    /// Rejects that stand in the way.
    Rejects(i64),
    Time(Millis),
}

/// A decision, explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The status it was decided about.
    pub from: Status,
    /// What is to be done.
    pub outcome: Outcome,
    /// By which rule.
    pub rule: Rule,
    /// The numbers it looked at, by name, in the order it did; what a number is held against is named like it, and `_needed`.
    /// Spans of time end in `_ms`.
    pub numbers: Vec<(&'static str, f64)>,
    /// What is missing for the next step up.
    pub missing: Vec<Missing>,
    /// When time alone could change the answer.
    pub look_again_at: Option<Millis>,
}

/// Decides.
pub fn decide(artefact: &Artefact, tally: &Tally, policy: &Policy, now: Millis) -> Decision {
    let mut case = Case { artefact, tally, policy, now, numbers: Vec::new() };
    if artefact.kind == Kind::MetaSkill {
        return case.decided(Outcome::Stay, Rule::OutsideTheMachine);
    }
    let next = match artefact.status {
        Status::Alpha => Some(Step::to_beta(policy)),
        Status::Beta => Some(Step::to_stable(policy)),
        Status::Stable => None,
        Status::Deprecated if artefact.kind == Kind::Path && artefact.revived => {
            return case.decided(Outcome::Return, Rule::WorksAgain);
        }
        Status::Draft | Status::Quarantined | Status::Deprecated => {
            return case.decided(Outcome::Stay, Rule::NotInTheLifecycle);
        }
    };
    if case.is_flagged() {
        return case.decided(Outcome::Quarantine, Rule::InjectionFlags);
    }
    let frozen = case.is_contested();
    if case.is_rejected() && !frozen {
        return case.decided(Outcome::RollBack, Rule::Rejected);
    }
    if case.has_only_rejected_sources() && !frozen {
        return case.decided(Outcome::RollBack, Rule::AllSourcesRejected);
    }
    let deprecated_at = case.deprecated_at();
    if deprecated_at.is_some_and(|at| at <= now) {
        return case.decided(Outcome::Deprecate, Rule::NobodyConfirms);
    }
    if frozen {
        let stays = case.decided(Outcome::Stay, Rule::Contested);
        return Decision { look_again_at: deprecated_at, ..stays };
    }
    let Some(step) = next else {
        let stays = case.decided(Outcome::Stay, Rule::StableStays);
        return Decision { look_again_at: deprecated_at, ..stays };
    };
    let missing = case.missing_for(&step);
    if missing.is_empty() {
        return case.decided(Outcome::Promote(step.to), step.rule);
    }
    let promoted_at = match missing[..] {
        [Missing::Time(wait)] => Some(now.saturating_add(wait)),
        _ => None,
    };
    let look_again_at = [promoted_at, deprecated_at].into_iter().flatten().min();
    Decision { missing, look_again_at, ..case.decided(Outcome::Stay, step.rule) }
}

/// A step up, and what it needs.
struct Step {
    to: Status,
    rule: Rule,
    confirms: i64,
    distinct: i64,
    age: Millis,
    days: i64,
    against: Against,
}

/// What a step makes of rejects.
enum Against {
    /// None may stand.
    NoRejects,
    /// The share of confirms must be above this.
    RateAbove(f64),
}

impl Step {
    fn to_beta(policy: &Policy) -> Self {
        Self {
            to: Status::Beta,
            rule: Rule::AlphaToBeta,
            confirms: policy.beta_confirms,
            distinct: policy.beta_distinct,
            age: policy.beta_age,
            days: policy.beta_days,
            against: Against::NoRejects,
        }
    }

    fn to_stable(policy: &Policy) -> Self {
        Self {
            to: Status::Stable,
            rule: Rule::BetaToStable,
            confirms: policy.stable_confirms,
            distinct: policy.stable_distinct,
            age: policy.stable_age,
            days: policy.stable_days,
            against: Against::RateAbove(policy.stable_rate),
        }
    }
}

/// What is decided about, and the numbers looked at so far.
struct Case<'a> {
    artefact: &'a Artefact,
    tally: &'a Tally,
    policy: &'a Policy,
    now: Millis,
    numbers: Vec<(&'static str, f64)>,
}

impl Case<'_> {
    fn decided(&mut self, outcome: Outcome, rule: Rule) -> Decision {
        let numbers = std::mem::take(&mut self.numbers);
        Decision {
            from: self.artefact.status,
            outcome,
            rule,
            numbers,
            missing: Vec::new(),
            look_again_at: None,
        }
    }

    fn saw(&mut self, name: &'static str, number: i64) {
        self.numbers.push((name, number as f64));
    }

    /// Confirms and rejects of people, in the reading the policy chose.
    fn verdicts(&self) -> (i64, i64) {
        match self.policy.count {
            Count::Latest => (self.tally.confirms, self.tally.rejects),
            Count::Raw => (self.tally.confirm_records, self.tally.reject_records),
        }
    }

    /// People who reject: whose latest verdict does, or any of theirs where every one counts.
    fn rejecting_people(&self) -> i64 {
        match self.policy.count {
            Count::Latest => self.tally.rejects,
            Count::Raw => self.tally.rejecters,
        }
    }

    /// The frozen tally, which only `stable` has.
    fn base(&self) -> (i64, i64) {
        match self.artefact.status {
            Status::Stable => self.artefact.base,
            Status::Draft | Status::Alpha | Status::Beta | Status::Quarantined | Status::Deprecated => (0, 0),
        }
    }

    fn is_flagged(&mut self) -> bool {
        // At least one, whatever is configured: no flag quarantines nothing.
        let needed = match self.artefact.status {
            Status::Stable => self.policy.quarantine_flags_stable,
            Status::Draft | Status::Alpha | Status::Beta | Status::Quarantined | Status::Deprecated => {
                self.policy.quarantine_flags
            }
        }
        .max(1);
        self.saw("flaggers", self.tally.flaggers);
        self.saw("flaggers_needed", needed);
        // What was carried over was raised on something stable, and is held to what stable is held to: otherwise whoever
        // flags could amend it, and so need nobody else.
        if self.tally.carried_flaggers > 0 {
            let carried_needed = self.policy.quarantine_flags_stable.max(needed);
            self.saw("carried_flaggers", self.tally.carried_flaggers);
            self.saw("carried_flaggers_needed", carried_needed);
            let fresh = self.tally.flaggers - self.tally.carried_flaggers;
            return fresh >= needed || self.tally.flaggers >= carried_needed;
        }
        self.tally.flaggers >= needed
    }

    /// Whether enough people stand on both sides. What something was made stable with is not in dispute: those who disagree
    /// are the people of the open cohort. Otherwise two could keep for ever what ten made stable and has gone wrong since.
    fn is_contested(&mut self) -> bool {
        let needed = self.policy.freeze_distinct;
        if needed <= 0 {
            return false;
        }
        let (in_favour, against) = (self.tally.confirms, self.rejecting_people());
        self.saw("people_in_favour", in_favour);
        self.saw("people_in_favour_needed", needed);
        self.saw("people_against", against);
        self.saw("people_against_needed", needed);
        in_favour >= needed && against >= needed
    }

    fn is_rejected(&mut self) -> bool {
        let (confirms, rejects) = self.verdicts();
        let (base_confirms, base_rejects) = self.base();
        let people = self.rejecting_people();
        let needed_people = self.policy.rollback_distinct.max(1);
        let weight = self.policy.probe_weight;
        let of_probes = weight * (self.tally.probe_rejects as f64 - self.tally.probe_confirms as f64);
        let of_people = (base_rejects as f64 + rejects as f64) - (base_confirms as f64 + confirms as f64);
        let margin = of_people + of_probes;
        self.saw("confirms", confirms);
        self.saw("rejects", rejects);
        if self.artefact.status == Status::Stable {
            self.saw("base_confirms", base_confirms);
            self.saw("base_rejects", base_rejects);
        }
        if self.tally.probe_confirms != 0 || self.tally.probe_rejects != 0 {
            self.saw("probe_confirms", self.tally.probe_confirms);
            self.saw("probe_rejects", self.tally.probe_rejects);
            self.numbers.push(("probe_weight", weight));
        }
        self.numbers.push(("margin", margin));
        self.saw("margin_needed", self.policy.rollback_margin);
        self.saw("rejecting_people", people);
        self.saw("rejecting_people_needed", needed_people);
        reaches(margin, self.policy.rollback_margin) && people >= needed_people
    }

    /// Each source by the verdicts on it. Where the path is stable the rejections of all of them together must also outweigh
    /// what it was made stable with: otherwise two people could undo it where it has one source.
    fn has_only_rejected_sources(&mut self) -> bool {
        if self.artefact.kind != Kind::Path {
            return false;
        }
        let margins = self.artefact.sources.iter().map(|source| match self.policy.count {
            Count::Latest => source.rejects.saturating_sub(source.confirms),
            Count::Raw => source.reject_records.saturating_sub(source.confirm_records),
        });
        let margins: Vec<i64> = margins.collect();
        // A source keeps one count of distinct people who reject it, whatever is read: those whose latest verdict does.
        let people = self.artefact.sources.iter().map(|source| source.rejects);
        let rejected = margins.iter().zip(people).filter(|(margin, people)| {
            **margin >= self.policy.rollback_margin && *people >= self.policy.rollback_distinct.max(1)
        });
        let rejected = rejected.count();
        let (base_confirms, base_rejects) = self.base();
        let together = margins
            .iter()
            .fold(base_rejects.saturating_sub(base_confirms), |sum, margin| sum.saturating_add(*margin));
        self.saw("sources", margins.len() as i64);
        self.saw("sources_rejected", rejected as i64);
        if self.artefact.status == Status::Stable {
            self.saw("sources_margin", together);
            self.saw("sources_margin_needed", self.policy.rollback_margin);
        }
        rejected > 0 && rejected == margins.len() && together >= self.policy.rollback_margin
    }

    /// When a path is deprecated if nothing confirms it until then.
    fn deprecated_at(&mut self) -> Option<Millis> {
        let last = match self.artefact.kind {
            Kind::Path => self.artefact.last_sign_of_life?,
            Kind::Skill | Kind::MetaSkill | Kind::Value | Kind::Reference => return None,
        };
        self.saw("unconfirmed_ms", self.now.saturating_sub(last));
        self.saw("unconfirmed_ms_needed", self.policy.deprecate_after);
        Some(last.saturating_add(self.policy.deprecate_after))
    }

    fn missing_for(&mut self, step: &Step) -> Vec<Missing> {
        let (confirms, rejects) = self.verdicts();
        // Who rejects speaks against the step: a rejection must never be what completes its distinct submitters.
        let submitters = self.tally.voters.saturating_sub(self.rejecting_people());
        let age = self.now.saturating_sub(self.artefact.cohort_started_at);
        let mut missing = Vec::new();
        self.saw("confirms_needed", step.confirms);
        let more = step.confirms.saturating_sub(confirms).max(0);
        if more > 0 {
            missing.push(Missing::Confirms(more));
        }
        match step.against {
            Against::NoRejects => {
                if rejects != 0 {
                    missing.push(Missing::Rejects(rejects));
                }
            }
            Against::RateAbove(needed) => {
                self.numbers.push(("rate", rate(confirms, rejects)));
                self.numbers.push(("rate_needed", needed));
                // Where the confirms that are missing anyway are enough for the rate, they are said once.
                if let Some(for_rate) = more_for_rate(confirms, rejects, needed).filter(|it| *it > more) {
                    missing.push(Missing::Rate(for_rate));
                }
            }
        }
        self.saw("submitters", submitters);
        self.saw("submitters_needed", step.distinct);
        if submitters < step.distinct {
            missing.push(Missing::Submitters(step.distinct.saturating_sub(submitters)));
        }
        if step.days > 0 {
            let days = self.tally.confirm_days;
            self.saw("confirm_days", days);
            self.saw("confirm_days_needed", step.days);
            if days < step.days {
                missing.push(Missing::Days(step.days.saturating_sub(days)));
            }
        }
        self.saw("age_ms", age);
        self.saw("age_ms_needed", step.age);
        let needed_age = step.age.max(0);
        if age < needed_age {
            missing.push(Missing::Time(needed_age.saturating_sub(age)));
        }
        missing
    }
}

/// Whether a margin reaches a threshold. Weights such as 0.1 have no exact double: a rounding error decides nothing.
fn reaches(margin: f64, needed: i64) -> bool {
    margin >= needed as f64 - 1e-9
}

/// The share of confirms; 0 where there is nothing to take a share of.
///
/// The quotient is the double nearest to the share, and a configured rate the double nearest to what is written, so 17 of 20 is
/// exactly 0.85.
fn rate(confirms: i64, rejects: i64) -> f64 {
    let all = confirms as f64 + rejects as f64;
    if all > 0.0 { confirms as f64 / all } else { 0.0 }
}

/// How many more confirms bring the share above a rate; nothing where it is above already.
fn more_for_rate(confirms: i64, rejects: i64, needed: f64) -> Option<i64> {
    if rate(confirms, rejects) > needed {
        return None;
    }
    if needed >= 1.0 {
        return Some(i64::MAX);
    }
    // (c + k) / (c + k + r) > q  ⇔  k > q·r / (1 − q) − c. The estimate may be one off, so it is tried from below.
    let estimate = (needed * rejects as f64 / (1.0 - needed) - confirms as f64).floor() as i64;
    let from = estimate.saturating_sub(1).max(1);
    (from..=from.saturating_add(4))
        .find(|more| rate(confirms.saturating_add(*more), rejects) > needed)
        .or(Some(i64::MAX))
}
