//! The edges of every rule, over HTTP: who counts, for how much, and in which cohort.

use super::{
    Target, address, ballot, becomes, changes, counts, flag, happened, items, looked_at, standing, steps,
    vote, voter, votes,
};
use crate::commit::{file, until};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup};
use crate::pushes::{clone, edit, push};
use serde_json::json;

/// Everything of a cohort counts from a second after it began.
fn setup() -> Setup {
    super::setup().with("CONSENSUS__BETA_AGE", "1s")
}

on_both_engines!(
    setup(),
    cases![
        two_people_are_not_three_however_often_they_say_it,
        one_reject_stands_in_the_way_until_it_is_taken_back,
        a_patch_keeps_the_cohort_and_a_status_restarts_it,
        what_takes_no_verdicts_says_so,
        a_meta_skill_is_outside,
        a_stable_skill_needs_two_who_flag,
        a_verdict_that_is_held_counts_when_it_is_released,
    ]
);

fn two_people_are_not_three_however_often_they_say_it(server: &Server, place: &Place) {
    let target = ("skill", "arrival-declaration");
    for _ in 0..3 {
        votes(server, 1..3, &[target], "confirm");
    }
    // Two addresses of one household, at its provider's /48, are one person; v4 in v6 is v4.
    for address in ["2001:db8:7::1", "2001:db8:7:99::2"] {
        assert_eq!(vote(server, address, target, "reject").status, 201);
        assert_eq!(vote(server, address, target, "confirm").status, 201);
    }
    assert_eq!(vote(server, "::ffff:198.51.100.1", target, "reject").status, 201);
    assert_eq!(vote(server, &voter(1), target, "confirm").status, 201);
    assert_eq!(vote(server, "2001:db8:7::1", target, "reject").status, 201);
    let seen = looked_at(place, target);
    assert_eq!((seen.status.as_str(), counts(&seen)), ("alpha", (2, 1, 3, 0)));
    assert_eq!((seen.tally.confirm_records, seen.tally.reject_records), (9, 4), "every record is kept");
    assert_eq!(vote(server, "2001:db8:7:1234::1", target, "confirm").status, 201);
    becomes(server, target, "beta");
    happened(place, target, &[("alpha", "beta", "alpha_to_beta")]);
    let took = standing(place, target);
    assert_eq!((took.cohort.as_str(), counts(&took)), ("0.2#2", (0, 0, 0, 0)));
}

fn one_reject_stands_in_the_way_until_it_is_taken_back(server: &Server, place: &Place) {
    let target = ("volatile_value", "val-00001");
    votes(server, 0..1, &[target], "reject");
    votes(server, 1..5, &[target], "confirm");
    let seen = looked_at(place, target);
    assert_eq!((seen.status.as_str(), counts(&seen)), ("alpha", (4, 1, 5, 0)));
    assert_eq!(steps(place, target), []);
    votes(server, 0..1, &[target], "confirm");
    becomes(server, target, "beta");
    happened(place, target, &[("alpha", "beta", "alpha_to_beta")]);
}

fn a_patch_keeps_the_cohort_and_a_status_restarts_it(server: &Server, place: &Place) {
    let target: Target = ("skill", "legalise-foreign-document");
    let path = "skills/legalise-foreign-document/canonical.md";
    let (work, began) = (clone(place), standing(place, target));
    votes(server, 1..3, &[target], "confirm");

    // A typo: another patch, the same people.
    edit(&work, path, |text| text.replacen("a sworn translator", "the sworn translator", 1));
    push(&work, "Mend a word");
    until("it is served", || {
        file(server, place, path).filter(|text| text.contains("version: 0.1.3\n")).map(drop)
    });
    let patched = looked_at(place, target);
    assert_eq!(
        (patched.version.as_str(), patched.cohort.as_str(), counts(&patched)),
        ("0.1.3", "0.1#1", (2, 0, 2, 0))
    );
    assert_eq!(patched.started_at, began.started_at);
    votes(server, 3..4, &[target], "confirm");
    becomes(server, target, "beta");
    votes(server, 1..5, &[target], "confirm");
    assert_eq!(counts(&looked_at(place, target)), (4, 0, 4, 0));

    // A maintainer takes the status back: nobody has voted on it yet.
    crate::pushes::git(&work, &["pull", "--quiet", "--rebase"]);
    edit(&work, path, |text| text.replacen("status: beta", "status: alpha", 1));
    push(&work, "Too early");
    becomes(server, target, "alpha");
    let restarted = looked_at(place, target);
    assert_eq!(
        (restarted.version.as_str(), restarted.cohort.as_str(), counts(&restarted)),
        ("0.1.0", "0.1#3", (0, 0, 0, 0))
    );
    assert!(restarted.started_at > patched.started_at);
    happened(place, target, &[("alpha", "beta", "alpha_to_beta"), ("beta", "alpha", "pushed")]);
    let last = changes(place, target).pop().expect("a change");
    assert_eq!((last.from_version.as_str(), last.to_version.as_str()), ("0.2.0", "0.1.0"));

    // The trailer asks for the same without another status.
    votes(server, 1..3, &[target], "confirm");
    crate::pushes::git(&work, &["pull", "--quiet", "--rebase"]);
    edit(&work, path, |text| text.replacen("the sworn translator", "a translator who is sworn", 1));
    push(&work, "Say it otherwise\n\nCohort: reset skill:legalise-foreign-document");
    until("the next cohort has begun", || (standing(place, target).cohort == "0.1#4").then_some(()));
    assert_eq!(counts(&looked_at(place, target)), (0, 0, 0, 0));
}

