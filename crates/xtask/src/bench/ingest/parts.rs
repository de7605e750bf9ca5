//! What is measured, part by part; each starts what it needs and ends it.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::slice::from_ref;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::super::report::{Bound, Line, bounded, number};
use super::cluster::{Cluster, remove};
use super::load::{HungUp, Reached};
use super::process::{Bench, Process};
use super::rounds::{gets, median, posts};
use crate::workspace::must_succeed;

/// Validated and staged, against the handler that only inserts.
const LEAST_OF_BARE: f64 = 0.60;
/// Against the Worker: posts, and questions by id.
const LEAST_POST: f64 = 10.0;
const LEAST_GET: f64 = 20.0;
/// What a full store may take, as a share of what an empty one reaches.
const LEAST_WHEN_FULL: f64 = 0.85;
/// Resident memory when idle, in MB of 10^6 bytes.
const MOST_MEMORY: f64 = 60.0;
/// From the start of the process to the end of its first answer, in milliseconds.
const MOST_START: f64 = 300.0;
/// Payloads of the full store: smaller than a usual one, so that the store fits a small disk.
const PAYLOAD: &str = "250";
/// How often the start is timed.
const STARTS: usize = 7;

/// Concerns per second against the bare handler, and questions by id.
pub fn post(bench: &Bench) -> Result<Vec<Line>> {
    let server = Process::becivic(bench, &bench.folder.join("post"), None)?;
    let handler = Process::yardstick(bench, "bare", &bench.folder.join("bare.db"))?;
    let counting = Process::yardstick(bench, "counted", &bench.folder.join("counted.db"))?;
    let alone = Process::yardstick(bench, "alone", &bench.folder.join("alone.db"))?;
    let before = (server.work()?, handler.work()?, counting.work()?);
    let all = [&server, &handler, &counting, &alone].map(|process| from_ref(&process.address));
    let [ours, bare, counted, alone] = posts(all, bench.seconds)?;
    let mut lines = told("bare handler, POST", &bare);
    lines.push(number(
        "bare handler, work per POST",
        (handler.work()? - before.1) / bare.answers * 1e6,
        "µs",
    ));
    lines.extend(told("the same and what belongs to the row", &counted));
    lines.push(number(
        "the same and what belongs to the row, work per POST",
        (counting.work()? - before.2) / counted.answers * 1e6,
        "µs",
    ));
    lines.extend(told("the library alone, a transaction each", &alone));
    lines.extend(told("becivic serve, POST", &ours));
    lines.push(number(
        "becivic serve, work per POST",
        (server.work()? - before.0) / ours.answers * 1e6,
        "µs",
    ));
    lines.push(bounded(
        "POST: ours / bare handler",
        ours.rate / bare.rate,
        "×",
        Bound::AtLeast(LEAST_OF_BARE),
    ));
    lines.push(number("what belongs to the row / bare handler", counted.rate / bare.rate, "×"));
    lines.push(number("POST: ours / what belongs to the row", ours.rate / counted.rate, "×"));
    lines.push(number("POST: ours / the library alone", ours.rate / alone.rate, "×"));
    lines.push(number("memory after the posts", server.memory()?, "MB"));
    server.stop()?;
    Ok(lines)
}

/// Questions by id, alone.
pub fn get(bench: &Bench) -> Result<Vec<Line>> {
    let server = Process::becivic(bench, &bench.folder.join("get"), None)?;
    let [posted] = posts([from_ref(&server.address)], 1.0)?;
    let before = server.work()?;
    let [asked] = gets([(from_ref(&server.address), &posted.ids)], bench.seconds)?;
    let work = (server.work()? - before) / asked.answers * 1e6;
    server.stop()?;
    let mut lines = told("becivic serve, GET by id", &asked);
    lines.push(number("becivic serve, work per GET", work, "µs"));
    Ok(lines)
}

