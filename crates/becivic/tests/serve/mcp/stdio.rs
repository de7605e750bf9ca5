//! `becivic mcp` on standard input and output, by hand: lines that are no messages, a server that is not there, more streams than there
//! may be, and the end of the input.

use super::request;
use crate::bad_input::MARKER;
use crate::harness::{Engine, Place, Server, Setup, root};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A process that speaks the protocol.
pub struct Line {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Line {
    pub fn begin(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_becivic"));
        command.arg("mcp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("becivic starts");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, input, output }
    }

    pub fn say(&mut self, line: &[u8]) {
        self.input.write_all(line).expect("it reads");
        self.input.write_all(b"\n").expect("it reads");
    }

    /// What comes next; nothing of what was sent is in it.
    pub fn next(&mut self) -> Value {
        let mut line = String::new();
        assert_ne!(self.output.read_line(&mut line).expect("a line"), 0, "it ended");
        assert!(!line.contains(MARKER), "it is repeated: {line}");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    pub fn begins_well(&mut self) {
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        self.say(request("initialize", &hello).to_string().as_bytes());
        assert_eq!(self.next()["result"]["serverInfo"]["name"], "becivic");
        self.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string().as_bytes());
        self.answers();
    }

    fn answers(&mut self) {
        self.say(request("ping", &json!({})).to_string().as_bytes());
        assert_eq!(self.next(), json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    }

    /// The input ends, and the process with it.
    pub fn ends(mut self) {
        drop(self.input);
        let began = Instant::now();
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
        assert!(began.elapsed() < Duration::from_secs(20), "it took {:?}", began.elapsed());
    }
}

fn no_messages() -> Vec<Vec<u8>> {
    let long = format!(
        "{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"{MARKER}{}\"}}",
        "x".repeat((1 << 20) + (70 << 10))
    );
    let wrong =
        [MARKER.as_bytes(), b"{", b"\xff\xfe", b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\xe9\"}"];
    wrong.into_iter().map(<[u8]>::to_vec).chain([long.into_bytes()]).collect()
}

#[test]
fn lines_that_are_no_messages_end_no_line_to_a_server() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let mut line = Line::begin(&["--server", server.base()]);
    line.begins_well();
    for wrong in no_messages() {
        line.say(&wrong);
        let answer = line.next();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)), "{answer}");
    }
    // What is JSON and no request is refused by the server, or wants no answer.
    line.say(b"  ");
    line.say(format!("{{\"jsonrpc\": \"2.0\", \"method\": \"{MARKER}\"}}").as_bytes());
    line.say(b"7");
    let answer = line.next();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)), "{answer}");
    line.say(format!("{{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": 7, \"{MARKER}\": 1}}").as_bytes());
    let answer = line.next();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(5), &json!(-32600)), "{answer}");
    line.answers();
    line.ends();
}

#[test]
fn lines_that_are_no_messages_end_no_folder() {
    let corpus = root().join("fixtures/corpus").display().to_string();
    let mut line = Line::begin(&["--corpus", &corpus]);
    line.begins_well();
    for wrong in no_messages() {
        line.say(&wrong);
        let answer = line.next();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)), "{answer}");
    }
    line.say(b"  ");
    for (wrong, id) in [
        (json!(7), Value::Null),
        (json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]), Value::Null),
        (json!({"jsonrpc": "2.0", "id": 5, "method": 7, MARKER: 1}), json!(5)),
        (json!({"id": "six", "method": "ping"}), json!("six")),
    ] {
        line.say(wrong.to_string().as_bytes());
        let answer = line.next();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(-32600)), "{answer}");
    }
    line.answers();
    line.ends();
}

#[test]
fn a_folder_offers_nothing_that_sends() {
    let corpus = root().join("fixtures/corpus").display().to_string();
    let mut line = Line::begin(&["--corpus", &corpus]);
    line.begins_well();
    let mut names = |method: &str, list: &str| -> Vec<String> {
        line.say(request(method, &json!({})).to_string().as_bytes());
        let answer = line.next();
        let listed = answer["result"][list].as_array().unwrap_or_else(|| panic!("{answer}"));
        listed.iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("prompts/list", "prompts"), ["walk-me-through"]);
    let tools = names("tools/list", "tools");
    for gone in ["get_submission_status", "submit_concern", "stage_submission", "cancel_submission"] {
        assert!(!tools.iter().any(|tool| tool == gone), "{gone}");
    }
    assert!(tools.iter().any(|tool| tool == "find_skill"));
    for (method, name) in [("prompts/get", "close-session"), ("tools/call", "get_submission_status")] {
        line.say(request(method, &json!({"name": name, "arguments": {}})).to_string().as_bytes());
        assert_eq!(line.next()["error"]["code"], -32602, "{name}");
    }
    line.ends();
}

#[test]
fn a_server_that_is_not_there_is_an_error_of_each_request() {
    // A port that nothing listens on: it was free a moment ago, and is nobody's.
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let mut line = Line::begin(&["--server", &format!("http://127.0.0.1:{port}")]);
    for id in [json!(1), json!("two")] {
        line.say(json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}).to_string().as_bytes());
        let answer = line.next();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(-32603)), "{answer}");
    }
    line.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string().as_bytes());
    line.ends();
}

#[test]
fn streams_hold_up_no_request_and_end_with_the_input() {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::fixtures().unlimited());
    let mut line = Line::begin(&["--server", server.base()]);
    let listen = |id: u64| {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"notifications": {"resourcesListChanged": true}, "_meta": meta});
        json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params}).to_string()
    };
    for id in 0..16 {
        line.say(listen(id).as_bytes());
        assert_eq!(line.next()["method"], "notifications/subscriptions/acknowledged");
    }
    line.say(listen(16).as_bytes());
    let answer = line.next();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(16), &json!(-32603)), "{answer}");
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}});
    line.say(cancelled.to_string().as_bytes());
    line.answers();
    line.ends();
}
