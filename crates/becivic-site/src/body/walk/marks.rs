//! Marks of CommonMark as elements: a short list, and nothing of the author's in it but text, numbers and checked targets.

use super::super::elements::Owner;
use super::super::{escape, links};
use super::{Heading, Page};
use pulldown_cmark::{Alignment, HeadingLevel, Tag as Mark, TagEnd};
use std::ops::Range;

/// Further right than this it does not matter where an item begins: thousands of them may stand on one line.
const MAX_COLUMN: usize = 200;

/// The heading that a skill's steps stand under (§6.1).
const PROCESS: &str = "Process";

impl Page<'_, '_, '_> {
    pub(super) fn start(&mut self, mark: Mark<'_>, range: Range<usize>) {
        match mark {
            Mark::Paragraph | Mark::HtmlBlock => self.block(range.start, "<p>", "</p>\n"),
            Mark::Heading { level, .. } => self.heading(level, range.start),
            Mark::BlockQuote(_) => self.block(range.start, "<blockquote>\n", "</blockquote>\n"),
            Mark::CodeBlock(_) => {
                self.block(range.start, "<pre tabindex=\"0\"><code>", "</code></pre>\n");
                self.is_code = true;
            }
            Mark::List(None) => self.block(range.start, "<ul>\n", "</ul>\n"),
            Mark::List(Some(1)) => self.block(range.start, "<ol>\n", "</ol>\n"),
            Mark::List(Some(first)) => {
                self.block(range.start, &format!("<ol start=\"{first}\">\n"), "</ol>\n");
            }
            Mark::Item => self.item(range.start),
            Mark::Table(columns) => self.table(columns, range.start),
            Mark::TableHead => self.row("<thead><tr>", "</tr></thead>\n<tbody>\n", true),
            Mark::TableRow => self.row("<tr>", "</tr>\n", false),
            Mark::TableCell => self.cell(),
            Mark::Emphasis => self.inline(Owner::Inline, "<em>", "</em>", range.start),
            Mark::Strong => self.inline(Owner::Inline, "<strong>", "</strong>", range.start),
            Mark::Link { dest_url, .. } => self.link(&dest_url, range.start),
            Mark::Image { .. } => {
                self.inline(Owner::Inline, "<span class=\"image\">", "</span>", range.start);
            }
            // Never given out: nobody asked for these extensions.
            Mark::Strikethrough | Mark::Superscript | Mark::Subscript => {
                self.inline(Owner::Inline, "", "", range.start);
            }
            Mark::FootnoteDefinition(_)
            | Mark::DefinitionList
            | Mark::DefinitionListTitle
            | Mark::DefinitionListDefinition
            | Mark::MetadataBlock(_) => self.block(range.start, "<div>", "</div>\n"),
        }
    }

    pub(super) fn end(&mut self, end: TagEnd, range: Range<usize>) {
        match end {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => self.elements.end_inline(),
            TagEnd::Heading(_) => self.end_heading(range.end),
            TagEnd::Item => {
                self.catch_up_within_item(range.end);
                self.end_block();
            }
            TagEnd::BlockQuote(_) => {
                self.catch_up(range.end);
                self.end_block();
            }
            TagEnd::CodeBlock => {
                self.is_code = false;
                self.end_block();
            }
            TagEnd::Paragraph
            | TagEnd::HtmlBlock
            | TagEnd::List(_)
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => self.end_block(),
        }
    }

    fn block(&mut self, at: usize, open: &str, close: &'static str) {
        self.before_block(at);
        self.elements.start(Owner::Block, open, "", close);
    }

    fn end_block(&mut self) {
        self.risks.settle(&mut self.elements);
        let closed = self.elements.end_block();
        self.risks.cut(&closed);
        self.risks.settle(&mut self.elements);
    }

    /// Between the items of a list nothing may stand: what does goes into the next one.
    fn item(&mut self, at: usize) {
        let before = self.masked.as_bytes().get(at.saturating_sub(MAX_COLUMN)..at).unwrap_or_default();
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
        self.elements.start(Owner::Item(column), "<li>", "", "</li>\n");
        self.before_block(at);
    }

    fn heading(&mut self, level: HeadingLevel, at: usize) {
        self.before_block(at);
        let close = match level {
            HeadingLevel::H1 => "</h1>\n",
            HeadingLevel::H2 => "</h2>\n",
            HeadingLevel::H3 => "</h3>\n",
            HeadingLevel::H4 => "</h4>\n",
            HeadingLevel::H5 => "</h5>\n",
            HeadingLevel::H6 => "</h6>\n",
        };
        self.elements.start(Owner::Block, "<h", "", close);
        let at = self.elements.html.len();
        self.heading = Some(Heading { at, level, title: String::new(), written: String::new() });
    }

    /// The name of a heading is known when its words are.
    fn end_heading(&mut self, end: usize) {
        self.end_block();
        let Some(heading) = self.heading.take() else { return };
        let name = self.names.give(&heading.written);
        let is_shown = self.elements.html.get(..heading.at).is_some_and(|html| html.ends_with("<h"));
        if is_shown {
            let level = heading.level as usize;
            let open = format!("{level} id=\"{}\">", escape::in_html(&name));
            self.elements.html.insert_str(heading.at, &open);
        }
        let title = heading.title.trim().to_owned();
        let is_process = heading.level == HeadingLevel::H2 && title == PROCESS;
        if is_process && self.process.is_none() && self.elements.top().is_none() {
            self.process = Some((self.elements.html.len(), end));
        }
        if is_shown && heading.level == HeadingLevel::H2 {
            self.contents.push((name, title.clone()));
        }
        self.last_heading = title;
    }

    fn table(&mut self, columns: Vec<Alignment>, at: usize) {
        let label = if self.last_heading.is_empty() { self.words.body.table } else { &self.last_heading };
        let open = format!(
            "<div class=\"table\" role=\"group\" aria-label=\"{}\" tabindex=\"0\"><table>\n",
            escape::in_html(label)
        );
        self.block(at, &open, "</tbody></table></div>\n");
        self.columns = columns;
    }

    fn row(&mut self, open: &str, close: &'static str, is_head: bool) {
        self.elements.start(Owner::Block, open, "", close);
        (self.cell, self.is_head) = (0, is_head);
    }

    fn cell(&mut self) {
        let side = match self.columns.get(self.cell) {
            Some(Alignment::Center) => " class=\"center\"",
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::None | Alignment::Left) | None => "",
        };
        self.cell += 1;
        let (open, close) = match self.is_head {
            true => (format!("<th scope=\"col\"{side}>"), "</th>"),
            false => (format!("<td{side}>"), "</td>"),
        };
        self.elements.start(Owner::Block, &open, "", close);
    }

    fn inline(&mut self, owner: Owner, open: &str, close: &'static str, at: usize) {
        self.risks.around_words(&mut self.elements);
        // Inside what a tag replaces nothing is shown.
        let (open, close) = if at < self.resume { ("", "") } else { (open, close) };
        self.elements.start(owner, open, open, close);
    }

    fn link(&mut self, target: &str, at: usize) {
        let skill = self.tags.map(|tags| tags.skill.folder.as_str());
        let open = links::opening(target, skill).filter(|_| !self.elements.in_link());
        match open {
            Some(open) => self.inline(Owner::Link, &open, "</a>", at),
            None => self.inline(Owner::Inline, "", "", at),
        }
    }
}
