//! A tag says what the catalogue says (§6.10).
//!
//! With `--strict`: the text inside a `<VV>` is the value of its row, and the title and the address of a `<Ref>`
//! are those of its row. Readers get the row either way; whoever reads the file gets what was written.
//!
//! Example of a violation: `<VV … uid="val-00003">8</VV>` where the row says 10.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::{Tag, TagKind};

/// The rule.
pub const RULE: Rule = Rule {
    id: "catalogue_text_stale",
    severity: Severity::Error,
    file: include_str!("catalogue_text_stale.rs"),
    check: Check::Strict(&Check::Skill(check)),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for tag in &cx.skill.document.tags {
        if let Some((place, what)) = stale(cx, tag) {
            let message = format!("{what} is not what the catalogue says");
            report.at(cx.source(), place, message, "Copy it from the row, or correct the row.");
        }
    }
}

/// What of a tag differs from its row, and where.
fn stale(cx: &SkillCx<'_>, tag: &Tag) -> Option<(u32, &'static str)> {
    let source = cx.source();
    let uid = tag.value(source, "uid")?;
    let differs = |name: &str, value: &str| tag.value(source, name).is_some_and(|written| written != value);
    match tag.kind {
        TagKind::VV => {
            let (row, written) = (cx.cx.catalogue.value(&uid)?, tag.children()?);
            (source.slice(written) != row.shown()).then_some((written.start, "this value"))
        }
        TagKind::Ref => {
            let row = cx.cx.catalogue.reference(&uid)?;
            let title = differs("title", &row.title).then(|| (tag.value_offset(source, "title"), "this title"));
            title.or(differs("url", &row.url).then(|| (tag.value_offset(source, "url"), "this address")))
        }
        TagKind::Observations | TagKind::Path | TagKind::Skill | TagKind::Risk => None,
    }
}
