//! Sources of paths: when they last worked, whether that is too long ago, and a maintainer who asks for a class of them to be
//! looked at again.

use super::{review, today, vote};
use crate::desk::log;
use crate::harness::table::{cases, on_both_engines};
use crate::harness::{Place, Server, Setup};
use becivic_server::db::standings;
use becivic_server::moment::{DAY, Moment};
use serde_json::{Value, json};

on_both_engines!(
    Setup::fixtures().unlimited(),
    cases![a_source_says_when_it_last_worked, an_old_source_is_stale, a_class_is_looked_at_again]
);

/// A path and its sources by their ids.
fn path(server: &Server, id: &str) -> (Value, impl Fn(&str) -> Value) {
    let path = server.get(&format!("/api/paths/{id}")).json();
    let sources = path["sources"].as_array().unwrap_or_else(|| panic!("sources: {path}")).clone();
    let source = move |id: &str| sources.iter().find(|it| it["id"] == id).expect("the source").clone();
    (path, source)
}

fn a_source_says_when_it_last_worked(server: &Server, _: &Place) {
    let (before, source) = path(server, "household-certificate");
    assert_eq!((&before["last_validated"], &before["flagged"]), (&Value::Null, &json!(false)));
    for name in ["last_validated", "last_user_confirmation"] {
        assert_eq!(source("commune-desk")[name], Value::Null, "{name}");
    }
    let counts =
        json!({"affirms": 0, "rejects": 0, "distinct_ips": 0, "probe_confirms": 0, "probe_rejects": 0});
    assert_eq!(source("commune-desk")["tallies"], counts);
    vote(server, "203.0.113.71", ("path_source", "household-certificate:commune-desk"), "confirm");
    vote(server, "203.0.113.71", ("path_source", "household-certificate:mon-dossier-online"), "reject");
    vote(server, "203.0.113.72", ("path", "household-certificate"), "confirm");
    let (after, source) = path(server, "household-certificate");
    let desk = source("commune-desk");
    assert_eq!((&desk["last_validated"], &desk["last_user_confirmation"]), (&today(), &today()), "{desk}");
    assert_eq!((&desk["tallies"]["affirms"], &desk["stale"]), (&json!(1), &json!(false)), "{desk}");
    let online = source("mon-dossier-online");
    assert_eq!((&online["last_validated"], &online["tallies"]["rejects"]), (&Value::Null, &json!(1)));
    assert_eq!(after["last_validated"], today());
    let cohort = &after["cohort"];
    assert_eq!((&cohort["affirms"], &cohort["rejects"], &cohort["n"]), (&json!(2), &json!(1), &json!(3)));
    // One voted twice.
    assert_eq!(
        (&cohort["distinct_ips"], &cohort["anchor"]),
        (&json!(2), &json!("household-certificate@0.1.0"))
    );
    let list = server.get("/api/paths").json();
    let listed =
        list["items"].as_array().expect("items").iter().find(|it| it["id"] == "household-certificate");
    let mut alone = after.clone();
    alone.as_object_mut().and_then(|path| path.shift_remove("log")).expect("its latest entry");
    assert_eq!(listed, Some(&alone), "the list says the same, but for the log");
}

fn an_old_source_is_stale(server: &Server, place: &Place) {
    let began = |at: Moment| {
        place.write(move |tx| {
            let mut standing = standings::find(tx, "path", "residence-certificate")?.expect("a path");
            let before = standing.first_at;
            standing.first_at = at;
            standings::store(tx, &standing)?;
            Ok(before)
        })
    };
    let stale = || path(server, "residence-certificate").1("commune-desk")["stale"].clone();
    assert_eq!(stale(), false);
    let now = Moment::read(&crate::harness::make::time(0)).expect("a time");
    // Its `last_verified` is older still. Days count to their end.
    let first = began(now.plus(-32 * DAY));
    assert_eq!(stale(), true);
    began(now.plus(-30 * DAY));
    assert_eq!(stale(), false);
    began(first);
}

fn a_class_is_looked_at_again(server: &Server, place: &Place) {
    let stale = |id: &str, source: &str| path(server, id).1(source)["stale"].clone();
    let arguments = ["revalidate", "--source-class", "federal-auth-handoff", "--why", "the portal has moved"];
    let (code, said) = review(place, &arguments);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.starts_with("2 sources of the class federal-auth-handoff"), "{said}");
    for id in ["household-certificate", "residence-certificate"] {
        assert_eq!(stale(id, "mon-dossier-online"), true, "{id}");
        assert_eq!(stale(id, "commune-desk"), false, "{id}");
    }
    let expected = ["first", "revalidate", "source_class:federal-auth-handoff", "the portal has moved"];
    let (who, action, subject, why) = log(place, 1).remove(0);
    assert_eq!([who, action, subject, why], expected);
    vote(server, "203.0.113.75", ("path_source", "residence-certificate:mon-dossier-online"), "reject");
    assert_eq!(stale("residence-certificate", "mon-dossier-online"), true, "a reject confirms nothing");
    vote(server, "203.0.113.75", ("path_source", "residence-certificate:mon-dossier-online"), "confirm");
    assert_eq!(stale("residence-certificate", "mon-dossier-online"), false);
    assert_eq!(stale("household-certificate", "mon-dossier-online"), true);
    for (arguments, part) in [
        (&["revalidate", "--source-class", "federal", "--why", "x"][..], "flanders-api-page"),
        (&["revalidate", "--source-class", "partner-portal", "--why", "x"], "No path has a source"),
        (&["revalidate", "--source-class", "offline", "--why", ""], "Say why"),
        (&["revalidate", "--source-class", "offline", "--why", "x", "--as", "nobody"], "becivic token list"),
    ] {
        let (code, said) = review(place, arguments);
        assert!(code == Some(2) && said.contains(part), "{arguments:?}: {code:?} {said}");
    }
    assert_eq!(stale("household-certificate", "commune-desk"), false, "what was refused did nothing");
}
