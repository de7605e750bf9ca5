//! Text that means nothing but itself: in HTML, in an attribute of a tag that agents read, in markdown.

use becivic_core::mdx::inert::allowed;

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
pub fn in_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    html(text, &mut out);
    out
}

/// The value of an attribute of a tag in markdown. A bar would end the cell of a table.
pub fn attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    replaced(text, &mut out, |byte| match byte {
        b'|' => Some("&#124;"),
        b'\n' | b'\r' => Some(" "),
        other => in_template(other),
    });
    out
}

/// Text within a line of markdown.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_entity =
            c == '&' && chars.peek().is_some_and(|next| next.is_ascii_alphanumeric() || *next == '#');
        if is_entity || matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~') {
            out.push('\\');
        }
        out.push(if matches!(c, '\n' | '\r') { ' ' } else { c });
    }
    out
}

/// What strangers wrote, without characters that hide or turn text around.
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}
