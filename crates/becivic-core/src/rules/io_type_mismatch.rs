//! What a skill takes from a required skill has the type that skill gives (§6.1).
//!
//! An input with the name of a dependency's output is filled by it, so their types must be equal.
//!
//! Example of a violation: input `birth_certificate: string` where the required skill outputs
//! `birth_certificate: document_artefact`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "io_type_mismatch",
    severity: Severity::Error,
    file: include_str!("io_type_mismatch.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for required in cx.front.requires() {
        let target = cx.cx.corpus.skills.get(&required.id).and_then(|skill| skill.front.as_ref());
        for output in target.map_or(&[][..], |target| target.outputs()) {
            let inputs = cx.front.inputs().iter().enumerate();
            for (i, input) in inputs.filter(|(_, input)| input.name == output.name) {
                if input.io_type != output.io_type {
                    report.at(
                        cx.source(),
                        cx.skill.place(&format!("/inputs/{i}/type")),
                        format!(
                            "`{}` is {} here, but `{}` yields {}",
                            input.name, input.io_type, required.id, output.io_type
                        ),
                        "Give both the same type, or rename the input.",
                    );
                }
            }
        }
    }
}
