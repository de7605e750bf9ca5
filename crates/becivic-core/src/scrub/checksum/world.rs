//! Numbers from beyond Europe, and those that belong to no country.

use super::LONGEST;
use super::digits::{all_same, complement_11, digits, is_date, luhn as luhn_sum, number, verhoeff, weighted};

/// Any digits that end in a Luhn digit, two or more and not all 0.
pub(super) fn luhn(text: &[u8]) -> bool {
    let mut values = [0; LONGEST];
    let Some(values) = values.get_mut(..text.len()) else { return false };
    for (value, character) in values.iter_mut().zip(text) {
        *value = character.wrapping_sub(b'0');
    }
    values.len() > 1
        && values.iter().all(|&value| value < 10)
        && values.iter().any(|&value| value > 0)
        && luhn_sum(values)
}

/// Thirteen digits weighted 1 and 3 in turn make a multiple of ten; not all 0.
pub(super) fn ean_13(text: &[u8]) -> bool {
    let Some(digits) = digits::<13>(text) else { return false };
    weighted(&digits, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10) && !all_same(&digits)
}

/// Turkish identity number: eleven digits, the first not 0; the tenth is what the sum of the first
/// nine, weighted 3 and 1 in turn, lacks to a multiple of ten; the last is the sum of the first ten
/// modulo ten.
pub(super) fn turkish_tckn(text: &[u8]) -> bool {
    let Some(digits) = digits::<11>(text) else { return false };
    let last = weighted(&digits[..10], &[1; 10]) % 10;
    digits[0] != 0
        && weighted(&digits, &[3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10)
        && u32::from(digits[10]) == last
}

/// Indian Aadhaar: twelve digits, the first 2 to 9, by Verhoeff. Palindromes hold like others.
pub(super) fn indian_aadhaar(text: &[u8]) -> bool {
    let Some(digits) = digits::<12>(text) else { return false };
    digits[0] > 1 && verhoeff(digits.into_iter())
}

/// Brazilian CPF: nine digits and two that bring sums, weighted 10 down and 11 down, to a multiple of
/// eleven. Eleven times the same digit is refused, though it passes.
pub(super) fn brazilian_cpf(text: &[u8]) -> bool {
    let Some(digits) = digits::<11>(text) else { return false };
    let weights = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
    digits[9] == complement_11(weighted(&digits[..9], &weights[1..]))
        && digits[10] == complement_11(weighted(&digits[..10], &weights))
        && !all_same(&digits)
}

/// Chinese resident number: region (never from 0), YYYYMMDD, three digits, and the check of ISO 7064
/// modulo 11-2, where X is ten.
///
/// Birth years are 1800 to 2099. The region is not looked up, since regions come and go.
pub(super) fn chinese_resident_id(text: &[u8]) -> bool {
    let Some((check, body)) = text.split_last() else { return false };
    let Some(digits) = digits::<17>(body) else { return false };
    let check = match check {
        b'X' => 10,
        b'0'..=b'9' => u32::from(check - b'0'),
        _ => return false,
    };
    // Powers of two modulo eleven, the last one for the place before the check.
    let sum = weighted(&digits, &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    let (year, month, day) = (number(&digits[6..10]), number(&digits[10..12]), number(&digits[12..14]));
    digits[0] != 0 && (1800..2100).contains(&year) && is_date(year, month, day) && (sum + check) % 11 == 1
}

#[cfg(test)]
mod tests {
    use super::super::{Checksum, check};

    #[test]
    fn luhn_numbers() {
        check(
            Checksum::Luhn,
            &["4000 0000 0000 0002", "18"],
            &["4000000000000003", "0000000000000000", "4000-0000-0000-000A", "8", "0"],
        );
    }

    #[test]
    fn article_numbers() {
        check(Checksum::Ean13, &["756.0000.0000.02"], &["7560000000003", "0000000000000", "756000000002"]);
    }

    #[test]
    fn turkish_numbers() {
        check(
            Checksum::TurkishTckn,
            &["10000000078"],
            &[
                "10000000087",
                "10000000079",
                "00000000178", // first digit 0
                "1000000078",
            ],
        );
    }

    #[test]
    fn indian_numbers() {
        check(
            Checksum::Verhoeff,
            &["2000 0000 0009", "900000000018"],
            &[
                "200000000008",
                "900000000081",
                "100000000004", // first digit 1
                "20000000009",
            ],
        );
    }

    #[test]
    fn brazilian_numbers() {
        check(
            Checksum::BrazilianCpf,
            &["999.999.998-08", "99999998917"],
            &[
                "00000000192",
                "00000000181",
                "111.111.111-11", // filler
                "00000000000",
                "0000000191",
            ],
        );
    }

    #[test]
    fn chinese_numbers() {
        check(
            Checksum::ChineseResidentId,
            &["110000180001010005", "11000018000101003x", "910000209602299997"],
            &[
                "110000180001010006",
                "110000189902290009", // no leap year
                "010000180001010001", // region 0
                "1100001800010100AX",
                "11000018000101000",
                "X",
            ],
        );
    }
}
