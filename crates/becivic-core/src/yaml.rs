//! Strict YAML 1.2 into a [`Node`] tree: the subset a skill's frontmatter may use (§5).
//!
//! 1. `saphyr-parser` gives events with places; nothing is resolved behind our back.
//! 2. Refused with a place and a reason: a second document, anchors, aliases, tags, repeated keys,
//!    keys that are not strings, deep nesting, too many values.
//! 3. Plain scalars follow the 1.2 core schema only: `true`/`false`, `null`/`~`/empty, decimal
//!    integers, floats. `yes`, `no`, `on`, `off` are strings.
//! 4. A plain five-digit number is refused: it is a NIS code that lost its quotes.

pub mod write;

use crate::node::{Entry, Kind, MAX_DEPTH, MAX_VALUES, Node, ReadError, integral};
use crate::text::Span;
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Reads one YAML document; `base` is where its text starts in the file.
pub fn read(text: &str, base: usize) -> Result<Node, ReadError> {
    let places = Places::new(text, base);
    let mut builder = Builder::default();
    for item in Parser::new_from_str(text) {
        let (event, span) = item.map_err(|error| {
            let offset = places.byte(error.marker().index());
            let message = format!("the frontmatter is not YAML: {}", error.info());
            ReadError {
                rule: "yaml_syntax",
                offset,
                message,
                help: "Check indentation, colons and quotes on this line.",
            }
        })?;
        let span = Span { start: places.byte(span.start.index()), end: places.byte(span.end.index()) };
        builder.event(event, span)?;
    }
    builder.root.ok_or_else(|| ReadError {
        rule: "yaml_syntax",
        offset: Span::at(base).start,
        message: "the frontmatter is empty".to_owned(),
        help: "Write at least the eight required fields; `becivic new skill` makes a start.",
    })
}

/// The parser counts characters; we count bytes.
struct Places {
    base: usize,
    /// Byte offset of each character, only when they differ.
    bytes: Option<Vec<u32>>,
}

impl Places {
    fn new(text: &str, base: usize) -> Self {
        let bytes = (!text.is_ascii()).then(|| {
            let starts = text.char_indices().map(|(at, _)| at);
            starts.chain(std::iter::once(text.len())).map(|at| Span::at(at).start).collect()
        });
        Self { base, bytes }
    }

    fn byte(&self, index: usize) -> u32 {
        let local = match &self.bytes {
            None => index,
            Some(bytes) => bytes.get(index).or(bytes.last()).copied().unwrap_or(0) as usize,
        };
        Span::at(self.base + local).start
    }
}

#[derive(Default)]
struct Builder {
    stack: Vec<Open>,
    root: Option<Node>,
    values: usize,
}

/// A list or map whose end has not come yet.
enum Open {
    List(Span, Vec<Node>),
    Map(Span, Vec<Entry>, Option<(Box<str>, Span)>),
}

impl Builder {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), ReadError> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_) if self.root.is_some() => Err(refuse(
                "yaml_feature",
                span,
                "the frontmatter holds a second YAML document",
                "Keep one document between the two `---` lines.",
            )),
            Event::DocumentStart(_) => Ok(()),
            Event::Alias(_) => Err(refuse(
                "yaml_feature",
                span,
                "YAML aliases (`*name`) are not allowed",
                "Write the value out.",
            )),
            Event::Scalar(text, style, anchor, tag) => {
                plain_yaml(anchor, tag.is_some(), span)?;
                self.scalar(&text, style, span)
            }
            Event::SequenceStart(anchor, tag) => {
                plain_yaml(anchor, tag.is_some(), span)?;
                self.open(Open::List(span, Vec::new()), span)
            }
            Event::MappingStart(anchor, tag) => {
                plain_yaml(anchor, tag.is_some(), span)?;
                self.open(Open::Map(span, Vec::new(), None), span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
        }
    }

    fn open(&mut self, open: Open, span: Span) -> Result<(), ReadError> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(refuse(
                "nested_too_deep",
                span,
                &format!("values are nested more than {MAX_DEPTH} deep"),
                "Flatten the structure; no field nests this deep.",
            ));
        }
        if let Some(Open::Map(_, _, None)) = self.stack.last() {
            return Err(complex_key(span));
        }
        self.stack.push(open);
        Ok(())
    }

    fn close(&mut self, end: Span) -> Result<(), ReadError> {
        let (start, kind) = match self.stack.pop() {
            Some(Open::List(start, items)) => (start, Kind::List(items)),
            Some(Open::Map(start, entries, _)) => (start, Kind::Map(entries)),
            None => return Ok(()),
        };
        let span = Span { start: start.start, end: end.end.max(start.end) };
        self.add(Node { span, kind })
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) -> Result<(), ReadError> {
        if let Some(Open::Map(_, entries, key @ None)) = self.stack.last_mut() {
            if entries.iter().any(|entry| &*entry.key == text) {
                let shown: String = text.chars().take(60).collect();
                return Err(refuse(
                    "duplicate_key",
                    span,
                    &format!("the key `{shown}` is written twice in one object"),
                    "Keep one of the two.",
                ));
            }
            *key = Some((text.into(), span));
            return Ok(());
        }
        let kind = match style {
            ScalarStyle::Plain => resolve_plain(text, span)?,
            ScalarStyle::SingleQuoted
            | ScalarStyle::DoubleQuoted
            | ScalarStyle::Literal
            | ScalarStyle::Folded => Kind::String(text.into()),
        };
        self.add(Node { span, kind })
    }

    fn add(&mut self, node: Node) -> Result<(), ReadError> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(refuse(
                "file_too_large",
                node.span,
                &format!("the file holds more than {MAX_VALUES} values"),
                "Split the data or remove what does not belong here.",
            ));
        }
        match self.stack.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map(_, entries, key)) => match key.take() {
                Some((key, key_span)) => entries.push(Entry { key, key_span, value: node }),
                None => return Err(complex_key(node.span)),
            },
        }
        Ok(())
    }
}

