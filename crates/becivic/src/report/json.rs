//! One JSON object: counts, and every finding.

use super::Report;
use becivic_core::finding::Severity;
use serde_json::json;
use std::io::{self, Write};

pub fn write(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let document = json!({
        "files": report.files,
        "errors": report.count(Severity::Error),
        "warnings": report.count(Severity::Warning),
        "findings": report.findings,
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
