//! The steps up: §9.2's rows for alpha and beta, at every boundary, and when time alone takes them.

use super::{Case, DAY, HOUR, MINUTE, START, of};
use becivic_core::consensus::{Count, Kind, Missing, Outcome, Rule};
use becivic_core::vocabulary::Status;

const KINDS: [Kind; 4] = [Kind::Skill, Kind::Path, Kind::Value, Kind::Reference];

fn alpha() -> Case {
    of(Kind::Skill, Status::Alpha).age(48 * HOUR)
}

fn beta() -> Case {
    of(Kind::Skill, Status::Beta).age(14 * DAY)
}

#[test]
fn alpha_becomes_beta_at_three_confirms_by_three_after_48_hours() {
    for kind in KINDS {
        let met = of(kind, Status::Alpha).people(3, 0).age(48 * HOUR);
        let decision = met.is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);
        assert_eq!((decision.missing, decision.look_again_at), (vec![], None));
    }
}

#[test]
fn alpha_lacks_exactly_what_it_lacks() {
    let two_people = alpha().people(2, 0).tallied(|tally| tally.confirm_records = 3);
    let cases = [
        (alpha().people(2, 0), vec![Missing::Confirms(1), Missing::Submitters(1)]),
        (alpha().people(0, 0), vec![Missing::Confirms(3), Missing::Submitters(3)]),
        (alpha().people(3, 1), vec![Missing::Rejects(1)]),
        (alpha().people(30, 2), vec![Missing::Rejects(2)]),
        (alpha().people(3, 0).age(47 * HOUR + 59 * MINUTE), vec![Missing::Time(MINUTE)]),
        (alpha().people(3, 0).age(48 * HOUR - 1), vec![Missing::Time(1)]),
        (alpha().people(3, 0).age(0), vec![Missing::Time(48 * HOUR)]),
        // 3 records by 2 people: too few people in either reading
        (two_people.clone(), vec![Missing::Confirms(1), Missing::Submitters(1)]),
        (two_people.under(|policy| policy.count = Count::Raw), vec![Missing::Submitters(1)]),
        (
            alpha().people(1, 1).age(17 * HOUR),
            vec![Missing::Confirms(2), Missing::Rejects(1), Missing::Submitters(2), Missing::Time(31 * HOUR)],
        ),
    ];
    for (case, missing) in cases {
        assert_eq!(case.is(Outcome::Stay, Rule::AlphaToBeta).missing, missing);
    }
}

#[test]
fn alpha_is_old_enough_at_48_hours_and_not_a_minute_before() {
    let case = alpha().people(3, 0);
    case.clone().age(47 * HOUR + 59 * MINUTE).is(Outcome::Stay, Rule::AlphaToBeta);
    case.clone().age(48 * HOUR).is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);
    case.age(480 * DAY).is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);
}

#[test]
fn beta_becomes_stable_at_ten_confirms_by_ten_after_14_days() {
    for kind in KINDS {
        of(kind, Status::Beta)
            .people(10, 0)
            .age(14 * DAY)
            .is(Outcome::Promote(Status::Stable), Rule::BetaToStable);
    }
    // a rejection is no obstacle while the rate is above 85 %: 10 of 11 is 90.9 %
    beta().people(10, 1).is(Outcome::Promote(Status::Stable), Rule::BetaToStable);
}

#[test]
fn beta_lacks_exactly_what_it_lacks() {
    let nine_people = beta().people(9, 0).tallied(|tally| tally.confirm_records = 10);
    let cases = [
        (beta().people(9, 0), vec![Missing::Confirms(1), Missing::Submitters(1)]),
        (beta().people(0, 0), vec![Missing::Confirms(10), Missing::Submitters(10)]),
        (beta().people(10, 0).age(14 * DAY - MINUTE), vec![Missing::Time(MINUTE)]),
        (nine_people.under(|policy| policy.count = Count::Raw), vec![Missing::Submitters(1)]),
        // 17 of 20 is 85.0 %, which is not above it; 18 of 21 is 85.7 %
        (beta().people(17, 3), vec![Missing::Rate(1)]),
        // 10 of 12 is 83.3 %: 11 of 13 is 84.6 %, 12 of 14 is 85.7 %
        (beta().people(10, 2), vec![Missing::Rate(2)]),
        // 8 of 9 is above; 8 of 10 is not: 12 of 14 takes 4 more, 2 of which it lacks anyway
        (beta().people(8, 1), vec![Missing::Confirms(2), Missing::Submitters(2)]),
        (beta().people(8, 2), vec![Missing::Confirms(2), Missing::Rate(4), Missing::Submitters(2)]),
    ];
    for (case, missing) in cases {
        assert_eq!(case.is(Outcome::Stay, Rule::BetaToStable).missing, missing);
    }
}

#[test]
fn beta_is_old_enough_at_14_days_and_not_a_minute_before() {
    let case = beta().people(10, 0);
    case.clone().age(13 * DAY + 23 * HOUR + 59 * MINUTE).is(Outcome::Stay, Rule::BetaToStable);
    case.age(14 * DAY).is(Outcome::Promote(Status::Stable), Rule::BetaToStable);
}

#[test]
fn the_rate_is_strictly_above_85_percent_however_many_vote() {
    for hundreds in [1, 7, 1_000, 10_000_000] {
        let (confirms, rejects) = (85 * hundreds, 15 * hundreds);
        beta().people(confirms, rejects).is(Outcome::Stay, Rule::BetaToStable);
        beta().people(confirms + 1, rejects - 1).is(Outcome::Promote(Status::Stable), Rule::BetaToStable);
        beta().people(confirms + 1, rejects).is(Outcome::Promote(Status::Stable), Rule::BetaToStable);
    }
}

