//! Findings on paper: for people, for programs, for code hosts.

mod github;
mod human;
mod json;
mod sarif;

use becivic_core::finding::{Finding, Severity};
use std::io::{self, Write};
use std::path::Path;

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For reading on a terminal
    Human,
    /// One JSON object with every finding
    Json,
    /// SARIF 2.1.0, for code-scanning tools
    Sarif,
    /// Workflow commands that annotate a pull request
    Github,
}

/// Findings and what was looked at.
pub struct Report<'a> {
    /// The corpus folder as given; findings' files are relative to it.
    pub dir: &'a Path,
    /// How many files were looked at.
    pub files: usize,
    /// How many findings the human format lists.
    pub limit: usize,
    /// The findings, sorted.
    pub findings: &'a [Finding],
}

impl Report<'_> {
    /// Writes the report to standard output.
    pub fn print(&self, format: Format) -> io::Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        match format {
            Format::Human => human::write(self, &mut out)?,
            Format::Json => json::write(self, &mut out)?,
            Format::Sarif => sarif::write(self, &mut out)?,
            Format::Github => github::write(self, &mut out)?,
        }
        out.flush()
    }

    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// A finding's file with the folder before it, `/` separated.
    fn path(&self, finding: &Finding) -> String {
        let path = self.dir.join(&finding.file);
        let path = path.strip_prefix("./").unwrap_or(&path);
        path.to_string_lossy().replace('\\', "/")
    }
}
