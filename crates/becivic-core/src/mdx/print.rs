//! Prints a document back, from its pieces. Unchanged pieces print byte for byte.
//!
//! [`print_with`] lets a caller replace attribute values (filling a `uid`, say) without touching
//! anything else.

use super::Document;
use super::tag::{Form, SHAPES, Tag};

/// Prints the body exactly as it was read. `text` is the file the document was parsed from.
pub fn print(text: &str, document: &Document) -> String {
    print_with(text, document, |_, _| None)
}

/// Prints the body, asking for each attribute (tag, name) whether its value is to be replaced.
pub fn print_with(text: &str, document: &Document, replace: impl Fn(&Tag, &str) -> Option<String>) -> String {
    let slice =
        |range: std::ops::Range<u32>| text.get(range.start as usize..range.end as usize).unwrap_or("");
    let mut out = String::with_capacity(document.body.range().len());
    let mut ends: Vec<(u32, u32)> = Vec::new();
    let mut at = document.body.start;
    for tag in &document.tags {
        close_before(tag.open.start, &mut ends, &mut at, &mut out, &slice);
        out.push_str(slice(at..tag.open.start));
        out.push('<');
        out.push_str(name(tag));
        for attribute in &tag.attributes {
            let attribute_name = slice(attribute.name.start..attribute.name.end);
            out.push_str(slice(attribute.gap.start..attribute.gap.end));
            out.push_str(attribute_name);
            out.push_str("=\"");
            match replace(tag, attribute_name) {
                Some(value) => out.push_str(&value.replace('&', "&amp;").replace('"', "&quot;")),
                None => out.push_str(slice(attribute.value.start..attribute.value.end)),
            }
            out.push('"');
        }
        out.push_str(slice(tag.tail.start..tag.tail.end));
        out.push('>');
        at = tag.open.end;
        if let Form::Wrapper { close } = &tag.form {
            ends.push((close.start, close.end));
        }
    }
    close_before(u32::MAX, &mut ends, &mut at, &mut out, &slice);
    out.push_str(slice(at..document.body.end));
    out
}

/// Prints the closing tags that come before `limit`, innermost first.
fn close_before<'t>(
    limit: u32,
    ends: &mut Vec<(u32, u32)>,
    at: &mut u32,
    out: &mut String,
    slice: &impl Fn(std::ops::Range<u32>) -> &'t str,
) {
    while let Some((start, end)) = ends.last().copied() {
        if start >= limit {
            break;
        }
        ends.pop();
        out.push_str(slice(*at..start));
        out.push_str(slice(start..end));
        *at = end;
    }
}

fn name(tag: &Tag) -> &'static str {
    SHAPES.iter().find(|shape| shape.kind == tag.kind).map_or("", |shape| shape.name)
}
