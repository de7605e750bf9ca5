//! A text whose names are marked: the one form in which every source is brought.

use std::ops::Range;

/// A text in pieces; some are names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// The pieces and whether each is a person's name, in order.
    pub pieces: Vec<(String, bool)>,
}

impl Example {
    /// The whole text and where its names are.
    pub fn text(&self) -> (String, Vec<Range<usize>>) {
        let mut text = String::new();
        let mut names = Vec::new();
        for (piece, is_name) in &self.pieces {
            let start = text.len();
            text.push_str(piece);
            if *is_name {
                names.push(start..text.len());
            }
        }
        (text, names)
    }

    /// Whether anybody is named.
    pub fn names_anybody(&self) -> bool {
        self.pieces.iter().any(|(_, is_name)| *is_name)
    }

    /// From tokens with labels, put together as they would be written.
    pub fn from_tokens(tokens: &[(String, Label)]) -> Self {
        let mut pieces: Vec<(String, bool)> = Vec::new();
        let mut glue = true;
        for (token, label) in tokens {
            let before = !glue
                && !matches!(
                    token.as_str(),
                    "," | "." | ")" | ";" | ":" | "!" | "?" | "'s" | "..." | "%" | "]"
                );
            let opens = matches!(token.as_str(), "(" | "[") || token.ends_with(['\'', '’']);
            let is_name = *label != Label::None;
            match pieces.last_mut() {
                Some((text, true)) if *label == Label::GoesOn => {
                    if before {
                        text.push(' ');
                    }
                    text.push_str(token);
                }
                Some((text, false)) if !is_name => {
                    if before {
                        text.push(' ');
                    }
                    text.push_str(token);
                }
                last => {
                    if before {
                        match last {
                            Some((text, false)) => text.push(' '),
                            _ => pieces.push((" ".to_owned(), false)),
                        }
                    }
                    match pieces.last_mut() {
                        Some((text, false)) if !is_name => text.push_str(token),
                        _ => pieces.push((token.clone(), is_name)),
                    }
                }
            }
            glue = opens;
        }
        Self { pieces }
    }
}

/// What a token of a labelled text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// No name.
    None,
    /// A name's beginning.
    Begins,
    /// Its continuation.
    GoesOn,
}

impl Label {
    /// From a tag such as `B-PER`, after the tag before; files with `I-` alone begin a name where none was.
    pub fn of_tag(tag: &str, before: Self) -> Self {
        let person = tag.to_ascii_uppercase().ends_with("PER");
        match (person, tag.starts_with(['B', 'b']), before) {
            (false, ..) => Self::None,
            (true, true, _) | (true, false, Self::None) => Self::Begins,
            (true, false, _) => Self::GoesOn,
        }
    }
}
