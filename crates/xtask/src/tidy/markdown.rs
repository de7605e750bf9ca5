//! What the checks need of a Markdown document: code spans, links, headings, first cells; each with its line.
//!
//! 1. Parse with tables on and offsets kept; text inside fenced blocks is none of these and falls out.
//! 2. Turn an offset into a line by counting the line ends before it.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A piece of a document and the line it starts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its text: the code, the link's target, the heading's words.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Every inline code span.
pub fn code_spans(text: &str) -> Vec<Piece> {
    events(text)
        .filter_map(|(event, at)| match event {
            Event::Code(code) => Some(piece(text, code.into_string(), at)),
            _ => None,
        })
        .collect()
}

/// The target of every link and image.
pub fn link_targets(text: &str) -> Vec<Piece> {
    events(text)
        .filter_map(|(event, at)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(piece(text, dest_url.into_string(), at))
            }
            _ => None,
        })
        .collect()
}

/// The words of every heading, as one string each.
pub fn headings(text: &str) -> Vec<String> {
    let mut headings = Vec::new();
    let mut open: Option<String> = None;
    for (event, _) in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => open = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => headings.extend(open.take()),
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut open {
                    heading.push_str(&words);
                }
            }
            _ => {}
        }
    }
    headings
}

/// The code spans that open a table's row (heading rows apart).
pub fn first_cells(text: &str) -> Vec<Piece> {
    let mut cells = Vec::new();
    let mut column = None;
    for (event, at) in events(text) {
        match event {
            Event::Start(Tag::TableRow) => column = Some(0),
            Event::End(TagEnd::TableRow) => column = None,
            Event::End(TagEnd::TableCell) => column = column.map(|n| n + 1),
            Event::Code(code) if column == Some(0) => {
                cells.push(piece(text, code.into_string(), at));
            }
            _ => {}
        }
    }
    cells
}

fn events(text: &str) -> impl Iterator<Item = (Event<'_>, usize)> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
        .into_offset_iter()
        .map(|(event, range)| (event, range.start))
}

fn piece(document: &str, text: String, at: usize) -> Piece {
    let line = 1 + document[..at].matches('\n').count();
    Piece { text, line }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# One `two`\n\nSee `a/b.rs` and [it](c.md#d).\n\n```\n`not/this`\n```\n\n| name | why |\n|---|---|\n| `csv` | reads `tables` |\n";

    #[test]
    fn pieces_have_their_lines() {
        let spans: Vec<_> = code_spans(TEXT).iter().map(|p| p.line).collect();
        assert_eq!(spans, [1, 3, 11, 11]);
        let links = link_targets(TEXT);
        assert_eq!((links[0].text.as_str(), links[0].line), ("c.md#d", 3));
        assert_eq!(headings(TEXT), ["One two"]);
        let cells = first_cells(TEXT);
        assert_eq!(cells.len(), 1);
        assert_eq!((cells[0].text.as_str(), cells[0].line), ("csv", 11));
    }
}
