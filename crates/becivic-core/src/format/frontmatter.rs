//! Frontmatter in canonical order.
//!
//! 1. Cut the YAML into one piece per top-level key: its lines, and above them the comments at the
//!    margin and blank lines that precede it. Indented comments stay with the key above.
//! 2. Order the pieces by [`FIELD_ORDER`]; keys it does not know keep their order, after the others.
//! 3. Take blanks off the ends of lines where they are not part of a value.
//! 4. Read the result: unless it means exactly what the original meant, keep the original. So an
//!    unusual spelling (flow style at the root, say) is left as it is.

use crate::node::{Kind, Node, ReadError};
use crate::skill::FIELD_ORDER;
use crate::{frontmatter, yaml};

/// A skill's file with its frontmatter in order.
pub fn format(text: &str) -> Result<String, ReadError> {
    let (node, parts) = frontmatter::read(text)?;
    let block = text.get(parts.yaml.range()).unwrap_or_default();
    let body = text.get(parts.yaml.end as usize..).unwrap_or_default();
    let block = ordered(block, parts.yaml.start as usize, &node);
    Ok(format!("---\n{block}{body}"))
}

/// A block of YAML with its top-level keys in canonical order; `node` is the block as read, `base`
/// where the block starts in the file the node's places count in.
pub fn ordered(block: &str, base: usize, node: &Node) -> String {
    let Some(pieces) = pieces(block, base, node) else {
        return block.to_owned();
    };
    let (mut pieces, rest) = pieces;
    pieces.sort_by_key(|piece| rank(piece.key));
    let mut text = String::with_capacity(block.len());
    for piece in &pieces {
        text.push_str(&stripped(piece.above));
        text.push_str(&without_trailing_blanks(piece.lines));
    }
    text.push_str(&stripped(rest));
    if means_the_same(&text, node) { text } else { block.to_owned() }
}

/// A top-level key with everything that moves with it.
struct Piece<'a> {
    key: &'a str,
    /// Comments and blank lines above the key.
    above: &'a str,
    /// The key's own lines.
    lines: &'a str,
}

/// The pieces of a block and what follows the last of them; `None` when a key does not start a line.
fn pieces<'a>(block: &'a str, base: usize, node: &'a Node) -> Option<(Vec<Piece<'a>>, &'a str)> {
    let Kind::Map(entries) = &node.kind else {
        return None;
    };
    let mut starts = Vec::with_capacity(entries.len() + 1);
    for entry in entries {
        let start = (entry.key_span.start as usize).checked_sub(base)?;
        let at_margin = start == 0 || block.as_bytes().get(start - 1) == Some(&b'\n');
        if !at_margin || starts.last().is_some_and(|last| *last >= start) {
            return None;
        }
        starts.push(start);
    }
    let mut above = block.get(..*starts.first()?)?;
    let mut pieces = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(block.len());
        let whole = block.get(*starts.get(index)?..end)?;
        let (lines, tail) = cut_tail(whole);
        let key: &str = &entry.key;
        pieces.push(Piece { key, above, lines });
        above = tail;
    }
    Some((pieces, above))
}

/// Separates a key's lines from the comments at the margin and blank lines below them, which belong
/// to the next key, unless they are part of the value (a `|+` block keeps its blank lines).
fn cut_tail(whole: &str) -> (&str, &str) {
    let mut cut = whole.len();
    for line in whole.split_inclusive('\n').rev() {
        if !(line.starts_with('#') || line.trim().is_empty()) {
            break;
        }
        cut -= line.len();
    }
    let (lines, tail) = (whole.get(..cut).unwrap_or(whole), whole.get(cut..).unwrap_or(""));
    match (tail.is_empty(), yaml::read(lines, 0), yaml::read(whole, 0)) {
        (false, Ok(cut), Ok(whole)) if cut.to_value() == whole.to_value() => (lines, tail),
        _ => (whole, ""),
    }
}

/// Where a key stands: known keys by the table, all others after them.
fn rank(key: &str) -> usize {
    let known = FIELD_ORDER.iter().position(|field| *field == key);
    known.unwrap_or(FIELD_ORDER.len())
}

/// Lines without blanks at their ends.
fn stripped(lines: &str) -> String {
    let mut stripped = String::with_capacity(lines.len());
    for line in lines.split_inclusive('\n') {
        stripped.push_str(line.trim_end_matches(['\n', ' ', '\t']));
        if line.ends_with('\n') {
            stripped.push('\n');
        }
    }
    stripped
}

/// A key's lines without blanks at their ends, unless that would change its value.
fn without_trailing_blanks(lines: &str) -> String {
    let stripped = stripped(lines);
    let same = stripped == lines
        || match (yaml::read(&stripped, 0), yaml::read(lines, 0)) {
            (Ok(stripped), Ok(lines)) => stripped.to_value() == lines.to_value(),
            _ => false,
        };
    if same { stripped } else { lines.to_owned() }
}

fn means_the_same(text: &str, node: &Node) -> bool {
    yaml::read(text, 0).is_ok_and(|read| read.to_value() == node.to_value())
}
