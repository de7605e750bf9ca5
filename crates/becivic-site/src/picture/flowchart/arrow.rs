//! One arrow: `-->`, `---`, `-.->`, `==>`, with a label between bars after it, or inside it.

use super::plain;

/// An arrow.
pub struct Arrow {
    /// When it is taken.
    pub label: String,
    /// Whether it has a head.
    pub headed: bool,
}

/// How arrows begin, what they are made of, and what ends one that holds a label.
const KINDS: &[(&str, char, &str)] = &[("-.", '.', "."), ("--", '-', "--"), ("==", '=', "==")];

/// Reads an arrow; gives it and what comes after.
pub fn read(text: &str) -> Option<(Arrow, &str)> {
    let (_, body, again) = KINDS.iter().find(|(open, ..)| text.starts_with(open))?;
    let (strokes, rest) = strokes(text, *body);
    if let Some((headed, rest)) = ending(rest, strokes, *body) {
        let (label, rest) = between_bars(rest)?;
        return Some((Arrow { label, headed }, rest));
    }
    // Two strokes and no end: a label, and then the rest of the arrow.
    let (label, _) = rest.split_once(again)?;
    let rest = rest.get(label.len()..)?;
    let (_, rest) = self::strokes(rest, *body);
    let (headed, rest) = ending(rest, 3, *body)?;
    Some((Arrow { label: unquoted(label), headed }, rest))
}

/// The strokes an arrow begins with, and what is after them.
fn strokes(text: &str, body: char) -> (usize, &str) {
    // A dotted arrow begins with a dash, and ends with one.
    let start = if body == '.' { text.strip_prefix('-').unwrap_or(text) } else { text };
    let rest = start.trim_start_matches(body);
    (text.len() - rest.len(), rest)
}

/// The end of an arrow: a head, or none where it is long enough to be a line.
fn ending(rest: &str, strokes: usize, body: char) -> Option<(bool, &str)> {
    let rest = match body {
        '.' => rest.strip_prefix('-')?,
        _ => rest,
    };
    if let Some(after) = rest.strip_prefix('>') {
        return Some((true, after));
    }
    if let Some(after) = rest.strip_prefix(['o', 'x']).filter(|after| after.starts_with([' ', '|'])) {
        return Some((true, after));
    }
    (strokes > 2 || body == '.').then_some((false, rest))
}

/// `|label|`, where there is one.
fn between_bars(text: &str) -> Option<(String, &str)> {
    match text.trim_start().strip_prefix('|') {
        Some(inside) => inside.split_once('|').map(|(label, rest)| (unquoted(label), rest)),
        None => Some((String::new(), text)),
    }
}

fn unquoted(label: &str) -> String {
    let label = label.trim();
    let bare = label.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(label);
    plain(bare)
}
