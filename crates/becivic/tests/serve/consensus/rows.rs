//! Values and references: up to stable, back from a correction that is rejected, away by flags and back again. After every step
//! the rows of the entry, its standing, the list of changes and what is known of people are as they must be.

use super::{
    Known, Target, address, becomes, bogus_flags, counts, flag, happened, items, known, orphaned_salts,
    reinstate, standing, vote, votes,
};
use crate::commit::reaches;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, make, propose};
use becivic_server::db::catalogue;
use serde_json::{Value, json};

on_both_engines!(
    super::setup(),
    cases![
        a_value_goes_up_back_away_and_is_reinstated,
        a_reference_goes_up_back_away_and_is_reinstated,
        a_first_value_that_is_rejected_is_unresolved,
        a_flag_on_an_alpha_row_takes_effect_at_once,
    ]
);

/// An entry of the catalogue, the field that is corrected, and a correction.
struct Entry {
    target: Target,
    field: &'static str,
    first: &'static str,
    corrected: &'static str,
    correction: fn(&str, &str) -> Value,
    bogus: bool,
}

const VALUE: Entry = Entry {
    target: ("volatile_value", "val-00002"),
    field: "value",
    first: "8 working days",
    corrected: "9 working days",
    correction: |uid, text| make::value_amendment(uid, json!(text)),
    bogus: true,
};

const REFERENCE: Entry = Entry {
    target: ("reference", "ref-00002"),
    field: "url",
    first: "https://dofi.ibz.be/en",
    corrected: "https://dofi.ibz.be/en/arrival",
    correction: |uid, text| propose::reference(uid, text),
    bogus: false,
};

fn a_value_goes_up_back_away_and_is_reinstated(server: &Server, place: &Place) {
    life(server, place, &VALUE);
}

fn a_reference_goes_up_back_away_and_is_reinstated(server: &Server, place: &Place) {
    life(server, place, &REFERENCE);
}

/// Every row, oldest first: its status, what its field says, and why it ended.
fn history(place: &Place, uid: &'static str, field: &str) -> Vec<(String, String, Option<String>)> {
    let mut rows = place.write(move |tx| catalogue::history(tx, uid));
    rows.reverse();
    let current: Vec<_> = rows.iter().filter(|row| row.superseded_at.is_none()).collect();
    assert_eq!(current.len(), 1, "exactly one is current: {rows:?}");
    for (at, row) in rows.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| rows.get(at)).map(|row| row.key.clone());
        assert_eq!(row.previous_row, before, "each follows the one before");
        assert_eq!(row.ended_by.is_some(), row.superseded_at.is_some(), "{row:?}");
    }
    let said = |row: &catalogue::CatalogueRow| match &row.content[field] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    rows.iter().map(|row| (row.status.clone(), said(row), row.ended_by.clone())).collect()
}

fn shows(place: &Place, it: &Entry, expected: &[(&str, &str, Option<&str>)]) {
    let found = history(place, it.target.1, it.field);
    let found: Vec<(&str, &str, Option<&str>)> = found
        .iter()
        .map(|(status, text, ended)| (status.as_str(), text.as_str(), ended.as_deref()))
        .collect();
    assert_eq!(found, expected, "{:?}", it.target);
}

fn knows(place: &Place, target: Target, salts: &[&str], voters: i64, writers: i64) {
    let salts = salts.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(known(place, target), Known { salts, voters, writers, their_salts: writers }, "{target:?}");
}

