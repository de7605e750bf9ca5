//! `cargo xtask test`: everything a change must pass, on a fresh machine too.
//!
//! 1. Take the steps of [`STEPS`] in their order (or the one named by `--only`).
//! 2. Print a heading, run the step, print how long it took.
//! 3. Stop at the first failure with one sentence that names the step and what failed.
//!
//! The first step installs what the others need: a Debian machine with rustup's cargo is enough.

mod prerequisites;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::Outcome;
use crate::workspace::{answers, cargo, install_from_npm, must_succeed, python, target_dir};

/// Arguments of `cargo xtask test`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print the steps, in order, and do nothing.
    #[arg(long)]
    list: bool,
    /// Run this step alone.
    #[arg(long, value_name = "STEP", conflicts_with = "list", value_parser = step_name)]
    only: Option<&'static str>,
}

struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Path) -> Result<()>,
}

/// Every step, in the order it is run.
const STEPS: &[Step] = &[
    Step {
        name: "prerequisites",
        about: "git, node, npm, python3, curl, PostgreSQL, chromium, rustfmt and clippy are here (installs all but the last two where apt-get can)",
        run: prerequisites::ensure,
    },
    Step {
        name: "fmt",
        about: "cargo fmt --all --check",
        run: |root| must_succeed(cargo(root).args(["fmt", "--all", "--check"])),
    },
    Step {
        name: "clippy",
        about: "cargo clippy --workspace --all-targets -- -D warnings",
        run: |root| {
            let arguments = "clippy --workspace --all-targets -- -D warnings";
            must_succeed(cargo(root).args(arguments.split(' ')))
        },
    },
    Step {
        name: "tests",
        about: "cargo test --workspace (through nextest where it is installed; an emulated GitHub and clients of MCP from npm and PyPI)",
        run: tests,
    },
    Step {
        name: "ajv",
        about: "the schemas against their fixtures, in an engine that is not ours",
        run: ajv,
    },
    Step {
        name: "doc",
        about: "cargo doc of everything, private items too, warnings refused",
        run: |root| {
            must_succeed(cargo(root).env("RUSTDOCFLAGS", "-D warnings").args([
                "doc",
                "--workspace",
                "--no-deps",
                "--document-private-items",
            ]))
        },
    },
    Step { name: "tidy", about: "cargo xtask tidy", run: tidy },
    Step {
        name: "corpora",
        about: "becivic check --strict on corpus, becivic check on fixtures/corpus, both without findings",
        run: corpora,
    },
];

/// Runs the steps asked for.
pub fn run(root: &Path, args: &Args) -> Result<Outcome> {
    if args.list {
        for step in STEPS {
            println!("{:<14} {}", step.name, step.about);
        }
        return Ok(Outcome::Fine);
    }
    let began = Instant::now();
    let chosen = STEPS.iter().filter(|step| args.only.is_none_or(|only| only == step.name));
    for step in chosen {
        println!("\n── {} · {}", step.name, step.about);
        let step_began = Instant::now();
        if let Err(error) = (step.run)(root) {
            eprintln!(
                "\nStopped at step \"{}\" after {:.1} s: {error:#}.\nRun it alone with: cargo xtask test --only {}",
                step.name,
                step_began.elapsed().as_secs_f64(),
                step.name,
            );
            return Ok(Outcome::Findings);
        }
        println!("   {} took {:.1} s", step.name, step_began.elapsed().as_secs_f64());
    }
    println!("\nAll well, in {:.1} s.", began.elapsed().as_secs_f64());
    Ok(Outcome::Fine)
}

fn step_name(text: &str) -> Result<&'static str, String> {
    STEPS.iter().map(|step| step.name).find(|name| *name == text).ok_or_else(|| {
        let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        format!("no step of that name; the steps are {}", names.join(", "))
    })
}

fn tests(root: &Path) -> Result<()> {
    // The emulated GitHub that the tests of the forge start.
    install_from_npm(&root.join("tools/emulate"))?;
    // What looks at pages for those who cannot see them.
    install_from_npm(&root.join("tools/site"))?;
    // The official clients of MCP, and its conformance suite.
    let clients = root.join("tools/mcp");
    install_from_npm(&clients)?;
    python(&clients.join("requirements.txt"), &clients.join(".venv"))?;
    if answers(cargo(root).args(["nextest", "--version"])) {
        // Most of what is tested is a process that is waited for: one test more than cores fills what they leave idle.
        let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get()) + 1;
        let threads = threads.to_string();
        must_succeed(cargo(root).args(["nextest", "run", "--workspace", "--test-threads", &threads]))?;
        return must_succeed(cargo(root).args(["test", "--doc", "--workspace"]));
    }
    must_succeed(cargo(root).args(["test", "--workspace"]))
}

fn ajv(root: &Path) -> Result<()> {
    install_from_npm(&root.join("tools/ajv"))?;
    must_succeed(Command::new("node").arg("tools/ajv/check.mjs").current_dir(root))
}

fn tidy(root: &Path) -> Result<()> {
    match crate::tidy::run(root, &crate::tidy::Args {})? {
        Outcome::Fine => Ok(()),
        Outcome::Findings => anyhow::bail!("the tree is untidy; the findings stand above"),
    }
}

fn corpora(root: &Path) -> Result<()> {
    // The program that the tests were built with: built alone, it would have other features and be built anew.
    must_succeed(cargo(root).args(["test", "--workspace", "--no-run", "--quiet"]))?;
    let program = target_dir(root)?.join("debug/becivic");
    for arguments in ["check --strict corpus", "check fixtures/corpus"] {
        println!("   becivic {arguments}");
        must_succeed(Command::new(&program).args(arguments.split(' ')).current_dir(root))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_names_are_unique_and_found() {
        for step in STEPS {
            assert_eq!(step_name(step.name), Ok(step.name));
            assert_eq!(STEPS.iter().filter(|s| s.name == step.name).count(), 1);
        }
    }

    #[test]
    fn an_unknown_step_is_answered_with_the_list() {
        let refusal = step_name("clipy").unwrap_err();
        assert!(refusal.contains("clippy, tests"));
    }
}
