//! Pairs scanned tags into a tree and checks each against the table of shapes.
//!
//! 1. What stands in code is dropped: it is text.
//! 2. Opening tags wait on a stack; a closing tag must match the innermost one.
//! 3. Each tag is checked for its form (wrapping or self-closing), attributes and nesting.

use super::Problem;
use super::outline::Outline;
use super::scan::{Scanned, What};
use super::tag::{self, Attribute, Form, RENDERER_ONLY, Shape, Tag, TagKind};
use crate::text::Span;

/// Risks inside risks are discouraged, not endless: more than this is refused.
const MAX_NESTING: usize = 32;

/// Builds the tags of a body, in order of appearance.
pub fn build(body: &str, scanned: Vec<Scanned>, outline: &Outline, problems: &mut Vec<Problem>) -> Vec<Tag> {
    let mut tree = Tree { body, tags: Vec::new(), open: Vec::new(), nested: Vec::new(), problems };
    for item in scanned {
        if outline.in_code(item.span.start) {
            continue;
        }
        match item.what {
            What::Malformed { reason, name, closing } => tree.malformed(item.span, name, reason, closing),
            What::Open { name, attributes, tail, closed } => {
                tree.opened(item.span, name, attributes, tail, closed)
            }
            What::Close { name } => tree.closed(item.span, name),
        }
    }
    tree.finish()
}

struct Tree<'a> {
    body: &'a str,
    tags: Vec<Tag>,
    /// Tags that wait for their end.
    open: Vec<Waiting<'a>>,
    /// Tags inside others, with the outer one: a problem only when that one is really closed.
    nested: Vec<(u32, Problem)>,
    problems: &'a mut Vec<Problem>,
}

#[derive(Clone, Copy)]
struct Waiting<'a> {
    name: &'a str,
    start: u32,
    /// `None` for a tag that was refused and reported: its end is awaited, nothing more.
    tag: Option<u32>,
}

impl<'a> Tree<'a> {
    fn opened(&mut self, span: Span, name: Span, attributes: Vec<Attribute>, tail: Span, closed: bool) {
        let name = self.body.get(name.range()).unwrap_or("");
        let Some(shape) = tag::shape(name) else {
            self.refuse_unknown(span, name);
            if !closed {
                self.wait(name, span.start, None);
            }
            return;
        };
        self.check_attributes(shape, span, &attributes);
        if closed && shape.wraps {
            self.report(
                wrap_rule(shape.kind),
                span.start,
                format!("<{name} /> must wrap its text"),
                format!("Write {}.", shape.usage),
            );
        } else if !closed && !shape.wraps {
            self.report(
                "tag_form",
                span.start,
                format!("<{name}> has no children and closes itself"),
                format!("Write {}.", shape.usage),
            );
        }
        self.check_nesting(shape, span);
        let parent = self.open.iter().rev().find_map(|waiting| waiting.tag);
        let index = u32::try_from(self.tags.len()).unwrap_or(u32::MAX);
        self.tags.push(Tag {
            kind: shape.kind,
            open: span,
            attributes: attributes.into_boxed_slice(),
            tail,
            form: Form::SelfClosing,
            parent,
        });
        if !closed {
            self.wait(name, span.start, shape.wraps.then_some(index));
        }
    }

    fn malformed(&mut self, span: Span, name: Span, reason: &str, closing: bool) {
        self.report(
            "tag_malformed",
            span.start,
            format!("this tag cannot be read: {reason}"),
            "Write it like `<Path id=\"some-id\" />`, or put it in backticks if it is an example.",
        );
        let name = self.body.get(name.range()).unwrap_or("");
        if !closing {
            self.wait(name, span.start, None);
        } else if self.open.last().is_some_and(|waiting| waiting.name == name) {
            self.open.pop();
        }
    }

    fn wait(&mut self, name: &'a str, start: u32, tag: Option<u32>) {
        if self.open.len() >= MAX_NESTING {
            let help = "Close the outer tags first.";
            self.report("tag_nesting", start, "tags are nested too deep", help);
        } else {
            self.open.push(Waiting { name, start, tag });
        }
    }

    fn closed(&mut self, span: Span, name: Span) {
        let name = self.body.get(name.range()).unwrap_or("");
        if self.open.last().is_some_and(|waiting| waiting.name == name) {
            let waiting = self.open.pop();
            let index = waiting.and_then(|w| w.tag);
            if let Some(tag) = index.and_then(|i| self.tags.get_mut(i as usize)) {
                tag.form = Form::Wrapper { close: span };
            }
            return;
        }
        if let Some(depth) = self.open.iter().rposition(|waiting| waiting.name == name) {
            // The inner tags were never closed: say so once for each, then take this end.
            while self.open.len() > depth + 1 {
                self.never_closed();
            }
            self.closed(span, Span::new(span.start as usize + 2, span.start as usize + 2 + name.len()));
        } else {
            self.report(
                "tag_unclosed",
                span.start,
                format!("</{name}> closes nothing"),
                "Remove it, or write the opening tag before it.",
            );
        }
    }

    fn never_closed(&mut self) {
        if let Some(waiting) = self.open.pop()
            && waiting.tag.is_some()
        {
            self.report(
                "tag_unclosed",
                waiting.start,
                format!("<{}> is never closed", waiting.name),
                format!("Write </{}> where it ends.", waiting.name),
            );
        }
    }