fn resolve_plain(text: &str, span: Span) -> Result<Kind, ReadError> {
    let first = match text.as_bytes().first() {
        None => return Ok(Kind::Null),
        Some(first) => *first,
    };
    match text {
        "~" | "null" | "Null" | "NULL" => return Ok(Kind::Null),
        "true" | "True" | "TRUE" => return Ok(Kind::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(Kind::Bool(false)),
        _ => {}
    }
    if text.len() == 5 && text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(refuse(
            "unquoted_nis",
            span,
            "a five-digit code must be a quoted string, or YAML makes it a number",
            "Put the NIS code in double quotes, like \"21004\".",
        ));
    }
    if matches!(first, b'-' | b'+' | b'.' | b'0'..=b'9') {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            if let Ok(integer) = text.trim_start_matches('+').parse::<i64>() {
                return Ok(Kind::Number(integer.into()));
            }
        } else if digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'-' | b'+'))
            && digits.bytes().any(|b| b.is_ascii_digit())
            && let Ok(float) = text.parse::<f64>()
            && let Some(number) = serde_json::Number::from_f64(float)
        {
            return Ok(Kind::Number(integral(number)));
        }
    }
    Ok(Kind::String(text.into()))
}

fn plain_yaml(anchor: usize, tagged: bool, span: Span) -> Result<(), ReadError> {
    if anchor != 0 {
        return Err(refuse(
            "yaml_feature",
            span,
            "YAML anchors (`&name`) are not allowed",
            "Write the value out where it is needed.",
        ));
    }
    if tagged {
        return Err(refuse(
            "yaml_feature",
            span,
            "YAML tags (`!name`) are not allowed",
            "Remove the tag; quote the value if it must be a string.",
        ));
    }
    Ok(())
}

fn complex_key(span: Span) -> ReadError {
    refuse("yaml_feature", span, "a key must be a plain word", "Use a simple name followed by a colon.")
}

fn refuse(rule: &'static str, span: Span, message: &str, help: &'static str) -> ReadError {
    ReadError { rule, offset: span.start, message: message.to_owned(), help }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(text: &str) -> serde_json::Value {
        read(text, 0).expect("valid").to_value()
    }

    fn refused(text: &str) -> (&'static str, u32) {
        let error = read(text, 0).expect_err("must be refused");
        (error.rule, error.offset)
    }

    #[test]
    fn follows_the_yaml_1_2_core_schema() {
        let text = "a: yes\nb: no\nc: on\nd: true\ne: null\nf: ~\ng:\nh: 12\ni: 1.5\nj: '21004'\nk: 1.0.0\nl: 2026-01-02\nm: 0x1F\nn: -3\no: [x, {y: z}]\n";
        assert_eq!(
            value(text),
            json!({"a": "yes", "b": "no", "c": "on", "d": true, "e": null, "f": null, "g": null,
                   "h": 12, "i": 1.5, "j": "21004", "k": "1.0.0", "l": "2026-01-02", "m": "0x1F", "n": -3,
                   "o": ["x", {"y": "z"}]})
        );
    }

    #[test]
    fn refuses_with_a_place() {
        assert_eq!(refused("a: 1\nb: 2\na: 3\n"), ("duplicate_key", 10));
        assert_eq!(refused("a: &x 1\n").0, "yaml_feature");
        assert_eq!(refused("a: !!str 1\n").0, "yaml_feature");
        assert_eq!(refused("a: 1\n---\nb: 2\n").0, "yaml_feature");
        assert_eq!(refused("é: [21004]\n"), ("unquoted_nis", 5));
        assert_eq!(refused("a: [\n").0, "yaml_syntax");
        assert_eq!(refused("").0, "yaml_syntax");
        assert_eq!(refused("? [a]\n: b\n").0, "yaml_feature");
        let deep = format!("a: {}{}", "[".repeat(70), "]".repeat(70));
        assert_eq!(refused(&deep).0, "nested_too_deep");
        assert!(read(&format!("a: {}", "[".repeat(50_000)), 0).is_err());
    }

    #[test]
    fn places_are_bytes_in_the_file() {
        let text = "é: x\nname: y\n";
        let node = read(text, 100).expect("valid");
        assert_eq!(node.locate("/name").start, 100 + 12);
        assert_eq!(node.locate_key("/name").start, 100 + 6);
    }
}