#[test]
fn as_many_confirms_as_the_rate_lacks_bring_it_above_and_one_less_does_not() {
    for rate in [0.0, 0.1, 0.5, 2.0 / 3.0, 0.85, 0.9, 0.999] {
        for confirms in 0..40 {
            for rejects in 0..40 {
                let ready = beta().under(|policy| {
                    policy.stable_rate = rate;
                    policy.stable_confirms = 0;
                    policy.stable_distinct = 0;
                    policy.rollback_margin = 1_000;
                });
                let with = |more: i64| ready.clone().people(confirms + more, rejects).decide();
                let decision = with(0);
                match decision.missing[..] {
                    [] => assert_eq!(decision.outcome, Outcome::Promote(Status::Stable)),
                    [Missing::Rate(more)] => {
                        assert_eq!(with(more).missing, [], "{confirms} and {rejects} at {rate}, {more} more");
                        assert_eq!(
                            with(more - 1).missing,
                            [Missing::Rate(1)],
                            "{confirms} and {rejects} at {rate}"
                        );
                    }
                    ref other => panic!("{other:?} is missing"),
                }
            }
        }
    }
}

#[test]
fn a_rate_of_one_is_never_exceeded() {
    let decision = beta().people(10, 0).under(|policy| policy.stable_rate = 1.0).decide();
    assert_eq!(decision.missing, [Missing::Rate(i64::MAX)]);
}

#[test]
fn whoever_rejects_is_not_among_the_submitters_a_step_needs() {
    // Ten confirmations by nine people, and a tenth person who rejects: 90.9 %, but nine are in favour.
    let nine = beta().under(|policy| policy.count = Count::Raw).people(9, 0);
    let nine = nine.tallied(|tally| tally.confirm_records = 10);
    let with_reject = nine.clone().tallied(|tally| {
        tally.rejects = 1;
        tally.reject_records = 1;
        tally.rejecters = 1;
        tally.voters = 10;
    });
    for case in [nine, with_reject] {
        assert_eq!(case.is(Outcome::Stay, Rule::BetaToStable).missing, [Missing::Submitters(1)]);
    }
}

#[test]
fn raw_counts_every_record_and_latest_the_last_of_each() {
    // Four people; one of them rejected first and confirmed later.
    let changed_mind = alpha().people(4, 0).tallied(|tally| {
        tally.reject_records = 1;
        tally.rejecters = 1;
    });
    changed_mind.is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);
    let raw = changed_mind.under(|policy| policy.count = Count::Raw);
    assert_eq!(raw.is(Outcome::Stay, Rule::AlphaToBeta).missing, [Missing::Rejects(1)]);
}

#[test]
fn probes_confirm_nothing_on_the_way_up_and_hinder_nothing() {
    let case = alpha().people(2, 0).probes(50, 0);
    assert_eq!(
        case.is(Outcome::Stay, Rule::AlphaToBeta).missing,
        [Missing::Confirms(1), Missing::Submitters(1)]
    );
    alpha().people(3, 0).probes(0, 2).is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);
    beta().people(10, 0).probes(0, 9).is(Outcome::Promote(Status::Stable), Rule::BetaToStable);
}

#[test]
fn the_frozen_base_confirms_nothing_below_stable() {
    alpha().people(2, 0).base(50, 0).is(Outcome::Stay, Rule::AlphaToBeta);
    beta().people(0, 2).base(50, 0).is(Outcome::RollBack, Rule::Rejected);
}

#[test]
fn time_alone_takes_the_step_when_nothing_else_is_missing() {
    let waiting = alpha().people(3, 0).age(HOUR);
    let at = waiting.decide().look_again_at.expect("a moment");
    assert_eq!(at, START + 48 * HOUR);
    waiting.clone().age(at - START - 1).is(Outcome::Stay, Rule::AlphaToBeta);
    waiting.age(at - START).is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);

    assert_eq!(beta().people(10, 1).age(DAY).decide().look_again_at, Some(START + 14 * DAY));
    for lacking in [alpha().people(2, 0), alpha().people(3, 1), beta().people(17, 3), beta().people(9, 0)] {
        assert_eq!(lacking.age(HOUR).decide().look_again_at, None);
    }
}

#[test]
fn a_clock_that_jumped_back_promotes_nothing() {
    for back in [-1, -90 * DAY, -START, i64::MIN / 2 - START] {
        let case = alpha().people(3, 0).age(back);
        assert_eq!(case.is(Outcome::Stay, Rule::AlphaToBeta).look_again_at, Some(START + 48 * HOUR));
        beta().people(10, 0).age(back).is(Outcome::Stay, Rule::BetaToStable);
    }
    // also where no age is asked for
    let at_once = alpha().people(3, 0).under(|policy| policy.beta_age = 0);
    at_once.clone().age(0).is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);
    at_once.clone().age(-1).is(Outcome::Stay, Rule::AlphaToBeta);
    at_once.under(|policy| policy.beta_age = -DAY).age(-1).is(Outcome::Stay, Rule::AlphaToBeta);
}

#[test]
fn other_thresholds_decide_otherwise() {
    let quick = alpha().people(1, 0).age(2_000).under(|policy| {
        policy.beta_confirms = 1;
        policy.beta_distinct = 1;
        policy.beta_age = 2_000;
    });
    quick.is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);
    let more_people = alpha().people(3, 0).under(|policy| policy.beta_distinct = 5);
    assert_eq!(more_people.is(Outcome::Stay, Rule::AlphaToBeta).missing, [Missing::Submitters(2)]);
}
