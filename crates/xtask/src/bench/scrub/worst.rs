//! Texts made to be slow: each keeps one part of the scrubber as busy as it can.
//!
//! 1. A text is a short piece repeated, or letters drawn at random from a few.
//! 2. The files of `fuzz/seeds/scrub/`, where there are some, are repeated to the same size.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::corpus::rng::Rng;

/// How a text is made.
#[derive(Debug, Clone, Copy)]
enum Recipe {
    /// This, again and again.
    Repeat(&'static str),
    /// This, again and again, and at the very end that.
    Until(&'static str, &'static str),
    /// One of these after the other, at random.
    Draw(&'static [&'static str]),
    /// A word of this many letters and a blank, again and again.
    LongWord(usize),
    /// Random letters of these ranges, in words of one to nine.
    Words(&'static [(char, char)]),
}

/// A text to be made.
#[derive(Debug)]
pub struct Worst {
    /// What it is.
    pub name: String,
    /// Its bytes.
    pub text: Vec<u8>,
}

const DIGITS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

#[rustfmt::skip]
const DIGITS_AND_SEPARATORS: &[&str] =
    &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "1", "2", "3", "4", " ", ".", "/", "-"];

const DIGITS_AND_BLANKS: &[&str] = &["0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "6 ", "7 ", "8 ", "9 "];

#[rustfmt::skip]
const CAPITALS_AND_DIGITS: &[&str] = &[
    "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V",
    "W", "X", "Y", "Z", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
];

#[rustfmt::skip]
const CONTEXT_WORDS: &[&str] = &[
    "tel ", "gsm: ", "né le ", "geboren op ", "born ", "born on ", "DOB ", "date of birth: ", "dossier ", "SP ",
    "passport ", "passeport n° ", "IBAN ", "rijksregisternummer ", "j'habite ", "ik woon ", "my address ", "plaque ",
    "rijbewijs ", "permis de conduire ", "rue ", "avenue ", "straat ", "Kerkstraat ", "1 ", "12 ", "2024 ", "a ", "le ",
];

#[rustfmt::skip]
const A_LITTLE_OF_EVERYTHING: &[&str] = &[
    "déménagé ", "+31 6 12345678 ", "Astraat 1 ", "road ", "1 ", "@", "15 rue ", "woon ", "né le 1.1.1980 ", "+",
];

const DIGITS_HOSTS_AND_HOMES: &str =
    "N1234567890@x.cmJTJ1234567890@x.cmV1234567890@x.cmTwoon 1 rue 1234567890@x.com/";

const SPELLED_OUT_TELEPHONES_AND_HOMES: &str =
    "name at [at] 0032850730X@x.com/FR+31 6 12345678 @my address Astraat 1 I live at 85073003328";

const HANDLES_FRACTIONS_AND_TELEPHONES: &str = concat!(
    "@x.com/woon@½èo FR+31 6 12345678 @my address Astraat 1 ",
    "+31 612345678 @my address Astraat 1 85073003328",
);

#[rustfmt::skip]
const RECIPES: &[(&str, Recipe)] = &[
    ("digits only", Recipe::Draw(DIGITS)),
    ("one digit", Recipe::Repeat("1")),
    ("zeroes", Recipe::Repeat("0")),
    ("a digit and a blank", Recipe::Repeat("1 ")),
    ("any digit and a blank", Recipe::Draw(DIGITS_AND_BLANKS)),
    ("two digits and a full stop", Recipe::Repeat("12.")),
    ("telephone numbers", Recipe::Repeat("0470 00 00 01 ")),
    ("telephone numbers, one after +", Recipe::Repeat("+32 470 00 00 01, ")),
    ("national numbers", Recipe::Repeat("85.07.30-951.80 ")),
    ("digits and separators", Recipe::Draw(DIGITS_AND_SEPARATORS)),
    ("dates", Recipe::Repeat("01/02/2003 ")),
    ("amounts", Recipe::Repeat("12.345.678,90 EUR ")),
    ("capitals and digits", Recipe::Draw(CAPITALS_AND_DIGITS)),
    ("capitals, digits and blanks", Recipe::Draw(&["A", "B", "E", "N", "L", "0", "1", "2", "6", "8", " "])),
    ("at signs", Recipe::Repeat("@")),
    ("addresses that never end", Recipe::Repeat("a@a.")),
    ("an address without an end", Recipe::Repeat("a.b-c_")),
    ("addresses", Recipe::Repeat("name@example.org ")),
    ("letters, full stops and at signs", Recipe::Draw(&["a", "b", "e", ".", "-", "@", "_", " "])),
    ("words and at", Recipe::Repeat("name at ")),
    ("words, at and dot", Recipe::Draw(&["name ", "at ", "dot ", "punt ", "point ", "be ", "(at) ", "[at] "])),
    ("streets", Recipe::Repeat("rue 1 ")),
    ("streets without a number", Recipe::Repeat("rue de la ")),
    ("streets in one word", Recipe::Repeat("Kerkstraat ")),
    ("offices and streets", Recipe::Repeat("bureau rue du bureau 1, ")),
    ("words that announce something", Recipe::Draw(CONTEXT_WORDS)),
    ("homes that are nowhere", Recipe::Repeat("J'habite ")),
    ("homes in one word", Recipe::Repeat("J'habite,")),
    ("homes within words", Recipe::Repeat("Wohne J'habite woon,woon,(woon,'")),
    ("homes and streets", Recipe::Draw(&["Rue 1 ", "woon ", "Wohne ", "Kerkstraat", " "])),
    ("streets beside an office", Recipe::Repeat("rue 12a bureau Rue Rue 12a Rue ")),
    ("streets, and an office at the end", Recipe::Until("rue 12a Rue Rue 12a Rue ", "bureau")),
    ("streets after numbers", Recipe::Repeat("15 rue ")),
    ("streets after numbers, and homes", Recipe::Repeat("15 rue woon ")),
    ("streets and numbers", Recipe::Draw(&["Rue ", "1 ", "12a ", "1 ", "rue "])),
    ("handles and telephone numbers", Recipe::Draw(&["-", "0470 ", "12", "٠", "½", ")0032", "@x.com/0032", " "])),
    ("dates, streets and homes", Recipe::Repeat("01/02/2012345678+32 rue 1 mon adresse: +32 9000 ")),
    ("handles", Recipe::Repeat("@x.com/")),
    ("handles without an address", Recipe::Repeat("@a1 ")),
    ("handles, homes and fractions", Recipe::Repeat("@x.com/woon @½")),
    ("handles, streets and dates", Recipe::Repeat("345678٠@Astraat 1 +01/02/2012")),
    ("telephone numbers, handles and streets", Recipe::Repeat("+31 6 12345678 @my address Astraat 1 ")),
    ("passport zones, streets and fractions", Recipe::Repeat("P<BELstr. 1 Rue 12.F½")),
    ("a little of everything", Recipe::Draw(A_LITTLE_OF_EVERYTHING)),
    ("digits and handles", Recipe::Repeat("1234567890@x.com/")),
    ("handles after telephone numbers", Recipe::Repeat("0032850730X@x.com/")),
    ("homes, streets, digits and handles", Recipe::Repeat("woon 15 rue 1234567890@x.com/")),
    ("handles, streets and digits, line by line", Recipe::Repeat("\n@woon rue 15 rue Z1234567890")),
    ("digits, hosts and homes", Recipe::Repeat(DIGITS_HOSTS_AND_HOMES)),
    ("addresses spelled out, telephones and homes", Recipe::Repeat(SPELLED_OUT_TELEPHONES_AND_HOMES)),
    ("handles, fractions, telephones and streets", Recipe::Repeat(HANDLES_FRACTIONS_AND_TELEPHONES)),
    ("number plates and handles", Recipe::Repeat("1-ABC-123  @ü")),
    ("opening brackets", Recipe::Repeat("(")),
    ("noughts and slashes", Recipe::Repeat("/0")),
    ("fractions", Recipe::Repeat("½")),
    ("invisible characters between digits", Recipe::Repeat("0\u{200B}4\u{AD}7\u{2060}0\u{FE0F}")),
    ("invisible characters", Recipe::Repeat("\u{200B}")),
    ("marks", Recipe::Repeat("e\u{301}1\u{301}\u{302}")),
    ("full-width digits", Recipe::Repeat("０４７０　００　００　０１　")),
    ("Arabic digits", Recipe::Repeat("٠٤٧٠ ٠٠ ٠٠ ٠١ ")),
    ("Arabic words", Recipe::Words(&[('ا', 'غ'), ('ف', 'ي')])),
    ("Cyrillic words", Recipe::Words(&[('а', 'я')])),
    ("Cyrillic letters that look Latin", Recipe::Repeat("аеорсух1")),
    ("Chinese", Recipe::Words(&[('一', '鿋')])),
    ("accents", Recipe::Draw(&["é", "è", "ü", "ß", "ç", "à", " "])),
    ("ligatures", Recipe::Repeat("ﷺ")),
    ("one long word", Recipe::LongWord(50_000)),
    ("account numbers that fail", Recipe::Repeat("BE68 ")),
    ("account numbers, nearly", Recipe::Draw(&["BE68 ", "BE", "68", "0000 ", "0001 ", "NL91", "ABNA "])),
    ("passport zones", Recipe::Repeat("P<BEL")),
    ("fillers of passport zones", Recipe::Repeat("<")),
    ("hexadecimal", Recipe::Draw(&["0", "1", "a", "f", "e", "9", ":", "-", ".", ":"])),
    ("places on the map", Recipe::Repeat("50.8466, 4.3528 ")),
    ("signs", Recipe::Repeat("+.-/")),
    ("quotes", Recipe::Repeat("’«»“")),
    ("line ends", Recipe::Repeat("\n")),
    ("blanks", Recipe::Repeat(" ")),
];

/// What a text is made from. The texts are made one at a time: together they would fill the memory.
#[derive(Debug)]
pub enum Source {
    /// One of ours, by its place in the list.
    Ours(usize),
    /// A seed.
    Seed(PathBuf),
}

/// All of ours, and the seeds of this folder where it exists.
pub fn sources(seeds: &Path) -> Result<Vec<Source>> {
    let mut sources: Vec<Source> = (0..RECIPES.len()).map(Source::Ours).collect();
    if seeds.is_dir() {
        let entries = std::fs::read_dir(seeds).context("the seeds cannot be read")?;
        let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        files.retain(|path| path.is_file());
        files.sort();
        sources.extend(files.into_iter().map(Source::Seed));
    }
    Ok(sources)
}

impl Source {
    /// The text, of at least so many bytes; `None` where a seed is no text to scrub.
    pub fn text(&self, bytes: usize) -> Result<Option<Worst>> {
        match self {
            Self::Ours(index) => Ok(ours(*index, bytes)),
            Self::Seed(path) => seed(path, bytes),
        }
    }
}

fn ours(index: usize, bytes: usize) -> Option<Worst> {
    let (name, recipe) = RECIPES.get(index)?;
    let mut dice = Rng::stream(0, 0, index);
    let mut text = Vec::with_capacity(bytes + 64);
    while text.len() < bytes {
        match *recipe {
            Recipe::Repeat(piece) | Recipe::Until(piece, _) => text.extend_from_slice(piece.as_bytes()),
            Recipe::Draw(pieces) => text.extend_from_slice(dice.pick(pieces).as_bytes()),
            Recipe::LongWord(letters) => {
                text.resize(text.len() + letters, b'a');
                text.push(b' ');
            }
            Recipe::Words(ranges) => text.extend_from_slice(word(&mut dice, ranges).as_bytes()),
        }
    }
    if let Recipe::Until(_, end) = *recipe {
        text.extend_from_slice(end.as_bytes());
    }
    Some(Worst { name: (*name).to_owned(), text })
}

fn word(dice: &mut Rng, ranges: &[(char, char)]) -> String {
    let mut word = String::new();
    for _ in 0..dice.between(1, 9) {
        let (first, last) = dice.pick(ranges);
        let code = dice.between(first as usize, last as usize);
        word.extend(u32::try_from(code).ok().and_then(char::from_u32));
    }
    word.push(' ');
    word
}

fn seed(path: &Path, bytes: usize) -> Result<Option<Worst>> {
    let piece = std::fs::read_to_string(path).unwrap_or_default();
    if piece.is_empty() || piece.contains('\0') {
        return Ok(None);
    }
    let name = path.file_name().context("a seed has a name")?.to_string_lossy();
    let text = piece.repeat(bytes / piece.len() + 1).into_bytes();
    Ok(Some(Worst { name: format!("seed {name}"), text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_of_its_size_in_utf_8_and_the_same_every_time() {
        for index in 0..RECIPES.len() {
            let one = ours(index, 60_000).unwrap();
            assert!((60_000..120_000).contains(&one.text.len()), "{}", one.name);
            assert!(std::str::from_utf8(&one.text).is_ok(), "{}", one.name);
            assert_eq!(one.text, ours(index, 60_000).unwrap().text);
        }
    }

    #[test]
    fn seeds_are_repeated_and_what_is_no_text_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("b"), "abc").unwrap();
        std::fs::write(folder.path().join("a"), [0xFF]).unwrap();
        let all = sources(folder.path()).unwrap();
        let [.., not_text, text] = all.as_slice() else { panic!("two seeds") };
        assert!(not_text.text(10).unwrap().is_none());
        assert_eq!(text.text(10).unwrap().unwrap().text, b"abcabcabcabc");
        assert_eq!(sources(&folder.path().join("none")).unwrap().len(), RECIPES.len());
    }
}
