//! What a body says in words: its blocks and headings, with everything masked that is not prose.

use super::{REQUESTS, SkillCx};
use crate::mdx::tag::{Form, TagKind};
use crate::text::{Source, Span};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// One block of a body.
pub struct Block {
    /// Where it is.
    pub span: Span,
    /// Its text, byte for byte as long as written: tags, code, links and citations are blanks.
    pub text: String,
    /// The same, with the children of `<VV>` and `<Ref>` blank too: what no tag vouches for.
    pub untagged: String,
    /// Whether it cites a source: a `<Ref>`, or the name of one in brackets.
    pub cited: bool,
}

/// The blocks of a skill's body, then its headings, which cite nothing and need not. `Requests for contributions` is left out: it asks and states nothing.
pub fn blocks(cx: &SkillCx<'_>) -> Vec<Block> {
    let (source, document) = (cx.source(), &cx.skill.document);
    let references = || document.tags.iter().filter(|tag| tag.kind == TagKind::Ref);
    let names: BTreeSet<Cow<'_, str>> = references().filter_map(|tag| tag.value(source, "name")).collect();
    let cited = references().map(|tag| tag.open.start);
    let named = document.brackets.iter().filter(|word| names.contains(source.slice(**word)));
    let mut citations: Vec<u32> = cited.chain(named.map(|word| word.start)).collect();
    citations.sort_unstable();

    let mut masked = document.outline.code.clone();
    masked.extend(document.outline.links.iter().map(|link| target(source, link.span)));
    masked.extend(document.brackets.iter().copied());
    let mut vouched = Vec::new();
    for tag in &document.tags {
        masked.push(tag.open);
        if let Form::Wrapper { close } = tag.form {
            masked.push(close);
        }
        if matches!(tag.kind, TagKind::VV | TagKind::Ref) {
            vouched.extend(tag.children());
        }
    }
    masked.sort_unstable();

    let block = |span: &Span| {
        let first = citations.partition_point(|at| *at < span.start);
        let mut text = source.slice(*span).as_bytes().to_vec();
        blank_marker(&mut text);
        blank(&mut text, *span, &masked);
        let mut untagged = text.clone();
        blank(&mut untagged, *span, &vouched);
        Block {
            span: *span,
            text: String::from_utf8_lossy(&text).into_owned(),
            untagged: String::from_utf8_lossy(&untagged).into_owned(),
            cited: citations.get(first).is_some_and(|at| *at < span.end),
        }
    };
    let headings =
        document.outline.headings.iter().map(|heading| Block { cited: true, ..block(&heading.span) });
    let requests = cx.skill.section(REQUESTS).map(|section| section.content).unwrap_or_default();
    let states = |span: &&Span| !requests.contains(span.start);
    document.outline.blocks.iter().filter(states).map(block).chain(headings).collect()
}

/// Where a link says where it leads: all of it but its text.
pub(crate) fn target(source: &Source, link: Span) -> Span {
    match source.slice(link).rfind("](") {
        Some(at) => Span { start: link.start + Span::at(at).start, end: link.end },
        None => link,
    }
}

/// Blanks what of `spans` (in order) lies in the block.
fn blank(text: &mut [u8], block: Span, spans: &[Span]) {
    let first = spans.partition_point(|span| span.end <= block.start);
    for span in spans.iter().skip(first).take_while(|span| span.start < block.end) {
        let start = span.start.saturating_sub(block.start) as usize;
        let end = (span.end.min(block.end) - block.start) as usize;
        text.iter_mut().take(end).skip(start).for_each(|byte| *byte = b' ');
    }
}

/// Blanks the number of an ordered item.
fn blank_marker(text: &mut [u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && matches!(text.get(digits), Some(b'.' | b')')) {
        text.iter_mut().take(digits).for_each(|byte| *byte = b' ');
    }
}
