//! Cited hosts are known sources (§15.2 as quoted in §17, DECISIONS §9b).
//!
//! A host that `schemas/source-classes.json` lists neither as primary nor as secondary is noted; a community
//! change that brings one in is held for review.
//!
//! Example of a violation: `<Ref url="https://some-blog.example/…">`.

use super::{Check, Cx, PathCx, Report, Rule, SkillCx, hosts, url_host_tertiary};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "url_host_unlisted",
    severity: Severity::Warning,
    file: include_str!("url_host_unlisted.rs"),
    check: Check::Everywhere(check, check_path, check_catalogue),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for (place, host) in hosts::of_skill(cx).filter(|(_, host)| is_unlisted(cx.cx, host)) {
        report.at(cx.source(), place, message(&host), HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (pointer, host) in hosts::of_path(cx).filter(|(_, host)| is_unlisted(cx.cx, host)) {
        report.at(&cx.paths.source, cx.place(&pointer), message(&host), HELP);
    }
}

fn check_catalogue(cx: &Cx<'_>, report: &mut Report<'_>) {
    for (source, place, host) in hosts::of_catalogue(cx).filter(|(_, _, host)| is_unlisted(cx, host)) {
        report.at(source, place, message(&host), HELP);
    }
}

const HELP: &str = "Cite an official page, or propose the host for schemas/source-classes.json.";

fn message(host: &str) -> String {
    format!("`{host}` is not a listed source")
}

/// A host that is on no list; one that is never cited has a rule of its own.
fn is_unlisted(cx: &Cx<'_>, host: &str) -> bool {
    cx.facts.citable.as_ref().is_some_and(|citable| !citable.holds(host)) && !url_host_tertiary::is_refused(cx, host)
}
