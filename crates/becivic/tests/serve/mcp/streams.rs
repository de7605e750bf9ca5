//! What takes a while, and who does not wait for it: progress, streams that are listened to, connections that are dropped, half open or
//! never read.

use super::{HEADERS, ask, call, request};
use crate::commit::{committed, quick};
use crate::consensus::{flag, voter};
use crate::harness::{Engine, Place, Server, Setup, make, propose, raw};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

fn start(place: &Place) -> Server {
    Server::start(place, &Setup::fixtures().unlimited())
}

/// A message as it goes over a connection.
fn message(headers: &[(&str, &str)], body: &Value) -> Vec<u8> {
    let body = body.to_string();
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

/// A request to listen to changes, as the version that has it sends it.
fn listen() -> Vec<u8> {
    let params = json!({
        "notifications": {"resourcesListChanged": true, "toolsListChanged": true},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    });
    let [media, accept, _] = HEADERS;
    let headers =
        [media, accept, ("mcp-protocol-version", "2026-07-28"), ("mcp-method", "subscriptions/listen")];
    message(&headers, &request("subscriptions/listen", &params))
}

/// Reads until something was said; everything so far.
fn heard(stream: &mut TcpStream, so_far: &mut String, what: &str) {
    let mut part = [0; 4096];
    while !so_far.contains(what) {
        let read = stream.read(&mut part).unwrap_or_else(|error| panic!("no {what}: {error} after {so_far}"));
        assert_ne!(read, 0, "the stream ended before {what}: {so_far}");
        so_far.push_str(&String::from_utf8_lossy(part.get(..read).unwrap_or_default()));
    }
}

/// An envelope of as many concerns as it may hold.
fn fifty(mode: &str) -> Value {
    let body = "The counter asked for two photographs.";
    let item = || make::item("concern", make::concern("arrival-declaration", body));
    make::envelope(mode, std::iter::repeat_with(item).take(50).collect())
}

fn listed(server: &Server) -> Vec<String> {
    let answer = ask(server, "resources/list", &json!({}));
    let resources = answer["result"]["resources"].as_array().expect("resources").iter();
    resources.map(|it| it["uri"].as_str().expect("an address").to_owned()).collect()
}

fn is_well(server: &Server) {
    assert!(ask(server, "ping", &json!({}))["result"].is_object());
    assert_eq!(server.get("/readyz").status, 200);
    assert!(server.get("/metrics").text.contains("becivic_panics_total 0\n"), "{}", server.log());
    assert!(!server.log().contains("panic"), "{}", server.log());
}

#[test]
fn an_envelope_says_how_far_it_is() {
    let place = Place::new(Engine::Sqlite);
    let server = start(&place);
    let arguments = json!({"envelope": fifty("stage")});
    let params =
        json!({"name": "stage_submission", "arguments": arguments, "_meta": {"progressToken": "how-far"}});
    let body = request("tools/call", &params).to_string();
    let reply = server.send("POST", "/mcp", &HEADERS, Some(body.as_bytes()));
    assert!(reply.header("content-type").is_some_and(|it| it.starts_with("text/event-stream")), "{reply:?}");
    let lines = reply.text.lines().filter_map(|line| line.strip_prefix("data:"));
    let told: Vec<Value> = lines.filter_map(|line| serde_json::from_str(line.trim()).ok()).collect();
    let (answer, steps) = told.split_last().expect("messages");
    let expected: Vec<Value> = (0..=50)
        .map(|done| {
            let params = json!({"progressToken": "how-far", "progress": f64::from(done), "total": 50.0});
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        })
        .collect();
    assert_eq!(steps, expected, "every item is told, in order, before the answer");
    let results = answer["result"]["structuredContent"]["results"].as_array().expect("results");
    assert!(results.len() == 50 && results.iter().all(|it| it["status"] == "staged"), "{answer}");
    // Nobody is told who did not ask.
    let answer =
        call(&server, "validate_submission", &json!({"envelope": fifty("validate")})).expect("validated");
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(50));
    is_well(&server);
}

