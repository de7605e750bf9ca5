//! A text cut into words and marks.
//!
//! 1. A word is a run of letters, digits and combining marks. Hyphens between letters stay inside (Jean-Pierre,
//!    Sint-Jans-Molenbeek); an apostrophe does where what stands before it belongs to a name (O'Brien, D'Hondt,
//!    N'Guessan), and ends the word where it is an article or pronoun left out (l'agent, j'ai).
//! 2. A possessive `'s` is a word of its own. Any other character that is not white space is a mark.
//! 3. Each token carries its shape and the hash of its folded word (no case, no accents); those of its first and last letters
//!    are made where they are asked for ([`Letters`]). Nothing grows with the length of a word but the one pass over it.

use super::hash::{self, Hash, mix};
use super::plain;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// How a token is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Shape {
    /// A line break.
    Break,
    /// `.`, `!`, `?` or `…`.
    Stop,
    /// `,` or `;`.
    Comma,
    /// `:`.
    Colon,
    /// A hyphen or dash on its own, a bullet.
    Dash,
    /// Quotation marks and apostrophes.
    Quote,
    /// Brackets.
    Bracket,
    /// Any other mark.
    Mark,
    /// Digits alone.
    Number,
    /// Letters and digits.
    Mixed,
    /// Small letters.
    Lower,
    /// A capital, then small letters.
    Capital,
    /// One capital alone.
    Single,
    /// Capitals alone.
    Upper,
    /// Parts with capitals, joined by hyphens or an apostrophe.
    Joined,
    /// Capitals inside the word (McAllister, MyMinfin).
    Camel,
    /// A script without capitals.
    Uncased,
}

impl Shape {
    /// Whether it is a word with letters in it.
    pub fn is_word(self) -> bool {
        self > Self::Number
    }

    /// Whether it begins with a capital letter.
    pub fn is_capital(self) -> bool {
        matches!(self, Self::Capital | Self::Single | Self::Upper | Self::Joined | Self::Camel)
    }
}

/// A word or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Bytes of the text it was cut from.
    pub span: Range<usize>,
    /// How it is written.
    pub shape: Shape,
    /// The folded word.
    pub word: Hash,
    /// The folded parts before the first hyphen and after the last; both are the word where there is none.
    pub parts: [Hash; 2],
    /// Bytes of the folded words it was cut with.
    pub folded: Range<usize>,
    /// Its folded characters, at most 255.
    pub letters: u8,
}

impl Token {
    /// The hash of its last three folded letters, or of all of them where they are no more.
    pub fn tail(&self, words: &str) -> Hash {
        let folded = words.get(self.folded.clone()).unwrap_or_default();
        match folded.char_indices().nth_back(2).filter(|(at, _)| *at > 0 && self.shape.is_word()) {
            Some((at, _)) => hash::of(folded.as_bytes().get(at..).unwrap_or_default()),
            None => self.word,
        }
    }
}

/// The hashes of a word's parts, made where features ask for them.
#[derive(Clone, Debug)]
pub struct Letters {
    /// Its first two, three and four folded letters.
    pub heads: [Hash; 3],
    /// Its last two, three and four folded letters.
    pub tails: [Hash; 3],
    triples: [Hash; MOST_TRIPLES],
    count: usize,
}

impl Letters {
    /// Those of a token, given all the words it was cut with.
    pub fn of(token: &Token, words: &str) -> Self {
        let (mut heads, mut tails, mut triples) = ([token.word; 3], [token.word; 3], [0; MOST_TRIPLES]);
        if !token.shape.is_word() {
            return Self { heads, tails, triples, count: 0 };
        }
        let folded = words.get(token.folded.clone()).unwrap_or_default();
        let (first, last) = Borders::both(folded);
        for (n, (head, tail)) in heads.iter_mut().zip(&mut tails).enumerate() {
            let length = n + 2;
            if first.letters > length {
                *head = hash::of(folded.as_bytes().get(..first.at[length]).unwrap_or_default());
                *tail = hash::of(folded.as_bytes().get(last[length]..).unwrap_or_default());
            }
        }
        let count = first.letters.saturating_sub(2).min(MOST_TRIPLES);
        for (triple, window) in triples.iter_mut().zip(first.at.windows(4)).take(count) {
            *triple = hash::of(folded.as_bytes().get(window[0]..window[3]).unwrap_or_default());
        }
        Self { heads, tails, triples, count }
    }

