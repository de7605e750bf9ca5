//! What a form keeps in the profile fits the profile (§6.1, §8.7.4).
//!
//! An input with `render: profile` is named like a field of the profile, alone or as the last part of a dotted one;
//! its options, and the columns of its rows with theirs, are words the profile's schema knows, and it can hold whatever the
//! type answers: months, never days. An answer that does not fit could not be written.
//!
//! Example of a violation: `name: shoe_size` with `render: profile`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::profile::kept;
use crate::skill::Render;

/// The rule.
pub const RULE: Rule = Rule {
    id: "profile_input",
    severity: Severity::Error,
    file: include_str!("profile_input.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for (i, input) in cx.front.inputs().iter().enumerate() {
        if input.render == Some(Render::Profile)
            && let Some((pointer, message)) = kept::misfit(input)
        {
            let place = cx.skill.place(&format!("/inputs/{i}{pointer}"));
            report.at(cx.source(), place, message, "Name it as profile.schema.json does, or leave `render` out.");
        }
    }
}
