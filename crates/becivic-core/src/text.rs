//! Where things are in a file: byte spans, and lines and columns people can follow.
//!
//! 1. [`Span`]s are byte offsets into one file's text, kept as `u32` (no file we read is near 4 GiB).
//! 2. A [`Source`] is a file's path and text; its table of line starts is built only when a finding
//!    needs a position, once per file, so ten thousand findings in one file stay linear.

use std::sync::OnceLock;

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from byte offsets.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end) }
    }

    /// An empty span at one offset.
    pub fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// Whether `offset` lies inside.
    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The span as a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One file's text, with its path inside the corpus.
#[derive(Debug, Default)]
pub struct Source {
    path: String,
    text: String,
    line_starts: OnceLock<Vec<u32>>,
}

impl Source {
    /// A source from its path (relative to the corpus, `/` separated) and text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), line_starts: OnceLock::new() }
    }

    /// Path relative to the corpus root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span; empty when the span does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset. Offsets past the end give the last position.
    pub fn position(&self, offset: u32) -> Position {
        let starts = self.line_starts.get_or_init(|| {
            let newlines = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(newlines.map(|at| Span::at(at + 1).start)).collect()
        });
        let line = starts.partition_point(|start| *start <= offset).max(1) - 1;
        let start = starts.get(line).copied().unwrap_or(0) as usize;
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let column = self.text.get(start..end).map_or(0, |s| s.chars().count());
        Position {
            line: u32::try_from(line + 1).unwrap_or(u32::MAX),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_not_bytes() {
        let source = Source::new("a.md", "été\nau §5\n");
        let offset = source.text().find('5').expect("there is a 5") as u32;
        assert_eq!(source.position(offset), Position { line: 2, column: 5 });
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(10_000).line, 3);
    }
}
