//! A skill's `id` is the name of its folder (§6.1).
//!
//! Example of a violation: `skills/change-of-address/canonical.md` with `id: address-change`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "id_matches_folder",
    severity: Severity::Error,
    file: include_str!("id_matches_folder.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if cx.front.id != cx.skill.folder {
        report.at(
            cx.source(),
            cx.skill.place("/id"),
            format!("the id is `{}`, but the folder is `{}`", cx.front.id, cx.skill.folder),
            "Make them equal.",
        );
    }
}
