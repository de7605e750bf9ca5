//! What the other steps need.
//!
//! 1. rustfmt and clippy answer; otherwise say the rustup command that adds them.
//! 2. git (the tests of history make repositories), node and npm, python3 (a client of MCP is Python), curl (the examples of the documentation are run) and
//!    PostgreSQL (the tests start servers of their own) and chromium (the pages of the desk are tried in it) answer; otherwise install what is missing with apt-get, through
//!    sudo when we are not root.
//! 3. Ask again: a machine without apt-get, or one where the installation failed, gets a sentence.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::workspace::{answers, cargo, must_succeed};

/// Makes sure every program the steps call is there.
pub fn ensure(root: &Path) -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !answers(cargo(root).args([subcommand, "--version"])) {
            bail!("{component} is missing: run `rustup component add {component}`");
        }
    }
    let missing = missing();
    if !missing.is_empty() {
        install(&missing)?;
    }
    match self::missing().as_slice() {
        [] => Ok(()),
        still => bail!("{} is missing still: install it by hand", names(still)),
    }
}

/// Programs the tests call, as they are asked for their version, and the Debian package of each.
const PROGRAMS: &[(&str, &str)] = &[
    ("git", "git"),
    ("node", "nodejs"),
    ("npm", "npm"),
    // Debian's python3 makes environments only with this package.
    ("python3 -m ensurepip", "python3-venv"),
    ("curl", "curl"),
    ("initdb", "postgresql"),
    ("chromium", "chromium"),
];

type Program = (&'static str, &'static str);

fn missing() -> Vec<Program> {
    let here = |program: &str| {
        let mut words = program.split(' ');
        answers(Command::new(words.next().unwrap_or_default()).args(words).arg("--version"))
            || apart(program).any(|it| answers(Command::new(it).arg("--version")))
    };
    PROGRAMS.iter().copied().filter(|(program, _)| !here(program)).collect()
}

/// Where Debian keeps the programs of each version of PostgreSQL, which are on nobody's path.
fn apart(program: &str) -> impl Iterator<Item = PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions.map(move |version| version.path().join("bin").join(program))
}

fn install(missing: &[Program]) -> Result<()> {
    if !answers(Command::new("apt-get").arg("--version")) {
        bail!("{} is missing and there is no apt-get here: install it by hand", names(missing));
    }
    println!("   {} is missing: installing with apt-get", names(missing));
    apt_get(&["update", "-qq"])?;
    let packages = missing.iter().map(|(_, package)| *package);
    apt_get(&["install", "-y", "-qq"].into_iter().chain(packages).collect::<Vec<_>>())
}

fn names(programs: &[Program]) -> String {
    programs.iter().map(|(program, _)| *program).collect::<Vec<_>>().join(", ")
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let mut command = if we_are_root() {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.arg("apt-get");
        sudo
    };
    must_succeed(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
}

fn we_are_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
