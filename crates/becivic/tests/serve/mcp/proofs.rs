//! `becivic mcp --server` believes what is proved: servers that say something else than their log are not passed on.

use super::request;
use super::stdio::Line;
use crate::harness::{Engine, Place, Server, Setup};
use serde_json::{Value, json};

/// Calls a tool over the line: its data, or why it was refused.
fn call(line: &mut Line, tool: &str, arguments: &Value) -> Result<Value, String> {
    let message = request("tools/call", &json!({"name": tool, "arguments": arguments}));
    line.say(message.to_string().as_bytes());
    let result = line.next()["result"].clone();
    match result["isError"] == json!(true) {
        true => Err(result["content"][0]["text"].as_str().expect("words").to_owned()),
        false => Ok(result["structuredContent"].clone()),
    }
}

fn read(line: &mut Line, skill: &str, more: (&str, Value)) -> Result<Value, String> {
    let mut arguments = json!({"skill_id": skill});
    arguments[more.0] = more.1;
    call(line, "read_skill", &arguments)
}

/// What an operator does to their own database, what is asked then, and what is said of the answer.
type Cheat = (&'static str, fn(&mut Line) -> Result<Value, String>, &'static str);

const CHEATS: [Cheat; 3] = [
    (
        "UPDATE standings SET log_position = NULL WHERE target_id = 'school-enrolment'",
        |line| read(line, "school-enrolment", ("format", json!("markdown"))),
        "it comes without a proof",
    ),
    (
        "UPDATE standings SET log_position = (SELECT position FROM log_entries WHERE edge_of = 'skill:school-enrolment') \
         WHERE target_id = 'arrival-declaration'",
        |line| read(line, "arrival-declaration", ("format", json!("json"))),
        "its entry is about something else: skill:school-enrolment",
    ),
    (
        "UPDATE log_entries SET entry = CAST(replace(CAST(entry AS TEXT), '2026-', '2025-') AS BLOB) WHERE position = \
         (SELECT log_position FROM standings WHERE target_id = 'renew-residence-card')",
        |line| read(line, "renew-residence-card", ("format", json!("source"))),
        "its proof does not lead to the checkpoint beside it",
    ),
];

#[test]
fn what_the_log_does_not_say_is_not_passed_on() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let memory = place.folder().join("seen.json");
    let remembered = ["--server", server.base(), "--memory", memory.to_str().expect("text")];
    let mut line = Line::begin(&remembered);
    line.begins_well();
    for format in ["markdown", "source"] {
        let piece = read(&mut line, "arrival-declaration", ("format", json!(format))).expect(format);
        assert!(piece["log"]["proof"].is_array(), "{format}: {piece}");
    }
    let whole = read(&mut line, "arrival-declaration", ("format", json!("json"))).expect("JSON");
    assert!(whole["skill"]["log"]["proof"].is_array(), "{whole}");
    // Pieces come with it at the beginning, and what is too long for the budget says that it was left out.
    let begun = read(&mut line, "arrival-declaration", ("token_budget", json!(100))).expect("a piece");
    let next = read(&mut line, "arrival-declaration", ("after", begun["next"].clone())).expect("the next");
    assert_eq!((begun["log"].is_object(), next["log"].is_object()), (true, false));
    let path = server.get("/api/paths?limit=1").json()["items"][0]["id"].clone();
    let listed = call(&mut line, "get_path_directory", &json!({"path_id": path})).expect("a path");
    assert!(listed["items"][0]["log"]["proof"].is_array(), "{listed}");
    assert!(memory.exists(), "what was seen is remembered");

    for (cheat, ask, told) in CHEATS {
        place.write(|tx| tx.execute(cheat, &[]).map(drop));
        let why = ask(&mut line).expect_err(cheat);
        assert!(why.contains(told) && why.contains("becivic verify"), "{cheat}: {why}");
    }
    line.ends();

    // Whoever asks for none gets what is there.
    let mut trusting = Line::begin(&["--server", server.base(), "--no-proofs"]);
    trusting.begins_well();
    let piece = read(&mut trusting, "school-enrolment", ("format", json!("markdown"))).expect("a piece");
    assert_eq!(piece["log"], Value::Null);
    trusting.ends();
}

#[test]
fn a_log_that_was_seen_goes_on_with_its_key() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let memory = place.folder().join("seen.json");
    let memory = memory.to_str().expect("text");
    let asked = |arguments: &[&str]| {
        let mut line = Line::begin(arguments);
        line.begins_well();
        let said = read(&mut line, "arrival-declaration", ("format", json!("markdown")));
        line.ends();
        said
    };
    asked(&["--server", server.base(), "--memory", memory]).expect("seen for the first time");
    asked(&["--server", server.base(), "--memory", memory]).expect("seen again");
    let (elsewhere, key) = (Place::new(Engine::Sqlite), server.get("/log/key").text);
    let other = Server::start(&elsewhere, &Setup::fixtures().unlimited());
    let why = asked(&["--server", other.base(), "--memory", memory]).expect_err("another log");
    assert!(why.contains("cannot be held against its transparency log"), "{why}");
    let why = asked(&["--server", other.base(), "--key", key.trim()]).expect_err("another key");
    assert!(why.contains("cannot be held against its transparency log"), "{why}");
    asked(&["--server", server.base(), "--key", key.trim()]).expect("its key");
    // The log loses its end.
    place.write(|tx| {
        tx.execute("DELETE FROM log_entries WHERE position = (SELECT max(position) FROM log_entries)", &[])
            .map(drop)
    });
    let why = asked(&["--server", server.base(), "--memory", memory]).expect_err("a log that forgot");
    assert!(why.contains("was rolled back"), "{why}");
}
