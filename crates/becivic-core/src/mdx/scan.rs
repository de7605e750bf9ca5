//! Finds component tags in a body and reads each into pieces.
//!
//! A tag is `<` (or `</`) followed by an upper-case letter. It reads: name, then attributes
//! `name="value"` with white space before each, then optional white space, `/`, `>`. Anything else is
//! malformed. A blank line ends the attempt, so a stray `<Upper` cannot swallow a page.

use super::tag::{Attribute, Form, Tag, TagKind};
use crate::text::Span;

/// A tag may carry at most this many attributes; our largest has five.
const MAX_ATTRIBUTES: usize = 16;

/// Something that starts like a tag.
#[derive(Debug)]
pub struct Scanned {
    /// The whole tag; for a malformed one, up to the next `>` or the end of the line.
    pub span: Span,
    /// What was read.
    pub what: What,
}

/// What a scanned tag is.
#[derive(Debug)]
pub enum What {
    /// `<Name …>` or `<Name … />`
    Open {
        /// The name.
        name: Span,
        /// Attributes in order.
        attributes: Vec<Attribute>,
        /// What is between the last attribute and `>`.
        tail: Span,
        /// Whether it ends with `/>`.
        closed: bool,
    },
    /// `</Name>`
    Close {
        /// The name.
        name: Span,
    },
    /// Not readable.
    Malformed {
        /// Why.
        reason: &'static str,
        /// The name it starts with.
        name: Span,
        /// Whether it starts with `</`.
        closing: bool,
    },
}

/// Finds every tag-like place of a body, in order.
pub fn scan(body: &str) -> Vec<Scanned> {
    let bytes = body.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(step) = memchr::memchr(b'<', bytes.get(at..).unwrap_or_default()) {
        let start = at + step;
        let slash = usize::from(bytes.get(start + 1) == Some(&b'/'));
        if !bytes.get(start + 1 + slash).is_some_and(u8::is_ascii_uppercase) {
            at = start + 1;
            continue;
        }
        let mut reader = Reader { bytes, at: start + 1 + slash };
        let name = reader.word();
        let read = if slash == 1 { reader.close(name) } else { reader.open(name) };
        let what = read.unwrap_or_else(|reason| What::Malformed { reason, name, closing: slash == 1 });
        let end = match what {
            What::Malformed { .. } => {
                let rest = bytes.get(start..).unwrap_or_default();
                match memchr::memchr2(b'>', b'\n', rest) {
                    Some(length) => start + length + usize::from(rest.get(length) == Some(&b'>')),
                    None => bytes.len(),
                }
            }
            What::Open { .. } | What::Close { .. } => reader.at,
        };
        found.push(Scanned { span: Span::new(start, end), what });
        at = end;
    }
    found
}

