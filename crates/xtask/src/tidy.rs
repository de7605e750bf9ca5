//! `cargo xtask tidy`: maps rot when nothing checks them.
//!
//! 1. Read every file of the checkout that Git does not ignore ([`tree`]).
//! 2. Run each check of [`CHECKS`] over that tree; a check is a pure function from tree to findings.
//! 3. Print each finding as `file:line: sentence (what to do)`, sorted, and answer whether there were any.

mod arrows;
mod dependencies;
mod documents;
mod links;
mod manifest;
mod markdown;
mod paths;
mod sources;
mod tree;

use std::fmt;
use std::path::Path;

use anyhow::Result;

use crate::Outcome;
use tree::Tree;

/// Arguments of `cargo xtask tidy`: there are none.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// One thing that is not as the maps say.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    file: String,
    line: usize,
    sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.sentence)
    }
}

fn finding(file: &str, line: usize, sentence: impl Into<String>) -> Finding {
    Finding { file: file.to_owned(), line, sentence: sentence.into() }
}

/// Every check, each in a file of its own.
const CHECKS: &[fn(&Tree) -> Vec<Finding>] =
    &[documents::check, arrows::check, paths::check, links::check, sources::check, dependencies::check];

/// Runs every check over the checkout and prints what it found.
pub fn run(root: &Path, _args: &Args) -> Result<Outcome> {
    let tree = Tree::read(root)?;
    let findings = findings(&tree);
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: {} files checked, no findings", tree.len());
        return Ok(Outcome::Fine);
    }
    println!("tidy: {} files checked, {} findings", tree.len(), findings.len());
    Ok(Outcome::Findings)
}

fn findings(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<_> = CHECKS.iter().flat_map(|check| check(tree)).collect();
    findings.sort();
    findings.dedup();
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_reads_as_file_line_sentence() {
        let one = finding("README.md", 3, "the link is dead (fix it)");
        assert_eq!(one.to_string(), "README.md:3: the link is dead (fix it)");
    }

    #[test]
    fn findings_of_all_checks_come_sorted() {
        let tree = Tree::of(&[("crates/becivic-core/src/lib.rs", concat!("todo", "!()\n"))]);
        let found = findings(&tree);
        assert!(found.is_sorted());
        assert!(found.iter().any(|f| f.file.ends_with("lib.rs")));
        assert!(found.iter().any(|f| f.file == "ARCHITECTURE.md"));
    }
}
