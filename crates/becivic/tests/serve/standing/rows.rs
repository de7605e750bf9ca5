//! Rows of the catalogue: what was rejected is not offered again, and of what was flagged nothing is shown.

use super::{flag, vote};
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup};
use becivic_server::db::catalogue::{self, Prefix};
use becivic_server::moment::Moment;
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![
        a_rejected_value_is_not_offered_as_stable,
        a_flagged_value_says_nothing,
        a_flagged_reference_says_nothing,
        a_row_says_where_it_stands,
    ]
);

fn a_rejected_value_is_not_offered_as_stable(server: &Server, place: &Place) {
    let content = |value: &str| json!({"value": value, "value_type": "string"}).to_string();
    let now = Moment::read("2026-11-01T10:00:00Z").expect("a time");
    let current = || server.get("/api/volatile-values/contested-value").json();
    let uid = place.write(move |tx| {
        let (uid, _) = catalogue::mint(tx, Prefix::Value, "contested-value", &content("one"), now)?;
        catalogue::set_status(tx, &uid, "stable")?;
        catalogue::supersede(tx, Prefix::Value, &uid, "alpha", &content("two"), now)?;
        Ok(uid)
    });
    assert_eq!(current()["previous_stable"]["value"], "one");
    // The correction is rejected, and what came back in its place is rejected too.
    let of = uid.clone();
    place.write(move |tx| {
        catalogue::replace(tx, Prefix::Value, &of, "stable", &content("one"), "rolled_back", now)?;
        let nothing = json!({"value": null, "value_type": "string"}).to_string();
        catalogue::replace(tx, Prefix::Value, &of, "quarantined", &nothing, "rolled_back", now)
    });
    let row = current();
    assert_eq!((&row["status"], &row["value"]), (&json!("quarantined"), &Value::Null), "{row}");
    assert_eq!(row.get("previous_stable"), None, "neither row of it: {row}");
    let history = server.get("/api/volatile-values/contested-value/history").json();
    let ends: Vec<&Value> =
        history["items"].as_array().expect("items").iter().map(|it| &it["ended_by"]).collect();
    assert_eq!(ends, [&Value::Null, &json!("rolled_back"), &json!("rolled_back"), &json!("corrected")]);
    // A correction begins anew, and there still is nothing to fall back on.
    place.write(move |tx| catalogue::supersede(tx, Prefix::Value, &uid, "alpha", &content("three"), now));
    assert_eq!((&current()["value"], current().get("previous_stable")), (&json!("three"), None));
}

fn a_flagged_value_says_nothing(server: &Server, _: &Place) {
    let before = server.get("/api/volatile-values/val-00002");
    let said = before.json()["value"].as_str().expect("a text").to_owned();
    flag(server, "203.0.113.61", ("volatile_value", "val-00002"));
    let row = server.get("/api/volatile-values/val-00002").json();
    assert_eq!((&row["status"], &row["value"]), (&json!("quarantined"), &Value::Null), "{row}");
    assert_eq!(
        (&row["flagged"], &row["cohort"]["standing"]["status"]),
        (&json!(true), &json!("quarantined"))
    );
    let history = server.get("/api/volatile-values/val-00002/history");
    assert!(!history.text.contains(&said), "{history:?}");
    assert_eq!(history.json()["items"][1]["ended_by"], "quarantined");
    assert!(!server.get("/api/volatile-values").text.contains(&said));
}

fn a_flagged_reference_says_nothing(server: &Server, _: &Place) {
    let before = server.get("/api/references/ref-00002").json();
    flag(server, "203.0.113.62", ("reference", "ref-00002"));
    let row = server.get("/api/references/ref-00002").json();
    assert_eq!((&row["title"], &row["url"]), (&Value::Null, &Value::Null), "{row}");
    assert_eq!(row["status"], "quarantined");
    for address in ["/api/references", "/api/references/ref-00002", "/api/references/ref-00002/history"] {
        let text = server.get(address).text;
        for name in ["title", "url"] {
            assert!(!text.contains(before[name].as_str().expect("a text")), "{name} in {address}: {text}");
        }
    }
}

fn a_row_says_where_it_stands(server: &Server, _: &Place) {
    vote(server, "203.0.113.63", ("reference", "ref-00001"), "confirm");
    let row = server.get("/api/references/ref-00001").json();
    assert_eq!(row["flagged"], false);
    assert_eq!((&row["cohort"]["affirms"], &row["cohort"]["n"]), (&json!(1), &json!(1)), "{row}");
    assert_eq!(row["cohort"]["standing"]["missing"][0], json!({"confirms": 2}), "{row}");
    assert_eq!(row["cohort"].get("anchor"), None, "a row has no version");
}
