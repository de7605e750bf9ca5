//! The official clients, TypeScript and Python: over HTTP, through `becivic mcp --server`, and to a folder.

use super::{report, tools, with_routes};
use crate::harness::{Engine, Place, Server, Setup, root};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;

/// Tools that are called with something that is not there, or in the round of a submission.
const ELSEWHERE: &[(&str, &str)] = &[
    ("get_submission_status", "not_found"),
    ("stage_submission", "called later"),
    ("cancel_submission", "called later"),
];

#[test]
fn the_typescript_client_gets_all_that_it_asks_for() {
    let tool = tools();
    assert!(
        tool.join("node_modules/@modelcontextprotocol/client").is_dir(),
        "the client is not installed: run `npm ci` in tools/mcp, or `cargo xtask test`"
    );
    let visits = [
        ("http", "2026-07-28"),
        ("http-older", "2025-06-18"),
        ("proxy", "2026-07-28"),
        ("proxy-older", "2025-11-25"),
        ("folder", "2026-07-28"),
    ];
    visited(Command::new("node").arg(tool.join("client.mjs")), &visits);
}

#[test]
fn the_python_client_gets_all_that_it_asks_for() {
    let python = tools().join(".venv/bin/python");
    assert!(
        python.exists(),
        "the client is not installed: run `cargo xtask test`, or make tools/mcp/.venv of requirements.txt"
    );
    let visits = [
        ("http", "2026-07-28"),
        ("http-older", "2025-11-25"),
        ("proxy", "2026-07-28"),
        ("folder", "2026-07-28"),
        ("folder-older", "2025-11-25"),
    ];
    visited(Command::new(python).arg(tools().join("client.py")), &visits);
}

fn visited(client: &mut Command, expected: &[(&str, &str)]) {
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default().unlimited());
    client.args(["--server", server.base(), "--program", env!("CARGO_BIN_EXE_becivic"), "--corpus"]);
    let report = report(client.arg(root().join("corpus")));
    println!("{report:#}");
    let visits = report["visits"].as_array().expect("visits");
    assert_eq!(visits.len(), expected.len());
    for (visit, (over, version)) in visits.iter().zip(expected) {
        assert_eq!(visit["problems"], json!([]), "{visit:#}");
        assert_eq!((&visit["over"], &visit["version"]), (&json!(over), &json!(version)));
        assert_eq!((&visit["server"], &visit["instructed"]), (&json!("becivic"), &json!(true)));
        well_met(&server, visit, over);
    }
    assert!(server.get("/metrics").text.contains("becivic_panics_total 0\n"));
    assert!(!server.log().contains("panic"), "{}", server.log());
}

fn well_met(server: &Server, visit: &Value, over: &str) {
    let reads_only = over.starts_with("folder");
    let answered = visit["tools"].as_object().expect("tools");
    let there = with_routes(server);
    let is_there = |name: &str, reads: bool| !reads_only || (reads && name != "get_submission_status");
    let expected = there.iter().filter(|(name, reads)| is_there(name, *reads));
    let expected: BTreeSet<&str> = expected.map(|(name, _)| name.as_str()).collect();
    let called: BTreeSet<&str> = answered.keys().map(String::as_str).collect();
    assert!(expected.is_subset(&called), "{expected:?} {called:?}");
    for (name, refusal) in answered {
        let elsewhere = ELSEWHERE.iter().find(|(tool, _)| tool == name).map(|(_, refusal)| *refusal);
        // What is listed before its route is there finds nothing.
        let expected = elsewhere.or((!expected.contains(name.as_str())).then_some("not_found"));
        assert_eq!(refusal.as_str(), expected, "{over}: {name}");
    }
    assert!(visit["resources"].as_u64().is_some_and(|count| count > 40), "{visit:#}");
    for (kind, least) in [("templates", 3), ("prompts", if reads_only { 1 } else { 3 })] {
        let lengths = visit[kind].as_object().expect("lengths");
        assert!(
            lengths.len() >= least && lengths.values().all(|length| length.as_u64() > Some(500)),
            "{visit:#}"
        );
    }
    let [listed, files] = ["listed", "files"].map(|name| visit["skills"][name].as_u64().expect("a count"));
    assert!(listed > 10 && files > 0 && (over != "http" || files >= listed), "{visit:#}");
    if visit["version"] == "2026-07-28" {
        let expected = json!({"honored": {"resourcesListChanged": true}, "closed": "local"});
        assert_eq!(visit["listening"], expected);
    }
    if reads_only {
        assert_eq!(visit.get("round"), None);
        return;
    }
    let steps = ["validated", "staged", "staged", "cancelled", "not_found"];
    let round = &visit["round"];
    assert_eq!((&round["steps"], &round["again"]), (&json!(steps), &json!("unauthorized")));
    // A client may have the answer before it has looked at what was told before it, and then looks no more; that all of it comes, and
    // in order, is held on the wire (`streams.rs`).
    assert!(round["progress"].as_u64().is_some_and(|told| told <= 3), "{round}");
}
