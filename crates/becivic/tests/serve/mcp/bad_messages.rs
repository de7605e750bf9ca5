//! Messages that are none, batches, methods, names and origins: what the door itself refuses.

use super::{HEADERS, ask, request};
use crate::bad_input::MARKER;
use crate::harness::table::{cases, run};
use crate::harness::{Engine, Place, Reply, Server, Setup, raw};
use serde_json::{Value, json};

#[test]
fn what_the_door_refuses() {
    let cases = cases![
        messages_that_are_none,
        messages_that_want_no_answer,
        batches_are_of_one_version,
        versions_and_headers,
        other_methods,
        only_names_and_pages_of_ours,
        a_browser_that_asks_first,
    ];
    run(Engine::Sqlite, &Setup::fixtures().unlimited(), cases);
}

/// What is refused unread ends the connection, which is not used again.
const CLOSE: (&str, &str) = ("connection", "close");

/// Sends bytes with other headers than usual; an empty one is left out.
fn send(server: &Server, changed: &[(&str, &str)], body: &[u8]) -> Reply {
    let usual = HEADERS.iter().filter(|(name, _)| changed.iter().all(|(other, _)| other != name));
    let headers: Vec<(&str, &str)> =
        usual.chain(changed).chain([&CLOSE]).copied().filter(|(_, value)| !value.is_empty()).collect();
    let reply = server.send("POST", "/mcp", &headers, Some(body));
    assert!(!format!("{reply:?}").contains(MARKER), "it is repeated: {reply:?}");
    reply
}

fn refused(reply: &Reply, status: u16, code: i64, about: &str) {
    assert_eq!(reply.status, status, "{about}: {reply:?}");
    let error = &reply.json()["error"];
    assert_eq!(error["code"], code, "{about}: {reply:?}");
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{about}: {reply:?}");
}

fn ping(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "ping"})
}

fn messages_that_are_none(server: &Server, _: &Place) {
    let parse = -32700;
    let invalid = -32600;
    for (about, body, code) in [
        ("nothing", String::new(), parse),
        ("a brace", "{".to_owned(), parse),
        ("half of it", "{\"jsonrpc\": \"2.0\", \"id\": 1, ".to_owned(), parse),
        ("twice", format!("{0}{0}", ping(1)), parse),
        ("words", MARKER.to_owned(), parse),
        ("ten thousand objects", "{\"a\":".repeat(10_000), parse),
        ("null", "null".to_owned(), invalid),
        ("a number", "3".to_owned(), invalid),
        ("a text", format!("\"{MARKER}\""), invalid),
        ("another version", "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}".to_owned(), invalid),
        ("no version", "{\"id\": 1, \"method\": \"ping\"}".to_owned(), invalid),
        ("no method", "{\"jsonrpc\": \"2.0\", \"id\": 1}".to_owned(), invalid),
        (
            "a method twice",
            format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"{MARKER}\", \"method\": \"ping\"}}"),
            invalid,
        ),
        ("an id that is an object", ping(json!({MARKER: 1})).to_string(), invalid),
        ("an id that is null", ping(Value::Null).to_string(), invalid),
        (
            "an id of thirty digits",
            "{\"jsonrpc\": \"2.0\", \"id\": 123456789012345678901234567890, \"method\": \"ping\"}".to_owned(),
            invalid,
        ),
        (
            "half a surrogate pair",
            format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"{MARKER}\\ud800\"}}"),
            invalid,
        ),
        ("an answer", json!({"jsonrpc": "2.0", "id": 1, "result": {"a": MARKER}}).to_string(), invalid),
    ] {
        refused(&send(server, &[], body.as_bytes()), 400, code, about);
    }
    let latin = [b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"", &[0xe9][..], b"\"}"].concat();
    refused(&send(server, &[], &latin), 400, parse, "Latin-1");
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let deep =
        format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": {{\"a\": {deep}}}}}");
    assert_eq!(send(server, &[], deep.as_bytes()).status, 400);
    // Whatever id it has is in the answer.
    for id in [json!(0), json!(-7), json!("x".repeat(10_000)), json!("\u{202e}\0")] {
        let reply = send(server, &[], ping(id.clone()).to_string().as_bytes());
        assert_eq!(reply.json(), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
}

fn messages_that_want_no_answer(server: &Server, _: &Place) {
    for method in ["notifications/initialized", "notifications/cancelled", MARKER, "tools/list"] {
        let message =
            json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": 1, "reason": MARKER}});
        let reply = send(server, &[], message.to_string().as_bytes());
        assert_eq!((reply.status, reply.text.as_str()), (202, ""), "{method}: {reply:?}");
    }
}

fn batches_are_of_one_version(server: &Server, _: &Place) {
    let batch =
        json!([ping(1), {"jsonrpc": "2.0", "method": "notifications/initialized"}, ping("b"), 7, [ping(3)]]);
    let batch = batch.to_string();
    for version in ["2025-03-26", ""] {
        let reply = send(server, &[("mcp-protocol-version", version)], batch.as_bytes());
        assert_eq!(reply.status, 200, "{reply:?}");
        let answers = reply.json();
        let ids: Vec<&Value> = answers.as_array().expect("answers").iter().map(|it| &it["id"]).collect();
        assert_eq!(ids, [&json!(1), &json!("b"), &Value::Null, &Value::Null]);
    }
    for version in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        let reply = send(server, &[("mcp-protocol-version", version)], batch.as_bytes());
        refused(&reply, 400, -32600, version);
    }
    let older = [("mcp-protocol-version", "2025-03-26")];
    refused(&send(server, &older, b"[]"), 400, -32600, "none");
    refused(&send(server, &older, b"[{"), 400, -32700, "half");
    let many: Vec<Value> = (0..51).map(ping).collect();
    refused(&send(server, &older, Value::Array(many).to_string().as_bytes()), 400, -32600, "too many");
    let most: Vec<Value> = (0..50).map(ping).collect();
    let reply = send(server, &older, Value::Array(most).to_string().as_bytes());
    assert_eq!(reply.json().as_array().map(Vec::len), Some(50));
    let silent = json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]);
    assert_eq!(send(server, &older, silent.to_string().as_bytes()).status, 202);
}

