//! What the frontmatter requires is anchored in the body (§6.1, §6.10).
//!
//! An agent reading the body learns from the tag *where* a path or skill fires. Drafts have no body yet and
//! are passed over.
//!
//! Example of a violation: `requires: [{id: x}]` and no `<Skill id="x" />`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "requires_unanchored",
    severity: Severity::Warning,
    file: include_str!("requires_unanchored.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if !cx.front.status.is_published() || super::body_missing::is_empty(cx) {
        return;
    }
    let anchored = |kind: TagKind, id: &str| {
        let mut tags = cx.skill.document.tags.iter().filter(|tag| tag.kind == kind);
        tags.any(|tag| tag.value(cx.source(), "id").as_deref() == Some(id))
    };
    for (i, required) in cx.front.requires().iter().enumerate() {
        if cx.cx.corpus.has_skill(&required.id) && !anchored(TagKind::Skill, &required.id) {
            let place = cx.skill.place(&format!("/requires/{i}/id"));
            let help = format!("Write <Skill id=\"{}\" /> at the step that needs it.", required.id);
            report.at(cx.source(), place, message(&required.id), help);
        }
    }
    for (i, required) in cx.front.requires_paths().iter().enumerate() {
        if cx.cx.corpus.has_path(&required.id) && !anchored(TagKind::Path, &required.id) {
            let place = cx.skill.place(&format!("/requires_paths/{i}/id"));
            let help = format!("Write <Path id=\"{}\" /> at the step that needs it.", required.id);
            report.at(cx.source(), place, message(&required.id), help);
        }
    }
}

fn message(id: &str) -> String {
    format!("the body never says where `{id}` is needed")
}
