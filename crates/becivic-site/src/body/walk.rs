//! One pass over the events of CommonMark: elements into the HTML, edits for the markdown.
//!
//! 1. A block begins: what stands on lines of its own before it is put there first, and call-outs that are on are opened around it.
//! 2. Text: up to the next place, then what stands there, and so on. Text is taken from the body itself, never from the mask.
//! 3. What a tag replaces is left out, up to `resume`.
//! 4. A place that CommonMark did not give out as text (within code, or the target of a link) stands for nothing: it stays as written.

mod marks;
mod standing;

use super::Printed;
use super::elements::Elements;
use super::escape;
use super::names::Names;
use super::places::{Place, What};
use super::risks::Risks;
use super::tags::Tags;
use crate::words::Words;
use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser};
use std::ops::Range;

/// Prints a body. `masked` is the same text with filler at the places of tags.
pub fn walk(
    body: &str,
    masked: String,
    places: &[Place],
    tags: Option<&Tags<'_, '_>>,
    words: &Words,
) -> Printed {
    let mut names = Names::default();
    let anchors = tags.map(|tags| tags.anchors(&mut names)).unwrap_or_default();
    let mut page = Page {
        body,
        masked: &masked,
        places,
        next: 0,
        resume: 0,
        tags,
        words,
        anchors,
        names,
        elements: Elements::for_text(body),
        risks: Risks::default(),
        edits: Vec::new(),
        heading: None,
        last_heading: String::new(),
        contents: Vec::new(),
        process: None,
        is_code: false,
        columns: Vec::new(),
        cell: 0,
        is_head: false,
    };
    for (event, range) in Parser::new_ext(&masked, Options::ENABLE_TABLES).into_offset_iter() {
        page.event(event, range);
    }
    page.before_block(body.len() + 1);
    page.finish()
}

struct Heading {
    /// Where its element begins in the HTML.
    at: usize,
    level: HeadingLevel,
    /// As it is shown.
    title: String,
    /// As it is written, without tags: its name must not change with a value.
    written: String,
}

struct Page<'p, 'f, 's> {
    body: &'p str,
    masked: &'p str,
    places: &'p [Place],
    next: usize,
    resume: usize,
    tags: Option<&'p Tags<'f, 's>>,
    words: &'p Words,
    anchors: Vec<Option<String>>,
    names: Names,
    elements: Elements,
    risks: Risks,
    edits: Vec<(Range<usize>, String)>,
    heading: Option<Heading>,
    last_heading: String,
    contents: Vec<(String, String)>,
    /// Where the heading of the process ends, in the HTML and in the body.
    process: Option<(usize, usize)>,
    is_code: bool,
    columns: Vec<Alignment>,
    cell: usize,
    is_head: bool,
}

impl Page<'_, '_, '_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(mark) => self.start(mark, range),
            Event::End(end) => self.end(end, range),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.code(&text, range),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::FootnoteReference(text) => {
                self.text(&text, range);
            }
            Event::SoftBreak => self.gap("\n", range.start),
            Event::HardBreak => self.gap("<br>\n", range.start),
            Event::Rule => {
                self.before_block(range.start);
                self.elements.html.push_str("<hr>\n");
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn gap(&mut self, html: &str, at: usize) {
        if at >= self.resume {
            self.elements.html.push_str(html);
            self.title(" ", " ");
        }
    }

    /// Text as CommonMark understood it: the body's own, unless an entity was decoded.
    fn text(&mut self, text: &str, range: Range<usize>) {
        match self.masked.get(range.clone()) == Some(text) {
            true if self.is_code => self.put(self.body.get(range.start.max(self.resume)..range.end)),
            true => self.prose(range),
            false if range.start >= self.resume => self.put(Some(text)),
            false => {}
        }
    }

    fn code(&mut self, text: &str, range: Range<usize>) {
        if range.start < self.resume {
            return;
        }
        // Filler inside: a tag that became code only because of a table around it. It is shown as it was written.
        let filled = self.places.get(self.next..).unwrap_or_default();
        let is_filled =
            filled.iter().take_while(|it| it.at.start < range.end).any(|it| it.at.start >= range.start);
        let written = self.body.get(range).unwrap_or_default().trim_matches('`');
        self.risks.around_words(&mut self.elements);
        self.elements.html.push_str("<code>");
        self.put(Some(if is_filled { written } else { text }));
        self.elements.html.push_str("</code>");
    }

    /// Prose, with what stands in it.
    fn prose(&mut self, range: Range<usize>) {
        let mut at = range.start.max(self.resume);
        while let Some(place) = self.places.get(self.next).filter(|place| place.at.start < range.end) {
            self.next += 1;
            if place.at.start < at {
                self.pass(place);
                continue;
            }
            self.put(self.body.get(at..place.at.start));
            self.resume = self.resume.max(place.at.end);
            self.within_prose(place);
            at = self.resume;
        }
        self.put(self.body.get(at..range.end));
    }

    fn put(&mut self, text: Option<&str>) {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return };
        self.risks.around_words(&mut self.elements);
        escape::html(text, &mut self.elements.html);
        self.title(text, text);
    }

    fn title(&mut self, shown: &str, written: &str) {
        if let Some(heading) = &mut self.heading {
            heading.title.push_str(shown);
            heading.written.push_str(written);
        }
    }

    /// A place that stands for nothing, except that a risk ends there all the same.
    fn pass(&mut self, place: &Place) {
        if let What::End(index) = place.what {
            self.risks.end(index, &mut self.elements);
        }
    }

    fn finish(mut self) -> Printed {
        let mut markdown = String::with_capacity(self.body.len() + self.body.len() / 4);
        let mut at = 0;
        let mut process = None;
        let (html_at, body_at) = self.process.unzip();
        let end = self.body.len();
        for (range, text) in self.edits.into_iter().chain([(end..end, String::new())]) {
            let is_here = body_at.filter(|it| process.is_none() && (at..=range.start).contains(it));
            process = process.or(is_here.map(|it| markdown.len() + it - at));
            markdown.push_str(self.body.get(at..range.start).unwrap_or_default());
            markdown.push_str(&text);
            at = range.end.max(at);
        }
        while self.elements.top().is_some() {
            self.elements.end_top();
        }
        let blank = markdown.len() - markdown.trim_start().len();
        let process = html_at.zip(process.map(|at| at.saturating_sub(blank)));
        let markdown = super::trimmed(markdown);
        Printed { html: self.elements.html, markdown, contents: self.contents, process }
    }
}
