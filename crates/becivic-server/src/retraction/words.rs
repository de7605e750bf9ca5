//! A text to be removed, found wherever it stands: with other blanks between its words, and as JSON writes it.

use memchr::memmem;
use std::ops::Range;

/// What stands in its place. It begins no list or link in YAML, JSON or Markdown.
pub const MARKER: &str = "(retracted)";

/// Fewer bytes stand everywhere.
const SHORTEST: usize = 4;

/// A text as words. It has no `Debug`: it is never shown.
pub struct Words {
    /// Its words as they are, and as JSON writes them where that differs.
    forms: Vec<Vec<Vec<u8>>>,
}

impl Words {
    /// Takes a text apart; `None` when it is too short to be anybody's.
    pub fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.iter().map(|word| word.len()).sum::<usize>() < SHORTEST {
            return None;
        }
        let plain: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let in_json = |word: &&str| {
            let quoted = serde_json::Value::from(*word).to_string();
            quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().as_bytes().to_vec()
        };
        let json: Vec<Vec<u8>> = words.iter().map(in_json).collect();
        let forms = if json == plain { vec![plain] } else { vec![plain, json] };
        Some(Self { forms })
    }

    /// Whether it stands somewhere in there.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        self.forms.iter().any(|form| next(form, bytes, 0).is_some())
    }

    /// The bytes without it; `None` when it is not in there.
    pub fn replaced(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut now: Option<Vec<u8>> = None;
        for form in &self.forms {
            let before = now.as_deref().unwrap_or(bytes);
            let (mut after, mut from) = (Vec::new(), 0);
            while let Some(found) = next(form, before, from) {
                after.extend_from_slice(before.get(from..found.start).unwrap_or_default());
                after.extend_from_slice(MARKER.as_bytes());
                from = found.end;
            }
            if from > 0 {
                after.extend_from_slice(before.get(from..).unwrap_or_default());
                now = Some(after);
            }
        }
        now
    }
}

/// The first place at or after `from`.
fn next(words: &[Vec<u8>], bytes: &[u8], mut from: usize) -> Option<Range<usize>> {
    let (first, others) = words.split_first()?;
    loop {
        let start = from + memmem::find(bytes.get(from..)?, first)?;
        let mut end = start + first.len();
        let fits = others.iter().all(|word| {
            let blank = blanks(bytes.get(end..).unwrap_or_default());
            let begins = bytes.get(end + blank..).unwrap_or_default();
            let fits = blank > 0 && begins.starts_with(word);
            end += blank + word.len();
            fits
        });
        if fits {
            return Some(start..end);
        }
        from = start + 1;
    }
}

/// How many bytes of blanks there are, also those that JSON writes with a backslash.
fn blanks(bytes: &[u8]) -> usize {
    let mut length = 0;
    loop {
        match bytes.get(length..).unwrap_or_default() {
            [b'\\', b'n' | b'r' | b't', ..] => length += 2,
            [b' ' | b'\n' | b'\r' | b'\t', ..] => length += 1,
            _ => return length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_however_it_is_wrapped_and_quoted() {
        let words = Words::read("Zed \"Q\"  Xyl\n").expect("long enough");
        for (before, after) in [
            ("a Zed \"Q\" Xyl b Zed\n\"Q\"\tXyl", "a (retracted) b (retracted)"),
            (r#"{"t": "Zed \"Q\"\nXyl!"}"#, r#"{"t": "(retracted)!"}"#),
        ] {
            assert_eq!(words.replaced(before.as_bytes()).as_deref(), Some(after.as_bytes()));
            assert!(words.is_in(before.as_bytes()));
        }
        for other in ["Zed Q Xyl", "Zed\"Q\"Xyl", "Zed \"Q\"", ""] {
            assert_eq!(words.replaced(other.as_bytes()), None, "{other}");
            assert!(!words.is_in(other.as_bytes()));
        }
        assert!(Words::read("a b").is_none() && Words::read("").is_none());
    }
}
