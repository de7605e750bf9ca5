//! `becivic check categories`: the periodic audit of the open list of categories (§6.1, §12).
//!
//! 1. A listed category that nothing uses is an orphan.
//! 2. Two listed categories within edit distance 2 invite confusion.

use super::Output;
use crate::{Outcome, folder};
use becivic_core::corpus::Corpus;
use becivic_core::finding::{Finding, Severity};
use becivic_core::text::Source;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Audit the list of categories: unused ones, and names too close to each other
#[derive(clap::Args)]
pub struct Args {
    /// The corpus folder
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    output: Output,
}

impl Args {
    /// Runs the audit.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let read = folder::read(&self.dir, None)?;
        let mut findings = match read.corpus.categories.as_deref() {
            Some((source, _)) => audit(&read.corpus, source),
            None => vec![Finding::whole_file(
                "category_new",
                "schemas/categories.json",
                "there is no readable list of categories",
                "Run `becivic index` to make one from the categories in use.",
            )],
        };
        findings.extend(read.corpus.findings.into_iter().filter(|f| f.file == "schemas/categories.json"));
        self.output.finish(&self.dir, read.files, &findings)
    }
}

fn audit(corpus: &Corpus, source: &Source) -> Vec<Finding> {
    let skills = corpus.skills.values().filter_map(|skill| skill.front.as_ref());
    let paths = corpus.paths.iter().flat_map(|paths| paths.entries.values());
    let used: BTreeSet<&str> = skills
        .map(|front| front.category.as_str())
        .chain(paths.map(|path| path.entry.category.as_str()))
        .collect();
    let listed: Vec<&str> = corpus
        .categories
        .iter()
        .flat_map(|listed| listed.1.categories.iter().map(|category| category.id.as_str()))
        .collect();
    let mut findings = Vec::new();
    for (index, id) in listed.iter().enumerate() {
        let offset = source.text().find(&format!("\"{id}\"")).unwrap_or(0);
        let mut note = |rule: &'static str, message: String, help: &str| {
            let offset = u32::try_from(offset).unwrap_or(0);
            let mut finding = Finding::error(rule, source, offset, message, help);
            finding.severity = Severity::Warning;
            findings.push(finding);
        };
        if !used.contains(id) {
            note(
                "category_unused",
                format!("no skill and no path uses the category `{id}`"),
                "Remove it, or leave it for content that is coming.",
            );
        }
        for other in listed.iter().skip(index + 1) {
            if strsim::levenshtein(id, other) <= 2 {
                note(
                    "category_near_miss",
                    format!("`{id}` and `{other}` are easily confused"),
                    "Merge the two, or rename one.",
                );
            }
        }
    }
    findings
}
