//! Flags, rejections, paths that nobody confirms, and what is outside the machine.

use super::{Case, DAY, HOUR, START, of};
use becivic_core::consensus::{Count, Kind, Outcome, Rule};
use becivic_core::vocabulary::Status;

const KINDS: [Kind; 4] = [Kind::Skill, Kind::Path, Kind::Value, Kind::Reference];
const PUBLISHED: [Status; 3] = [Status::Alpha, Status::Beta, Status::Stable];

fn stays_by(status: Status) -> Rule {
    match status {
        Status::Alpha => Rule::AlphaToBeta,
        Status::Beta => Rule::BetaToStable,
        Status::Stable => Rule::StableStays,
        Status::Draft | Status::Quarantined | Status::Deprecated => Rule::NotInTheLifecycle,
    }
}

/// Everything that could move an artefact at once.
fn stormy(kind: Kind, status: Status) -> Case {
    of(kind, status).people(30, 90).flags(9).sources(&[(0, 9)]).alive_at(START).age(900 * DAY)
}

#[test]
fn a_meta_skill_never_moves() {
    for status in Status::ALL {
        let calm = of(Kind::MetaSkill, *status).people(30, 0).age(90 * DAY);
        for case in [calm, stormy(Kind::MetaSkill, *status)] {
            assert_eq!(case.is(Outcome::Stay, Rule::OutsideTheMachine).look_again_at, None);
        }
    }
}

#[test]
fn drafts_quarantined_and_deprecated_ones_never_move() {
    for kind in KINDS {
        for status in [Status::Draft, Status::Quarantined, Status::Deprecated] {
            let decision = stormy(kind, status).is(Outcome::Stay, Rule::NotInTheLifecycle);
            assert_eq!((decision.missing, decision.look_again_at), (vec![], None));
        }
    }
}

#[test]
fn a_deprecated_path_that_works_again_returns_and_nothing_else_does() {
    for kind in KINDS {
        for status in Status::ALL {
            let mut case = of(kind, *status);
            case.artefact.revived = true;
            if kind == Kind::Path && *status == Status::Deprecated {
                case.is(Outcome::Return, Rule::WorksAgain);
            } else {
                case.is(Outcome::Stay, stays_by(*status));
            }
        }
    }
}

#[test]
fn one_flag_quarantines_alpha_and_beta_and_two_stable() {
    for kind in KINDS {
        for (status, flags, quarantines) in [
            (Status::Alpha, 0, false),
            (Status::Alpha, 1, true),
            (Status::Beta, 0, false),
            (Status::Beta, 1, true),
            (Status::Stable, 1, false),
            (Status::Stable, 2, true),
        ] {
            let case = of(kind, status).flags(flags);
            if quarantines {
                case.is(Outcome::Quarantine, Rule::InjectionFlags);
            } else {
                case.is(Outcome::Stay, stays_by(status));
            }
        }
    }
}

#[test]
fn a_flag_comes_before_everything_else() {
    for status in PUBLISHED {
        stormy(Kind::Path, status).is(Outcome::Quarantine, Rule::InjectionFlags);
    }
    of(Kind::Skill, Status::Alpha)
        .people(3, 0)
        .age(48 * HOUR)
        .flags(1)
        .is(Outcome::Quarantine, Rule::InjectionFlags);
}

#[test]
fn thresholds_of_zero_do_not_act_without_anybody() {
    let nobody = |status| {
        of(Kind::Path, status).sources(&[(0, 0)]).under(|policy| {
            policy.quarantine_flags = 0;
            policy.quarantine_flags_stable = 0;
            policy.rollback_margin = 0;
            policy.rollback_distinct = 0;
        })
    };
    for status in PUBLISHED {
        nobody(status).is(Outcome::Stay, stays_by(status));
        nobody(status).sources(&[]).is(Outcome::Stay, stays_by(status));
        nobody(status).probes(0, 99).is(Outcome::Stay, stays_by(status));
    }
}

#[test]
fn rejections_roll_back_at_a_margin_of_two() {
    for kind in KINDS {
        for status in PUBLISHED {
            for (confirms, rejects, rolls_back) in
                [(0, 1, false), (0, 2, true), (1, 2, false), (1, 3, true), (50, 51, false), (50, 52, true)]
            {
                let case = of(kind, status).people(confirms, rejects);
                if rolls_back {
                    case.is(Outcome::RollBack, Rule::Rejected);
                } else {
                    case.is(Outcome::Stay, stays_by(status));
                }
            }
        }
    }
}

