//! The same text as people also write it: without capitals, in capitals, without accents, with typing errors; and the same
//! sentence about somebody else.

use crate::example::Example;
use crate::people::People;
use crate::random::Random;
use unicode_normalization::UnicodeNormalization as _;

/// One variant, mostly the text as it was.
pub fn vary(example: &Example, random: &mut Random) -> Example {
    let mut pieces = example.pieces.clone();
    match random.below(100) {
        0..9 => names(&mut pieces, str::to_lowercase),
        9..17 => all(&mut pieces, str::to_lowercase),
        17..22 => names(&mut pieces, str::to_uppercase),
        22..27 => all(&mut pieces, str::to_uppercase),
        27..35 => all(&mut pieces, unaccented),
        35..39 => names(&mut pieces, unaccented),
        39..45 => {
            for (piece, is_name) in &mut pieces {
                if *is_name {
                    *piece = mistyped(piece, random);
                }
            }
        }
        45..49 => {
            for (piece, is_name) in &mut pieces {
                if !*is_name {
                    *piece = mistyped(piece, random);
                }
            }
        }
        49..52 => {
            if let Some((last, false)) = pieces.last_mut() {
                *last = last.trim_end_matches(['.', '!']).to_owned();
            }
        }
        _ => {}
    }
    Example { pieces }
}

/// The same sentence about other people.
pub fn about_others(example: &Example, people: &People<'_>, random: &mut Random) -> Example {
    let mut pieces = example.pieces.clone();
    for (piece, is_name) in &mut pieces {
        if *is_name {
            *piece = if piece.contains(' ') {
                people.person(random)
            } else if random.percent(50) {
                people.given(random)
            } else {
                people.family(random)
            };
        }
    }
    Example { pieces }
}

fn all(pieces: &mut [(String, bool)], change: impl Fn(&str) -> String) {
    pieces.iter_mut().for_each(|(piece, _)| *piece = change(piece));
}

fn names(pieces: &mut [(String, bool)], change: impl Fn(&str) -> String) {
    pieces.iter_mut().filter(|(_, is_name)| *is_name).for_each(|(piece, _)| *piece = change(piece));
}

fn unaccented(text: &str) -> String {
    text.nfd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)).collect()
}

/// Two letters swapped, one left out or one doubled.
fn mistyped(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let places: Vec<usize> = (1..letters.len().saturating_sub(1))
        .filter(|at| letters[*at].is_alphabetic() && letters[*at + 1].is_alphabetic())
        .collect();
    if places.is_empty() {
        return text.to_owned();
    }
    let at = *random.pick(&places);
    match random.below(3) {
        0 => letters.swap(at, at + 1),
        1 => drop(letters.remove(at)),
        _ => letters.insert(at, letters[at]),
    }
    letters.into_iter().collect()
}
