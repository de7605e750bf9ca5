//! Ordinary notes, clean and equal to the byte every time.
//!
//! 1. A sentence is one of its language's, its gaps filled ([`super::sentences`]).
//! 2. Prose: paragraphs of three to eight sentences of one language, the language changing from paragraph to
//!    paragraph, until there are enough bytes.
//! 3. Notes: sentences of one language until there are enough characters, cut there; one note per line.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::sentences::{LANGUAGES, Language};
use crate::corpus::rng::Rng;

/// Writes paragraphs, one per line, until about `bytes` are written.
pub fn prose(out: &mut impl Write, bytes: usize, seed: u64) -> io::Result<()> {
    let mut dice = Rng::stream(seed, 0, 0);
    let (mut written, mut paragraph) = (0, String::new());
    while written < bytes {
        paragraph.clear();
        let language = dice.pick(&LANGUAGES);
        for index in 0..dice.between(3, 8) {
            paragraph.push_str(if index > 0 { " " } else { "" });
            sentence(&mut dice, language, &mut paragraph);
        }
        paragraph.push('\n');
        written += paragraph.len();
        out.write_all(paragraph.as_bytes())?;
    }
    Ok(())
}

/// Writes this many notes of this many characters, one per line.
pub fn notes(out: &mut impl Write, count: usize, characters: usize, seed: u64) -> io::Result<()> {
    let mut dice = Rng::stream(seed, 0, 0);
    let mut note = String::new();
    for _ in 0..count {
        note.clear();
        let language = dice.pick(&LANGUAGES);
        let mut cut = None;
        while cut.is_none() {
            note.push_str(if note.is_empty() { "" } else { " " });
            sentence(&mut dice, language, &mut note);
            cut = note.char_indices().nth(characters).map(|(at, _)| at);
        }
        note.truncate(cut.unwrap_or_default());
        note.push('\n');
        out.write_all(note.as_bytes())?;
    }
    Ok(())
}

fn sentence(dice: &mut Rng, language: &Language, out: &mut String) {
    let mut parts = dice.pick(language.sentences).split(['{', '}']);
    // Text and gap take turns: text {gap} text {gap} text.
    while let Some(text) = parts.next() {
        out.push_str(text);
        if let Some(gap) = parts.next() {
            fill(dice, language, gap, out);
        }
    }
}

fn fill(dice: &mut Rng, language: &Language, gap: &str, out: &mut String) {
    let bank = match gap {
        "office" => language.offices,
        "paper" => language.papers,
        "person" => language.people,
        "town" => language.towns,
        "month" => language.months,
        _ => return number(dice, gap, out),
    };
    out.push_str(dice.pick(bank));
}

fn number(dice: &mut Rng, gap: &str, out: &mut String) {
    let year = dice.between(1984, 2026);
    let (few, many) = (dice.between(2, 30), dice.between(20, 250));
    // Writing to a string cannot fail.
    let _ = match gap {
        "year" => write!(out, "{year}"),
        "few" => write!(out, "{few}"),
        "many" => write!(out, "{many}"),
        "postcode" => write!(out, "{}", dice.between(10, 99) * 100 + dice.pick(&[0, 0, 10, 20, 40, 50, 80])),
        "article" => {
            write!(out, "{few}{}", dice.pick(&["", "", "bis", "ter", "/7", ", § 2", "bis, § 1er, 2°"]))
        }
        "hour" => match dice.below(3) {
            0 => write!(out, "{}h{}", dice.between(8, 17), dice.pick(&["", "30", "45"])),
            1 => write!(out, "{}:{}", dice.between(8, 17), dice.pick(&["00", "15", "30"])),
            _ => write!(out, "{}.{}", dice.between(8, 17), dice.pick(&["00", "30"])),
        },
        "date" => match dice.below(3) {
            0 => write!(out, "{:02}/{:02}/{year}", dice.between(1, 28), dice.between(1, 12)),
            1 => write!(out, "{:02}.{:02}.{year}", dice.between(1, 28), dice.between(1, 12)),
            _ => write!(out, "{year}-{:02}-{:02}", dice.between(1, 12), dice.between(1, 28)),
        },
        "amount" => match dice.below(4) {
            0 => write!(out, "{many}"),
            1 => write!(out, "{many},{}", dice.pick(&["00", "50", "25", "80"])),
            2 => write!(out, "{few}.{:03},00", dice.between(0, 999)),
            _ => write!(out, "{few}\u{A0}{:03}", dice.between(0, 999)),
        },
        _ => Ok(()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_has_no_gaps_left_and_is_the_same_every_time() {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        prose(&mut one, 200_000, 1).unwrap();
        prose(&mut other, 200_000, 1).unwrap();
        assert_eq!(one, other);
        let text = String::from_utf8(one).unwrap();
        assert!(text.len() >= 200_000 && text.len() < 202_000);
        assert!(!text.contains(['{', '}', '@']) && !text.contains("  "));
    }

    #[test]
    fn every_gap_is_known() {
        let mut dice = Rng::stream(1, 0, 0);
        for language in LANGUAGES {
            for gap in language.sentences.iter().flat_map(|text| text.split(['{', '}']).skip(1).step_by(2)) {
                let mut out = String::new();
                fill(&mut dice, language, gap, &mut out);
                assert!(!out.is_empty(), "{gap}");
            }
        }
    }

    #[test]
    fn notes_have_their_length_in_characters() {
        let mut out = Vec::new();
        notes(&mut out, 50, 500, 1).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().count(), 50);
        assert!(text.lines().all(|note| note.chars().count() == 500));
    }
}
