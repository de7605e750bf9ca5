//! What a check says: which rule, where, what is wrong, and what to do about it.
//!
//! Messages never quote text that a person may have typed about themselves; they name fields, ids and
//! rules. Authors' own identifiers (skill ids, tag names, headings) may appear.

use crate::text::Source;
use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The corpus cannot be published with this.
    Error,
    /// Worth an author's look; publishing goes on.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One thing that is wrong, at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's stable id, e.g. `unresolved_skill`.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// File, relative to the corpus root.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// A sentence that says what is wrong.
    pub message: String,
    /// A sentence that says what to do.
    pub help: String,
}

impl Finding {
    /// An error at a byte offset of a file.
    pub fn error(
        rule: &'static str,
        source: &Source,
        offset: u32,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let position = source.position(offset);
        Self {
            rule,
            severity: Severity::Error,
            file: source.path().to_owned(),
            line: position.line,
            column: position.column,
            message: message.into(),
            help: help.into(),
        }
    }

    /// An error about a whole file (or a folder), before anything in it was read.
    pub fn whole_file(
        rule: &'static str,
        path: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            severity: Severity::Error,
            file: path.to_owned(),
            line: 1,
            column: 1,
            message: message.into(),
            help: help.into(),
        }
    }

    /// The order in which findings are shown: by file, then place, then rule.
    pub fn sort(findings: &mut [Finding]) {
        findings.sort_by(|a, b| {
            (&a.file, a.line, a.column, a.rule, &a.message)
                .cmp(&(&b.file, b.line, b.column, b.rule, &b.message))
        });
    }
}

/// Something wrong in a data file, by JSON pointer: where, what, and what to do. It becomes a finding
/// once the file's lines are at hand.
pub type PointedProblem = (String, String, String);

/// At most this many findings are kept per file; one more says how many were left out.
pub const MAX_FINDINGS_PER_FILE: usize = 1_000;
