//! Every path that is named exists (§6.1, §6.10).
//!
//! `requires_paths` and `<Path id>` resolve against `paths/index.json`.
//!
//! Example of a violation: `<Path id="no-such-path" />`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "unresolved_path",
    severity: Severity::Error,
    file: include_str!("unresolved_path.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let required = cx.front.requires_paths().iter().enumerate();
    let required = required.map(|(i, entry)| {
        (cx.skill.place(&format!("/requires_paths/{i}/id")), entry.id.clone())
    });
    let tags = cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Path);
    let tags = tags.filter_map(|tag| {
        let id = tag.value(cx.source(), "id")?;
        Some((tag.value_offset(cx.source(), "id"), id.into_owned()))
    });
    for (place, id) in required.chain(tags) {
        if !cx.cx.corpus.has_path(&id) {
            report.at(
                cx.source(),
                place,
                format!("there is no path `{id}`"),
                "Name an entry of paths/index.json, or add that entry in the same change.",
            );
        }
    }
}
