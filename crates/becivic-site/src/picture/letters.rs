//! Text in pictures: broken into lines, escaped.

use std::borrow::Cow;

/// Text as it may stand in a picture: nothing in it is markup.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| (b' '..b'\x7f').contains(&byte) && !matches!(byte, b'&' | b'<' | b'>' | b'"');
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            letter => out.push(letter),
        }
    }
    Cow::Owned(out)
}

/// A text in lines of at most `width` letters, at most `most` of them; what is left out shows as an ellipsis.
pub fn lines(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for row in text.split('\n') {
        let (mut line, mut filled) = (String::with_capacity(width + 8), 0);
        for piece in row.split_whitespace().flat_map(|word| pieces(word, width)) {
            if filled > 0 && filled + 1 + room(piece) > width {
                lines.push(std::mem::replace(&mut line, String::with_capacity(width + 8)));
                filled = 0;
            }
            if filled > 0 {
                line.push(' ');
                filled += 1;
            }
            line.push_str(piece);
            filled += room(piece);
        }
        lines.push(line);
        if lines.len() > most {
            break;
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    lines
}

/// A word in pieces that fit a line.
fn pieces(word: &str, width: usize) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        // Most words are short and plain.
        if !rest.is_empty() && rest.len() <= width && rest.is_ascii() {
            return Some(std::mem::take(&mut rest));
        }
        let mut filled = 0;
        let mut fits = |letter: char| {
            filled += of(letter);
            filled <= width
        };
        let first = rest.chars().next()?.len_utf8();
        let end = rest.find(|letter| !fits(letter)).unwrap_or(rest.len()).max(first);
        let (piece, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(piece)
    })
}

/// How much room a text takes, in letters.
pub fn room(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(of).sum() }
}

/// Letters of the far east are twice as wide as ours.
fn of(letter: char) -> usize {
    if letter >= '\u{2e80}' { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_what_is_left_out_shows() {
        assert_eq!(lines("one two three", 7, 5), ["one two", "three"]);
        assert_eq!(lines("one\ntwo", 20, 5), ["one", "two"]);
        assert_eq!(lines("abcdefghij", 4, 5), ["abcd", "efgh", "ij"]);
        assert_eq!(lines("a b c d", 1, 2), ["a", "b…"]);
        assert_eq!(lines("日本語 go", 4, 5), ["日本", "語", "go"]);
        assert_eq!(lines("", 4, 2), [""]);
    }

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escaped("<b a=\"1\">&\u{0}"), "&lt;b a=&quot;1&quot;&gt;&amp; ");
    }
}
