//! A committed rollup says what the skills and paths say (§10.1, §6.5, DECISIONS §14).
//!
//! `skills/rollup.json` and `paths/rollup.json` are made by `becivic index` and equal what it would write now,
//! byte for byte. A corpus without them is fine. While an artefact cannot be read, its own finding comes first.
//!
//! Example of a violation: a skill goes from 0.1.3 to 0.1.4 and `skills/rollup.json` still says 0.1.3.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::rollup;
use crate::text::{Source, Span};

/// The rule.
pub const RULE: Rule = Rule {
    id: "rollup_stale",
    severity: Severity::Error,
    file: include_str!("rollup_stale.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    if cx.touched.is_some_and(|touched| touched.rollups_are_fresh) {
        return;
    }
    if let Some(committed) = &cx.corpus.skills_rollup
        && let Ok(fresh) = rollup::skills(cx.corpus)
    {
        compare(committed, &fresh, report);
    }
    if let Some(committed) = &cx.corpus.paths_rollup
        && let Ok(fresh) = rollup::paths(cx.corpus)
    {
        compare(committed, &fresh, report);
    }
}

fn compare(committed: &Source, fresh: &str, report: &mut Report<'_>) {
    if let Some(place) = first_difference(committed.text(), fresh) {
        report.at(committed, place, "the rollup is not what the corpus says now", "Run `becivic index`.");
    }
}

/// Where the first line that differs starts; `None` when the texts are equal.
fn first_difference(committed: &str, fresh: &str) -> Option<u32> {
    if committed == fresh {
        return None;
    }
    let mut at = 0;
    let mut fresh = fresh.split_inclusive('\n');
    for line in committed.split_inclusive('\n') {
        if fresh.next() != Some(line) {
            break;
        }
        at += line.len();
    }
    Some(Span::at(at).start)
}
