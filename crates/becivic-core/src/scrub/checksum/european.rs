//! European numbers that say nothing about their holder but the check.

use super::digits::{all_same, complement_11, digits, modulo_11_10, number, weighted};

/// Dutch BSN: nine digits, or eight without the leading 0, of which the first eight weighted 9 down to
/// 2, less the last, make a multiple of eleven.
pub(super) fn dutch_bsn(text: &[u8]) -> bool {
    let digits = match digits::<8>(text) {
        Some([a, b, c, d, e, f, g, h]) => Some([0, a, b, c, d, e, f, g, h]),
        None => digits::<9>(text),
    };
    // Less one is ten more, modulo eleven.
    digits.is_some_and(|digits| {
        weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2, 10]).is_multiple_of(11) && !all_same(&digits)
    })
}

/// French NIR: thirteen digits and a key of two, which is 97 less their remainder modulo 97. Corsica's
/// departments 2A and 2B count as 19 and 18.
///
/// The first digit is 1 to 4, or 7 or 8 for a provisional number.
pub(super) fn french_nir(text: &[u8]) -> bool {
    let Ok(mut text) = <[u8; 15]>::try_from(text) else { return false };
    match text[5..7] {
        [b'2', b'A'] => [text[5], text[6]] = *b"19",
        [b'2', b'B'] => [text[5], text[6]] = *b"18",
        _ => {}
    }
    let Some(digits) = digits::<15>(&text) else { return false };
    matches!(digits[0], 1..=4 | 7 | 8) && number(&digits[13..]) == 97 - number(&digits[..13]) % 97
}

/// German tax number or Croatian OIB, the latter with HR before it or not: eleven digits, ISO 7064
/// modulo 11,10.
///
/// The German rule on repeated digits is left out, because Croatian numbers do not follow it. Ten times
/// the same digit is refused in both.
pub(super) fn german_or_croatian(text: &[u8]) -> bool {
    let Some(digits) = digits::<11>(text.strip_prefix(b"HR").unwrap_or(text)) else { return false };
    modulo_11_10(&digits[..10], digits[10]) && !all_same(&digits[..10])
}

/// Spanish DNI and NIE: eight digits and the letter their remainder modulo 23 points to. The
/// foreigner's X, Y and Z stand for a first digit 0, 1 and 2; the tax number's K, L and M count for
/// nothing.
pub(super) fn spanish_dni_nie(text: &[u8]) -> bool {
    let Ok([first, middle @ .., letter]) = <[u8; 9]>::try_from(text) else { return false };
    let first = match first {
        b'X' | b'K' | b'L' | b'M' => 0,
        b'Y' => 1,
        b'Z' => 2,
        digit @ b'0'..=b'9' => u64::from(digit - b'0'),
        _ => return false,
    };
    let Some(middle) = digits::<7>(&middle) else { return false };
    let remainder = (first * 10_000_000 + number(&middle)) % 23;
    b"TRWAGMYFPDXBNJZSQVHLCKE".get(remainder as usize) == Some(&letter)
}

/// Portuguese NIF, with PT before it or not: nine digits, the first not 0; the first eight weighted 9
/// down to 2 need the last to make a multiple of eleven.
pub(super) fn portuguese_nif(text: &[u8]) -> bool {
    let Some(digits) = digits::<9>(text.strip_prefix(b"PT").unwrap_or(text)) else { return false };
    digits[0] != 0 && digits[8] == complement_11(weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]))
}

/// Irish PPS: seven digits weighted 8 down to 2 give a letter modulo 23, with W for 0. A second letter
/// A, B or H counts nine times; an older W, T or X does not count.
pub(super) fn irish_pps(text: &[u8]) -> bool {
    let Some((seven, letters)) = text.split_at_checked(7) else { return false };
    let Some(digits) = digits::<7>(seven) else { return false };
    let (letter, more) = match *letters {
        [letter] | [letter, b'W' | b'T' | b'X'] => (letter, 0),
        [letter, second @ (b'A' | b'B' | b'H')] => (letter, 9 * u32::from(second - b'A' + 1)),
        _ => return false,
    };
    let remainder = (weighted(&digits, &[8, 7, 6, 5, 4, 3, 2]) + more) % 23;
    b"WABCDEFGHIJKLMNOPQRSTUV".get(remainder as usize) == Some(&letter)
}

