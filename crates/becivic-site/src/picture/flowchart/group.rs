//! Groups of steps: `subgraph id [Title]`, steps, `end`.

/// A group.
#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    /// What it is called.
    pub label: String,
    /// Its steps, also those of groups inside it.
    pub nodes: Vec<usize>,
}

/// A line that begins or ends a group, or says how it runs, which is not looked at.
pub enum Line<'t> {
    /// A group of this id and title begins.
    Begin(&'t str, String),
    /// The innermost group ends.
    End,
    /// Nothing that is drawn.
    Direction,
}

/// Reads a line; nothing where it is about steps.
pub fn read(line: &str) -> Option<Line<'_>> {
    let line = line.trim_end_matches(';').trim_end();
    if line == "end" {
        return Some(Line::End);
    }
    if line.starts_with("direction ") {
        return Some(Line::Direction);
    }
    let named = line.strip_prefix("subgraph").filter(|rest| rest.starts_with([' ', '\t']))?.trim();
    let (id, title) = match named.split_once('[') {
        Some((id, rest)) => (id.trim(), rest.strip_suffix(']')?.trim()),
        None => (named, named),
    };
    let title = super::plain(title.trim_matches('"'));
    (!title.is_empty()).then_some(Line::Begin(id, title))
}
