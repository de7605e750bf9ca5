//! The whole way once, on both engines.

use crate::harness::{Engine, Place, Server, Setup, make};
use serde_json::json;

fn the_whole_way(engine: Engine) {
    let place = Place::new(engine);
    let server = Server::start(&place, &Setup::fixtures());
    let concern = make::concern("arrival-declaration", "The counter asked for two photographs, not one.");
    let staged = server.post("/api/concerns", &concern);
    assert_eq!(staged.status, 201, "{staged:?}");
    let answer = staged.json();
    assert_eq!(answer["staging_window_hours"], 24);
    let path = format!("/api/concerns/{}", concern["concern_id"].as_str().expect("an id"));
    let state = server.get(&path);
    assert_eq!((state.status, state.json()["state"].clone()), (200, json!("staged")));
    let again = server.post("/api/concerns", &concern);
    assert_eq!(again.status, 200, "{again:?}");
    let token = again.json()["cancel_token"].as_str().expect("a token").to_owned();
    assert_eq!(server.delete(&path, answer["cancel_token"].as_str().expect("a token")).status, 401);
    let cancelled = server.delete(&path, &token);
    assert_eq!((cancelled.status, cancelled.json()), (200, json!({"cancelled": true})));
    assert_eq!(server.get(&path).status, 404);
    let vote = make::validation("skill", "arrival-declaration", "confirm");
    let applied = server.post("/api/validations", &vote);
    assert_eq!(applied.status, 201, "{applied:?}");
    assert!(server.stop().success());
}

#[test]
fn the_whole_way_on_sqlite() {
    the_whole_way(Engine::Sqlite);
}

#[test]
fn the_whole_way_on_postgres() {
    the_whole_way(Engine::Postgres);
}

/// A folder is served by one process, and a database with one key; whoever tries otherwise is told what to do.
#[test]
fn a_second_server_and_another_key_are_refused() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default());
    let again = Server::refused(&place, &Setup::default());
    assert!(again.contains("another becivic serves"), "{again}");
    assert!(server.stop().success());
    std::fs::write(place.folder().join("pepper.key"), [7; 32]).expect("written");
    let other = Server::refused(&place, &Setup::default());
    assert!(other.contains("not the key this database was begun with"), "{other}");
    std::fs::remove_file(place.folder().join("pepper.key")).expect("removed");
    let missing = Server::refused(&place, &Setup::default());
    assert!(missing.contains("is missing, and this database was begun with it"), "{missing}");
}

/// Nobody but its owner reads the database, wherever it lies.
#[test]
fn the_database_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures());
    server.post(
        "/api/concerns",
        &make::concern("arrival-declaration", "The counter asked for two photographs."),
    );
    let files = std::fs::read_dir(place.folder()).expect("a folder").flatten();
    let databases: Vec<_> = files.filter(|file| file.file_name().to_string_lossy().contains(".db")).collect();
    assert!(databases.len() >= 4, "two files and their logs");
    for file in databases {
        let mode = file.metadata().expect("there").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", file.path().display());
    }
}

/// Two servers that begin with the same corpus, whenever they do, serve the same commit.
#[test]
fn every_replica_begins_with_the_same_commit() {
    let commits: Vec<String> = (0..2)
        .map(|_| {
            let place = Place::new(Engine::Sqlite);
            let server = Server::start(&place, &Setup::default());
            server.get("/readyz").json()["commit"].as_str().expect("a commit").to_owned()
        })
        .collect();
    assert_eq!(commits.first(), commits.last());
}

/// A database server that was restarted is found again: nobody has to ask twice.
#[test]
fn a_restarted_postgres_is_found_again() {
    let place = Place::new(Engine::Postgres);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let ready = || server.get("/readyz").status;
    assert_eq!((0..40).map(|_| ready()).collect::<Vec<_>>(), [200; 40]);
    let cluster = place.cluster().expect("a cluster");
    cluster.run("pg_ctl", &["--pgdata", "data", "--mode", "fast", "--wait", "--log", "log.txt", "restart"]);
    assert_eq!((0..40).map(|_| ready()).collect::<Vec<_>>(), [200; 40]);
    let statuses = (0..20).map(|_| {
        let concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
        server.post("/api/concerns", &concern).status
    });
    assert_eq!(statuses.collect::<Vec<_>>(), [201; 20]);
}

/// What a proposal cannot bring along is not asked of it: the rollups are written when it is merged.
#[test]
fn a_title_can_be_amended() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default());
    let mut amendment = make::value_amendment("val-00001", json!(1));
    let fields = amendment.as_object_mut().expect("an object");
    let skill = "arrival-declaration-at-commune";
    let change = json!({"field_path": "title", "proposed_value": "Declare your arrival at the commune"});
    fields.insert(
        "declared_capabilities".to_owned(),
        json!(["multi_turn", "structured_output", "web_fetch", "tool_execution"]),
    );
    fields.insert("target_type".to_owned(), json!("skill"));
    fields.insert("target_id".to_owned(), json!(skill));
    fields.insert(
        "content".to_owned(),
        json!({"amendment_subtype": "frontmatter", "frontmatter_change": change}),
    );
    let staged = server.post("/api/amendments", &amendment);
    assert_eq!(staged.status, 201, "{staged:?}");
}

/// Evidence is of a day that exists and is not to come; an entry's uid is not its sender's to choose.
#[test]
fn days_that_are_not_and_uids_that_are_given_are_refused() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures());
    for (date, error) in [("2026-02-30", "schema_fail"), ("2099-01-01", "timing_fail")] {
        let mut concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
        concern["content"]["evidence_date"] = json!(date);
        assert_eq!(server.post("/api/concerns", &concern).error(), error, "{date}");
    }
    let token = std::fs::read_to_string(place.data(0).join("operator.token")).expect("a token");
    let bearer = format!("Bearer {}", token.trim());
    let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
    let entry = json!({"type": "val", "name": "a-new-fee-eur", "uid": "val-00001", "value": 5, "value_type": "integer"});
    let refused =
        server.send("POST", "/api/_internal/catalogue-entries", &headers, Some(entry.to_string().as_bytes()));
    assert_eq!((refused.status, refused.error().as_str()), (400, "schema_fail"), "{refused:?}");
}