/// British NHS number: ten digits weighted 10 down to 1 make a multiple of eleven. Ten times the same
/// digit does too, and is refused.
pub(super) fn british_nhs(text: &[u8]) -> bool {
    let Some(digits) = digits::<10>(text) else { return false };
    weighted(&digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11) && !all_same(&digits)
}

/// Ukrainian RNOKPP: five digits count days since the end of 1899, so they are not all 0; the tenth is the
/// weighted sum of the nine before it modulo eleven, 0 for ten.
pub(super) fn ukrainian_rnokpp(text: &[u8]) -> bool {
    let Some(digits) = digits::<10>(text) else { return false };
    // The rule's first weight is -1, which is 10 modulo eleven.
    let sum = weighted(&digits[..9], &[10, 5, 7, 9, 4, 6, 10, 5, 7]);
    number(&digits[..5]) > 0 && u32::from(digits[9]) == sum % 11 % 10
}

#[cfg(test)]
mod tests {
    use super::super::{Checksum, check};

    #[test]
    fn dutch_numbers() {
        check(
            Checksum::ElevenTestDutchBsn,
            &["0000.00.012", "000000024", "00000012"],
            &[
                "000000013",
                "000000021", // swapped
                "000000000",
                "0000012",
                "0000000012",
            ],
        );
    }

    #[test]
    fn french_numbers() {
        check(
            Checksum::Modulo97FrenchNir,
            &["1 80 01 00 001 001 89", "180992A99999982", "2 80 99 2b 999 999 59", "780992A99999973"],
            &[
                "180010000100188",
                "180992B99999982",
                "180992C99999982",
                "580012B00100182", // first digit 5
                "18001000010018",
                "1800100001001899",
            ],
        );
    }

    #[test]
    fn german_and_croatian_numbers() {
        check(
            Checksum::Iso7064Modulo1110,
            &["00000000010", "10 000 000 026", "HR00000000028"],
            &[
                "00000000011",
                "10000000062",
                "DE10000000026",
                "11111111119", // filler
                "1000000026",
            ],
        );
    }

    #[test]
    fn spanish_numbers() {
        check(
            Checksum::SpanishDniNie,
            &["00000000-T", "X-0000000-T", "y0000000z", "Z0000000M", "K0000000T"],
            &["00000000R", "X0000000R", "A0000000T", "00000000", "000000000T", "X000000RR"],
        );
    }

    #[test]
    fn portuguese_numbers() {
        check(
            Checksum::PortugueseNif,
            &["399 999 990", "PT299999998", "289999995"],
            &[
                "100000003",
                "000000019", // first digit 0
                "ES299999998",
                "10000002",
            ],
        );
    }

    #[test]
    fn irish_numbers() {
        check(
            Checksum::IrishPps,
            &["0000001B", "0000002D", "0000001KA", "0000001EH", "0000001TB", "0000001BW", "0000001BT"],
            &["0000001C", "0000001BA", "0000001BC", "000001B", "0000001", "0000001BWW"],
        );
    }

    #[test]
    fn british_numbers() {
        check(
            Checksum::BritishNhs,
            &["999 000 0018", "9990000026"],
            &["9990000017", "9990000081", "0000000000", "4444444444", "999000018"],
        );
    }

    #[test]
    fn ukrainian_numbers() {
        check(
            Checksum::UkrainianRnokpp,
            &["0000100004", "0000200008"],
            &[
                "0000100005",
                "0000000017", // day 0
                "0000000000",
                "000010004",
            ],
        );
    }
}
