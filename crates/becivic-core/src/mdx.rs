//! Skill bodies: CommonMark plus the six authored tags of §6.10, and nothing else.
//!
//! 1. [`scan`] finds everything that looks like a component tag (`<Upper…`) and reads it into pieces
//!    that can be printed back byte for byte.
//! 2. Well-read tags are masked with inert filler of the same length, so that CommonMark sees prose
//!    where the tags were and every byte offset stays true.
//! 3. [`outline`] runs the CommonMark parser once over the masked text and keeps headings, links,
//!    images, list items, code and raw HTML.
//! 4. What looks like a tag inside code is text. The rest is paired into a tree ([`tree`]), checked
//!    against one table of tag shapes, and everything unknown or malformed becomes a problem with a
//!    place; nothing passes through unread.
//! 5. The remaining inert-text rules of DECISIONS §9b are checked on the same pass ([`inert`]):
//!    expressions, imports, forbidden characters; and `[reference-name]` re-citations are collected.
//! 6. Whoever prints a body asks [`resolve`] what its tags stand for, and [`scan::masked`] for a text in which CommonMark does
//!    not see them; whoever hands out the file asks [`withhold`] for it without what was put away.

pub mod inert;
pub mod outline;
pub mod print;
pub mod resolve;
pub mod scan;
pub mod tag;
pub mod tree;
pub mod withhold;

use crate::text::Span;
use outline::Outline;
use tag::Tag;

/// A parsed body. All spans are offsets into the file the body came from.
#[derive(Debug, Default)]
pub struct Document {
    /// Where the body is.
    pub body: Span,
    /// Every tag, in order of appearance.
    pub tags: Vec<Tag>,
    /// Every `[word]` that could be a re-citation (it is one when the word names a reference).
    pub brackets: Vec<Span>,
    /// Headings, links, lists and code.
    pub outline: Outline,
}

/// Something wrong in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The rule id of the finding.
    pub rule: &'static str,
    /// Where.
    pub offset: u32,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Problem {
    fn new(rule: &'static str, offset: u32, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { rule, offset, message: message.into(), help: help.into() }
    }
}

/// Parses the body that starts at byte `start` of `text` (0 when `text` is the body).
pub fn parse(text: &str, start: usize) -> (Document, Vec<Problem>) {
    let body = text.get(start..).unwrap_or("");
    let mut problems = Vec::new();
    let scanned = scan::scan(body);
    let masked = scan::mask(body, &scanned);
    let outline = Outline::read(&masked);
    let tags = tree::build(body, scanned, &outline, &mut problems);
    inert::check(body, &masked, &outline, &mut problems);
    let brackets = inert::brackets(&masked, &outline);
    let mut document = Document { body: Span::new(0, body.len()), tags, brackets, outline };
    document.shift(start);
    for problem in &mut problems {
        problem.offset += Span::at(start).start;
    }
    problems.sort_by_key(|problem| problem.offset);
    (document, problems)
}

impl Document {
    /// Moves every span by the body's place in its file.
    fn shift(&mut self, by: usize) {
        let by = Span::at(by).start;
        let shift = |span: &mut Span| {
            span.start += by;
            span.end += by;
        };
        shift(&mut self.body);
        self.tags.iter_mut().for_each(|tag| tag.each_span(shift));
        self.brackets.iter_mut().for_each(shift);
        self.outline.each_span(shift);
    }
}

#[cfg(test)]
mod tests;