    /// Its first groups of three folded letters, as many as there are.
    pub fn triples(&self) -> &[Hash] {
        self.triples.get(..self.count).unwrap_or_default()
    }
}

/// Cuts a text.
pub fn cut(text: &str) -> Vec<Token> {
    cut_with(text, &mut String::new())
}

/// Cuts a text, and adds each word, folded, to others.
pub fn cut_with(text: &str, words: &mut String) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    words.reserve(text.len());
    let mut folded = String::new();
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        if *byte == b' ' {
            at += 1;
            continue;
        }
        if let Some(word) = plain::word(text, at, words) {
            at = word.span.end;
            tokens.push(word);
            continue;
        }
        let mut token = |span: Range<usize>, shape: Shape, folded: &str| token(span, shape, folded, words);
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
        let end = at + c.len_utf8();
        if c == '\n' || (!c.is_whitespace() && !c.is_alphanumeric()) {
            if tokens.last().is_some_and(|last: &Token| last.span.end == at)
                && is_apostrophe(c)
                && possessive(text, end)
            {
                let end = end + 1;
                tokens.push(token(at..end, Shape::Mark, "'s"));
                at = end;
                continue;
            }
            if !c.is_control() || c == '\n' {
                tokens.push(token(at..end, mark(c), &text[at..end]));
            }
            at = end;
        } else if c.is_whitespace() {
            at = end;
        } else {
            let end = word_end(text, at);
            fold(&text[at..end], &mut folded);
            tokens.push(token(at..end, shape(&text[at..end]), &folded));
            at = end;
        }
    }
    tokens
}

/// A word without case and accents, as lists and features know it.
pub fn folded(word: &str) -> String {
    let mut out = String::new();
    fold(word, &mut out);
    out
}

fn fold(word: &str, out: &mut String) {
    out.clear();
    if word.is_ascii() {
        out.push_str(word);
        out.make_ascii_lowercase();
        return;
    }
    for c in word.nfkd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)) {
        for c in c.to_lowercase() {
            match c {
                'ß' => out.push_str("ss"),
                'æ' => out.push_str("ae"),
                'œ' => out.push_str("oe"),
                'ø' => out.push('o'),
                'ł' => out.push('l'),
                'đ' | 'ð' => out.push('d'),
                'ı' => out.push('i'),
                '’' | 'ʼ' => out.push('\''),
                '\u{307}' => {}
                c => out.push(c),
            }
        }
    }
}

fn token(span: Range<usize>, shape: Shape, folded: &str, words: &mut String) -> Token {
    let word = hash::of(folded.as_bytes());
    let (mut parts, mut letters) = ([word; 2], 1);
    if shape.is_word() {
        letters = if folded.is_ascii() { folded.len() } else { folded.chars().take(255).count() };
        if memchr::memchr(b'-', folded.as_bytes()).is_some()
            && let (Some((first, _)), Some((_, last))) = (folded.split_once('-'), folded.rsplit_once('-'))
        {
            parts = [hash::of(first.as_bytes()), hash::of(last.as_bytes())];
        }
    }
    let start = words.len();
    words.push_str(folded);
    Token { span, shape, word, parts, folded: start..words.len(), letters: letters.min(255) as u8 }
}

/// Where the first characters of a word begin, and how many characters there are, at most 255.
struct Borders {
    at: [usize; MOST_TRIPLES + 3],
    letters: usize,
}

impl Borders {
    /// Those of a word, and where its last characters begin, counted from its end.
    fn both(word: &str) -> (Self, [usize; 5]) {
        let end = word.len();
        if word.is_ascii() {
            let at = std::array::from_fn(|n| n.min(end));
            return (Self { at, letters: end.min(255) }, std::array::from_fn(|n| end.saturating_sub(n)));
        }
        let (mut at, mut last) = ([end; MOST_TRIPLES + 3], [0; 5]);
        at.iter_mut().zip(word.char_indices()).for_each(|(at, (index, _))| *at = index);
        last[0] = end;
        last[1..].iter_mut().zip(word.char_indices().rev()).for_each(|(at, (index, _))| *at = index);
        (Self { at, letters: word.chars().take(255).count() }, last)
    }
}

