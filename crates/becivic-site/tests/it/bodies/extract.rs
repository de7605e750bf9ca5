//! The words of a text, out of its HTML and out of its markdown, without white space: both forms must say the same.

use becivic_core::mdx;
use becivic_core::mdx::tag::Form;
use pulldown_cmark::{Event, Options, Parser};

/// Stands where tags are; no text has it.
const FILLER: u8 = 1;

/// The words of HTML, without the notes that markdown has as attributes.
pub fn of_html(html: &str) -> String {
    let mut out = String::new();
    let mut left_out: Option<&str> = None;
    let mut rest = html;
    while !rest.is_empty() {
        let at = rest.find('<').unwrap_or(rest.len());
        if left_out.is_none() {
            out.push_str(&rest[..at]);
        }
        rest = &rest[at..];
        let end = rest.find('>').map_or(rest.len(), |end| end + 1);
        let tag = &rest[..end];
        for (class, close) in
            [("ref-note", "</small>"), ("risk-label", "</strong>"), ("callout-title", "</p>")]
        {
            if tag.contains(&format!("class=\"{class}\"")) {
                left_out = Some(close);
            }
        }
        if left_out == Some(tag) {
            left_out = None;
        }
        rest = &rest[end..];
    }
    let decoded = out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    squeezed(&decoded.replace("&amp;", "&"))
}

/// The words of markdown, without its tags.
pub fn of_markdown(markdown: &str) -> String {
    let (document, _) = mdx::parse(markdown, 0);
    let mut bytes = markdown.as_bytes().to_vec();
    for tag in &document.tags {
        bytes[tag.open.range()].fill(FILLER);
        if let Form::Wrapper { close } = &tag.form {
            bytes[close.range()].fill(FILLER);
        }
    }
    let masked = String::from_utf8(bytes).expect("text");
    let mut out = String::new();
    for event in Parser::new_ext(&masked, Options::ENABLE_TABLES) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                out.push_str(&text)
            }
            _ => {}
        }
    }
    squeezed(&out.replace('\u{1}', ""))
}

/// Without white space, and without the brackets around a status.
fn squeezed(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    ["Alpha", "Draft", "Deprecated"]
        .iter()
        .fold(text, |text, status| text.replace(&format!("({status})"), status))
}