fn life(server: &Server, place: &Place, it: &Entry) {
    let target = it.target;
    let uid = target.1;
    let row = |number: usize| format!("{uid}.{number:06}");
    let nothing = if it.field == "value" { "null" } else { "" };

    // Alpha, beta, stable: the row is the same, and so is its cohort.
    votes(server, 0..3, &[target], "confirm");
    becomes(server, target, "beta");
    let beta = standing(place, target);
    assert_eq!((beta.cohort.as_str(), counts(&beta)), (row(1).as_str(), (3, 0, 3, 0)));
    knows(place, target, &[&row(1)], 3, 0);
    votes(server, 3..10, &[target], "confirm");
    becomes(server, target, "stable");
    shows(place, it, &[("stable", it.first, None)]);
    let stable = standing(place, target);
    assert_eq!((stable.cohort.as_str(), counts(&stable)), (row(1).as_str(), (10, 0, 10, 0)));
    knows(place, target, &[], 0, 0);

    // A correction is a new row at alpha, beside which the stable one is offered; whoever sent it has no vote on it.
    let change = (it.correction)(uid, it.corrected);
    assert_eq!(server.post_from("203.0.113.1", "/api/amendments", &change).status, 201);
    let id = change["amendment_id"].as_str().expect("an id");
    reaches(server, &format!("/api/amendments/{id}"), "committed");
    let pending = becomes(server, target, "alpha");
    assert_eq!(pending[it.field], it.corrected, "{pending}");
    assert_eq!(pending["previous_stable"][it.field], it.first, "{pending}");
    shows(place, it, &[("stable", it.first, Some("corrected")), ("alpha", it.corrected, None)]);
    let frozen = place.write(move |tx| catalogue::history(tx, uid)).pop().and_then(|row| row.frozen);
    assert_eq!(frozen.map(|it| (it["confirms"].clone(), it["rejects"].clone())), Some((json!(10), json!(0))));
    let own = vote(server, "203.0.113.1", target, "confirm");
    assert_eq!((own.status, own.error().as_str()), (403, "self_validation_blocked"), "{own:?}");

    // Two people reject it, and the stable content is back in a fresh row.
    votes(server, 20..21, &[target], "reject");
    knows(place, target, &[&row(2)], 1, 1);
    votes(server, 21..22, &[target], "reject");
    let back = becomes(server, target, "stable");
    assert_eq!(back[it.field], it.first, "{back}");
    shows(
        place,
        it,
        &[
            ("stable", it.first, Some("corrected")),
            ("alpha", it.corrected, Some("rolled_back")),
            ("stable", it.first, None),
        ],
    );
    let restored = standing(place, target);
    assert_eq!(
        (restored.cohort.as_str(), counts(&restored), restored.base),
        (row(3).as_str(), (0, 0, 0, 0), (10, 0))
    );
    knows(place, target, &[], 0, 0);

    // One flag on a stable row is looked at; the second puts it away at once.
    let bogus = bogus_flags(place);
    assert_eq!(flag(server, "203.0.113.50", target).status, 201);
    assert_eq!(server.get(&address(target)).json()["status"], "stable");
    assert_eq!(items(place, target), [("injection_flag".to_owned(), "open".to_owned())]);
    knows(place, target, &[&row(3)], 1, 0);
    assert_eq!(flag(server, "203.0.113.51", target).status, 201);
    let away = server.get(&address(target)).json();
    assert_eq!(away["status"], "quarantined", "the very next reader: {away}");
    assert!(!away.to_string().contains(it.first), "{away}");
    let past = server.get(&format!("{}/history", address(target))).json();
    assert_eq!(past["items"][1]["status"], "stable");
    assert!(
        !past["items"][1].to_string().contains(it.first),
        "what was put away is nobody's to read: {past}"
    );
    shows(
        place,
        it,
        &[
            ("stable", it.first, Some("corrected")),
            ("alpha", it.corrected, Some("rolled_back")),
            ("stable", it.first, Some("quarantined")),
            ("quarantined", nothing, None),
        ],
    );
    knows(place, target, &[], 0, 0);
    let closed = vote(server, "203.0.113.52", target, "confirm");
    assert_eq!(
        (closed.status, closed.refusal()["schema_pointer"].clone()),
        (422, json!("/target_id")),
        "{closed:?}"
    );

    // A maintainer brings it back, in a fresh row that stands on what the old one was made stable with.
    reinstate(place, uid, it.bogus);
    let back = becomes(server, target, "stable");
    assert_eq!(back[it.field], it.first, "{back}");
    assert_eq!(history(place, uid, it.field).len(), 5);
    let restored = standing(place, target);
    assert_eq!((restored.cohort.as_str(), counts(&restored)), (row(5).as_str(), (0, 0, 0, 0)));
    assert!(restored.base.0 >= 10, "{restored:?}");
    assert_eq!(bogus_flags(place) - bogus, if it.bogus { 2 } else { 0 });
    let end = if it.bogus { "bogus" } else { "dismissed" };
    assert!(items(place, target).iter().all(|(_, state)| state == end), "{:?}", items(place, target));
    knows(place, target, &[], 0, 0);
    happened(
        place,
        target,
        &[
            ("alpha", "beta", "alpha_to_beta"),
            ("beta", "stable", "beta_to_stable"),
            ("stable", "alpha", "corrected"),
            ("alpha", "stable", "rejected"),
            ("stable", "quarantined", "injection_flags"),
            ("quarantined", "stable", "maintainer"),
        ],
    );
    assert_eq!(orphaned_salts(place), 0);
}

fn a_first_value_that_is_rejected_is_unresolved(server: &Server, place: &Place) {
    let target = ("volatile_value", "val-00001");
    votes(server, 0..2, &[target], "reject");
    let away = becomes(server, target, "quarantined");
    assert_eq!(away["value"], Value::Null, "{away}");
    let rows = history(place, "val-00001", "value");
    assert_eq!(rows.iter().map(|row| row.2.as_deref()).collect::<Vec<_>>(), [Some("rolled_back"), None]);
    assert_eq!(items(place, target), [("rolled_back_to_nothing".to_owned(), "open".to_owned())]);
    knows(place, target, &[], 0, 0);
    reinstate(place, "val-00001", false);
    assert_eq!(becomes(server, target, "alpha")["value"], "€5");
    happened(place, target, &[("alpha", "quarantined", "rejected"), ("quarantined", "alpha", "maintainer")]);
}

fn a_flag_on_an_alpha_row_takes_effect_at_once(server: &Server, place: &Place) {
    let target = ("reference", "ref-00001");
    let bogus = bogus_flags(place);
    assert_eq!(flag(server, "203.0.113.60", target).status, 201);
    let away = server.get(&address(target)).json();
    assert_eq!(away["status"], "quarantined", "the very next reader: {away}");
    knows(place, target, &[], 0, 0);
    reinstate(place, "ref-00001", true);
    let back = server.get(&address(target)).json();
    assert_eq!((&back["status"], &back["name"]), (&json!("alpha"), &json!("law-population-registers-1991")));
    assert_eq!(bogus_flags(place), bogus + 1);
    let fresh = standing(place, target);
    assert_eq!((fresh.cohort.as_str(), counts(&fresh)), ("ref-00001.000003", (0, 0, 0, 0)));
    happened(
        place,
        target,
        &[("alpha", "quarantined", "injection_flags"), ("quarantined", "alpha", "maintainer")],
    );
}
