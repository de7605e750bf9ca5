//! A new category is not a misspelling of an existing one (§6.1, G.3).
//!
//! Categories are open, but a new one within edit distance 2 of a listed one is refused.
//!
//! Example of a violation: `category: belgium-federall`.

use super::{Check, Cx, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "category_near_miss",
    severity: Severity::Error,
    file: include_str!("category_near_miss.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if let Some(near) = near_miss(cx.cx, &cx.front.category) {
        let place = cx.skill.place("/category");
        report.at(cx.source(), place, message(&cx.front.category, &near), HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let category = &cx.path.entry.category;
    if let Some(near) = near_miss(cx.cx, category) {
        report.at(&cx.paths.source, cx.place("/category"), message(category, &near), HELP);
    }
}

const HELP: &str = "Use the existing category, or choose a name that cannot be confused with it.";

fn message(category: &str, near: &str) -> String {
    format!("`{category}` is not a category, but `{near}` is")
}

/// The listed category an unlisted one is confusingly close to.
pub fn near_miss(cx: &Cx<'_>, category: &str) -> Option<String> {
    let (_, listed) = cx.corpus.categories.as_deref()?;
    let ids = || listed.categories.iter().map(|listed| listed.id.as_str());
    if ids().any(|id| id == category) {
        return None;
    }
    ids().find(|id| strsim::levenshtein(id, category) <= 2).map(str::to_owned)
}