#[test]
fn whoever_listens_is_told_of_a_commit_and_of_a_flag() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &quick());
    let mut stream = server.connect();
    stream.write_all(&listen()).expect("sent");
    let mut said = String::new();
    heard(&mut stream, &mut said, "notifications/subscriptions/acknowledged");
    assert!(
        said.contains("\"resourcesListChanged\":true") && !said.contains("\"toolsListChanged\":true"),
        "{said}"
    );
    let change = propose::line(&server, "renew-residence-card", "## Process", "\nBring a spare photograph.");
    committed(&server, "/api/amendments", &change);
    heard(&mut stream, &mut said, "notifications/resources/list_changed");

    // A flag that puts something away is a change, too: it is not listed any more, and its page says nothing but that.
    let place_of_skill = "https://becivic.be/skills/arrival-declaration";
    let read = |uri: &str| ask(&server, "resources/read", &json!({"uri": uri})).to_string();
    assert!(
        listed(&server).iter().any(|uri| uri == place_of_skill)
            && read(place_of_skill).contains("## Process")
    );
    said.clear();
    let flagged = (1..=20).map(voter).find(|from| {
        assert_eq!(flag(&server, from, ("skill", "arrival-declaration")).status, 201);
        !listed(&server).iter().any(|uri| uri == place_of_skill)
    });
    assert!(flagged.is_some(), "the flags put it away");
    heard(&mut stream, &mut said, "notifications/resources/list_changed");
    assert!(!read(place_of_skill).contains("## Process"));
    assert!(read("skill://arrival-declaration/SKILL.md").contains("There is no resource at this address."));
    let skills = ask(&server, "skills/list", &json!({})).to_string();
    assert!(
        skills.contains("skill://renew-residence-card/") && !skills.contains("skill://arrival-declaration/")
    );
    is_well(&server);

    // A server that stops lets its listeners go.
    assert!(server.stop().success());
    let _rest = raw::read_to_close(&mut stream);
}

/// Resident memory of a process, in KiB.
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn listeners_that_never_read_hold_up_nobody() {
    let place = Place::new(Engine::Sqlite);
    let server =
        Server::start(&place, &Setup::fixtures().unlimited().with("CONSENSUS__QUARANTINE_FLAGS", "1"));
    // Everything that is made once is made.
    listed(&server);
    ask(&server, "skills/list", &json!({}));
    let before = memory(&server);
    let streams: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(&listen()).expect("sent");
            stream
        })
        .collect();
    let mut last = streams.last().expect("a stream").try_clone().expect("the same stream");
    let mut said = String::new();
    heard(&mut last, &mut said, "notifications/subscriptions/acknowledged");
    for (number, skill) in
        ["renew-residence-card", "legalise-foreign-document", "arrival-declaration"].iter().enumerate()
    {
        assert_eq!(flag(&server, &voter(number + 1), ("skill", skill)).status, 201);
    }
    heard(&mut last, &mut said, "notifications/resources/list_changed");
    is_well(&server);
    let grown = memory(&server).saturating_sub(before);
    assert!(grown < 100 << 10, "200 listeners cost {grown} KiB");
    drop(streams);
    is_well(&server);
}

#[test]
fn connections_that_are_dropped_or_half_open_hold_up_nobody() {
    let place = Place::new(Engine::Sqlite);
    let server = start(&place);
    // Sent and not waited for: what has begun ends in the store, and nobody is told.
    for number in 0..30 {
        let arguments = json!({"envelope": fifty("stage")});
        let params =
            json!({"name": "stage_submission", "arguments": arguments, "_meta": {"progressToken": number}});
        let mut stream = server.connect();
        stream.write_all(&message(&HEADERS, &request("tools/call", &params))).expect("sent");
        if number % 2 == 0 {
            stream.shutdown(Shutdown::Both).expect("closed");
        }
    }
    // A body that never ends, and one that never begins.
    let whole = message(&HEADERS, &request("tools/list", &json!({})));
    let open: Vec<TcpStream> = (0..50)
        .map(|number| {
            let mut stream = server.connect();
            let sent = if number % 2 == 0 { whole.len() - 10 } else { 40 };
            stream.write_all(whole.get(..sent).expect("a part")).expect("sent");
            stream
        })
        .collect();
    is_well(&server);
    // Its own concern goes through beside them, and back.
    let concern = make::concern("arrival-declaration", "The counter asked for two photographs.");
    let id = concern["concern_id"].clone();
    let staged =
        call(&server, "submit_concern", &json!({"mode": "stage", "submission": concern})).expect("staged");
    let arguments = json!({"id": id, "cancel_token": staged["cancel_token"]});
    assert_eq!(call(&server, "cancel_submission", &arguments), Ok(json!({"cancelled": true})));
    drop(open);
    is_well(&server);
    assert!(server.stop().success(), "nothing is left that would not end");
}
