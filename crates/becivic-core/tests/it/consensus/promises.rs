//! What is promised of every decision, checked on tallies nobody thought of.

use super::{Case, DAY, of};
use becivic_core::consensus::{Count, Kind, Outcome, Tally};
use becivic_core::vocabulary::Status;
use proptest::prelude::*;

/// A voter, as far as a tally of one artefact goes: how often they confirmed and rejected, and what they said last.
#[derive(Clone, Copy, Debug)]
struct Voter {
    confirms: i64,
    rejects: i64,
    rejects_last: bool,
    flags: bool,
}

fn voter() -> impl Strategy<Value = Voter> {
    let flags = prop::bool::weighted(0.02);
    let faithful = (1..3_i64, flags).prop_map(|(confirms, flags)| Voter {
        confirms,
        rejects: 0,
        rejects_last: false,
        flags,
    });
    let any = (0..3_i64, 0..3_i64, any::<bool>(), flags).prop_map(|(confirms, rejects, last, flags)| Voter {
        confirms: if rejects == 0 { confirms.max(1) } else { confirms },
        rejects,
        rejects_last: rejects > 0 && (last || confirms == 0),
        flags,
    });
    prop_oneof![6 => faithful, 1 => any]
}

fn count(voters: &[Voter], probes: (i64, i64)) -> Tally {
    let people = |wanted: fn(&Voter) -> bool| voters.iter().filter(|voter| wanted(voter)).count() as i64;
    Tally {
        confirms: people(|voter| !voter.rejects_last),
        rejects: people(|voter| voter.rejects_last),
        confirm_records: voters.iter().map(|voter| voter.confirms).sum(),
        reject_records: voters.iter().map(|voter| voter.rejects).sum(),
        voters: voters.len() as i64,
        rejecters: people(|voter| voter.rejects > 0),
        flaggers: people(|voter| voter.flags),
        probe_confirms: probes.0,
        probe_rejects: probes.1,
        ..Tally::default()
    }
}

prop_compose! {
    fn situation()(
        voters in prop::collection::vec(voter(), 0..24),
        status in prop::sample::select(Status::ALL),
        kind in prop::sample::select(&[Kind::Skill, Kind::MetaSkill, Kind::Path, Kind::Value, Kind::Reference][..]),
        probes in (0..6_i64, 0..6_i64),
        age in prop_oneof![-DAY..30 * DAY, Just(2 * DAY), Just(14 * DAY), 14 * DAY..40 * DAY],
        raw in any::<bool>(),
        thresholds in (0..5_i64, 0..6_i64, 0..13_i64, 0..16_i64, 0.0..1.0_f64),
        defaults in any::<bool>(),
    ) -> (Vec<Voter>, Case) {
        let mut case = of(kind, status).age(age);
        case.tally = count(&voters, probes);
        if !defaults {
            (case.policy.beta_confirms, case.policy.beta_distinct) = (thresholds.0, thresholds.1);
            (case.policy.stable_confirms, case.policy.stable_distinct) = (thresholds.2, thresholds.3);
            case.policy.stable_rate = thresholds.4;
        }
        if raw {
            case.policy.count = Count::Raw;
        }
        (voters, case)
    }
}

/// The same voters and one rejection more: of somebody new, or of one of them.
fn with_rejection(voters: &[Voter], by: Option<prop::sample::Index>) -> Vec<Voter> {
    let mut voters = voters.to_vec();
    match by.filter(|_| !voters.is_empty()) {
        Some(index) => {
            let voter = index.get(&voters);
            let changed = Voter { rejects: voter.rejects + 1, rejects_last: true, ..*voter };
            let at = index.index(voters.len());
            voters[at] = changed;
        }
        None => voters.push(Voter { confirms: 0, rejects: 1, rejects_last: true, flags: false }),
    }
    voters
}

