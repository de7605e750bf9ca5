//! Each category is listed once (§6.1).
//!
//! Example of a violation: two entries `meta` in `schemas/categories.json`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use super::repeated;

/// The rule.
pub const RULE: Rule = Rule {
    id: "categories_invalid",
    severity: Severity::Error,
    file: include_str!("categories_invalid.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let Some((source, listed)) = cx.corpus.categories.as_deref() else {
        return;
    };
    for (_, id) in repeated(listed.categories.iter().map(|category| category.id.as_str())) {
        let place = source.text().rfind(&format!("\"{id}\"")).unwrap_or(0);
        report.at(
            source,
            u32::try_from(place).unwrap_or(0),
            format!("the category `{id}` is listed twice"),
            "Keep one entry.",
        );
    }
}
