//! Settings that nothing asks for by default: what is contested freezes, and confirmations come on several days.

use super::{Case, DAY, HOUR, START, of};
use becivic_core::consensus::{Count, Kind, Missing, Outcome, Rule};
use becivic_core::vocabulary::Status;

fn freezing(kind: Kind, status: Status) -> Case {
    of(kind, status).age(30 * DAY).under(|policy| policy.freeze_distinct = 2)
}

#[test]
fn what_two_confirm_and_two_reject_freezes() {
    let skill = |status| freezing(Kind::Skill, status);
    let cases = [
        // Rejections outweigh, and would roll back.
        (skill(Status::Alpha).people(2, 4), Outcome::Stay, Rule::Contested),
        (skill(Status::Beta).people(2, 9), Outcome::Stay, Rule::Contested),
        (skill(Status::Stable).people(2, 9), Outcome::Stay, Rule::Contested),
        // Confirmations would promote.
        (skill(Status::Beta).people(30, 2), Outcome::Stay, Rule::Contested),
        // One side is too few.
        (skill(Status::Alpha).people(1, 4), Outcome::RollBack, Rule::Rejected),
        (skill(Status::Alpha).people(0, 2), Outcome::RollBack, Rule::Rejected),
        (skill(Status::Beta).people(30, 1), Outcome::Promote(Status::Stable), Rule::BetaToStable),
        (skill(Status::Alpha).people(3, 0), Outcome::Promote(Status::Beta), Rule::AlphaToBeta),
        // A flag is nobody's opinion.
        (skill(Status::Alpha).people(5, 5).flags(1), Outcome::Quarantine, Rule::InjectionFlags),
        // What it was made stable with is not in dispute.
        (skill(Status::Stable).base(10, 0).people(1, 13), Outcome::RollBack, Rule::Rejected),
        (skill(Status::Stable).base(10, 0).people(0, 2), Outcome::Stay, Rule::StableStays),
    ];
    for (case, outcome, rule) in cases {
        let decision = case.is(outcome, rule);
        if rule == Rule::Contested {
            assert_eq!((decision.missing, decision.look_again_at), (vec![], None));
        }
        let off = case.under(|policy| policy.freeze_distinct = 0).decide();
        assert_ne!(off.rule, Rule::Contested);
        assert!(off.numbers.iter().all(|(name, _)| !name.starts_with("people_")), "nothing more is seen");
    }
}

#[test]
fn a_contested_path_keeps_its_sources_and_is_deprecated_by_time_all_the_same() {
    let path = freezing(Kind::Path, Status::Alpha).people(2, 4).sources(&[(2, 4)]);
    path.clone().is(Outcome::Stay, Rule::Contested);
    path.clone().under(|policy| policy.freeze_distinct = 0).is(Outcome::RollBack, Rule::Rejected);
    let alive = path.clone().alive_at(START).is(Outcome::Stay, Rule::Contested);
    assert_eq!(alive.look_again_at, Some(START + 90 * DAY));
    path.alive_at(START - 90 * DAY).is(Outcome::Deprecate, Rule::NobodyConfirms);
}

#[test]
fn whoever_ever_rejected_contests_where_every_verdict_counts() {
    let changed = freezing(Kind::Skill, Status::Alpha).people(3, 0).tallied(|tally| tally.rejecters = 2);
    changed.clone().is(Outcome::Promote(Status::Beta), Rule::AlphaToBeta);
    changed.under(|policy| policy.count = Count::Raw).is(Outcome::Stay, Rule::Contested);
}

#[test]
fn confirmations_come_on_so_many_days() {
    let alpha = of(Kind::Skill, Status::Alpha).people(3, 0).age(48 * HOUR);
    let beta = of(Kind::Skill, Status::Beta).people(10, 0).age(14 * DAY);
    for (case, to, needed) in [(alpha, Status::Beta, 2), (beta, Status::Stable, 7)] {
        let slow = case.clone().under(|policy| (policy.beta_days, policy.stable_days) = (2, 7));
        for days in 0..needed {
            let decision = slow.clone().tallied(|tally| tally.confirm_days = days).decide();
            assert_eq!(
                (decision.outcome, &decision.missing[..]),
                (Outcome::Stay, &[Missing::Days(needed - days)][..])
            );
            assert_eq!(decision.look_again_at, None, "time alone brings no confirmation");
        }
        let there = slow.tallied(|tally| tally.confirm_days = needed).decide();
        assert_eq!(there.outcome, Outcome::Promote(to));
        assert_eq!(case.decide().outcome, Outcome::Promote(to), "nothing asks for days by default");
        assert!(case.decide().numbers.iter().all(|(name, _)| !name.starts_with("confirm_days")));
    }
    let one =
        of(Kind::Skill, Status::Alpha).people(3, 0).age(48 * HOUR).tallied(|tally| tally.confirm_days = 1);
    one.clone().under(|policy| policy.beta_days = 2).stays("alpha stays alpha: confirmations on 1 more day");
    one.under(|policy| policy.beta_days = 4).stays("alpha stays alpha: confirmations on 3 more days");
}
