//! The canonical form of each file of a corpus: what `becivic fmt` writes.
//!
//! 1. Bytes become text: a byte order mark goes, CR LF and stray CR become LF.
//! 2. A skill's frontmatter is put in order ([`frontmatter`]); its body is kept letter for letter.
//! 3. JSON is laid out with two spaces, JSON Lines with one object per line ([`json`]). Strings and
//!    numbers keep the spelling they have; only white space and the order of some keys change.
//! 4. The text ends with exactly one newline.
//!
//! Formatting twice gives what formatting once gives, and no value changes.

mod frontmatter;
mod json;

pub use frontmatter::ordered;

use crate::layout::{FileKind, classify};
use crate::node::ReadError;
use crate::text::Span;

/// The canonical text of a file; `None` for files that have no canonical form (templates, rollups,
/// files of other tools). An error says why the file is left alone; its offset counts in the text
/// that [`text`] gives.
pub fn canonical(path: &str, bytes: &[u8]) -> Result<Option<String>, ReadError> {
    let kind = classify(path);
    let layout = match kind {
        FileKind::Skill(_) => Layout::Skill,
        FileKind::Diagram(_)
        | FileKind::SkillReport(_)
        | FileKind::PathReport(_)
        | FileKind::Contract(_)
        | FileKind::Page(_) => Layout::Text,
        FileKind::PathsIndex => Layout::Paths,
        FileKind::Communes
        | FileKind::Authorities
        | FileKind::Synonyms
        | FileKind::Types
        | FileKind::Categories
        | FileKind::SourceClasses
        | FileKind::ScrubRules
        | FileKind::Triggers
        | FileKind::Redirects => Layout::Json,
        FileKind::Values | FileKind::References => Layout::Lines,
        FileKind::SkillsRollup
        | FileKind::PathsRollup
        | FileKind::Template(..)
        | FileKind::Misplaced
        | FileKind::Other => return Ok(None),
    };
    let text = text(bytes)?;
    let formed = match layout {
        Layout::Skill => frontmatter::format(&text)?,
        Layout::Text => text,
        Layout::Json => json::document(&text, json::Order::Kept)?,
        Layout::Paths => json::document(&text, json::Order::Paths)?,
        Layout::Lines => json::lines(&text)?,
    };
    Ok(Some(one_final_newline(formed)))
}

/// The kinds of canonical form.
enum Layout {
    Skill,
    Text,
    Json,
    Paths,
    Lines,
}

/// A file's bytes as text: no byte order mark, LF alone.
pub fn text(bytes: &[u8]) -> Result<String, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ReadError {
        rule: "not_utf8",
        offset: Span::at(error.valid_up_to()).start,
        message: "the file is not UTF-8 text".to_owned(),
        help: "Save it as UTF-8.",
    })?;
    let text = text.trim_start_matches('\u{feff}');
    Ok(match memchr::memchr(b'\r', text.as_bytes()) {
        None => text.to_owned(),
        Some(_) => text.replace("\r\n", "\n").replace('\r', "\n"),
    })
}

fn one_final_newline(mut text: String) -> String {
    let end = text.trim_end_matches('\n').len();
    text.truncate(end);
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests;
