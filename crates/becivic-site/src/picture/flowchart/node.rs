//! One node: an id, and what it says between the brackets of its shape.

use super::{Kind, plain};

/// A mention of a node.
pub struct Named<'t> {
    /// Its id.
    pub id: &'t str,
    /// What it says, where this mention says it.
    pub says: Option<(String, Kind)>,
}

/// Brackets and what they mean; longer ones first.
const SHAPES: &[(&str, &str, Kind)] = &[
    ("(((", ")))", Kind::End),
    ("([", "])", Kind::End),
    ("((", "))", Kind::End),
    ("[[", "]]", Kind::Step),
    ("[(", ")]", Kind::Step),
    ("{{", "}}", Kind::Step),
    ("[", "]", Kind::Step),
    ("(", ")", Kind::Step),
    ("{", "}", Kind::Choice),
    (">", "]", Kind::Step),
];

/// Reads a node; gives it and what comes after.
pub fn read(text: &str) -> Option<(Named<'_>, &str)> {
    let (id, rest) = text.split_at_checked(id_length(text))?;
    // Words of the language, and nothing that we draw.
    if id.is_empty() || matches!(id, "subgraph" | "end" | "direction") {
        return None;
    }
    let (says, rest) = match SHAPES.iter().find(|(open, ..)| rest.starts_with(open)) {
        Some((open, close, kind)) => {
            let (label, rest) = inside(rest.strip_prefix(open)?, close)?;
            (Some((label, *kind)), rest)
        }
        None => (None, rest),
    };
    Some((Named { id, says }, without_class(rest)))
}

/// Letters, digits, `_`, and dashes between them: two dashes begin an arrow.
fn id_length(text: &str) -> usize {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let joins = letter == '-' && at > 0 && letters.peek().is_some_and(|(_, next)| is_part(*next));
        if !is_part(letter) && !joins {
            return at;
        }
    }
    text.len()
}

/// The label up to the closing bracket; quotes around it are not part of it.
fn inside<'t>(text: &'t str, close: &str) -> Option<(String, &'t str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (label, rest) = quoted.split_once('"')?;
        return Some((plain(label), rest.strip_prefix(close)?));
    }
    let (label, rest) = text.split_once(close)?;
    // A slanted box is a box.
    let is_slanted =
        |label: &str| label.len() > 1 && label.starts_with(['/', '\\']) && label.ends_with(['/', '\\']);
    let label = if is_slanted(label) { label.trim_matches(['/', '\\']) } else { label };
    Some((plain(label), rest))
}

/// What is left after `:::name`.
fn without_class(text: &str) -> &str {
    match text.strip_prefix(":::") {
        Some(named) => named.split_at_checked(id_length(named)).map_or(named, |(_, rest)| rest),
        None => text,
    }
}
