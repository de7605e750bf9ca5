//! A new category is a deliberate act (§6.1, G.3).
//!
//! A category that `schemas/categories.json` does not list is accepted and noted; `becivic index` adds it.
//!
//! Example of a violation: the first skill with `category: belgium-communal`.

use super::{Check, Cx, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "category_new",
    severity: Severity::Warning,
    file: include_str!("category_new.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if is_new(cx.cx, &cx.front.category) {
        let place = cx.skill.place("/category");
        report.at(cx.source(), place, message(&cx.front.category), HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    let category = &cx.path.entry.category;
    if is_new(cx.cx, category) {
        report.at(&cx.paths.source, cx.place("/category"), message(category), HELP);
    }
}

const HELP: &str = "Run `becivic index` to list it, or use an existing category.";

fn message(category: &str) -> String {
    format!("`{category}` is a new category")
}

fn is_new(cx: &Cx<'_>, category: &str) -> bool {
    let listed = cx.corpus.categories.as_deref();
    let known = listed.is_some_and(|(_, listed)| listed.categories.iter().any(|c| c.id == category));
    listed.is_some() && !known && super::category_near_miss::near_miss(cx, category).is_none()
}
