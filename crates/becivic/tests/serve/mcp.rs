//! The MCP door, as it is met: by the official clients, by the official conformance suite, and by those who mean no good.
//!
//! What stands in `tools/mcp` is run against real servers; the rest speaks the protocol by hand.

mod bad_arguments;
mod bad_messages;
mod bounds;
mod clients;
mod conformance;
mod proofs;
mod stdio;
mod streams;

use crate::harness::{Reply, Server, root};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

/// Where the clients lie.
fn tools() -> PathBuf {
    root().join("tools/mcp")
}

/// Runs one of them, and reads what it prints.
fn report(command: &mut Command) -> Value {
    let ran = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{command:?} ended with {}: {said}", ran.status);
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// What every message is sent with.
pub const HEADERS: [(&str, &str); 3] = [
    ("content-type", "application/json"),
    ("accept", "application/json, text/event-stream"),
    ("mcp-protocol-version", "2025-11-25"),
];

/// A request of the protocol.
pub fn request(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// Sends a request; the answer must be one of the protocol.
pub fn ask(server: &Server, method: &str, params: &Value) -> Value {
    let body = request(method, params).to_string();
    let reply = server.send("POST", "/mcp", &HEADERS, Some(body.as_bytes()));
    assert_eq!(reply.status, 200, "{method} {params}: {reply:?}");
    last_message(&reply)
}

/// The answer in a reply, behind what was told before it.
fn last_message(reply: &Reply) -> Value {
    let message = reply.text.lines().rev().find_map(|line| {
        let line = line.strip_prefix("data:").unwrap_or(line).trim();
        serde_json::from_str::<Value>(line).ok().filter(Value::is_object)
    });
    message.unwrap_or_else(|| panic!("no message in {reply:?}"))
}

/// Calls a tool: what it answers, or the refusal.
pub fn call(server: &Server, tool: &str, arguments: &Value) -> Result<Value, Value> {
    let answer = ask(server, "tools/call", &json!({"name": tool, "arguments": arguments}));
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{tool}: {answer}"));
    let said: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{tool}: {error} in {text}"));
    if result["isError"] == json!(true) {
        return Err(said);
    }
    assert_eq!(result["structuredContent"], said, "{tool} says the same twice");
    Ok(said)
}

/// Every tool that is listed, with the arguments of its example.
fn listed(server: &Server) -> Vec<(Value, Value)> {
    let answer = ask(server, "tools/list", &json!({}));
    let tools = answer["result"]["tools"].as_array().expect("tools").clone();
    let example = |tool: &Value| {
        let about = tool["description"].as_str().expect("a description");
        let (_, example) = about.rsplit_once("Example: ").expect("an example");
        serde_json::from_str(example).expect("JSON")
    };
    tools.into_iter().map(|tool| (tool.clone(), example(&tool))).collect()
}

/// The names of the tools as the manifest lists them, and whether each only reads; only those whose route is served.
fn with_routes(server: &Server) -> Vec<(String, bool)> {
    let described = server.get("/openapi.json").json();
    let manifest = server.get("/agents/manifest.json").json();
    let tools = manifest["mcp"]["tools"].as_array().expect("tools").iter();
    let is_served = |tool: &&Value| {
        let (_, path) = tool["twin"].as_str().and_then(|twin| twin.split_once(' ')).expect("a route");
        path.contains('<') || described["paths"].get(path).is_some()
    };
    let shown = |tool: &Value| (tool["name"].as_str().expect("a name").to_owned(), tool["reads"] == true);
    tools.filter(is_served).map(shown).collect()
}
