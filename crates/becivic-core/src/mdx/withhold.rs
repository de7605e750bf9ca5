//! An authored file without what some of its tags copy: for readers who may not have what those were copied from.
//!
//! 1. A value or a reference wraps an author's copy of a row of the catalogue, and a reference repeats more of it in its
//!    attributes. When the row was put away, the copy goes with it (DECISIONS §8).
//! 2. In its place stands the sentinel that pages show (§6.10). Everything else stays, byte for byte.

use super::Document;
use super::resolve::UNRESOLVED;
use super::tag::{Tag, TagKind};
use crate::text::{Source, Span};
use std::borrow::Cow;

/// What a row says of itself, where a tag repeats it; its name and its uid are the entry's.
pub const OF_THE_ROW: [&str; 3] = ["title", "url", "last_verified"];

/// The file without the copies in these tags.
pub fn withhold<'s>(
    source: &'s Source,
    document: &Document,
    is_withheld: impl Fn(&Tag) -> bool,
) -> Cow<'s, str> {
    let text = source.text();
    let mut edits: Vec<(Span, &str)> = Vec::new();
    for tag in document.tags.iter().filter(|tag| is_copy(tag) && is_withheld(tag)) {
        let repeated = OF_THE_ROW.iter().filter_map(|name| tag.attribute(source, name));
        edits.extend(repeated.map(|attribute| (attribute.value, "")));
        edits.extend(tag.children().map(|children| (children, UNRESOLVED)));
    }
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    edits.sort_by_key(|(span, _)| span.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (span, instead) in edits {
        let range = span.range();
        // A tag inside one that is gone is gone with it.
        if range.start >= at {
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(instead);
            at = range.end;
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

fn is_copy(tag: &Tag) -> bool {
    matches!(tag.kind, TagKind::VV | TagKind::Ref)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn without(body: &str, uid: &str) -> String {
        let source = Source::new("x.md", body);
        let (document, _) = parse(body, 0);
        withhold(&source, &document, |tag| tag.value(&source, "uid").as_deref() == Some(uid)).into_owned()
    }

    #[test]
    fn a_copy_goes_and_everything_else_stays() {
        let body = "Pay <VV name=\"fee\"  uid=\"val-00001\">€5</VV>, not <VV name=\"x\" uid=\"val-00002\">€5</VV>.\n";
        assert_eq!(without(body, "val-00001"), body.replacen("€5", "[unresolved]", 1));
        assert_eq!(without(body, "val-00009"), body);
    }

    #[test]
    fn a_reference_repeats_nothing_of_its_row() {
        let body = "See <Ref name=\"law\" uid=\"ref-00001\" title=\"The law\" url=\"https://a.be\" last_verified=\"2026-01-01\">law</Ref>.";
        let left = "See <Ref name=\"law\" uid=\"ref-00001\" title=\"\" url=\"\" last_verified=\"\">[unresolved]</Ref>.";
        assert_eq!(without(body, "ref-00001"), left);
    }

    #[test]
    fn a_tag_inside_one_that_goes_goes_with_it() {
        let body =
            "<Ref name=\"law\" uid=\"ref-00001\">a <VV name=\"fee\" uid=\"ref-00001\">€5</VV> b</Ref> c";
        assert_eq!(without(body, "ref-00001"), "<Ref name=\"law\" uid=\"ref-00001\">[unresolved]</Ref> c");
    }

    #[test]
    fn what_looks_like_a_tag_in_code_is_text() {
        let body = "`<VV name=\"fee\" uid=\"val-00001\">€5</VV>`";
        assert_eq!(without(body, "val-00001"), body);
    }
}
