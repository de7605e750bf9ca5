//! A tag says what the catalogue says (§6.10).
//!
//! With `--strict`: the text inside a `<VV>` is the value of its row, and the title and the address of a `<Ref>`
//! are those of its row, which exists. Readers get the row either way; whoever reads the file gets what was written.
//!
//! Example of a violation: `<VV … uid="val-00003">8</VV>` where the row says 10.

use super::{Check, Report, Rule, SkillCx};
use crate::finding::Severity;
use crate::mdx::tag::{Tag, TagKind};
use crate::text::Source;

/// The rule.
pub const RULE: Rule = Rule {
    id: "catalogue_text_stale",
    severity: Severity::Error,
    file: include_str!("catalogue_text_stale.rs"),
    check: Check::Strict(&Check::Skill(check)),
};

fn check(cx: &SkillCx<'_>, report: &mut Report<'_>) {
    for tag in &cx.skill.document.tags {
        if let Some((place, message)) = stale(cx, tag) {
            report.at(cx.source(), place, message, "Copy it from the row, or correct or add the row.");
        }
    }
}

/// What of a tag differs from its row, and where. A tag without a uid means the row of its name.
fn stale(cx: &SkillCx<'_>, tag: &Tag) -> Option<(u32, String)> {
    let source = cx.source();
    let (uid, name) = (tag.value(source, "uid"), tag.value(source, "name")?);
    let differs = |name: &str, value: &str| tag.value(source, name).is_some_and(|written| written != value);
    let no_row = || (uid.is_none() && !cx.cx.corpus.catalogue_unreadable()).then(|| absent(tag, source, &name));
    let catalogue = cx.cx.catalogue;
    match tag.kind {
        TagKind::VV => {
            let row = uid.as_ref().map_or_else(|| catalogue.value_named(&name), |uid| catalogue.value(uid));
            let (Some(row), written) = (row, tag.children()?) else { return no_row() };
            (source.slice(written) != row.shown()).then(|| (written.start, not_its("value")))
        }
        TagKind::Ref => {
            let row = uid.as_ref().map_or_else(|| catalogue.reference_named(&name), |uid| catalogue.reference(uid));
            let Some(row) = row else { return no_row() };
            let title = differs("title", &row.title).then(|| (tag.value_offset(source, "title"), not_its("title")));
            title.or(differs("url", &row.url).then(|| (tag.value_offset(source, "url"), not_its("address"))))
        }
        TagKind::Observations | TagKind::Path | TagKind::Skill | TagKind::Risk => None,
    }
}

fn not_its(what: &str) -> String {
    format!("this {what} is not what the catalogue says")
}

fn absent(tag: &Tag, source: &Source, name: &str) -> (u32, String) {
    (tag.value_offset(source, "name"), format!("the catalogue has no row `{name}`"))
}
