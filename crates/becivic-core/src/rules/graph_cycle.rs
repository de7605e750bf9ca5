//! Skills do not need each other in a circle (§6.1, §6.6, §24.2).
//!
//! Neither through `requires` nor through `prerequisites`: such a circle could never be begun. One finding per
//! knot, with a shortest circle in it; a skill that needs itself is one too, and so is one `related` to itself.
//!
//! Example of a violation: a requires b, b requires c, c requires a.

use super::{Check, Cx, Report, Rule};
use crate::corpus::Skill;
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
    if cx.touched.is_some_and(|touched| !touched.graph) {
        return;
    }
    for (id, skill) in &cx.corpus.skills {
        let related = skill.front.iter().flat_map(|front| front.related.iter().flatten());
        if let Some(index) = related.into_iter().position(|other| other == id) {
            let place = skill.place(&format!("/related/{index}"));
            report.at(&skill.source, place, "the skill is related to itself", "Remove it from the list.");
        }
    }
    for cycle in Composition::of(cx.corpus).cycles() {
        let Some(skill) = cycle.first().and_then(|id| cx.corpus.skills.get(*id)) else {
            continue;
        };
        let next = cycle.get(1).or(cycle.first()).copied().unwrap_or_default();
        report.at(
            &skill.source,
            skill.place(&edge(skill, next)),
            message(&cycle),
            "Remove one of these edges; move what both need into a skill of its own.",
        );
    }
}

/// The pointer of the edge from a skill to what it needs.
fn edge(skill: &Skill, needed: &str) -> String {
    let fronts = || skill.front.iter();
    let mut requires = fronts().flat_map(|front| front.requires());
    let mut before = fronts().flat_map(|front| front.prerequisites.iter().flatten());
    match requires.position(|edge| edge.id == needed) {
        Some(index) => format!("/requires/{index}/id"),
        None => format!("/prerequisites/{}", before.position(|id| id == needed).unwrap_or(0)),
    }
}

fn message(cycle: &[&str]) -> String {
    /// Longer circles are cut in the middle of nowhere; their length is said.
    const SHOWN: usize = 12;
    let first = cycle.first().copied().unwrap_or_default();
    if cycle.len() == 1 {
        return "the skill needs itself".to_owned();
    }
    let shown: Vec<&str> = cycle.iter().copied().take(SHOWN).collect();
    let rest = if cycle.len() > SHOWN { " → …" } else { "" };
    let circle = shown.join(" → ");
    format!("{} skills need each other in a circle: {circle}{rest} → {first}", cycle.len())
}