#[test]
fn a_rollback_needs_two_people() {
    // One person, five records.
    let one = of(Kind::Skill, Status::Beta).people(0, 1).tallied(|tally| tally.reject_records = 5);
    one.is(Outcome::Stay, Rule::BetaToStable);
    let raw = one.under(|policy| policy.count = Count::Raw);
    raw.is(Outcome::Stay, Rule::BetaToStable);
    let two = raw.tallied(|tally| {
        tally.rejecters = 2;
        tally.voters = 2;
    });
    two.is(Outcome::RollBack, Rule::Rejected);
    // A margin of one is enough when it is configured, but not one person.
    let low = of(Kind::Skill, Status::Beta).under(|policy| policy.rollback_margin = 1);
    low.clone().people(0, 1).is(Outcome::Stay, Rule::BetaToStable);
    low.people(1, 2).is(Outcome::RollBack, Rule::Rejected);
}

#[test]
fn latest_and_raw_may_disagree_on_a_rollback() {
    // Three people rejected; two of them confirmed afterwards.
    let case = of(Kind::Skill, Status::Alpha).people(2, 1).tallied(|tally| {
        tally.reject_records = 4;
        tally.rejecters = 3;
        tally.voters = 3;
    });
    case.is(Outcome::Stay, Rule::AlphaToBeta);
    case.under(|policy| policy.count = Count::Raw).is(Outcome::RollBack, Rule::Rejected);
}

#[test]
fn stable_is_weighed_with_what_it_was_made_stable_with() {
    let stable = of(Kind::Skill, Status::Stable).base(10, 1);
    // 10 to 1 frozen: 11 rejections bring a margin of 2.
    stable.clone().people(0, 10).is(Outcome::Stay, Rule::StableStays);
    stable.clone().people(0, 11).is(Outcome::RollBack, Rule::Rejected);
    stable.clone().people(5, 15).is(Outcome::Stay, Rule::StableStays);
    stable.people(5, 16).is(Outcome::RollBack, Rule::Rejected);
    // The base alone rolls nothing back: nobody rejects now.
    of(Kind::Skill, Status::Stable).base(0, 5).is(Outcome::Stay, Rule::StableStays);
}

#[test]
fn four_probes_weigh_as_much_as_one_person_and_roll_nothing_back_without_people() {
    let path = of(Kind::Path, Status::Beta);
    path.clone().probes(0, 400).is(Outcome::Stay, Rule::BetaToStable);
    path.clone().people(0, 1).probes(0, 400).is(Outcome::Stay, Rule::BetaToStable);
    // 2 against 1 is a margin of 1; four probes make it 2.
    path.clone().people(1, 2).probes(0, 3).is(Outcome::Stay, Rule::BetaToStable);
    path.clone().people(1, 2).probes(0, 4).is(Outcome::RollBack, Rule::Rejected);
    path.clone().people(1, 2).probes(1, 4).is(Outcome::Stay, Rule::BetaToStable);
    // Probes that work speak for it: 2 − 0.25 is below 2.
    path.clone().people(0, 2).probes(1, 0).is(Outcome::Stay, Rule::BetaToStable);
    path.clone().people(0, 3).probes(4, 0).is(Outcome::RollBack, Rule::Rejected);
    // A weight without an exact double: as such, 100 times 0.29 is a little less than 29.
    let odd = path.people(1, 2).under(|policy| {
        policy.probe_weight = 0.29;
        policy.rollback_margin = 30;
    });
    odd.clone().probes(0, 100).is(Outcome::RollBack, Rule::Rejected);
    odd.probes(0, 99).is(Outcome::Stay, Rule::BetaToStable);
}

