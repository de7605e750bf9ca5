//! Decisions in words and in numbers.

use super::{DAY, HOUR, START, of};
use becivic_core::consensus::{Decision, Kind, Missing, Outcome, Rule};
use becivic_core::vocabulary::Status;

#[test]
fn what_is_missing_is_said() {
    let alpha = of(Kind::Skill, Status::Alpha).age(17 * HOUR);
    alpha
        .clone()
        .people(1, 0)
        .tallied(|tally| tally.voters = 2)
        .stays("alpha stays alpha: 2 more confirmations, 1 more distinct submitter, 31 h");
    alpha.clone().people(3, 0).age(47 * HOUR + 1).stays("alpha stays alpha: 1 h");
    alpha.clone().people(3, 0).age(48 * HOUR - 90_000).stays("alpha stays alpha: 2 min");
    alpha.clone().people(3, 0).age(48 * HOUR - 1).stays("alpha stays alpha: 1 s");
    alpha.clone().people(4, 1).age(50 * HOUR).stays("alpha stays alpha: 1 rejection stands against it");
    alpha.people(4, 2).age(50 * HOUR).stays("alpha stays alpha: 2 rejections stand against it");
    let beta = of(Kind::Skill, Status::Beta);
    beta.clone().people(17, 3).stays("beta stays beta: 1 more confirmation for the rate, 14 d");
    beta.clone()
        .people(9, 0)
        .age(13 * HOUR)
        .stays("beta stays beta: 1 more confirmation, 1 more distinct submitter, 13 d 11 h");
    beta.people(10, 2).age(14 * DAY).stays("beta stays beta: 2 more confirmations for the rate");
}

#[test]
fn every_rule_has_its_sentence() {
    let skill = |status| of(Kind::Skill, status);
    let path = |status| of(Kind::Path, status);
    let mut revived = path(Status::Deprecated);
    revived.artefact.revived = true;
    let cases = [
        (
            of(Kind::MetaSkill, Status::Stable),
            "stable stays stable: a meta-skill is outside the state machine",
        ),
        (skill(Status::Draft), "draft stays draft: verdicts do not move what is draft"),
        (skill(Status::Beta).flags(1), "beta is quarantined: 1 person flagged it"),
        (skill(Status::Stable).flags(2), "stable is quarantined: 2 people flagged it"),
        (
            path(Status::Alpha).people(0, 3).probes(0, 1),
            "alpha is rolled back: rejections outweigh confirmations by 3.25, and 3 people reject",
        ),
        (
            skill(Status::Beta).people(3, 2).under(|policy| policy.freeze_distinct = 2),
            "beta stays beta: it is contested, 3 people against 2",
        ),
        (path(Status::Alpha).sources(&[(0, 2)]), "alpha is rolled back: its only source is rejected"),
        (
            path(Status::Beta).sources(&[(0, 2), (0, 2), (1, 3)]),
            "beta is rolled back: each of its 3 sources is rejected",
        ),
        (
            path(Status::Stable).alive_at(START - 90 * DAY),
            "stable is deprecated: nothing has confirmed it for 90 d",
        ),
        (revived, "deprecated returns to alpha: a probe found it working again"),
        (
            skill(Status::Alpha).people(3, 0).age(48 * HOUR),
            "alpha becomes beta: 3 confirmations, 0 rejections, 3 distinct submitters in favour, 48 h after the cohort began",
        ),
        (
            skill(Status::Beta).people(12, 1).age(20 * DAY),
            "beta becomes stable: 12 confirmations, 1 rejection, 12 distinct submitters in favour, 20 d after the cohort began",
        ),
        (skill(Status::Stable).base(10, 0), "stable stays stable: rejections do not outweigh confirmations"),
    ];
    let mut seen: Vec<Rule> = Vec::new();
    for (case, sentence) in cases {
        let decision = case.decide();
        assert_eq!(decision.to_string(), sentence);
        seen.push(decision.rule);
    }
    for rule in Rule::ALL {
        assert!(seen.contains(rule), "{rule} has no sentence here");
    }
}

#[test]
fn the_explanation_shows_each_number_beside_what_it_was_held_against() {
    let case = of(Kind::Skill, Status::Alpha).people(1, 0).age(17 * HOUR);
    assert_eq!(
        case.decide().explain(),
        "alpha stays alpha: 2 more confirmations, 2 more distinct submitters, 31 h \
         (flaggers 0 of 1, confirms 1 of 3, rejects 0, margin -1 of 2, rejecting people 0 of 2, submitters 1 of 3, age 17 h of 48 h)"
    );
    let meta = of(Kind::MetaSkill, Status::Stable).decide();
    assert_eq!(meta.explain(), meta.to_string());
}

#[test]
fn numbers_are_one_object_in_their_order() {
    let path = of(Kind::Path, Status::Stable).people(1, 3).probes(0, 1).base(10, 1).sources(&[(0, 1)]);
    let decision = path.alive_at(START).age(DAY).is(Outcome::Stay, Rule::StableStays);
    assert_eq!(
        serde_json::to_string(&decision.numbers_json()).expect("JSON"),
        r#"{"flaggers":0,"flaggers_needed":2,"confirms":1,"rejects":3,"base_confirms":10,"base_rejects":1,"probe_confirms":0,"probe_rejects":1,"probe_weight":0.25,"margin":-6.75,"margin_needed":2,"rejecting_people":3,"rejecting_people_needed":2,"sources":1,"sources_rejected":0,"sources_margin":-8,"sources_margin_needed":2,"unconfirmed_ms":86400000,"unconfirmed_ms_needed":7776000000}"#
    );
    let odd = Decision { numbers: vec![("a", f64::NAN), ("b", 1e300), ("c", -2.0)], ..decision };
    assert_eq!(
        serde_json::Value::Object(odd.numbers_json()),
        serde_json::json!({"a": null, "b": 1e300, "c": -2})
    );
}

#[test]
fn rules_and_what_is_missing_keep_their_spelling() {
    let names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
    let stored = "outside_the_machine not_in_the_lifecycle injection_flags rejected contested all_sources_rejected nobody_confirms \
        works_again alpha_to_beta beta_to_stable stable_stays";
    assert_eq!(names.join(" "), stored);
    let missing = [
        Missing::Confirms(2),
        Missing::Rate(1),
        Missing::Submitters(1),
        Missing::Days(2),
        Missing::Rejects(3),
        Missing::Time(5),
    ];
    let json = serde_json::to_string(&missing).expect("JSON");
    assert_eq!(json, r#"[{"confirms":2},{"rate":1},{"submitters":1},{"days":2},{"rejects":3},{"time":5}]"#);
}
