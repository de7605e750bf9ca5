//! A skill shows its own observations, once (§6.10).
//!
//! Example of a violation: `<Observations skill="another-skill" />`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "observations_of_other_skill",
    severity: Severity::Error,
    file: include_str!("observations_of_other_skill.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let tags = cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Observations);
    for (index, tag) in tags.enumerate() {
        let other = tag.value(cx.source(), "skill").is_some_and(|id| id != cx.skill.folder);
        let known = tag.value(cx.source(), "skill").is_some_and(|id| cx.cx.corpus.has_skill(&id));
        if other && known {
            report.at(
                cx.source(),
                tag.open.start,
                "these are the observations of another skill",
                format!("Write <Observations skill=\"{}\" />.", cx.skill.folder),
            );
        } else if index > 0 {
            report.at(
                cx.source(),
                tag.open.start,
                "the observations stand twice",
                "Keep one <Observations …/> tag, in `Community observations`.",
            );
        }
    }
}