/// Groups of three letters that are looked at.
const MOST_TRIPLES: usize = 12;
/// Letters a skeleton is made of at most, and at least.
const SKELETON: std::ops::RangeInclusive<usize> = 3..=12;

/// The hash of a word's consonants, doubled ones once: what stays of a name that is spelt otherwise. None where they are too few.
pub fn skeleton_of(folded: &str) -> Option<Hash> {
    // As long as it may become, and one character more.
    let mut bones = [0; *SKELETON.end() + 4];
    let (mut length, mut count, mut last) = (0, 0, None);
    for c in folded.chars() {
        let bone = match c {
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'h' | '-' | '\'' => continue,
            'c' | 'q' | 'k' => 'k',
            'v' | 'w' => 'v',
            'z' => 's',
            c => c,
        };
        if last.replace(bone) != Some(bone) {
            length += bone.encode_utf8(bones.get_mut(length..)?).len();
            count += 1;
        }
        if length > *SKELETON.end() {
            return None;
        }
    }
    let bones = bones.get(..length).filter(|_| SKELETON.contains(&count))?;
    Some(mix(hash::of(b"skeleton"), hash::of(bones)))
}

/// Where the word that begins here ends.
fn word_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut letters = 0usize;
    let mut rest = text[start..].chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        if belongs(c) {
            letters += 1;
        } else if is_hyphen(c) {
            if !next.is_some_and(char::is_alphanumeric) {
                break;
            }
        } else if is_apostrophe(c) {
            let Some(next) = next.filter(|c| c.is_alphabetic()) else { break };
            if possessive(text, end + c.len_utf8()) {
                break;
            }
            if left_out(&text[start..end], letters, next) {
                return end + c.len_utf8();
            }
        } else {
            break;
        }
        end += c.len_utf8();
    }
    end
}

/// Whether what stands before an apostrophe is a word of its own: l', d', qu'; D'Hondt and N'Guessan are not.
fn left_out(before: &str, letters: usize, next: char) -> bool {
    let before = before.rsplit('-').next().unwrap_or(before);
    let short = letters == 1 || before.eq_ignore_ascii_case("qu") || before.eq_ignore_ascii_case("jusqu");
    let name = matches!(before, "D" | "N" | "O" | "M") && next.is_uppercase();
    short && !name
}

fn possessive(text: &str, after: usize) -> bool {
    let mut rest = text.get(after..).unwrap_or_default().chars();
    rest.next().is_some_and(|c| c == 's' || c == 'S') && !rest.next().is_some_and(belongs)
}

fn belongs(c: char) -> bool {
    c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '`')
}

fn mark(c: char) -> Shape {
    match c {
        '\n' => Shape::Break,
        '.' | '!' | '?' | '…' => Shape::Stop,
        ',' | ';' => Shape::Comma,
        ':' => Shape::Colon,
        '-' | '–' | '—' | '•' | '*' => Shape::Dash,
        '\'' | '"' | '’' | '‘' | '“' | '”' | '„' | '«' | '»' | '`' => Shape::Quote,
        '(' | ')' | '[' | ']' | '{' | '}' => Shape::Bracket,
        _ => Shape::Mark,
    }
}