/// The body with every tag replaced by inert filler of the same length: spaces when a line
/// holds nothing but tags (it becomes a blank line), letters otherwise (it stays part of the prose).
/// Unreadable tags are masked too, so that they are not reported a second time as raw HTML.
pub fn mask(body: &str, scanned: &[Scanned]) -> String {
    let mut bytes = body.as_bytes().to_vec();
    let readable = |s: &&Scanned| !matches!(s.what, What::Malformed { .. });
    for tag in scanned {
        bytes.get_mut(tag.span.range()).unwrap_or_default().fill(b'x');
    }
    for tag in scanned.iter().filter(readable) {
        if alone(&bytes, body.as_bytes(), tag.span) {
            bytes.get_mut(tag.span.range()).unwrap_or_default().fill(b' ');
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// The body of a document for whoever prints it: filler where these tags (and their ends) stand, everything else as written. A line
/// that holds nothing but the begin or end of a block (`<Risk>`, `<Observations />`) becomes blank; any other tag stays part of the prose,
/// also when it has a line for itself.
pub fn masked<'t>(text: &str, body: Span, tags: impl Iterator<Item = &'t Tag> + Clone) -> String {
    let original = text.get(body.range()).unwrap_or_default().as_bytes();
    let mut bytes = original.to_vec();
    let inside = |span: Span| {
        let place = |at: u32| at.saturating_sub(body.start);
        Span { start: place(span.start), end: place(span.end) }
    };
    let spans = tags.flat_map(|tag| {
        let end = match &tag.form {
            Form::SelfClosing => None,
            Form::Wrapper { close } => Some(*close),
        };
        let is_block = matches!(tag.kind, TagKind::Risk | TagKind::Observations);
        std::iter::once(tag.open).chain(end).map(move |span| (inside(span), is_block))
    });
    for (span, _) in spans.clone() {
        bytes.get_mut(span.range()).unwrap_or_default().fill(b'x');
    }
    for (span, _) in spans.filter(|(_, is_block)| *is_block) {
        if alone(&bytes, original, span) {
            bytes.get_mut(span.range()).unwrap_or_default().fill(b' ');
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Whether a tag has nothing but white space beside it on its line(s).
fn alone(masked: &[u8], body: &[u8], span: Span) -> bool {
    let blank_before = masked
        .get(..span.start as usize)
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(|b| **b != b'\n')
        .all(|b| *b == b' ' || *b == b'\t');
    let blank_after = body
        .get(span.end as usize..)
        .unwrap_or_default()
        .iter()
        .take_while(|b| **b != b'\n')
        .all(|b| *b == b' ' || *b == b'\t');
    blank_before && blank_after
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn open(&mut self, name: Span) -> Result<What, &'static str> {
        let mut attributes = Vec::new();
        loop {
            let gap = self.space()?;
            match self.peek() {
                Some(b'>') => {
                    self.at += 1;
                    return Ok(What::Open { name, attributes, tail: gap, closed: false });
                }
                Some(b'/') if self.bytes.get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    return Ok(What::Open {
                        name,
                        attributes,
                        tail: Span::new(gap.start as usize, self.at - 1),
                        closed: true,
                    });
                }
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') if gap.end > gap.start => {
                    if attributes.len() == MAX_ATTRIBUTES {
                        return Err("it has too many attributes");
                    }
                    attributes.push(self.attribute(gap)?);
                }
                Some(b'{') => return Err("expressions in braces are not allowed"),
                Some(_) => return Err("this is not an attribute"),
                None => return Err("it never ends with `>`"),
            }
        }
    }

    fn close(&mut self, name: Span) -> Result<What, &'static str> {
        self.space()?;
        if self.peek() != Some(b'>') {
            return Err("a closing tag holds nothing but its name");
        }
        self.at += 1;
        Ok(What::Close { name })
    }

    fn attribute(&mut self, gap: Span) -> Result<Attribute, &'static str> {
        let name = self.word();
        if self.peek() != Some(b'=') {
            return Err("an attribute needs `=` and a value in double quotes");
        }
        self.at += 1;
        if self.peek() != Some(b'"') {
            return Err("an attribute's value must be in double quotes");
        }
        self.at += 1;
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = memchr::memchr2(b'"', b'\n', rest).ok_or("an attribute's quote is never closed")?;
        if rest.get(length) == Some(&b'\n') {
            return Err("an attribute's value must stay on one line");
        }
        self.at = start + length + 1;
        Ok(Attribute { gap, name, value: Span::new(start, start + length) })
    }

    fn word(&mut self) -> Span {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-') {
            self.at += 1;
        }
        Span::new(start, self.at)
    }

    fn space(&mut self) -> Result<Span, &'static str> {
        let start = self.at;
        let mut newlines = 0;
        while let Some(byte @ (b' ' | b'\n' | b'\t')) = self.peek() {
            newlines += usize::from(byte == b'\n');
            self.at += 1;
        }
        if newlines > 1 {
            return Err("it is broken by a blank line");
        }
        Ok(Span::new(start, self.at))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}
