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
    if cx.cx.corpus.has_contracts() && !cx.cx.corpus.has_contract(version) {
        report.at(
            cx.source(),
            cx.skill.place("/submission_contract_version"),
            format!("there is no submission contract {version}"),
            "Use a version listed in docs/submission-contract-v<N>.mdx.",
        );
    }
}
