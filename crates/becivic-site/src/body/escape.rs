//! Text that means nothing but itself: in HTML, in an attribute of a tag that agents read, in markdown.

use becivic_core::mdx::inert::allowed;
use std::borrow::Cow;

/// Text in HTML, between elements or between the quotes of an attribute.
pub fn html(text: &str, out: &mut String) {
    replaced(text, out, |byte| if byte == b'\'' { Some("&#39;") } else { in_template(byte) });
}

/// The same as templates do it, whose attributes no apostrophe can end.
pub fn template(text: &str, out: &mut String) {
    replaced(text, out, in_template);
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
fn replaced(text: &str, out: &mut String, instead: impl Fn(u8) -> Option<&'static str>) {
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(instead) = instead(byte) {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str(instead);
            copied = at + 1;
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
}

/// The same, as a text of its own.
pub fn in_html(text: &str) -> Cow<'_, str> {
    changed(text, |byte| byte == b'\'' || in_template(byte).is_some(), html)
}

/// A text of which most have nothing to change: those stay as they are.
fn changed(
    text: &str,
    is_special: impl Fn(u8) -> bool,
    write: impl FnOnce(&str, &mut String),
) -> Cow<'_, str> {
    if !text.bytes().any(is_special) {
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
    changed(text, |byte| instead(byte).is_some(), |text, out| replaced(text, out, instead))
}

/// Text within a line of markdown.
pub fn markdown(text: &str) -> Cow<'_, str> {
    const SPECIAL: &[u8] = b"&\\`*_[]<>|~\n\r";
    changed(text, |byte| SPECIAL.contains(&byte), write_markdown)
}

fn write_markdown(text: &str, out: &mut String) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_entity =
            c == '&' && chars.peek().is_some_and(|next| next.is_ascii_alphanumeric() || *next == '#');
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
