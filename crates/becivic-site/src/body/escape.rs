//! Text that means nothing but itself: in HTML, in an attribute of a tag that agents read, in markdown.

use becivic_core::mdx::inert::allowed;

/// Text in HTML, between elements or between the quotes of an attribute.
pub fn html(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        out.push_str(match from.as_bytes().first() {
            Some(b'&') => "&amp;",
            Some(b'<') => "&lt;",
            Some(b'>') => "&gt;",
            Some(b'"') => "&quot;",
            Some(_) | None => "&#39;",
        });
        rest = from.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
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
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '|' => out.push_str("&#124;"),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
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
