//! Each trick that disguises an identifier, on an identifier of each kind: it is still found, and so is all
//! of it.

use super::{found, rule};
use crate::{fixture_dir, read_json};
use serde::Deserialize;

#[derive(Deserialize)]
struct Evasion {
    identifiers: Vec<Identifier>,
}

#[derive(Deserialize)]
struct Identifier {
    rule: String,
    value: String,
}

/// A trick: what becomes of each character.
type Trick = fn(char) -> String;

const TRICKS: &[(&str, Trick)] = &[
    ("nothing", |c| c.to_string()),
    ("full-width digits", |c| shifted(c, '0'..='9', '０')),
    ("Arabic digits", |c| shifted(c, '0'..='9', '٠')),
    ("Devanagari digits", |c| shifted(c, '0'..='9', '०')),
    ("mathematical digits", |c| shifted(c, '0'..='9', '𝟘')),
    ("full-width everything", |c| shifted(c, '!'..='~', '！')),
    ("zero-width spaces", |c| format!("{c}\u{200B}")),
    ("zero-width joiners", |c| format!("{c}\u{200D}\u{2060}")),
    ("soft hyphens", |c| format!("{c}\u{AD}")),
    ("byte order marks", |c| format!("\u{FEFF}{c}")),
    ("bidi marks", |c| format!("\u{200E}{c}\u{200F}")),
    ("variation selectors", |c| format!("{c}\u{FE0F}")),
    ("combining marks on digits", |c| if c.is_ascii_digit() { format!("{c}\u{332}") } else { c.into() }),
    ("keycaps", |c| if c.is_ascii_digit() { format!("{c}\u{FE0F}\u{20E3}") } else { c.into() }),
    ("decomposed accents", |c| {
        unicode_normalization::UnicodeNormalization::nfd(std::iter::once(c)).collect()
    }),
    ("no-break spaces", |c| replaced(c, ' ', "\u{A0}")),
    ("thin spaces", |c| replaced(c, ' ', "\u{2009}")),
    ("ideographic spaces", |c| replaced(c, ' ', "\u{3000}")),
    ("en dashes", |c| replaced(c, '-', "\u{2013}")),
    ("non-breaking hyphens", |c| replaced(c, '-', "\u{2011}")),
    ("minus signs", |c| replaced(c, '-', "\u{2212}")),
    ("middle dots", |c| replaced(c, '.', "·")),
    ("one dot leaders", |c| replaced(c, '.', "\u{2024}")),
    ("ideographic stops", |c| replaced(c, '.', "。")),
    ("fraction slashes", |c| replaced(c, '/', "\u{2044}")),
    ("division slashes", |c| replaced(c, '/', "\u{2215}")),
    ("full-width at signs", |c| replaced(c, '@', "＠")),
    ("Cyrillic capitals", cyrillic),
];

#[test]
fn no_trick_hides_an_identifier() {
    let evasion = Evasion::deserialize(read_json(&fixture_dir().join("scrub/evasion.json"))).expect("a list");
    let covered = |name: &str| evasion.identifiers.iter().any(|identifier| identifier.rule == name);
    for known in super::bundled().rules() {
        assert!(covered(&known.name), "no identifier for {}", known.name);
    }
    let mut missed = Vec::new();
    for Identifier { rule: name, value } in &evasion.identifiers {
        for (trick, apply) in TRICKS {
            let disguised: String = value.chars().map(apply).collect();
            if found(rule(name), &disguised).is_empty() {
                missed.push(format!("{name}, {trick}: {disguised}"));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

/// A character of the range as the one at the same distance from `to`.
fn shifted(c: char, from: std::ops::RangeInclusive<char>, to: char) -> String {
    if !from.contains(&c) {
        return c.to_string();
    }
    let distance = u32::from(c) - u32::from(*from.start());
    char::from_u32(u32::from(to) + distance).expect("a character").to_string()
}

fn replaced(c: char, from: char, to: &str) -> String {
    if c == from { to.to_owned() } else { c.to_string() }
}

/// Capitals that Cyrillic has too, as it has them.
fn cyrillic(c: char) -> String {
    let alike = "ABEKMHOPCTX".chars().zip("АВЕКМНОРСТХ".chars()).find(|(latin, _)| *latin == c);
    alike.map_or(c, |(_, cyrillic)| cyrillic).to_string()
}