/// The specification's own substrate, beside ours.
pub fn substrate(bench: &Bench) -> Result<Vec<Line>> {
    let tools = bench.root.join("tools/miniflare");
    println!("installing miniflare …");
    let install = ["ci", "--silent", "--no-audit", "--no-fund"];
    must_succeed(Command::new("npm").args(install).current_dir(&tools))?;
    let mut attempt = 1;
    let [post, their_post, get, their_get] = loop {
        let folder = bench.folder.join(format!("substrate-{attempt}"));
        let mut command = Command::new("node");
        command.arg(tools.join("serve.mjs")).arg(folder.join("d1"));
        let worker = Process::start(bench, &mut command)?;
        let server = Process::becivic(bench, &folder.join("beside"), None)?;
        let theirs = worker.address;
        let measured = beside(&server, &worker, bench.seconds);
        worker.stop()?;
        server.stop()?;
        match measured {
            // Under load the Worker's server ends its connections now and then, without a word. Ours must not.
            Err(error) if hung_up(&error) == Some(theirs) && attempt < ATTEMPTS => {
                println!("the Worker hung up; measuring both again …");
                attempt += 1;
            }
            measured => break measured?,
        }
    };
    let mut lines = told("Worker with local D1, POST", &their_post);
    lines.extend(told("becivic serve beside it, POST", &post));
    lines.extend(told("Worker with local D1, GET by id", &their_get));
    lines.extend(told("becivic serve beside it, GET by id", &get));
    lines.push(bounded("POST: ours / Worker", post.rate / their_post.rate, "×", Bound::AtLeast(LEAST_POST)));
    lines.push(bounded("GET: ours / Worker", get.rate / their_get.rate, "×", Bound::AtLeast(LEAST_GET)));
    Ok(lines)
}

/// How often the Worker and ours are measured at most, should the Worker hang up.
const ATTEMPTS: u32 = 4;

fn hung_up(error: &anyhow::Error) -> Option<SocketAddr> {
    error.downcast_ref::<HungUp>().map(|server| server.0)
}

/// Concerns, then questions about them, sent to ours and to the Worker in turns.
fn beside(server: &Process, worker: &Process, seconds: f64) -> Result<[Reached; 4]> {
    let (at, theirs) = (from_ref(&server.address), from_ref(&worker.address));
    let [post, their_post] = posts([at, theirs], seconds)?;
    let [get, their_get] = gets([(at, &post.ids), (theirs, &their_post.ids)], seconds)?;
    Ok([post, their_post, get, their_get])
}

/// A full store against an empty one.
pub fn rows(bench: &Bench) -> Result<Vec<Line>> {
    let data = bench.folder.join("full");
    std::fs::create_dir_all(&data).context("the folder of the full store cannot be made")?;
    let file = data.join("becivic.db");
    println!("filling a store with {} rows …", bench.rows);
    let began = Instant::now();
    let ids = fill(bench, &file)?;
    let filled = began.elapsed().as_secs_f64();
    let size = std::fs::metadata(&file)?.len() / 1_000_000;
    // What the filling left to be written is not what the load should wait for.
    must_succeed(&mut Command::new("sync"))?;
    let full = Process::becivic(bench, &data, None)?;
    let empty = Process::becivic(bench, &bench.folder.join("empty"), None)?;
    let (at_full, at_empty) = (from_ref(&full.address), from_ref(&empty.address));
    let [post, empty_post] = posts([at_full, at_empty], bench.seconds)?;
    let [get, empty_get] = gets([(at_full, &ids), (at_empty, &empty_post.ids)], bench.seconds)?;
    full.stop()?;
    empty.stop()?;
    remove(&data)?;
    let mut lines = vec![
        number("rows in the full store", bench.rows as f64, "rows"),
        number("the full store", size as f64, "MB"),
        number("filling it", filled, "s"),
    ];
    lines.extend(told("empty store, POST", &empty_post));
    lines.extend(told("full store, POST", &post));
    lines.extend(told("empty store, GET by id", &empty_get));
    lines.extend(told("full store, GET by id", &get));
    let least = Bound::AtLeast(LEAST_WHEN_FULL);
    lines.push(bounded("POST: full store / empty store", post.rate / empty_post.rate, "×", least));
    lines.push(bounded("GET: full store / empty store", get.rate / empty_get.rate, "×", least));
    Ok(lines)
}