fn what_takes_no_verdicts_says_so(server: &Server, place: &Place) {
    let closed: [Target; 4] = [
        ("skill", "school-enrolment"),
        ("skill", "old-registration"),
        ("path", "retired-portal-form"),
        ("path_source", "retired-portal-form:portal-form"),
    ];
    for target in closed {
        for reply in [vote(server, &voter(1), target, "confirm"), flag(server, &voter(1), target)] {
            assert_eq!(
                (reply.status, reply.refusal()),
                (422, json!({"error": "cross_ref_fail", "schema_pointer": "/target_id"})),
                "{target:?}"
            );
        }
    }
    let kept = place.write(|tx| {
        let sql = "SELECT COUNT(*) FROM validations WHERE target_id IN ('school-enrolment', 'old-registration', \
             'retired-portal-form', 'retired-portal-form:portal-form')";
        super::number(tx, sql, &[])
    });
    assert_eq!(kept, 0);
}

fn a_meta_skill_is_outside(server: &Server, place: &Place) {
    let target = ("skill", "meta-no-skill-fallback");
    for number in 1..4 {
        assert_eq!(flag(server, &voter(number), target).status, 201);
        let skill = server.get(&address(target)).json();
        assert!(skill["status"] == "stable" && skill["body"].is_string(), "{skill}");
    }
    let seen = looked_at(place, target);
    assert_eq!((seen.status.as_str(), seen.withheld, counts(&seen)), ("stable", false, (0, 3, 3, 3)));
    assert_eq!(steps(place, target), []);
    let found = items(place, target);
    assert!(
        !found.is_empty() && found.iter().all(|it| *it == ("injection_flag".to_owned(), "open".to_owned()))
    );
}

fn a_stable_skill_needs_two_who_flag(server: &Server, place: &Place) {
    let target = ("skill", "renew-residence-card");
    for _ in 0..3 {
        assert_eq!(flag(server, &voter(1), target).status, 201);
    }
    let seen = looked_at(place, target);
    assert_eq!((seen.status.as_str(), counts(&seen)), ("stable", (0, 1, 1, 1)));
    assert_eq!(server.get(&address(target)).json()["status"], "stable");
    assert_eq!(flag(server, &voter(2), target).status, 201);
    assert_eq!(server.get(&address(target)).json()["status"], "quarantined", "the very next reader");
    until("the file follows", || (!standing(place, target).withheld).then_some(()));
    happened(place, target, &[("stable", "quarantined", "injection_flags")]);
}

fn a_verdict_that_is_held_counts_when_it_is_released(server: &Server, place: &Place) {
    let target = ("reference", "ref-00002");
    let first = ballot(target, "confirm");
    let from = voter(60);
    assert_eq!(server.post_from(&from, "/api/validations", &first).status, 201);
    let status = format!("/api/validations/{}/status", first["validation_id"].as_str().expect("an id"));
    let told = |state: &str| {
        let reply = server.patch(&status, &place.operator_token(), &json!({"state": state}));
        assert_eq!(reply.status, 200, "{reply:?}");
        standing(place, target)
    };
    assert_eq!(counts(&told("held_for_review")), (0, 0, 0, 0));
    // Whoever sent it votes again meanwhile: one voter, before and after the release.
    assert_eq!(vote(server, &from, target, "reject").status, 201);
    assert_eq!(counts(&standing(place, target)), (0, 1, 1, 0));
    let released = told("released");
    assert_eq!(counts(&released), (1, 0, 1, 0), "it counts as if it had landed now");
    assert_eq!((released.tally.confirm_records, released.tally.reject_records), (1, 1));
    let (code, said) = super::becivic(place, &["tick", "--recount"]);
    assert!(code == 0 && !said.contains("counted again"), "{code} {said}");
}
