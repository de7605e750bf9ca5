//! Hosts that are never cited are not cited (§15.2 as quoted in §17).
//!
//! `schemas/source-classes.json` names them as tertiary: encyclopaedias anyone edits, forums, social media,
//! commercial guides. They may show where to look; what they say is found again at an official page.
//!
//! Example of a violation: `<Ref url="https://en.wikipedia.org/…">`.

use super::{Check, Cx, PathCx, Report, Rule, SkillCx, hosts};
use crate::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "url_host_tertiary",
    severity: Severity::Error,
    file: include_str!("url_host_tertiary.rs"),
    check: Check::Everywhere(check, check_path, check_rest),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for (place, host) in hosts::of_skill(cx).filter(|(_, host)| is_refused(cx.cx, host)) {
        report.at(cx.source(), place, message(&host), HELP);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (pointer, host) in hosts::of_path(cx).filter(|(_, host)| is_refused(cx.cx, host)) {
        report.at(&cx.paths.source, cx.place(&pointer), message(&host), HELP);
    }
}

fn check_rest(cx: &Cx<'_>, report: &mut Report<'_>) {
    let rest = hosts::of_catalogue(cx).chain(hosts::of_pages(cx));
    for (source, place, host) in rest.filter(|(_, _, host)| is_refused(cx, host)) {
        report.at(source, place, message(&host), HELP);
    }
}

const HELP: &str = "Find the official page that says the same, and cite that.";

fn message(host: &str) -> String {
    format!("`{host}` is never a source")
}

/// Whether a host is on the list of those never cited.
pub fn is_refused(cx: &Cx<'_>, host: &str) -> bool {
    cx.facts.refused.as_ref().is_some_and(|refused| refused.holds(host))
}
