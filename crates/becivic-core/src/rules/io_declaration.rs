//! Inputs and outputs are declared once each, and row bounds make sense (§6.1).
//!
//! Example of a violation: two inputs named `origin_country`, or `min_rows: 5` with `max_rows: 2`.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use super::repeated;

/// The rule.
pub const RULE: Rule = Rule {
    id: "io_declaration",
    severity: Severity::Error,
    file: include_str!("io_declaration.rs"),
    check: Check::Skill(check),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let inputs = cx.front.inputs().iter().map(|input| input.name.as_str());
    let outputs = cx.front.outputs().iter().map(|output| output.name.as_str());
    for (list, repetitions) in [("inputs", repeated(inputs)), ("outputs", repeated(outputs))] {
        for (i, name) in repetitions {
            report.at(
                cx.source(),
                cx.skill.place(&format!("/{list}/{i}/name")),
                format!("`{name}` is declared twice in {list}"),
                "Keep one declaration.",
            );
        }
    }
    for (i, input) in cx.front.inputs().iter().enumerate() {
        if input.defaults.is_some_and(|bounds| bounds.min_rows > bounds.max_rows) {
            report.at(
                cx.source(),
                cx.skill.place(&format!("/inputs/{i}/defaults/min_rows")),
                format!("`{}` asks for more rows than it takes", input.name),
                "Make min_rows at most max_rows.",
            );
        }
        let columns = input.columns.iter().flatten().map(|column| column.id.as_str());
        for (c, id) in repeated(columns) {
            report.at(
                cx.source(),
                cx.skill.place(&format!("/inputs/{i}/columns/{c}/id")),
                format!("the column `{id}` stands twice"),
                "Give each column an id of its own.",
            );
        }
    }
}
