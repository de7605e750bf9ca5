//! Cited hosts are known sources (§15.2 as quoted in §17, DECISIONS §9b).
//!
//! A host that `schemas/source-classes.json` lists neither as primary nor as secondary is noted; a community
//! change that brings one in is held for review.
//!
//! Example of a violation: `<Ref url="https://some-blog.example/…">`.

use super::{Check, Cx, PathCx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::TagKind;
use crate::text::Source;
use crate::url_policy;
use std::borrow::Cow;

/// The rule.
pub const RULE: Rule = Rule {
    id: "url_host_unlisted",
    severity: Severity::Warning,
    file: include_str!("url_host_unlisted.rs"),
    check: Check::Both(check, check_path),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    let source = cx.source();
    let references = cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Ref);
    let cited = references.filter_map(|tag| {
        Some((tag.value_offset(source, "url"), tag.value(source, "url")?))
    });
    let links = cx.skill.document.outline.links.iter().filter(|link| !link.image);
    let linked = links.map(|link| (link.span.start, Cow::Borrowed(&*link.target)));
    for (place, url) in cited.chain(linked) {
        unlisted(cx.cx, source, || place, &url, report);
    }
}

fn check_path(cx: &PathCx<'_>, report: &mut Report<'_>) {
    for (i, source) in cx.path.entry.sources.iter().enumerate() {
        if let Some(url) = &source.procedure.deeplink {
            let place = || cx.place(&format!("/sources/{i}/procedure/deeplink"));
            unlisted(cx.cx, &cx.paths.source, place, url, report);
        }
    }
}

fn unlisted(
    cx: &Cx<'_>,
    source: &Source,
    place: impl FnOnce() -> u32,
    url: &str,
    report: &mut Report<'_>,
) {
    let (Some(citable), Ok(host)) = (&cx.facts.citable, url_policy::host(url)) else {
        return;
    };
    if !citable.holds(&host) {
        report.at(
            source,
            place(),
            format!("`{host}` is not a listed source"),
            "Cite an official page, or propose the host for schemas/source-classes.json.",
        );
    }
}
