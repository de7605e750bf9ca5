//! Links within the site lead somewhere (§6.1).
//!
//! In skills and in pages: an address of the site (`/docs/privacy`, `/skills/<id>`) exists, and a `#heading` is
//! there. Addresses below `/api` are the server's and are not looked at.
//!
//! Example of a violation: `[privacy](/docs/privcy)`.

use super::{Check, Cx, Report, Rule};
use crate::finding::Severity;
use crate::mdx::outline::Outline;
use crate::site::{self, Dead};
use crate::text::Source;

/// The rule.
pub const RULE: Rule = Rule {
    id: "dead_link",
    severity: Severity::Error,
    file: include_str!("dead_link.rs"),
    check: Check::Corpus(check),
};

fn check(cx: &Cx<'_>, report: &mut Report<'_>) {
    for skill in cx.corpus.skills.values() {
        links(cx, &skill.source, &skill.document.outline, report);
    }
    for page in cx.corpus.pages.values() {
        links(cx, &page.source, &page.document.outline, report);
    }
}

fn links(cx: &Cx<'_>, source: &Source, outline: &Outline, report: &mut Report<'_>) {
    for link in outline.links.iter().filter(|link| !link.image) {
        let dead = match link.target.strip_prefix('#') {
            Some(heading) => (!site::has_heading(outline, heading)).then_some(Dead::Heading),
            None => site::address(&link.target).and_then(|address| site::resolve(cx.corpus, address).err()),
        };
        let message = match dead {
            None => continue,
            Some(Dead::Address) => format!("nothing of the site is at `{}`", link.target),
            Some(Dead::Heading) => format!("`{}` names a heading that is not there", link.target),
        };
        let help = "Link to a page, a skill or a path of this corpus, or to a heading as the site names it.";
        report.at(source, link.span.start, message, help);
    }
}
