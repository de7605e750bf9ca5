//! A body imports and exports nothing (DECISIONS §9b).
//!
//! Example of a violation: `import X from "./x"`.

use super::{Check, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "mdx_import",
    severity: Severity::Error,
    file: include_str!("mdx_import.rs"),
    check: Check::Reading,
};