/// Fills a store; gives back ids that are in it.
fn fill(bench: &Bench, file: &Path) -> Result<Vec<String>> {
    let output = Command::new(bench.programs.join("examples/yardstick"))
        .arg("fill")
        .arg(file)
        .args([&bench.rows.to_string(), PAYLOAD])
        .output()
        .context("the yardstick did not start")?;
    if !output.status.success() {
        bail!("the store could not be filled: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// Idle memory, and the time from start to first answer.
pub fn memory(bench: &Bench) -> Result<Vec<Line>> {
    const PAGE: &str = "/api/skills";
    let data = bench.folder.join("memory");
    let first = Process::becivic(bench, &data, None)?;
    let from_nothing = first.first_answer(PAGE)? * 1e3;
    first.stop()?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let server = Process::becivic(bench, &data, None)?;
        starts.push(server.first_answer(PAGE)? * 1e3);
        server.stop()?;
    }
    let server = Process::becivic(bench, &data, None)?;
    server.first_answer(PAGE)?;
    let idle = settled(&server)?;
    server.stop()?;
    Ok(vec![
        number("start to first answer, empty data folder", from_nothing, "ms"),
        bounded(
            "start to first answer, existing folder",
            median(&mut starts),
            "ms",
            Bound::AtMost(MOST_START),
        ),
        bounded("idle memory", idle, "MB", Bound::AtMost(MOST_MEMORY)),
    ])
}

/// The memory once it has stood still for two seconds: what is prepared beside the first answers counts, and what is given back after
/// them does not.
fn settled(server: &Process) -> Result<f64> {
    let (mut memory, mut still) = (server.memory()?, 0);
    while still < 20 {
        std::thread::sleep(Duration::from_millis(100));
        let now = server.memory()?;
        still = if (now - memory).abs() < 0.1 { still + 1 } else { 0 };
        memory = now;
    }
    Ok(memory)
}

/// Several processes on one PostgreSQL: what does each more buy?
pub fn postgres(bench: &Bench) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let mut alone: Option<(f64, f64)> = None;
    for count in [1, 2, 4] {
        let cluster = Cluster::start()?;
        let servers = (0..count)
            .map(|index| {
                let data = bench.folder.join(format!("postgres-{count}-{index}"));
                Process::becivic(bench, &data, Some(&cluster.url()))
            })
            .collect::<Result<Vec<_>>>()?;
        let addresses: Vec<_> = servers.iter().map(|server| server.address).collect();
        let [post] = posts([&addresses], bench.seconds)?;
        let [get] = gets([(&addresses, &post.ids)], bench.seconds)?;
        for server in servers {
            server.stop()?;
        }
        let name = format!("PostgreSQL, {count} process{}", if count == 1 { "" } else { "es" });
        lines.extend(told(&format!("{name}, POST"), &post));
        lines.extend(told(&format!("{name}, GET by id"), &get));
        match alone {
            None => alone = Some((post.rate, get.rate)),
            Some((one_post, one_get)) => {
                lines.push(number(format!("{count} processes / 1, POST"), post.rate / one_post, "×"));
                lines.push(number(format!("{count} processes / 1, GET by id"), get.rate / one_get, "×"));
            }
        }
    }
    Ok(lines)
}

/// Rate and times of a load.
fn told(name: &str, reached: &Reached) -> Vec<Line> {
    vec![
        number(name, reached.rate, "per s"),
        number(format!("{name}, p50"), reached.p50, "ms"),
        number(format!("{name}, p99"), reached.p99, "ms"),
    ]
}