#[test]
fn a_path_with_every_source_rejected_is_rolled_back() {
    let path = of(Kind::Path, Status::Beta);
    // The path's own count is calm: the same people confirmed it as a whole later.
    path.clone().sources(&[(0, 2), (0, 2)]).is(Outcome::RollBack, Rule::AllSourcesRejected);
    path.clone().sources(&[(0, 2)]).is(Outcome::RollBack, Rule::AllSourcesRejected);
    for alive in [&[(0, 2), (0, 1)][..], &[(0, 2), (0, 0)], &[(0, 2), (1, 2)], &[]] {
        path.clone().sources(alive).is(Outcome::Stay, Rule::BetaToStable);
    }
    for kind in [Kind::Skill, Kind::Value, Kind::Reference] {
        of(kind, Status::Beta).sources(&[(0, 2)]).is(Outcome::Stay, Rule::BetaToStable);
    }
    // The rule of all rejections comes first.
    path.people(0, 2).sources(&[(0, 2)]).is(Outcome::RollBack, Rule::Rejected);
}

#[test]
fn a_source_is_rejected_by_two_people_in_either_reading() {
    let mut path = of(Kind::Path, Status::Alpha).sources(&[(0, 1)]);
    path.artefact.sources[0].reject_records = 4;
    path.clone().is(Outcome::Stay, Rule::AlphaToBeta);
    let mut raw = path.under(|policy| policy.count = Count::Raw);
    raw.clone().is(Outcome::Stay, Rule::AlphaToBeta);
    raw.artefact.sources[0].rejects = 2;
    raw.clone().is(Outcome::RollBack, Rule::AllSourcesRejected);
    raw.artefact.sources[0].confirm_records = 3;
    raw.is(Outcome::Stay, Rule::AlphaToBeta);
}

#[test]
fn a_stable_path_with_every_source_rejected_keeps_its_frozen_base() {
    let path = of(Kind::Path, Status::Stable).base(10, 0);
    path.clone().sources(&[(0, 2)]).is(Outcome::Stay, Rule::StableStays);
    // Six people, each of whom found both sources broken: 12 against 10.
    path.clone().sources(&[(0, 6), (0, 5)]).is(Outcome::Stay, Rule::StableStays);
    path.clone().sources(&[(0, 6), (0, 6)]).is(Outcome::RollBack, Rule::AllSourcesRejected);
    path.sources(&[(0, 30), (0, 1)]).is(Outcome::Stay, Rule::StableStays);
}

#[test]
fn a_path_that_nothing_confirms_for_90_days_is_deprecated() {
    for status in PUBLISHED {
        let path = of(Kind::Path, status).alive_at(START);
        let before = path.clone().age(90 * DAY - 1).is(Outcome::Stay, stays_by(status));
        assert_eq!(before.look_again_at, Some(START + 90 * DAY));
        let then = path.age(90 * DAY).is(Outcome::Deprecate, Rule::NobodyConfirms);
        assert_eq!(then.look_again_at, None);
        for kind in [Kind::Skill, Kind::Value, Kind::Reference] {
            let other = of(kind, status).alive_at(START).age(900 * DAY).is(Outcome::Stay, stays_by(status));
            assert_eq!(other.look_again_at, None);
        }
    }
    of(Kind::Path, Status::Beta).age(900 * DAY).is(Outcome::Stay, Rule::BetaToStable);
    of(Kind::Path, Status::Beta).alive_at(START).age(-DAY).is(Outcome::Stay, Rule::BetaToStable);
}

#[test]
fn a_waiting_path_is_looked_at_at_whichever_moment_comes_first() {
    let ready = of(Kind::Path, Status::Alpha).people(3, 0);
    assert_eq!(ready.clone().alive_at(START).decide().look_again_at, Some(START + 48 * HOUR));
    let fading = ready.alive_at(START - 89 * DAY);
    assert_eq!(fading.decide().look_again_at, Some(START + DAY));
    fading.age(DAY).is(Outcome::Deprecate, Rule::NobodyConfirms);
}

/// A flag on something stable needs a second one. Amending what one has flagged does not do away with that.
#[test]
fn a_flag_that_was_carried_over_still_needs_another() {
    for (flags, carried, quarantined) in
        [(1, 1, false), (2, 2, true), (2, 1, true), (1, 0, true), (0, 0, false)]
    {
        let mut case = of(Kind::Skill, Status::Alpha).flags(flags);
        case.tally.carried_flaggers = carried;
        let outcome = case.decide().outcome;
        assert_eq!(outcome == Outcome::Quarantine, quarantined, "{flags} of which {carried} were carried");
    }
}
