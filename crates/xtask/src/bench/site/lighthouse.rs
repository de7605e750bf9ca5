//! What Lighthouse makes of a stable skill page: speed, accessibility, good practice, search engines.
//!
//! 1. A copy of the public corpus in which one skill is stable is served.
//! 2. Lighthouse comes from npm (`tools/lighthouse`), and looks with Debian's chromium as it looks at pages on a phone.
//! 3. Each of its four scores has the same bound; what cost points is said.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::super::ingest::process::{Bench, Process};
use super::super::report::{Bound, Line, bounded};
use crate::workspace::must_succeed;

/// Of a hundred.
const LEAST: f64 = 95.0;

const SKILL: &str = "change-of-address";

const SCORES: &[(&str, &str)] = &[
    ("performance", "speed"),
    ("accessibility", "accessibility"),
    ("best-practices", "good practice"),
    ("seo", "search engines"),
];

/// Rates the page.
pub fn run(bench: &Bench) -> Result<Vec<Line>> {
    let tools = bench.root.join("tools/lighthouse");
    println!("installing Lighthouse …");
    let install = ["ci", "--silent", "--no-audit", "--no-fund"];
    must_succeed(Command::new("npm").args(install).current_dir(&tools))?;
    let corpus = bench.folder.join("corpus");
    copy(&bench.root.join("corpus"), &corpus)?;
    make_stable(&corpus.join("skills").join(SKILL).join("canonical.md"))?;
    let mut command = Command::new(bench.programs.join("becivic"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(bench.folder.join("data"));
    let server = Process::start(bench, command.arg("--corpus").arg(&corpus))?;
    let page = format!("http://{}/skills/{SKILL}", server.address);
    let said = Command::new("node").arg(tools.join("rate.mjs")).arg(&page).output().context("node runs")?;
    server.stop()?;
    ensure!(said.status.success(), "Lighthouse ended early: {}", String::from_utf8_lossy(&said.stderr));
    let said: Value = serde_json::from_slice(&said.stdout).context("Lighthouse gave no scores")?;
    for lost in said["lost"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        println!("  cost points: {lost}");
    }
    let line = |(key, name): &(&str, &str)| {
        let score =
            said["scores"][*key].as_f64().with_context(|| format!("Lighthouse gave no score for {name}"))?;
        Ok(bounded(format!("Lighthouse, a stable skill: {name}"), score, "", Bound::AtLeast(LEAST)))
    };
    SCORES.iter().map(line).collect()
}

/// What people have confirmed often enough; nobody has yet in the public corpus.
fn make_stable(file: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file).context("the skill is there")?;
    let stable = text.replacen("\nstatus: alpha\n", "\nstatus: stable\n", 1);
    let stable = stable.replacen("\nversion: 0.1.0\n", "\nversion: 1.0.0\n", 1);
    ensure!(stable != text || text.contains("\nstatus: stable\n"), "the skill could not be made stable");
    std::fs::write(file, stable).context("the copy cannot be written")
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &there)?,
            false => std::fs::copy(entry.path(), there).map(drop)?,
        }
    }
    Ok(())
}
