//! A skill page that is served, beside a bare handler that returns the same bytes.

use std::slice::from_ref;

use anyhow::Result;

use super::super::ingest::process::{Bench, Process};
use super::super::ingest::rounds::pages;
use super::super::report::{Bound, Line, bounded, number};
use super::weight::fetched;

/// Of the requests per second of the bare handler.
const LEAST_OF_BARE: f64 = 0.70;

const PAGE: &str = "/skills/change-of-address";

/// Measures both in turns.
pub fn run(bench: &Bench) -> Result<Vec<Line>> {
    let server = Process::becivic(bench, &bench.folder.join("data"), None)?;
    let (_, body) = fetched(server.address, PAGE, "identity")?;
    let file = bench.folder.join("page.html");
    std::fs::write(&file, &body)?;
    let handler = Process::yardstick(bench, "page", &file)?;
    let before = (server.work()?, handler.work()?);
    let [ours, bare] = pages([from_ref(&server.address), from_ref(&handler.address)], PAGE, bench.seconds)?;
    let work = (server.work()? - before.0, handler.work()? - before.1);
    server.stop()?;
    handler.stop()?;
    Ok(vec![
        number("bare handler, the same bytes", bare.rate, "/s"),
        number("bare handler, work per page", work.1 / bare.answers * 1e6, "µs"),
        number("becivic serve, a skill page", ours.rate, "/s"),
        number("becivic serve, work per page", work.0 / ours.answers * 1e6, "µs"),
        bounded("page: ours / bare handler", ours.rate / bare.rate, "×", Bound::AtLeast(LEAST_OF_BARE)),
    ])
}
