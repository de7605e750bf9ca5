//! `becivic check fixtures`: every fixture does what its name says (§12).
//!
//! 1. `index.json` says which folder holds documents of which schema.
//! 2. A file under `valid/` is refused by nothing; a file under `invalid/` is refused exactly once, for
//!    the reason its name begins with.
//! 3. Submissions are resolved against the fixtures' own corpus and list of known concerns.

use super::Output;
use crate::{Outcome, folder};
use anyhow::{Context, bail};
use becivic_core::corpus::{Corpus, KnownTargets};
use becivic_core::finding::Finding;
use becivic_core::json;
use becivic_core::preflight;
use becivic_core::schema::Schema;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Check that each fixture does what its name says
///
/// Files under valid/ must be refused by nothing, files under invalid/ exactly once, for the rule their
/// name begins with.
#[derive(clap::Args)]
pub struct Args {
    /// The fixtures folder: the one that holds index.json and corpus/
    #[arg(default_value = "fixtures", value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    output: Output,
}

impl Args {
    /// Runs the check.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let index: BTreeMap<String, String> = read_list(&self.dir.join("index.json"))?;
        let concerns: BTreeSet<String> = read_list(&self.dir.join("known-concerns.json"))?;
        let corpus = folder::read(&self.dir.join("corpus"), None)?.corpus;
        let known = Known { corpus, concerns };
        let mut findings = Vec::new();
        let mut files = 0;
        for (folder, name) in &index {
            let Some(schema) = Schema::named(name) else {
                bail!("index.json names the schema `{name}`, which does not exist");
            };
            for (part, valid) in [("valid", true), ("invalid", false)] {
                let mut paths = Vec::new();
                json_files(&self.dir.join(folder).join(part), &mut paths)?;
                files += paths.len();
                for path in paths {
                    findings.extend(known.judge(&self.dir, &path, schema, valid)?);
                }
            }
        }
        self.output.finish(&self.dir, files, &findings)
    }
}

struct Known {
    corpus: Corpus,
    concerns: BTreeSet<String>,
}

impl Known {
    fn judge(&self, dir: &Path, path: &Path, schema: Schema, valid: bool) -> anyhow::Result<Option<Finding>> {
        let targets = KnownTargets {
            corpus: &self.corpus,
            catalogue: &self.corpus.catalogue,
            concerns: &self.concerns,
        };
        let shown = path.strip_prefix(dir).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let finding =
            |message: String, help: &str| Some(Finding::whole_file("schema_fail", &shown, message, help));
        let value = match read_value(path)? {
            Ok(value) => value,
            Err(message) => return Ok(finding(message, "A fixture is strict JSON.")),
        };
        let refusals = preflight::judge(schema, &value, &targets);
        let reasons: Vec<String> =
            refusals.iter().map(|r| format!("{} at `{}`: {}", r.category, r.pointer, r.message)).collect();
        let reasons = reasons.join("; ");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let rule = name.split('.').next().unwrap_or_default();
        Ok(match (valid, refusals.as_slice()) {
            (true, []) => None,
            (true, _) => {
                finding(format!("a valid fixture is refused: {reasons}"), "Mend the fixture, or the schema.")
            }
            (false, [one]) if one.category.as_str() == rule => None,
            (false, []) => finding(
                format!("nothing refuses it, though its name says {rule}"),
                "Break exactly that rule in it.",
            ),
            (false, _) => finding(
                format!("it must break {rule} exactly once, but: {reasons}"),
                "Keep one mistake in it and name the file for it.",
            ),
        })
    }
}

fn read_list<T: for<'de> serde::Deserialize<'de>>(path: &Path) -> anyhow::Result<T> {
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} has the wrong shape", path.display()))
}

/// A fixture's value, or why it is not JSON.
fn read_value(path: &Path) -> anyhow::Result<Result<Value, String>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(json::read(&text).map(|node| node.into_value()).map_err(|error| error.message))
}

fn json_files(dir: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Ok(());
    };
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            json_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
    Ok(())
}
