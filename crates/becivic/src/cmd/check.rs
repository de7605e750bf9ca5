//! `becivic check`: the rule engine over a corpus folder.

mod categories;
mod explain;
mod fixtures;
mod nrn;
mod pii;

use crate::base::BaseTree;
use crate::report::{Format, Report};
use crate::{Outcome, folder, say};
use anyhow::{Context, bail};
use becivic_core::finding::{Finding, Severity};
use becivic_core::rules;
use std::fs;
use std::path::{Path, PathBuf};

/// Check a corpus against every rule
///
/// Reads skills, paths, data and the catalogue seeds of a corpus folder and reports what is wrong, where,
/// and what to do. The same rules run on pull requests and before a submission leaves a machine.
///
/// With --base, rules about history run too: what a change may bump, who may fill a uid. With --strict,
/// rules for a corpus that is published run too, and a warning counts as an error.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  becivic check corpus\n  becivic check corpus --strict\n  becivic check corpus --base main\n  becivic check corpus --format sarif > findings.sarif\n  becivic check --explain inline_orphan\n\nExit codes: 0 no errors, 1 errors (or warnings with --strict or --deny-warnings), 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The corpus folder: the one that holds skills/ and paths/
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,

    /// Also hold the corpus to what is published: every number cited, every amount tagged and sourced, four
    /// languages, one connected graph
    #[arg(long)]
    strict: bool,

    /// Also run the rules about history, against this Git revision
    #[arg(long, value_name = "REV")]
    base: Option<String>,

    #[command(flatten)]
    output: Output,

    /// Print what a rule asks, why, and an example
    #[arg(long, value_name = "RULE", conflicts_with_all = ["base", "rules", "strict"])]
    explain: Option<String>,

    /// List every rule with its severity
    #[arg(long, conflicts_with_all = ["base", "strict"])]
    rules: bool,

    #[command(subcommand)]
    part: Option<Part>,
}

/// The Path Directory.
const PATHS: &str = "paths/index.json";

/// How findings are shown, and what counts as failure.
#[derive(Clone, clap::Args)]
pub struct Output {
    /// How to write the findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Treat warnings like errors
    #[arg(long)]
    pub deny_warnings: bool,

    /// How many findings the human format lists (0: all)
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub max_findings: usize,
}

#[derive(clap::Subcommand)]
enum Part {
    Categories(categories::Args),
    Fixtures(fixtures::Args),
    Nrn(nrn::Args),
    Pii(pii::Args),
    /// Check the Path Directory alone
    Paths {
        /// The corpus folder
        #[arg(default_value = ".", value_name = "DIR")]
        dir: PathBuf,
        #[command(flatten)]
        output: Output,
    },
}

impl Args {
    /// Runs the check.
    pub fn run(self) -> anyhow::Result<Outcome> {
        if let Some(rule) = &self.explain {
            return explain::run(rule);
        }
        if self.rules {
            return explain::list();
        }
        match self.part {
            None => {
                let (files, findings) = corpus(&self.dir, self.base.as_deref(), self.strict)?;
                let deny_warnings = self.strict || self.output.deny_warnings;
                Output { deny_warnings, ..self.output }.finish(&self.dir, files, &findings)
            }
            Some(Part::Categories(args)) => args.run(),
            Some(Part::Fixtures(args)) => args.run(),
            Some(Part::Nrn(args)) => args.run(),
            Some(Part::Pii(args)) => args.run(),
            Some(Part::Paths { dir, output }) => {
                let (files, findings) = paths(&dir)?;
                output.finish(&dir, files, &findings)
            }
        }
    }
}

impl Output {
    /// Prints findings and says how the check ended.
    pub fn finish(&self, dir: &Path, files: usize, findings: &[Finding]) -> anyhow::Result<Outcome> {
        let limit = if self.max_findings == 0 { usize::MAX } else { self.max_findings };
        let report = Report { dir, files, limit, findings };
        say::printed(report.print(self.format))?;
        let errors = report.count(Severity::Error);
        let warnings = report.count(Severity::Warning);
        let failed = errors > 0 || (self.deny_warnings && warnings > 0);
        Ok(if failed { Outcome::Findings } else { Outcome::Fine })
    }
}

/// The files of a folder whose names end so, without the ending, in order; to have none is an error.
fn named(dir: &Path, ending: &str) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(ending).map(str::to_owned));
    }
    if names.is_empty() {
        bail!("{} holds no file *{ending}", dir.display());
    }
    names.sort_unstable();
    Ok(names)
}

/// Checks the Path Directory of the corpus in `dir`; to have none is a finding here.
fn paths(dir: &Path) -> anyhow::Result<(usize, Vec<Finding>)> {
    let (files, mut findings) = corpus(dir, None, false)?;
    findings.retain(|finding| finding.file == "paths" || finding.file.starts_with("paths/"));
    let there = fs::symlink_metadata(dir.join(PATHS)).is_ok();
    if !there && !findings.iter().any(|finding| finding.file == PATHS) {
        findings.push(Finding::whole_file(
            "data_missing",
            PATHS,
            "there is no Path Directory here",
            "Give the folder that holds skills/ and paths/, or start a path with `becivic new path`.",
        ));
    }
    Ok((files, findings))
}

/// Reads and checks the corpus in `dir`: how many files, and what was found.
pub fn corpus(dir: &Path, base: Option<&str>, strict: bool) -> anyhow::Result<(usize, Vec<Finding>)> {
    let base = base.map(|revision| BaseTree::open(dir, revision)).transpose()?;
    let read = folder::read(dir, base.as_ref().map(|base| &base.blobs))?;
    let change = base.map(|base| base.change(dir, read.changed)).transpose()?;
    let check = if strict { rules::check_strictly } else { rules::check };
    let findings = check(&read.corpus, &read.corpus.catalogue, change.as_ref());
    // The process ends soon: returning a large corpus' memory piece by piece would only cost time.
    std::mem::forget(read.corpus);
    Ok((read.files, findings))
}
