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
    if !cx.cx.corpus.has_directory() {
        // `data_missing` says so once.
        return;
    }
    for (i, required) in cx.front.requires_paths().iter().enumerate() {
        if !cx.cx.corpus.has_path(&required.id) {
            let place = cx.skill.place(&format!("/requires_paths/{i}/id"));
            report.at(cx.source(), place, message(&required.id), HELP);
        }
    }
    for tag in cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Path) {
        if let Some(id) = tag.value(cx.source(), "id")
            && !cx.cx.corpus.has_path(&id)
        {
            report.at(cx.source(), tag.value_offset(cx.source(), "id"), message(&id), HELP);
        }
    }
}

const HELP: &str = "Name an entry of paths/index.json, or add that entry in the same change.";

fn message(id: &str) -> String {
    format!("there is no path `{id}`")
}
