//! A path's `id` is its key in the catalogue (§6.12.1).
//!
//! Example of a violation: `"a": {"id": "b", …}`.

use super::{Check, PathCx, Report, Rule};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "path_id_matches_key",
    severity: Severity::Error,
    file: include_str!("path_id_matches_key.rs"),
    check: Check::Path(check),
};

fn check(cx: &PathCx<'_>, report: &mut Report<'_>) {
    if cx.path.entry.id != cx.path.key {
        report.at(
            &cx.paths.source,
            cx.place("/id"),
            format!("the id is `{}`, but the key is `{}`", cx.path.entry.id, cx.path.key),
            "Make them equal.",
        );
    }
}
