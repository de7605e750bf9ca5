//! A `<Path>` or `<Skill>` in the body usually has an entry in the frontmatter (§6.10).
//!
//! A path stands in `requires_paths`, a skill in `requires`, `prerequisites` or `related`. An informational
//! mention without one is allowed, so this is a warning. Skills about the corpus itself name others as examples
//! and are passed over.
//!
//! Example of a violation: `<Path id="x" />` in the body and no `x` in `requires_paths`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;
use crate::skill::Frontmatter;
use std::collections::HashSet;

/// The rule.
pub const RULE: Rule = Rule {
    id: "inline_orphan",
    severity: Severity::Warning,
    file: include_str!("inline_orphan.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if cx.front.is_meta() {
        return;
    }
    let mut seen = HashSet::new();
    for tag in &cx.skill.document.tags {
        let Some(id) = tag.value(cx.source(), "id") else {
            continue;
        };
        let (list, declared) = match tag.kind {
            TagKind::Path => ("requires_paths", cx.front.requires_paths().iter().any(|r| r.id == id)),
            TagKind::Skill => ("requires", names_skill(cx.front, &id)),
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
                format!("Add it to {list}, or link to it if this is only a mention in passing."),
            );
        }
    }
}

/// Whether the frontmatter names a skill as required, to be done before, or related.
fn names_skill(front: &Frontmatter, id: &str) -> bool {
    let beside = front.prerequisites.iter().chain(&front.related).flatten();
    front.requires().iter().any(|required| required.id == id) || beside.into_iter().any(|other| other == id)
}
