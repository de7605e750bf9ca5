//! The format for people: place, sentence, what to do; a line that counts at the end.

use super::Report;
use crate::say::shown;
use becivic_core::finding::Severity;
use std::io::{self, IsTerminal, Write};

pub fn write(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let paint = Paint::new();
    for finding in report.findings.iter().take(report.limit) {
        let severity = match finding.severity {
            Severity::Error => paint.red("error"),
            Severity::Warning => paint.yellow("warning"),
        };
        let place = format!("{}:{}:{}", shown(&report.path(finding)), finding.line, finding.column);
        writeln!(out, "{}: {severity}[{}]: {}", paint.bold(&place), finding.rule, shown(&finding.message))?;
        writeln!(out, "    {}", shown(&finding.help))?;
    }
    let hidden = report.findings.len().saturating_sub(report.limit);
    if hidden > 0 {
        writeln!(out, "… and {hidden} more; --max-findings 0 or --format json lists them all.")?;
    }
    let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
    let files = report.files;
    if errors + warnings == 0 {
        writeln!(out, "{files} files checked, nothing to report.")
    } else {
        writeln!(
            out,
            "{files} files checked: {}, {}. `becivic check --explain RULE` tells more.",
            counted(errors, "error"),
            counted(warnings, "warning")
        )
    }
}

fn counted(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

/// Colours, where they will be seen and are welcome (no-color.org).
struct Paint {
    on: bool,
}

impl Paint {
    fn new() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { on: io::stdout().is_terminal() && !refused }
    }

    fn red(&self, text: &str) -> String {
        self.code("31", text)
    }

    fn yellow(&self, text: &str) -> String {
        self.code("33", text)
    }

    fn bold(&self, text: &str) -> String {
        self.code("1", text)
    }

    fn code(&self, code: &str, text: &str) -> String {
        if self.on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
