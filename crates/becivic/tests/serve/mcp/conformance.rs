//! The official conformance suite. What of it does not apply to this server is listed in `tools/mcp/not-applicable.json`, each with
//! its reason; everything else passes.

use super::{report, tools};
use crate::harness::{Engine, Place, Server, Setup};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// A version of the protocol, a scenario, and a check of it.
type Check = (String, String, String);

#[test]
fn everything_that_applies_passes_and_nothing_else_is_excused() {
    assert!(
        tools().join("node_modules/@modelcontextprotocol/conformance").is_dir(),
        "the suite is not installed: run `npm ci` in tools/mcp, or `cargo xtask test`"
    );
    let place = Place::new(Engine::Sqlite);
    let server = Server::start(&place, &Setup::default().unlimited());
    let suite = tools().join("conformance.mjs");
    let results = report(Command::new("node").arg(suite).args(["--server", server.base()]));
    let excused = excused();
    let mut failed = BTreeSet::new();
    for (version, scenarios) in results.as_object().expect("versions") {
        let scenarios = scenarios.as_object().expect("scenarios");
        let passed: u64 = scenarios.values().filter_map(|it| it["passed"].as_u64()).sum();
        assert!(
            scenarios.len() > 30 && passed > 30,
            "{version}: {} scenarios, {passed} checks",
            scenarios.len()
        );
        for (scenario, result) in scenarios {
            for (check, why) in result["failed"].as_object().expect("checks") {
                let failure = (version.clone(), scenario.clone(), check.clone());
                assert!(excused.contains(&failure), "{failure:?} fails: {why}");
                failed.insert(failure);
            }
        }
    }
    let passing: Vec<&Check> = excused.difference(&failed).collect();
    assert!(passing.is_empty(), "these pass or are gone, and are excused all the same: {passing:?}");
    assert!(server.get("/metrics").text.contains("becivic_panics_total 0\n"));
}

fn excused() -> BTreeSet<Check> {
    let text = std::fs::read_to_string(tools().join("not-applicable.json")).expect("the list");
    let list: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let texts = |value: &Value| -> Vec<String> {
        let texts = value.as_array().expect("a list").iter();
        texts.map(|it| it.as_str().expect("text").to_owned()).collect()
    };
    let mut excused = BTreeSet::new();
    for entry in &list {
        let scenario = entry["scenario"].as_str().expect("a scenario");
        assert!(entry["reason"].as_str().is_some_and(|reason| reason.len() > 20), "{scenario} has a reason");
        for version in texts(&entry["versions"]) {
            for check in texts(&entry["checks"]) {
                assert!(excused.insert((version.clone(), scenario.to_owned(), check)), "{scenario} twice");
            }
        }
    }
    excused
}
