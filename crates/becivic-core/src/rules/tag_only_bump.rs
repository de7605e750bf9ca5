//! An edit of tag form alone does not bump the version (Rule 14, DECISIONS §5).
//!
//! Turning `[name]` into `<Ref>`, filling a uid, or taking over the catalogue's current value changes nothing
//! a reader validated.
//!
//! Example of a violation: filling a uid and going from 0.1.3 to 0.1.4. Needs `--base`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::change::edit_of;
use crate::version::Edit;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tag_only_bump",
    severity: Severity::Error,
    file: include_str!("tag_only_bump.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let Some(before) = cx.cx.change.and_then(|change| change.skill(&cx.skill.folder)?.before.as_ref())
    else {
        return;
    };
    let Some(was) = &before.front else {
        return;
    };
    let tag_only = edit_of(before, cx.skill, cx.cx.catalogue) == Edit::TagOnly;
    if tag_only && was.version != cx.front.version && cx.front.version_pin != Some(true) {
        report.at(
            cx.source(),
            cx.skill.place("/version"),
            format!("only the form of tags changed, but the version went from {} to {}", was.version, cx.front.version),
            format!("Set the version back to {}.", was.version),
        );
    }
}
