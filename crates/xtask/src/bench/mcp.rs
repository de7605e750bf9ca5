//! `cargo xtask bench mcp`: what does a tool cost beside its twin over HTTP?
//!
//! 1. Build `becivic` and this program in release; the release build of this program does the rest.
//! 2. One server is asked the same in two ways, in turns: over HTTP, and as a call of the tool that asks the same.
//! 3. What finding costs at 10,000 skills, as `cargo xtask bench search` measures it.
//! 4. Print the table, keep a copy in `target/bench/mcp.json`, complain where a bound is broken.

use std::path::Path;
use std::process::Command;
use std::slice::from_ref;

use anyhow::{Context, Result, bail};

use super::ingest::process::{Bench, Process};
use super::ingest::rounds::both_ways;
use super::report::{Bound, Line, bounded, number, publish};
use super::search;
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};

/// Of the requests per second of the twin.
const LEAST_OF_TWIN: f64 = 0.60;

/// Tools, their arguments, and the address of the twin.
const TWINS: &[(&str, &str, &str)] = &[
    (
        "find_skill",
        r#"{"query":"je déménage à Gand"}"#,
        "/api/find-skill?query=je%20d%C3%A9m%C3%A9nage%20%C3%A0%20Gand",
    ),
    (
        "read_skill",
        r#"{"skill_id":"change-of-address","section":"process"}"#,
        "/api/skills/change-of-address/text?section=process",
    ),
    ("get_skill_graph", r#"{"status":["alpha"]}"#, "/api/skill-graph?status=alpha"),
    (
        "get_skill_observations",
        r#"{"skill_id":"change-of-address"}"#,
        "/api/skills/change-of-address/observations",
    ),
];

/// Runs the bench.
pub fn run(root: &Path, seconds: u32) -> Result<Outcome> {
    let target = target_dir(root)?;
    if cfg!(debug_assertions) {
        return hand_over(root, &target, seconds);
    }
    let results = target.join("bench");
    let bench = Bench {
        root: root.to_path_buf(),
        programs: target.join("release"),
        folder: results.join("mcp"),
        seconds: f64::from(seconds.max(1)),
        rows: 0,
    };
    super::ingest::cluster::remove(&bench.folder)?;
    std::fs::create_dir_all(&bench.folder).context("the folder of the bench cannot be made")?;
    let mut lines = twins(&bench)?;
    super::ingest::cluster::remove(&bench.folder)?;
    lines.extend(search::cost(root)?);
    publish(&lines, &results.join("mcp.json"))
}

fn twins(bench: &Bench) -> Result<Vec<Line>> {
    let server = Process::becivic(bench, &bench.folder.join("data"), None)?;
    let mut lines = Vec::new();
    for (tool, arguments, twin) in TWINS {
        println!("measuring: {tool} …");
        let asked = format!("GET {twin} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        );
        let called = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let [over_http, over_mcp] = both_ways(from_ref(&server.address), [&asked, &called], bench.seconds)?;
        lines.push(number(format!("{tool}: over HTTP"), over_http.rate, "/s"));
        lines.push(number(format!("{tool}: over MCP"), over_mcp.rate, "/s"));
        let ratio = over_mcp.rate / over_http.rate;
        lines.push(bounded(format!("{tool}: MCP / HTTP"), ratio, "×", Bound::AtLeast(LEAST_OF_TWIN)));
    }
    server.stop()?;
    Ok(lines)
}

/// Builds everything in release and lets the release build of this program measure.
fn hand_over(root: &Path, target: &Path, seconds: u32) -> Result<Outcome> {
    println!("building in release …");
    must_succeed(cargo(root).args("build --quiet --release -p becivic -p xtask --bins".split(' ')))?;
    let mut command = Command::new(target.join("release/xtask"));
    command.args(["bench", "mcp", "--seconds", &seconds.to_string()]);
    let status = command.current_dir(root).status().context("the release build did not start")?;
    match status.code() {
        Some(0) => Ok(Outcome::Fine),
        Some(1) => Ok(Outcome::Findings),
        _ => bail!("the measurement ended with {status}"),
    }
}
