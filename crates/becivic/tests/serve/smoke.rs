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
}