fn versions_and_headers(server: &Server, _: &Place) {
    let body = ping(1).to_string();
    let with = |changed: &[(&str, &str)]| send(server, changed, body.as_bytes());
    for version in ["2025-03-26", "2025-06-18", "2025-11-25", ""] {
        assert_eq!(with(&[("mcp-protocol-version", version)]).status, 200, "{version}");
    }
    for version in [MARKER, "2027-01-01", "2025-11-25, 2026-07-28"] {
        refused(&with(&[("mcp-protocol-version", version)]), 400, -32600, version);
    }
    for accepted in ["", "application/json", "text/html", MARKER] {
        refused(&with(&[("accept", accepted)]), 406, -32600, accepted);
    }
    for media in ["", "text/plain", "application/x-www-form-urlencoded", MARKER] {
        refused(&with(&[("content-type", media)]), 415, -32600, media);
    }
    // The newest version says the method in a header too, and both must say the same.
    let meta = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let body = request("tools/list", &meta).to_string();
    let newest = ("mcp-protocol-version", "2026-07-28");
    let told = |method| send(server, &[newest, ("mcp-method", method)], body.as_bytes());
    assert_eq!(told("tools/list").status, 200);
    for method in ["", "tools/call", MARKER] {
        refused(&told(method), 400, -32020, method);
    }
    let other = request("tools/list", &json!({"_meta": {"io.modelcontextprotocol/protocolVersion": MARKER}}));
    refused(&send(server, &[newest], other.to_string().as_bytes()), 400, -32020, "two versions");
    let hello = json!({"protocolVersion": MARKER, "capabilities": {}, "clientInfo": {"name": MARKER, "version": "1"}});
    let hello = request("initialize", &hello).to_string();
    refused(&send(server, &[], hello.as_bytes()), 400, -32600, "two versions at the beginning");
}

fn other_methods(server: &Server, _: &Place) {
    for method in ["GET", "DELETE", "PUT", "PATCH"] {
        let reply = server.send(method, "/mcp", &HEADERS, None);
        refused(&reply, 405, -32600, method);
        assert_eq!(reply.header("allow"), Some("POST, OPTIONS"));
    }
    assert_eq!(server.send("HEAD", "/mcp", &HEADERS, None).status, 405);
}

fn only_names_and_pages_of_ours(server: &Server, _: &Place) {
    let body = ping(1).to_string();
    let host = |host: &str| {
        let length = body.len();
        let answer = server.raw(
            format!(
                "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nAccept: application/json, \
                 text/event-stream\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        );
        assert!(!answer.contains(MARKER), "{answer}");
        raw::status(&answer)
    };
    for ours in ["localhost", "127.0.0.1:1", "[::1]", "becivic.be", "BECIVIC.be:443"] {
        assert_eq!(host(ours), 200, "{ours}");
    }
    for other in
        ["evil.example", MARKER, "localhost.evil.example", "becivic.be.evil.example", "127.0.0.2", "0"]
    {
        assert_eq!(host(other), 403, "{other}");
    }
    for origin in ["http://localhost:6274", "https://becivic.be", "http://127.0.0.1"] {
        let reply = send(server, &[("origin", origin)], body.as_bytes());
        assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, Some(origin)));
    }
    for origin in ["https://evil.example", "null", "https://becivic.be.evil.example", "file://", MARKER] {
        let reply = send(server, &[("origin", origin)], body.as_bytes());
        refused(&reply, 403, -32600, origin);
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

fn a_browser_that_asks_first(server: &Server, _: &Place) {
    let wanted =
        [CLOSE, ("access-control-request-method", "POST"), ("access-control-request-headers", "mcp-method")];
    let ours = [&wanted[..], &[("origin", "http://localhost:6274")]].concat();
    let reply = server.send("OPTIONS", "/mcp", &ours, None);
    assert_eq!((reply.status, reply.text.as_str()), (204, ""));
    assert_eq!(reply.header("access-control-allow-origin"), Some("http://localhost:6274"));
    assert_eq!(reply.header("access-control-allow-methods"), Some("POST"));
    let headers = reply.header("access-control-allow-headers").expect("headers").to_lowercase();
    for header in ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name"] {
        assert!(headers.contains(header), "{headers}");
    }
    let other = [&wanted[..], &[("origin", "https://evil.example")]].concat();
    assert_eq!(server.send("OPTIONS", "/mcp", &other, None).status, 403);
    assert!(ask(server, "ping", &json!({}))["result"].is_object());
}