    fn refuse_unknown(&mut self, span: Span, name: &str) {
        if RENDERER_ONLY.contains(&name) {
            self.report(
                "renderer_tag_authored",
                span.start,
                format!("<{name}> is written by the renderer, never by an author"),
                "Write <Observations skill=\"…\" /> and let the renderer fill it.",
            );
        } else {
            self.report(
                "tag_unknown",
                span.start,
                format!("<{name}> is not a tag we know"),
                "Use VV, Ref, Observations, Path, Skill or Risk, or put it in backticks.",
            );
        }
    }

    fn check_attributes(&mut self, shape: &Shape, span: Span, attributes: &[Attribute]) {
        let text = |span: Span| self.body.get(span.range()).unwrap_or("");
        let mut found = Vec::new();
        let mut wrong: Vec<(u32, String)> = Vec::new();
        for attribute in attributes {
            let name = text(attribute.name);
            if found.contains(&name) {
                wrong.push((attribute.name.start, format!("the attribute `{name}` is written twice")));
            } else if let Some(reason) = misshapen(shape.kind, name, text(attribute.value)) {
                wrong.push((attribute.value.start, reason));
            } else if shape.required.contains(&name) {
                if text(attribute.value).trim().is_empty() {
                    wrong.push((attribute.name.start, format!("the attribute `{name}` is empty")));
                }
            } else if !shape.optional.contains(&name) && !shape.stated.contains(&name) {
                wrong.push((attribute.name.start, format!("<{}> has no attribute `{name}`", shape.name)));
            } else if name == "reason" && text(attribute.value).trim().is_empty() {
                wrong.push((attribute.name.start, "the attribute `reason` is empty".to_owned()));
            }
            found.push(name);
        }
        let needed = shape.required.iter().chain(shape.stated);
        for name in needed.filter(|name| !found.contains(*name)) {
            wrong.push((span.start, format!("<{}> needs the attribute `{name}`", shape.name)));
        }
        for (offset, message) in wrong {
            self.report("tag_attribute", offset, message, format!("Write {}.", shape.usage));
        }
    }

    fn check_nesting(&mut self, shape: &Shape, span: Span) {
        let inside = self.open.iter().rev().find_map(|waiting| {
            let index = waiting.tag?;
            let tag = self.tags.get(index as usize)?;
            (tag.kind != TagKind::Risk).then_some((index, waiting.name))
        });
        if let Some((index, outer)) = inside {
            let problem = Problem::new(
                "tag_nesting",
                span.start,
                format!("<{}> stands inside <{outer}>", shape.name),
                format!("<{outer}> wraps plain text only; close it first."),
            );
            self.nested.push((index, problem));
        }
    }

    fn report(
        &mut self,
        rule: &'static str,
        offset: u32,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.push(Problem::new(rule, offset, message, help));
    }

    fn finish(mut self) -> Vec<Tag> {
        while !self.open.is_empty() {
            self.never_closed();
        }
        for (outer, problem) in self.nested {
            let closed = self.tags.get(outer as usize).map(|tag| &tag.form);
            if closed.is_some_and(|form| *form != Form::SelfClosing) {
                self.problems.push(problem);
            }
        }
        self.tags
    }
}

/// A self-closing `<VV/>` or `<Ref/>` breaks Rule 13; any other tag its form.
fn wrap_rule(kind: TagKind) -> &'static str {
    match kind {
        TagKind::VV | TagKind::Ref => "first_citation_form",
        TagKind::Observations | TagKind::Path | TagKind::Skill | TagKind::Risk => "tag_form",
    }
}

/// Why a value cannot be what its attribute names; `None` when it can (or is empty).
fn misshapen(kind: TagKind, name: &str, value: &str) -> Option<String> {
    if value.is_empty() {
        return None;
    }
    let known_entities = ["&quot;", "&apos;", "&lt;", "&gt;", "&amp;"];
    let mut ampersands = value.match_indices('&').filter_map(|(at, _)| value.get(at..));
    let encoded = |rest: &str| {
        let entity = rest.get(1..).and_then(|rest| rest.split_once(';')).map(|(word, _)| word);
        let looks_like_one = entity.is_some_and(|word| {
            !word.is_empty()
                && word.len() <= 32
                && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#')
        });
        looks_like_one && !known_entities.iter().any(|known| rest.starts_with(known))
    };
    if ampersands.any(encoded) {
        return Some(format!(
            "the attribute `{name}` holds an encoded character; write the character itself"
        ));
    }
    let numbered = |prefix: &str| {
        let number = value.strip_prefix(prefix).unwrap_or_default();
        (5..=6).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit())
    };
    let fits = match (name, kind) {
        ("uid", TagKind::VV) => numbered("val-"),
        ("uid", TagKind::Ref) => numbered("ref-"),
        ("name" | "id" | "skill", _) => is_kebab(value),
        (_, _) => true,
    };
    (!fits).then(|| format!("`{name}` is not written like one of a {}", kind_in_words(kind)))
}

/// `lower-case-words`, at most 80 characters, as in the schemas.
fn is_kebab(text: &str) -> bool {
    text.len() <= 80
        && text.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

fn kind_in_words(kind: TagKind) -> &'static str {
    match kind {
        TagKind::VV => "volatile value",
        TagKind::Ref => "reference",
        TagKind::Path => "path",
        TagKind::Observations | TagKind::Skill => "skill",
        TagKind::Risk => "risk",
    }
}
