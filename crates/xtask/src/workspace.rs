//! Where the workspace is and how to call its tools.
//!
//! 1. The root is the nearest folder above the current one that holds `crates/xtask/Cargo.toml`.
//! 2. Its target folder is whatever `cargo metadata` says, so `CARGO_TARGET_DIR` is honoured.
//! 3. A command is run in the root; its output goes straight to the terminal.
//! 4. What a tool takes from PyPI is installed beside nothing else, once for each change of its requirements.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The root folder of the workspace the caller stands in.
pub fn root() -> Result<PathBuf> {
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    here.ancestors()
        .find(|folder| folder.join("crates/xtask/Cargo.toml").is_file())
        .map(Path::to_path_buf)
        .context("no workspace here: run this from inside the checkout")
}

/// The cargo that started us, or the one on the search path.
pub fn cargo(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

/// The folder cargo builds into.
pub fn target_dir(root: &Path) -> Result<PathBuf> {
    let output = cargo(root)
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .stderr(Stdio::inherit())
        .output()
        .context("cargo metadata did not start")?;
    if !output.status.success() {
        bail!("cargo metadata failed; its message stands above");
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("cargo metadata did not print JSON")?;
    metadata["target_directory"].as_str().map(PathBuf::from).context("cargo metadata names no target folder")
}

/// Runs a command to its end; a failure names the command line.
pub fn must_succeed(command: &mut Command) -> Result<()> {
    let line = command_line(command);
    let status = command.status().with_context(|| format!("`{line}` did not start"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Whether a command exists and answers well; what it prints is thrown away.
pub fn answers(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The Python of an environment with these requirements, made unless it is there.
pub fn python(requirements: &Path, folder: &Path) -> Result<PathBuf> {
    let wanted = std::fs::read_to_string(requirements)
        .with_context(|| format!("{} is missing", requirements.display()))?;
    let python = folder.join("bin/python");
    let marker = folder.join("installed.txt");
    if python.is_file() && std::fs::read_to_string(&marker).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    must_succeed(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    must_succeed(
        Command::new(&python)
            .args("-m pip install --quiet --disable-pip-version-check --requirement".split(' '))
            .arg(requirements),
    )?;
    std::fs::write(&marker, wanted).context("the marker cannot be written")?;
    Ok(python)
}

/// Installs what a tool of ours takes from npm, where it is not there as its lock file has it.
pub fn install_from_npm(tool: &Path) -> Result<()> {
    if answers(Command::new("npm").args(["ls", "--all"]).current_dir(tool)) {
        return Ok(());
    }
    must_succeed(Command::new("npm").args(["ci", "--silent", "--no-audit", "--no-fund"]).current_dir(tool))
}

fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_line() {
        let error = must_succeed(Command::new("false").arg("--really")).unwrap_err();
        assert!(error.to_string().starts_with("`false --really` failed"));
    }

    #[test]
    fn a_missing_program_does_not_answer() {
        assert!(!answers(&mut Command::new("no-such-program-here")));
        assert!(answers(&mut Command::new("true")));
    }
}
