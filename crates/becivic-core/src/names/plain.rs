//! Words of ASCII letters and digits alone, with nothing behind them that could belong to them: most words are so, and are cut in one pass
//! over their bytes, which counts their capitals and hashes them folded.

use super::hash::Running;
use super::tokens::{Shape, Token};

/// A capital; the same bit makes it small.
const CAPITAL: u8 = 0x20;
const SMALL: u8 = 0x40;
const DIGIT: u8 = 0x80;

/// What each byte is of a word; nothing where it ends one.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            b'A'..=b'Z' => CAPITAL,
            b'a'..=b'z' => SMALL,
            b'0'..=b'9' => DIGIT,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// The word that begins here, if it is one of these; its folded letters are added to others.
pub fn word(text: &str, start: usize, words: &mut String) -> Option<Token> {
    let rest = text.as_bytes().get(start..)?;
    let (mut hash, mut length, mut capitals, mut kinds) = (Running::new(), 0, 0, 0);
    for byte in rest {
        let kind = KINDS[usize::from(*byte)];
        if kind == 0 {
            break;
        }
        hash.take(byte | (kind & CAPITAL));
        kinds |= kind;
        capitals += usize::from(kind == CAPITAL);
        length += 1;
    }
    let goes_on = |next: &u8| !next.is_ascii() || matches!(next, b'-' | b'\'' | b'`');
    if length == 0 || rest.get(length).is_some_and(goes_on) {
        return None;
    }
    let begins = rest.first().is_some_and(u8::is_ascii_uppercase);
    let shape = match kinds {
        DIGIT => Shape::Number,
        SMALL => Shape::Lower,
        CAPITAL if capitals == 1 => Shape::Single,
        CAPITAL => Shape::Upper,
        mixed if mixed & DIGIT != 0 => Shape::Mixed,
        _ if capitals > usize::from(begins) => Shape::Camel,
        _ => Shape::Capital,
    };
    let from = words.len();
    words.push_str(text.get(start..start + length)?);
    if kinds & CAPITAL != 0 {
        words.get_mut(from..)?.make_ascii_lowercase();
    }
    let word = hash.end();
    let letters = if shape.is_word() { length.min(255) as u8 } else { 1 };
    let span = start..start + length;
    Some(Token { span, shape, word, parts: [word; 2], folded: from..words.len(), letters })
}
