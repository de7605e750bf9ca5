//! A file may not be larger than its kind allows.
//!
//! Each kind of file has a limit far above its usual size (a skill 1 MiB, the Path Directory 32 MiB),
//! so that one file cannot exhaust a checker's memory. A file over it is not read at all.
//!
//! Example of a violation: a 50 MB `skills/x/canonical.md`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "file_too_large",
    severity: Severity::Error,
    file: include_str!("file_too_large.rs"),
    check: Check::Reading,
};
