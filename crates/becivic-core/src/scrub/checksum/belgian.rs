//! Belgian numbers: all of them count modulo 97, some the remainder itself, some what it lacks to 97.

use super::digits::{digits, number};

/// Eleven digits YYMMDD NNN CC: CC is 97 less the first nine modulo 97, with a 2 before them for births
/// since 2000. A BIS number adds 20 or 40 to the month.
///
/// A month or a day can be unknown or a mere counter, so only the month's range is looked at; serial 000 is
/// never given. The year is not compared with today, so a 2-prefixed check holds for any year.
pub(super) fn national_register(text: &[u8]) -> bool {
    let Some(digits) = digits::<11>(text) else { return false };
    let (body, check) = (number(&digits[..9]), number(&digits[9..]));
    let checks = [97 - body % 97, 97 - (2_000_000_000 + body) % 97];
    checks.contains(&check)
        && matches!(number(&digits[2..4]), 0..=12 | 20..=32 | 40..=52)
        && number(&digits[6..9]) > 0
}

/// Ten digits that begin with 0 or 1, BE before them or not: the last two are 97 less the first eight
/// modulo 97. The old form of nine digits lacks the leading 0.
///
/// The check runs from 01 to 97: 98 and 99 are not taken for 01 and 02, nor 00 for 97, though they
/// leave the same remainder.
pub(super) fn enterprise(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"BE").unwrap_or(text);
    let (body, check) = if let Some(digits) = digits::<9>(text) {
        (number(&digits[..7]), number(&digits[7..]))
    } else if let Some(digits @ [0 | 1, ..]) = digits::<10>(text) {
        (number(&digits[..8]), number(&digits[8..]))
    } else {
        return false;
    };
    check == 97 - body % 97
}

/// Twelve digits: the last two are the first ten modulo 97, written 97 where that is 0. All zeros are
/// refused.
pub(super) fn card(text: &[u8]) -> bool {
    let Some(digits) = digits::<12>(text) else { return false };
    let check = number(&digits[10..]);
    check > 0 && check == remainder_or_97(number(&digits[..10]))
}

/// The remainder as identity cards, structured communications and bank accounts write it.
pub(super) fn remainder_or_97(body: u64) -> u64 {
    match body % 97 {
        0 => 97,
        remainder => remainder,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Checksum, check};

    #[test]
    fn national_register_numbers() {
        check(
            Checksum::Modulo97BelgianNrn,
            &[
                "79.10.05-977.20", // born 1979
                "09.12.24-968.69", // born 2009
                "07050095206",     // day unknown
                "11000295490",     // month 00, a later counter
                "00000195712",     // nothing known
                "76271499183",     // BIS, sex unknown
                "88.47.14-991.87", // BIS, sex known
                "93400098980",     // BIS, month and day unknown
                "83023097675",     // 30 February: mistyped, and personal all the same
                "60071497639",     // born 2060: no clock
            ],
            &[
                "79.10.05-977.21",
                "84052697600",
                "84052697699",
                "84192697644", // month 19
                "88331499186", // month 33
                "88531499132", // month 53
                "83040000025", // serial 000
                "7910059772",
                "791005977200",
                "84052A97643",
            ],
        );
    }

    #[test]
    fn enterprise_numbers() {
        check(
            Checksum::Modulo97BelgianEnterprise,
            &["0999.999.130", "BE 0999.999.229", "be1999995686", "BE999999427", "0999905197", "0999905001"],
            &[
                "0999.999.131",
                "0999905098", // 98 for 01
                "0000000000",
                "2999999427",
                "NL0999999427",
                "0999999",
                "BE",
            ],
        );
    }

    #[test]
    fn cards_and_structured_communications() {
        check(
            Checksum::Modulo97BelgianCard,
            &["591-0000042-47", "592000001697", "+++000/0000/10104+++", "***119/7530/76697***"],
            &["591-0000042-50", "591000004240", "+++119/7530/76600+++", "000000000000", "5910000042471"],
        );
    }
}
