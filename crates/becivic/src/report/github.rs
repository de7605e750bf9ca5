//! Workflow commands: one line per finding, which a code host shows beside the changed line.

use super::Report;
use std::io::{self, Write};

pub fn write(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    for finding in report.findings {
        writeln!(
            out,
            "::{} file={},line={},col={},title={}::{}",
            finding.severity.as_str(),
            property(&report.path(finding)),
            finding.line,
            finding.column,
            property(finding.rule),
            data(&format!("{}. {}", finding.message, finding.help)),
        )?;
    }
    Ok(())
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
