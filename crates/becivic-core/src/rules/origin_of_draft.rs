//! A skeleton is a maintainer's (Rule 10).
//!
//! `status: draft` is for skeletons and work in progress by maintainers, so its origin is `be-civic`. A
//! community proposal enters at alpha.
//!
//! Example of a violation: `status: draft` with `origin: community`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::vocabulary::{Origin, Status};

/// The rule.
pub const RULE: Rule = Rule {
    id: "origin_of_draft",
    severity: Severity::Error,
    file: include_str!("origin_of_draft.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    if cx.front.status == Status::Draft && cx.front.origin == Origin::Community {
        report.at(
            cx.source(),
            cx.skill.place("/origin"),
            "a community skill is never a draft skeleton",
            "Set `status: alpha` (version 0.1.0), or `origin: be-civic` for a maintainer's skeleton.",
        );
    }
}
