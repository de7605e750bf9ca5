//! Cited addresses are plain https addresses of named hosts (DECISIONS §9b, §10.1).
//!
//! No user name, no IP address, no port. Looked at: the `url` of `<Ref>` and links in the text, also of pages. Addresses in
//! paths, the catalogue and data files are held to the same by their schemas, those of research reports by
//! `sidecar_url`.
//!
//! Example of a violation: `https://user@example.org`.

use super::{Check, Cx, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::outline::Outline;
use crate::mdx::tag::TagKind;
use crate::text::Source;
use crate::url_policy;

/// The rule.
pub const RULE: Rule = Rule {
    id: "url_not_allowed",
    severity: Severity::Error,
    file: include_str!("url_not_allowed.rs"),
    check: Check::Everywhere(check, |_, _| {}, check_pages),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for tag in cx.skill.document.tags.iter().filter(|tag| tag.kind == TagKind::Ref) {
        if let Some(url) = tag.value(cx.source(), "url")
            && let Err(refused) = url_policy::host(&url)
        {
            report.at(cx.source(), tag.value_offset(cx.source(), "url"), refused.to_string(), HELP);
        }
    }
    links(cx.source(), &cx.skill.document.outline, report);
}

fn check_pages(cx: &Cx<'_>, report: &mut Report<'_>) {
    for page in cx.corpus.pages.values() {
        links(&page.source, &page.document.outline, report);
    }
}

fn links(source: &Source, outline: &Outline, report: &mut Report<'_>) {
    for link in outline.links.iter().filter(|link| !link.image) {
        if link.target.starts_with("https://")
            && let Err(refused) = url_policy::host(&link.target)
        {
            report.at(source, link.span.start, refused.to_string(), HELP);
        }
    }
}

const HELP: &str = "Write https:// and the host's name, nothing else before the path.";
