//! Lines as Git sends them: four hexadecimal digits that say how long the line is, themselves included, and the line.

/// Most bytes of a line, its four digits included.
pub const LONGEST: usize = 65_520;

/// One line, or one of the marks between lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line, without the line feed at its end.
    Text(&'a [u8]),
    /// `0000`
    Flush,
    /// `0001`
    Delimiter,
}

/// What was sent is not made of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Takes the next line off; `None` at the end.
pub fn next<'a>(rest: &mut &'a [u8]) -> Result<Option<Line<'a>>, Malformed> {
    if rest.is_empty() {
        return Ok(None);
    }
    let (digits, after) = rest.split_at_checked(4).ok_or(Malformed)?;
    let length = digits.iter().try_fold(0_usize, |length, digit| {
        char::from(*digit).to_digit(16).map(|digit| length * 16 + digit as usize)
    });
    match length.ok_or(Malformed)? {
        0 => {
            *rest = after;
            Ok(Some(Line::Flush))
        }
        1 => {
            *rest = after;
            Ok(Some(Line::Delimiter))
        }
        length @ 4..=LONGEST => {
            let (text, after) = after.split_at_checked(length - 4).ok_or(Malformed)?;
            *rest = after;
            Ok(Some(Line::Text(text.strip_suffix(b"\n").unwrap_or(text))))
        }
        _ => Err(Malformed),
    }
}

/// Writes a line; `text` brings its own line feed.
pub fn write(to: &mut Vec<u8>, text: &[u8]) {
    to.extend_from_slice(format!("{:04x}", text.len() + 4).as_bytes());
    to.extend_from_slice(text);
}

/// The mark that ends a group of lines.
pub const FLUSH: &[u8] = b"0000";

/// The mark between the parts of an answer.
pub const DELIMITER: &[u8] = b"0001";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_whatever_is_none_is_refused() {
        let mut rest: &[u8] = b"0009done\n00000001000bab\0\xff-cd";
        let mut read = Vec::new();
        while let Some(line) = next(&mut rest).expect("lines") {
            read.push(line);
        }
        assert_eq!(read, [Line::Text(b"done"), Line::Flush, Line::Delimiter, Line::Text(b"ab\0\xff-cd")]);
        for wrong in ["0", "000", "zzzz", "0003", "0002", "0005", "ffff", "+00a", "00-1", "PACK"] {
            assert_eq!(next(&mut wrong.as_bytes()), Err(Malformed), "{wrong}");
        }
        let long = [b"fff1".as_slice(), &[b'a'; 70_000]].concat();
        assert_eq!(next(&mut long.as_slice()), Err(Malformed));
        let mut written = Vec::new();
        write(&mut written, b"done\n");
        assert_eq!(written, b"0009done\n");
    }
}