fn shape(word: &str) -> Shape {
    let (mut upper, mut lower, mut uncased, mut digits, mut joints) = (0u32, 0u32, 0u32, 0u32, 0u32);
    let mut inner = false;
    let mut after_joint = true;
    for c in word.chars() {
        if c.is_numeric() {
            digits += 1;
        } else if c.is_uppercase() {
            upper += 1;
            inner |= !after_joint;
        } else if c.is_lowercase() {
            lower += 1;
        } else if c.is_alphabetic() {
            uncased += 1;
        } else if is_hyphen(c) || is_apostrophe(c) {
            joints += 1;
            after_joint = true;
            continue;
        }
        after_joint = false;
    }
    let first = word.chars().next().is_some_and(char::is_uppercase);
    match () {
        () if digits > 0 && upper + lower + uncased == 0 => Shape::Number,
        () if digits > 0 => Shape::Mixed,
        () if uncased > 0 && upper + lower == 0 => Shape::Uncased,
        () if upper == 0 => Shape::Lower,
        () if lower == 0 && upper == 1 && joints == 0 => Shape::Single,
        () if lower == 0 => Shape::Upper,
        () if inner => Shape::Camel,
        () if joints > 0 && upper > 1 => Shape::Joined,
        () if first => Shape::Capital,
        () => Shape::Camel,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        cut(text).into_iter().map(|token| &text[token.span]).collect()
    }

    #[test]
    fn words_are_cut_where_names_begin_and_end() {
        assert_eq!(
            words("L'agent O'Brien, j'ai vu D'Hondt"),
            ["L'", "agent", "O'Brien", ",", "j'", "ai", "vu", "D'Hondt"]
        );
        assert_eq!(
            words("Jan's kaart, Jean-Pierre - ici"),
            ["Jan", "'s", "kaart", ",", "Jean-Pierre", "-", "ici"]
        );
        assert_eq!(words("n’oubliez N’Guessan\nqu'il"), ["n’", "oubliez", "N’Guessan", "\n", "qu'", "il"]);
        assert_eq!(words("J.-P. Dubois"), ["J", ".", "-", "P", ".", "Dubois"]);
        assert_eq!(words(" \u{1} \t"), Vec::<&str>::new());
    }

    #[test]
    fn shapes_tell_how_a_word_is_written() {
        let shapes = [
            ("jan", Shape::Lower),
            ("Jan", Shape::Capital),
            ("JAN", Shape::Upper),
            ("J", Shape::Single),
            ("Jean-Pierre", Shape::Joined),
            ("Saint-gilles", Shape::Capital),
            ("McAllister", Shape::Camel),
            ("itsMe", Shape::Camel),
            ("4bis", Shape::Mixed),
            ("1000", Shape::Number),
            ("محمد", Shape::Uncased),
            ("D'Hondt", Shape::Joined),
        ];
        for (word, expected) in shapes {
            assert_eq!(shape(word), expected, "{word}");
        }
    }

    #[test]
    fn plain_words_are_what_they_would_be_by_the_long_way() {
        let parts = ["a", "Z", "mc", "D", "7", "é", "-", "'", "`", " ", ".", "O'", "\u{301}", "ß", "İ"];
        let mut plain = 0;
        for seed in 0..parts.len().pow(4) {
            let text: String = (0..4).map(|n| parts[seed / parts.len().pow(n) % parts.len()]).collect();
            let (mut words, mut others) = (String::from("before"), String::from("before"));
            if let Some(found) = plain::word(&text, 0, &mut words) {
                let end = word_end(&text, 0);
                let word = token(0..end, shape(&text[..end]), &folded(&text[..end]), &mut others);
                assert_eq!((found, words), (word, others), "{text:?}");
                plain += 1;
            }
            let mut words = String::new();
            for token in cut_with(&text, &mut words) {
                assert_eq!(token.tail(&words), Letters::of(&token, &words).tails[1], "{text:?}");
            }
        }
        assert!(plain > 1_000, "{plain}");
    }

    #[test]
    fn skeletons_are_of_consonants_neither_too_few_nor_too_many() {
        let bones = |text: &str| Some(mix(hash::of(b"skeleton"), hash::of(text.as_bytes())));
        assert_eq!(skeleton_of("peeters"), bones("ptrs"));
        assert_eq!(skeleton_of("vanacker"), bones("vnkr"));
        assert_eq!(skeleton_of("zuccarello"), bones("skrl"));
        assert_eq!(skeleton_of("bcdfgjlmnprs"), bones("bkdfgjlmnprs"));
        assert_eq!(skeleton_of("шевченко"), None, "more than twelve bytes");
        for none in ["", "jan", "bcdfgjlmnprst"] {
            assert_eq!(skeleton_of(none), None, "{none}");
        }
    }

    #[test]
    fn folding_forgets_case_and_accents() {
        for (word, expected) in
            [("Émile", "emile"), ("Łukasz", "lukasz"), ("IŞIK", "isik"), ("Weiß", "weiss"), ("İpek", "ipek")]
        {
            assert_eq!(folded(word), expected);
        }
    }
}
