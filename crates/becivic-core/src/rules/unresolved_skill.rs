//! Every skill that is named exists (§6.1, §6.6, §6.10).
//!
//! Looked at: `requires`, `prerequisites`, `related`, `<Skill id>` and `<Observations skill>` in skills, and
//! `related_skills` in paths. `superseded_by` has a rule of its own.
//!
//! Example of a violation: `<Skill id="medical-atestation" />`.

use super::{Check, Cx, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;
use crate::text::Source;

/// The rule.
pub const RULE: Rule = Rule {
    id: "unresolved_skill",
    severity: Severity::Error,
    file: include_str!("unresolved_skill.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let front = cx.front;
    for (i, required) in front.requires().iter().enumerate() {
        let place = || cx.skill.place(&format!("/requires/{i}/id"));
        unresolved(cx.cx, cx.source(), place, &required.id, report);
    }
    for (field, ids) in [("prerequisites", &front.prerequisites), ("related", &front.related)] {
        for (i, id) in ids.iter().flatten().enumerate() {
            let place = || cx.skill.place(&format!("/{field}/{i}"));
            unresolved(cx.cx, cx.source(), place, id, report);
        }
    }
    for tag in &cx.skill.document.tags {
        let attribute = match tag.kind {
            TagKind::Skill => "id",
            TagKind::Observations => "skill",
            TagKind::VV | TagKind::Ref | TagKind::Path | TagKind::Risk => continue,
        };
        if let Some(id) = tag.value(cx.source(), attribute) {
            let place = || tag.value_offset(cx.source(), attribute);
            unresolved(cx.cx, cx.source(), place, &id, report);
        }
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (i, id) in cx.path.entry.related_skills.iter().enumerate() {
        let place = || cx.place(&format!("/related_skills/{i}"));
        unresolved(cx.cx, &cx.paths.source, place, id, report);
    }
}

fn unresolved(
    cx: &Cx<'_>,
    source: &Source,
    place: impl FnOnce() -> u32,
    id: &str,
    report: &mut Report<'_>,
) {
    if !cx.corpus.has_skill(id) {
        report.at(
            source,
            place(),
            format!("there is no skill `{id}`"),
            "Name an existing folder of skills/, or add that skill in the same change.",
        );
    }
}
