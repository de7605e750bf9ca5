//! Every skill can be reached from every other (§24.2).
//!
//! With `--strict`: the lines `requires`, `prerequisites` and `related`, taken in either direction, join all
//! skills that the graph shows. A skill that nothing leads to is found by nobody who begins elsewhere.
//!
//! Example of a violation: a new skill that no other names and that names no other.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::skill::FALLBACK;
use std::collections::{BTreeMap, BTreeSet};

/// The rule.
pub const RULE: Rule = Rule {
    id: "graph_disconnected",
    severity: Severity::Error,
    file: include_str!("graph_disconnected.rs"),
    check: Check::Strict(&Check::Corpus(check)),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    let shown = || cx.corpus.skills.iter().filter_map(|(id, skill)| Some((id, skill, skill.front.as_ref()?)));
    let mut lines: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, _, front) in shown().filter(|(_, _, front)| !front.status.is_retired()) {
        let requires = front.requires().iter().map(|required| required.id.as_str());
        let others = front.prerequisites.iter().chain(&front.related).flatten().map(String::as_str);
        lines.entry(id).or_default();
        for other in requires.chain(others).filter(|other| cx.corpus.has_skill(other)) {
            lines.entry(id).or_default().push(other);
            lines.entry(other).or_default().push(id);
        }
    }
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut ahead = vec![FALLBACK];
    while let Some(id) = ahead.pop() {
        if reached.insert(id) {
            ahead.extend(lines.get(id).into_iter().flatten());
        }
    }
    for (id, skill, _) in shown().filter(|(id, ..)| lines.contains_key(id.as_str())) {
        if !reached.contains(id.as_str()) {
            report.at(
                &skill.source,
                0,
                format!("no line of the graph joins this skill with `{FALLBACK}`"),
                "Name a skill that comes before, after or beside it in prerequisites, requires or related.",
            );
        }
    }
}
