//! `becivic check nrn`: the check digits of national numbers (§12).
//!
//! Each file of `nrn-checksum/` lists values, whether they are numbers of the national register (`nrn`) or
//! of people outside it (`bis`), and whether they are valid. A valid value is found whole by the rule of
//! its kind, an invalid one is not.

use super::{Output, named};
use crate::Outcome;
use crate::cmd::scrub;
use anyhow::{Context, bail};
use becivic_core::finding::Finding;
use becivic_core::scrub::Scrubber;
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;

/// Check the check digits of Belgian national numbers
#[derive(clap::Args)]
pub struct Args {
    /// The fixtures folder: the one that holds nrn-checksum/
    #[arg(default_value = "fixtures", value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    output: Output,
}

const CASES: &str = "nrn-checksum";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    value: String,
    kind: String,
    valid: bool,
    why: String,
}

impl Args {
    /// Runs the check.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let scrubber = scrub::rules::bundled()?;
        let names = named(&self.dir.join(CASES), ".json")?;
        let mut findings = Vec::new();
        for name in &names {
            let shown = format!("{CASES}/{name}.json");
            let bytes = fs::read(self.dir.join(&shown)).with_context(|| format!("cannot read {shown}"))?;
            let cases: Cases =
                serde_json::from_slice(&bytes).with_context(|| format!("{shown} has the wrong shape"))?;
            for (index, case) in cases.cases.iter().enumerate() {
                findings.extend(judge(scrubber, &shown, index, case)?);
            }
        }
        self.output.finish(&self.dir, names.len(), &findings)
    }
}

fn judge(scrubber: &Scrubber, file: &str, index: usize, case: &Case) -> anyhow::Result<Option<Finding>> {
    let Some(rule) = scrubber.rules().iter().position(|rule| rule.name == case.kind) else {
        bail!("{file}: case {index}: there is no rule `{}`", case.kind);
    };
    let hits = scrubber.scan_with(&case.value, |asked| asked == rule);
    let whole = hits.iter().any(|hit| hit.span == (0..case.value.len()));
    let (wrong, verdict) =
        if case.valid { (!whole, "is not found whole") } else { (!hits.is_empty(), "is found") };
    Ok(wrong.then(|| {
        let message = format!("case {index} ({}) {verdict} by the rule `{}`", case.why, case.kind);
        Finding::whole_file("nrn_checksum", file, message, "Mend the rule, its checksum, or the case.")
    }))
}
