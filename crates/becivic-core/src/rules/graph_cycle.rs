//! Skills do not require each other in a circle (§6.1, §6.6).
//!
//! One finding per knot, with a shortest circle in it; a skill that requires itself is one too.
//!
//! Example of a violation: a requires b, b requires c, c requires a.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::graph::Composition;

/// The rule.
pub const RULE: Rule = Rule {
    id: "graph_cycle",
    severity: Severity::Error,
    file: include_str!("graph_cycle.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for cycle in Composition::of(cx.corpus).cycles() {
        let Some(skill) = cycle.first().and_then(|id| cx.corpus.skills.get(*id)) else {
            continue;
        };
        let next = cycle.get(1).or(cycle.first()).copied().unwrap_or_default();
        let requires = skill.front.iter().flat_map(|front| front.requires());
        let index = requires.map(|r| r.id.as_str()).position(|id| id == next).unwrap_or(0);
        let shown: Vec<&str> = cycle.iter().copied().take(12).collect();
        let rest = if cycle.len() > shown.len() { " → …" } else { "" };
        report.at(
            &skill.source,
            skill.place(&format!("/requires/{index}/id")),
            if cycle.len() == 1 { "the skill requires itself".to_owned() } else { format!(
                "{} skills require each other in a circle: {}{rest} → {}",
                cycle.len(),
                shown.join(" → "),
                skill.folder
            ) },
            "Remove one of these edges; move what both need into a skill of its own.",
        );
    }
}
