//! A skill points to a submission contract that exists (§10.1).
//!
//! `submission_contract_version` 2.1.0 needs `docs/submission-contract-v2.mdx`, and when that document lists
//! its versions, 2.1.0 among them.
//!
//! Example of a violation: `submission_contract_version: 9.0.0`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "contract_unknown",
    severity: Severity::Error,
    file: include_str!("contract_unknown.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let version = &cx.front.submission_contract_version;
    let major = version.split('.').next().and_then(|major| major.parse::<u64>().ok());
    let listed = major.and_then(|major| cx.cx.corpus.contracts.get(&major));
    let known = listed.is_some_and(|versions| versions.is_empty() || versions.contains(version));
    if !known {
        report.at(
            cx.source(),
            cx.skill.place("/submission_contract_version"),
            format!("there is no submission contract {version}"),
            "Use a version listed in docs/submission-contract-v<N>.mdx.",
        );
    }
}
