//! Text that means nothing but itself: in HTML, in an attribute of a tag that agents read, in markdown.

use becivic_core::mdx::inert::allowed;
use std::borrow::Cow;

/// Text in HTML, between elements or between the quotes of an attribute.
pub fn html(text: &str, out: &mut String) {
    let instead = |byte| if byte == b'\'' { Some("&#39;") } else { in_template(byte) };
    replaced(text, out, is_special_in_html, instead);
}

/// The same as templates do it, whose attributes no apostrophe can end.
pub fn template(text: &str, out: &mut String) {
    replaced(text, out, is_special_in_template, in_template);
}

/// The place of the first special character. What there is much of is looked at in pieces, which machines compare at once; the
/// question has no `||` in it for that.
pub(crate) fn first(text: &str, is_special: impl Fn(u8) -> bool) -> Option<usize> {
    let is_plain = |piece: &[u8; 16]| !piece.iter().fold(false, |found, byte| found | is_special(*byte));
    let (pieces, _) = text.as_bytes().as_chunks();
    let from = pieces.iter().take_while(|piece| is_plain(piece)).count() * 16;
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    Some(from + rest.iter().position(|byte| is_special(*byte))?)
}

fn is_special_in_html(byte: u8) -> bool {
    is_special_in_template(byte) | (byte == b'\'')
}

fn is_special_in_template(byte: u8) -> bool {
    (byte == b'&') | (byte == b'<') | (byte == b'>') | (byte == b'"')
}

fn in_template(byte: u8) -> Option<&'static str> {
    match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'"' => Some("&quot;"),
        _ => None,
    }
}

/// Text with something else in the place of some ASCII characters.
fn replaced(
    text: &str,
    out: &mut String,
    is_special: impl Fn(u8) -> bool,
    instead: impl Fn(u8) -> Option<&'static str>,
) {
    let mut rest = text;
    while let Some((before, from)) = first(rest, &is_special).and_then(|at| rest.split_at_checked(at)) {
        let (special, after) = from.split_at_checked(1).unwrap_or((from, ""));
        out.push_str(before);
        out.push_str(special.bytes().next().and_then(&instead).unwrap_or(special));
        rest = after;
    }
    out.push_str(rest);
}

/// The same, as a text of its own.
pub fn in_html(text: &str) -> Cow<'_, str> {
    changed(text, is_special_in_html, html)
}

/// A text of which most have nothing to change: those stay as they are.
fn changed(
    text: &str,
    is_special: impl Fn(u8) -> bool,
    write: impl FnOnce(&str, &mut String),
) -> Cow<'_, str> {
    if first(text, is_special).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    write(text, &mut out);
    Cow::Owned(out)
}

/// The value of an attribute of a tag in markdown. A bar would end the cell of a table.
pub fn attribute(text: &str) -> Cow<'_, str> {
    let instead = |byte: u8| match byte {
        b'|' => Some("&#124;"),
        b'\n' | b'\r' => Some(" "),
        other => in_template(other),
    };
    let is_special = |byte| is_special_in_template(byte) | (byte == b'|') | (byte == b'\n') | (byte == b'\r');
    changed(text, is_special, |text, out| replaced(text, out, is_special, instead))
}

/// Text within a line of markdown.
pub fn markdown(text: &str) -> Cow<'_, str> {
    changed(text, |byte| is_special_in_markdown(byte) | (byte == b'&'), write_markdown)
}

/// What could be read as markup of markdown.
pub(crate) fn is_special_in_markdown(byte: u8) -> bool {
    const SPECIAL: &[u8; 12] = b"\\`*_[]<>|~\n\r";
    SPECIAL.iter().fold(false, |found, special| found | (byte == *special))
}

/// Whether what follows `&` can make an entity of both.
pub(crate) fn begins_entity(after: &str) -> bool {
    after.bytes().next().is_some_and(|next| next.is_ascii_alphanumeric() || next == b'#')
}

fn write_markdown(text: &str, out: &mut String) {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let is_entity = c == '&' && begins_entity(chars.as_str());
        if is_entity || matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~') {
            out.push('\\');
        }
        out.push(if matches!(c, '\n' | '\r') { ' ' } else { c });
    }
}

/// What strangers wrote, without characters that hide or turn text around.
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}
