//! `becivic check pii`: the scrubber finds in each sample exactly what is written beside it (§12).
//!
//! A sample is `pii-samples/<name>.txt`; `<name>.expected.json` is what `becivic scrub --json` answers.

use super::{Output, named};
use crate::cmd::scrub;
use crate::{Outcome, say, write};
use anyhow::Context;
use becivic_core::finding::Finding;
use becivic_core::scrub::{Answer, NamedHit};
use becivic_core::text::Source;
use std::fs;
use std::path::{Path, PathBuf};

/// Check that the scrubber finds in each sample exactly what is expected
#[derive(clap::Args)]
pub struct Args {
    /// The fixtures folder: the one that holds pii-samples/
    #[arg(default_value = "fixtures", value_name = "DIR")]
    dir: PathBuf,

    /// Write what is found now as what is expected; read the difference before you keep it
    #[arg(long)]
    update: bool,

    #[command(flatten)]
    output: Output,
}

const SAMPLES: &str = "pii-samples";

impl Args {
    /// Runs the check.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let scrubber = scrub::rules::bundled()?;
        let names = named(&self.dir.join(SAMPLES), ".txt")?;
        let mut findings = Vec::new();
        for name in &names {
            let shown = format!("{SAMPLES}/{name}.txt");
            let bytes = fs::read(self.dir.join(&shown)).with_context(|| format!("cannot read {shown}"))?;
            let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not UTF-8"))?;
            let found = scrubber.answer(&text);
            let beside = format!("{SAMPLES}/{name}.expected.json");
            match expected(&self.dir.join(&beside))? {
                Some(expected) if expected == found => {}
                _ if self.update => {
                    let json = serde_json::to_string_pretty(&found)? + "\n";
                    write::replace(&self.dir, &beside, json.as_bytes())?;
                    say::line(format_args!("wrote {beside}"))?;
                }
                Some(expected) => findings.extend(differences(&Source::new(&shown, text), &expected, &found)),
                None => findings.push(Finding::whole_file(
                    "pii_sample",
                    &beside,
                    "there is nothing to compare the sample with",
                    "Write it with --update and read it.",
                )),
            }
        }
        self.output.finish(&self.dir, names.len(), &findings)
    }
}

fn expected(path: &Path) -> anyhow::Result<Option<Answer<'static>>> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&bytes).map(Some).with_context(|| format!("{} is no answer", path.display()))
}

/// Hits that are missing, and hits that nobody expects.
fn differences(source: &Source, expected: &Answer<'_>, found: &Answer<'_>) -> Vec<Finding> {
    let finding = |hit: &NamedHit<'_>, message: String| {
        let offset = u32::try_from(hit.start).unwrap_or(u32::MAX);
        let help = "Mend the rule; or, if the sample is wrong, write it anew with --update.";
        Finding::error("pii_sample", source, offset, message, help)
    };
    let missed = expected.hits.iter().filter(|hit| !found.hits.contains(hit));
    let missed = missed.map(|hit| finding(hit, format!("the rule `{}` no longer finds this", hit.rule)));
    let new = found.hits.iter().filter(|hit| !expected.hits.contains(hit));
    let new = new.map(|hit| finding(hit, format!("the rule `{}` finds something not expected", hit.rule)));
    missed.chain(new).collect()
}
