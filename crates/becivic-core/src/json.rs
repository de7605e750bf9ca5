//! Strict JSON into a [`Node`] tree.
//!
//! `serde_json` keeps the last of two equal keys without a word and forgets where values were, so the
//! structure is read here and only scalars go through `serde_json`:
//! 1. Skip white space.
//! 2. Read one value, at most [`MAX_DEPTH`] deep and of at most [`MAX_VALUES`] values.
//! 3. Refuse a repeated key.
//! 4. Nothing but white space may follow.

mod fast;

use crate::node::{Entry, Kind, MAX_DEPTH, MAX_VALUES, Node, ReadError, integral};
use crate::text::Span;
use std::collections::HashSet;

const HELP_SYNTAX: &str = "Write plain JSON: double quotes, no comments, no trailing commas.";

/// Reads one JSON document.
pub fn read(text: &str) -> Result<Node, ReadError> {
    let mut reader = Reader { text, at: 0, values: 0 };
    let node = reader.value(0)?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.syntax("there is text after the end of the JSON value"));
    }
    Ok(node)
}

/// Reads one JSON document as a plain value: as strictly, and faster, because it notes no places (`json/fast.rs`).
pub fn value(text: &str) -> Result<serde_json::Value, ReadError> {
    match fast::read(text) {
        Some(value) => Ok(value),
        None => read(text).map(Node::into_value),
    }
}

/// Writes a value, as short as it can be written. Its own `to_string` asks a formatter about every piece.
pub fn text(value: &serde_json::Value) -> String {
    let mut bytes = Vec::with_capacity(USUAL_LENGTH);
    // A vector takes everything, and a value holds nothing that cannot be written.
    let _written = serde_json::to_writer(&mut bytes, value);
    String::from_utf8(bytes).unwrap_or_default()
}

/// Most values that are written are shorter, in bytes.
const USUAL_LENGTH: usize = 1 << 10;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    values: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Node, ReadError> {
        self.skip_space();
        self.values += 1;
        if depth > MAX_DEPTH {
            return Err(self.fail(
                "nested_too_deep",
                format!("values are nested more than {MAX_DEPTH} deep"),
                "Flatten the structure; nothing in a corpus nests this deep.",
            ));
        }
        if self.values > MAX_VALUES {
            return Err(self.fail(
                "file_too_large",
                format!("the file holds more than {MAX_VALUES} values"),
                "Split the data or remove what does not belong here.",
            ));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Kind::String(self.string()?.into()),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Kind::Bool(true))?,
            Some(b'f') => self.word("false", Kind::Bool(false))?,
            Some(b'n') => self.word("null", Kind::Null)?,
            Some(_) => return Err(self.syntax("this is not a JSON value")),
            None => return Err(self.syntax("the file ends where a value should be")),
        };
        Ok(Node { span: Span::new(start, self.at), kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, ReadError> {
        self.at += 1;
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen: HashSet<Box<str>> = HashSet::new();
        loop {
            self.skip_space();
            if entries.is_empty() && self.eat(b'}') {
                break;
            }
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.syntax("an object's key must be a string in double quotes"));
            }
            let key: Box<str> = self.string()?.into();
            let key_span = Span::new(start, self.at);
            if !seen.insert(key.clone()) {
                self.at = start;
                return Err(self.fail(
                    "duplicate_key",
                    format!("the key `{}` is written twice in one object", shown(&key)),
                    "Keep one of the two.",
                ));
            }
            self.skip_space();
            if !self.eat(b':') {
                return Err(self.syntax("a colon is missing after this key"));
            }
            let value = self.value(depth + 1)?;
            entries.push(Entry { key, key_span, value });
            self.skip_space();
            if self.eat(b'}') {
                break;
            }
            if !self.eat(b',') {
                return Err(self.syntax("a comma or a closing brace is missing"));
            }
        }
        Ok(Kind::Map(entries))
    }

    fn list(&mut self, depth: usize) -> Result<Kind, ReadError> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            if items.is_empty() && self.eat(b']') {
                break;
            }
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.eat(b']') {
                break;
            }
            if !self.eat(b',') {
                return Err(self.syntax("a comma or a closing bracket is missing"));
            }
        }
        Ok(Kind::List(items))
    }

    fn string(&mut self) -> Result<String, ReadError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
                None => return Err(self.syntax("this string is never closed")),
                Some(step) if bytes.get(at + step) == Some(&b'"') => {
                    at += step + 1;
                    break;
                }
                Some(step) => at += step + 2,
            }
        }
        let raw = self.text.get(start..at).unwrap_or_default();
        let value = serde_json::from_str(raw)
            .map_err(|_| self.syntax("this string holds a raw control character or a bad escape"))?;
        self.at = at;
        Ok(value)
    }

    fn number(&mut self) -> Result<Kind, ReadError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end =
            rest.find(|c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9')).unwrap_or(rest.len());
        let number: serde_json::Number = serde_json::from_str(rest.get(..end).unwrap_or_default())
            .map_err(|_| self.syntax("this is not a number JSON knows"))?;
        self.at += end;
        Ok(Kind::Number(integral(number)))
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<Kind, ReadError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(self.syntax("this is not a JSON value"));
        }
        self.at += word.len();
        Ok(kind)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    fn syntax(&self, message: &str) -> ReadError {
        self.fail("json_syntax", message.to_owned(), HELP_SYNTAX)
    }

    fn fail(&self, rule: &'static str, message: String, help: &'static str) -> ReadError {
        ReadError { rule, offset: Span::at(self.at).start, message, help }
    }
}

/// A key, short enough to be shown.
fn shown(key: &str) -> String {
    key.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> &'static str {
        read(text).expect_err("must be refused").rule
    }

    #[test]
    fn reads_what_serde_json_reads() {
        let text = r#" {"a": [1, -2.5e-3, "x\"\u00e9", null, true], "b": {}, "c": []} "#;
        let node = read(text).expect("valid");
        let expected: serde_json::Value = serde_json::from_str(text).expect("valid");
        assert_eq!(node.to_value(), expected);
        assert_eq!(read("[60.0, -0.0, 6e1]").expect("valid").to_value(), serde_json::json!([60, 0, 60]));
        let span = node.locate("/a/2");
        assert_eq!(text.get(span.range()), Some("\"x\\\"\\u00e9\""));
    }

    #[test]
    fn refuses_what_is_not_strict_json() {
        for text in [
            "",
            "{",
            "[1,]",
            "{'a': 1}",
            "{\"a\": 01}",
            "[1] 2",
            "\"\n\"",
            "nul",
            "{\"a\" 1}",
            "// x\n1",
            "\"\\x\"",
            "\"\\",
        ] {
            assert_eq!(rule(text), "json_syntax", "{text}");
        }
        assert_eq!(rule("{\"a\": 1, \"b\": {\"c\": 1, \"c\": 2}}"), "duplicate_key");
        assert_eq!(rule(&"[".repeat(100_000)), "nested_too_deep");
    }

    #[test]
    fn a_million_elements_are_read_and_too_many_are_refused() {
        let million = format!("[{}1]", "1,".repeat(999_999));
        assert!(read(&million).is_ok());
        let too_many = format!("[{}1]", "1,".repeat(MAX_VALUES));
        assert_eq!(rule(&too_many), "file_too_large");
    }
}