/// §9.2 and DECISIONS §5 once more, in other words: the confirm rate as whole numbers against a rate in parts of 10^12.
fn may_be_promoted(case: &Case, to: Status) -> bool {
    let (tally, policy) = (&case.tally, &case.policy);
    let (confirms, rejects) = match policy.count {
        Count::Latest => (tally.confirms, tally.rejects),
        Count::Raw => (tally.confirm_records, tally.reject_records),
    };
    let outside = case.artefact.kind == Kind::MetaSkill || tally.flaggers >= policy.quarantine_flags;
    let parts = 1_000_000_000_000_i128;
    let allowed = (policy.stable_rate * parts as f64).floor() as i128;
    match (case.artefact.status, to) {
        (Status::Alpha, Status::Beta) => {
            !outside
                && confirms >= policy.beta_confirms
                && rejects == 0
                && case.age >= policy.beta_age
                && tally.voters >= policy.beta_distinct
        }
        (Status::Beta, Status::Stable) => {
            !outside
                && confirms >= policy.stable_confirms
                && case.age >= policy.stable_age
                && i128::from(confirms) * parts > i128::from(confirms + rejects) * allowed
                && tally.voters >= policy.stable_distinct
        }
        (
            Status::Draft
            | Status::Alpha
            | Status::Beta
            | Status::Stable
            | Status::Quarantined
            | Status::Deprecated,
            _,
        ) => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_promoted_that_may_not_be((_, case) in situation()) {
        if let Outcome::Promote(to) = case.decide().outcome {
            prop_assert!(may_be_promoted(&case, to), "{} {:?}", case.decide().explain(), case.tally);
        }
    }

    #[test]
    fn a_rejection_never_leads_to_a_promotion(
        (voters, case) in situation(),
        by in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut rejected = case.clone();
        rejected.tally = count(&with_rejection(&voters, by), (case.tally.probe_confirms, case.tally.probe_rejects));
        if let Outcome::Promote(to) = rejected.decide().outcome {
            prop_assert_eq!(case.decide().outcome, Outcome::Promote(to), "{}", rejected.decide().explain());
        }
    }

    /// With nothing missing it is promoted, and with something missing it says what.
    #[test]
    fn a_step_is_taken_or_says_what_it_lacks((_, case) in situation()) {
        let decision = case.decide();
        let climbs = matches!(decision.rule.as_str(), "alpha_to_beta" | "beta_to_stable");
        let promoted = matches!(decision.outcome, Outcome::Promote(_));
        prop_assert_eq!(climbs && !promoted, !decision.missing.is_empty(), "{}", decision.explain());
    }

    /// Time alone changes the answer at the moment that was said, and not before.
    #[test]
    fn it_is_looked_at_again_when_time_changes_the_answer((_, mut case) in situation(), life in -40 * DAY..0) {
        case.artefact.last_sign_of_life = Some(super::START + life);
        let decision = case.decide();
        prop_assume!(decision.outcome == Outcome::Stay);
        let at = decision.look_again_at.map(|at| at - super::START);
        prop_assert!(at.is_none_or(|at| at > case.age), "in the future");
        let later = at.unwrap_or(400 * DAY);
        let outcome_at = |age| case.clone().age(age).decide().outcome;
        prop_assert_eq!(outcome_at(later - 1), decision.outcome, "nothing changes before");
        if at.is_some() {
            prop_assert_ne!(outcome_at(later), decision.outcome);
        }
    }
}

/// The properties above would hold of a machine that never promotes; this one does.
#[test]
fn the_situations_hold_promotions() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut promoted = [0, 0];
    for _ in 0..2_000 {
        let (_, case) = situation().new_tree(&mut runner).expect("a situation").current();
        match case.decide().outcome {
            Outcome::Promote(Status::Beta) => promoted[0] += 1,
            Outcome::Promote(_) => promoted[1] += 1,
            Outcome::Stay
            | Outcome::RollBack
            | Outcome::Quarantine
            | Outcome::Deprecate
            | Outcome::Return => {}
        }
    }
    assert!(promoted.iter().all(|count| *count >= 20), "too few promotions to prove anything: {promoted:?}");
}
