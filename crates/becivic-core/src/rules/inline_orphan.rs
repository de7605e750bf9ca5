//! A `<Path>` or `<Skill>` in the body usually has an entry in the frontmatter (§6.10).
//!
//! An informational mention without one is allowed, so this is a warning.
//!
//! Example of a violation: `<Path id="x" />` in the body and no `x` in `requires_paths`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;
use std::collections::HashSet;

/// The rule.
pub const RULE: Rule = Rule {
    id: "inline_orphan",
    severity: Severity::Warning,
    file: include_str!("inline_orphan.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let mut seen = HashSet::new();
    for tag in &cx.skill.document.tags {
        let Some(id) = tag.value(cx.source(), "id") else {
            continue;
        };
        let (list, declared) = match tag.kind {
            TagKind::Path => ("requires_paths", cx.front.requires_paths().iter().any(|r| r.id == id)),
            TagKind::Skill => ("requires", cx.front.requires().iter().any(|r| r.id == id)),
            TagKind::VV | TagKind::Ref | TagKind::Observations | TagKind::Risk => continue,
        };
        let exists = match tag.kind {
            TagKind::Path => cx.cx.corpus.has_path(&id),
            _ => cx.cx.corpus.has_skill(&id),
        };
        if exists && !declared && seen.insert((list, id.clone())) {
            report.at(
                cx.source(),
                tag.open.start,
                format!("`{id}` is not declared in {list}"),
                format!("Add it to {list}, unless this is only a mention in passing."),
            );
        }
    }
}
