//! Text in pictures: broken into lines, escaped.

/// Text as it may stand in a picture: nothing in it is markup.
pub fn escaped(text: &str) -> String {
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
    out
}

/// A text in lines of at most `width` letters, at most `most` of them; what is left out shows as an ellipsis.
pub fn lines(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for row in text.split('\n') {
        let mut line = String::new();
        for word in row.split_whitespace().flat_map(|word| pieces(word, width)) {
            if !line.is_empty() && room(&line) + 1 + room(&word) > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
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
fn pieces(word: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut filled = 0;
    for letter in word.chars() {
        if filled + of(letter) > width {
            pieces.push(String::new());
            filled = 0;
        }
        if let Some(last) = pieces.last_mut() {
            last.push(letter);
        }
        filled += of(letter);
    }
    pieces
}

/// How much room a text takes, in letters.
pub fn room(text: &str) -> usize {
    text.chars().map(of).sum()
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
        assert_eq!(lines("", 4, 2), [""]);
    }

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escaped("<b a=\"1\">&\u{0}"), "&lt;b a=&quot;1&quot;&gt;&amp; ");
    }
}
