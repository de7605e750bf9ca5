//! What a change of text carries into the next cohort: rejects and flags, never confirms.

use super::{Target, becomes, counts, flag, happened, items, known, looked_at, standing, vote, voter, votes};
use crate::commit::{committed, until};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, propose};
use becivic_server::db::source_tallies;
use serde_json::json;

on_both_engines!(
    super::setup(),
    cases![
        a_reject_goes_over_and_its_voter_may_change_their_mind,
        a_reject_of_a_source_goes_over_with_its_source,
        a_flag_goes_over_and_needs_another_there,
    ]
);

fn waits_for(place: &Place, target: Target, cohort: &str) {
    until("the next cohort has begun", || (standing(place, target).cohort == cohort).then_some(()));
}

fn a_reject_goes_over_and_its_voter_may_change_their_mind(server: &Server, place: &Place) {
    let target = ("skill", "arrival-declaration");
    votes(server, 1..2, &[target], "reject");
    votes(server, 2..4, &[target], "confirm");
    assert_eq!(counts(&looked_at(place, target)), (2, 1, 3, 0));
    committed(
        server,
        "/api/amendments",
        &propose::line(server, "arrival-declaration", "## Process", "\nBring a pen."),
    );
    waits_for(place, target, "0.1#2");
    assert_eq!(counts(&looked_at(place, target)), (0, 1, 1, 0), "the reject, and neither confirm");
    let after = known(place, target);
    assert_eq!(
        (after.salts.as_slice(), after.voters),
        (&["0.1".to_owned(), "0.1#2".to_owned()][..], 1),
        "the salt goes with the one who may still change their mind"
    );
    // The two confirm again, and a third: the reject stands in the way.
    votes(server, 2..5, &[target], "confirm");
    let blocked = looked_at(place, target);
    assert_eq!((blocked.status.as_str(), counts(&blocked)), ("alpha", (3, 1, 4, 0)));
    assert_eq!(vote(server, &voter(1), target, "confirm").status, 201);
    becomes(server, target, "beta");
    happened(place, target, &[("alpha", "beta", "alpha_to_beta")]);
    let numbers = super::changes(place, target)[0].numbers.clone();
    let numbers: serde_json::Value = serde_json::from_str(&numbers).expect("JSON");
    assert_eq!(
        (&numbers["confirms"], &numbers["rejects"], &numbers["submitters"]),
        (&json!(4), &json!(0), &json!(4)),
        "the later confirm took the place of the reject: {numbers}"
    );
}

fn a_reject_of_a_source_goes_over_with_its_source(server: &Server, place: &Place) {
    let target = ("path", "household-certificate");
    let (desk, online) = (
        ("path_source", "household-certificate:commune-desk"),
        ("path_source", "household-certificate:mon-dossier-online"),
    );
    votes(server, 1..2, &[desk], "reject");
    votes(server, 2..3, &[online], "confirm");
    // The same voter on the other source: of the path the latest counts, of each source its own.
    assert_eq!(vote(server, &voter(2), desk, "reject").status, 201);
    assert_eq!(vote(server, &voter(2), online, "confirm").status, 201);
    assert_eq!(counts(&looked_at(place, target)), (1, 1, 2, 0));
    committed(
        server,
        "/api/amendments",
        &propose::field(
            "path",
            "household-certificate",
            "description.en",
            json!("Who lives at your address."),
        ),
    );
    waits_for(place, target, "0.1#2");
    let after = looked_at(place, target);
    assert_eq!(
        (after.status.as_str(), after.tally.confirms, after.tally.rejects),
        ("alpha", 0, 1),
        "{after:?}"
    );
    let sources = place.write(|tx| source_tallies::of_path(tx, "household-certificate"));
    let of = |id: &str| {
        let found = sources.iter().find(|it| it.source_id == id).expect("a source");
        let tally = found.in_cohort("0.1#2");
        (tally.confirms, tally.rejects)
    };
    assert_eq!((of("commune-desk"), of("mon-dossier-online")), ((0, 2), (0, 0)));
}

fn a_flag_goes_over_and_needs_another_there(server: &Server, place: &Place) {
    let target = ("skill", "renew-residence-card");
    assert_eq!(flag(server, "203.0.113.40", target).status, 201);
    assert_eq!(looked_at(place, target).status, "stable");
    committed(
        server,
        "/api/amendments",
        &propose::line(server, "renew-residence-card", "## Process", "\nBring a pen."),
    );
    becomes(server, target, "alpha");
    // It was raised on something stable, which needs two: amending it does not make one of them enough.
    let alone = looked_at(place, target);
    assert_eq!((alone.status.as_str(), alone.tally.flaggers, alone.tally.carried_flaggers), ("alpha", 1, 1));
    assert_eq!(flag(server, "203.0.113.41", target).status, 201);
    becomes(server, target, "quarantined");
    let previous = &server.get("/api/skills/renew-residence-card").json()["previous_stable"];
    assert!(previous.is_null(), "one of the flags is about the stable text: {previous}");
    happened(place, target, &[("stable", "alpha", "amendment"), ("alpha", "quarantined", "injection_flags")]);
    let open = ("injection_flag".to_owned(), "open".to_owned());
    assert_eq!(items(place, target), [open.clone(), open]);
}
