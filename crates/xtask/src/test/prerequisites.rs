//! What the other steps need.
//!
//! 1. rustfmt and clippy answer; otherwise say the rustup command that adds them.
//! 2. node and npm answer; otherwise install them with apt-get, through sudo when we are not root.
//! 3. Ask again: a machine without apt-get, or one where the installation failed, gets a sentence.

use std::path::Path;
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
    if !node_is_here() {
        install_node()?;
    }
    if !node_is_here() {
        bail!("node and npm are missing: install them (Debian: `apt-get install nodejs npm`)");
    }
    Ok(())
}

fn node_is_here() -> bool {
    ["node", "npm"].iter().all(|program| answers(Command::new(program).arg("--version")))
}

fn install_node() -> Result<()> {
    if !answers(Command::new("apt-get").arg("--version")) {
        bail!("node and npm are missing and there is no apt-get here: install node 20 or newer");
    }
    println!("   node or npm is missing: installing both with apt-get");
    apt_get(&["update", "-qq"])?;
    apt_get(&["install", "-y", "-qq", "nodejs", "npm"])
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
