//! The arithmetic that several algorithms share, on digits as values 0 to 9.

use crate::date::days_in;

/// The digits of a text that has exactly so many and nothing else.
pub(super) fn digits<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let text: [u8; N] = text.try_into().ok()?;
    let digits = text.map(|byte| byte.wrapping_sub(b'0'));
    // All of them are looked at: no branch for each.
    let is_other = digits.iter().fold(false, |is_other, digit| is_other | (*digit > 9));
    (!is_other).then_some(digits)
}

/// The digits read as one number; up to 19 of them fit.
#[inline]
pub(super) fn number(digits: &[u8]) -> u64 {
    let (eights, rest) = digits.as_chunks::<8>();
    let all = eights.iter().fold(0, |number, &digits| number * 100_000_000 + eight(digits));
    rest.iter().fold(all, |number, &digit| number * 10 + u64::from(digit))
}

/// Eight digits read as one number: neighbours are put together, then pairs, then fours.
#[inline]
fn eight(digits: [u8; 8]) -> u64 {
    let ones = u64::from_le_bytes(digits);
    let pairs = (ones * 10 + (ones >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * 10_000 + (fours >> 32)) & 0xffff_ffff
}

/// The sum of each digit times its weight.
pub(super) fn weighted(digits: &[u8], weights: &[u8]) -> u32 {
    digits.iter().zip(weights).map(|(&digit, &weight)| u32::from(digit) * u32::from(weight)).sum()
}

/// The digit that brings a sum to a multiple of eleven; where that would be ten, 0 is written.
pub(super) fn complement_11(sum: u32) -> u8 {
    ((11 - sum % 11) % 11 % 10) as u8
}

/// Whether all digits are the same, a filler that passes many checks and that nobody issues.
pub(super) fn all_same(digits: &[u8]) -> bool {
    digits.windows(2).all(|pair| pair[0] == pair[1])
}

/// Luhn: every second digit from the right is doubled, its own digits added up; the sum ends in 0.
pub(super) fn luhn(digits: &[u8]) -> bool {
    let value = |(place, &digit): (usize, &u8)| match (place % 2, digit) {
        (0, digit) => u32::from(digit),
        (_, digit @ 0..=4) => u32::from(digit) * 2,
        (_, digit) => u32::from(digit) * 2 - 9,
    };
    digits.iter().rev().enumerate().map(value).sum::<u32>().is_multiple_of(10)
}

/// ISO 7064 modulo 11,10: a running product of twos, with 10 in the place of 0; with the check digit it
/// ends in 1.
pub(super) fn modulo_11_10(body: &[u8], check: u8) -> bool {
    let product = body.iter().fold(10, |product, &digit| match (product + digit) % 10 {
        0 => 9, // 10 * 2 % 11
        sum => sum * 2 % 11,
    });
    (product + check) % 10 == 1
}

/// Verhoeff: from the right, each digit is permuted as its place says and multiplied in the dihedral group
/// of the pentagon; the product is the identity.
pub(super) fn verhoeff(digits: impl DoubleEndedIterator<Item = u8>) -> bool {
    let multiply = |product: u8, (place, digit): (usize, u8)| {
        let factor = PERMUTED[place % 8][usize::from(digit % 10)];
        dihedral(product, factor)
    };
    digits.rev().enumerate().fold(0, multiply) == 0
}

/// Turns are 0 to 4, reflections 5 to 9.
fn dihedral(left: u8, right: u8) -> u8 {
    match (left < 5, right < 5) {
        (true, true) => (left + right) % 5,
        (true, false) => 5 + (left + right) % 5,
        (false, true) => 5 + (left - right) % 5,
        (false, false) => (left + 5 - right) % 5,
    }
}

/// What a digit becomes at each place: the permutation applied as often as the place says; it comes
/// back after 8.
const PERMUTED: [[u8; 10]; 8] = {
    let once = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let mut table = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]; 8];
    let mut place = 1;
    while place < 8 {
        let mut digit = 0;
        while digit < 10 {
            table[place][digit] = once[table[place - 1][digit] as usize];
            digit += 1;
        }
        place += 1;
    }
    table
};

/// Whether the calendar has that day.
pub(super) fn is_date(year: u64, month: u64, day: u64) -> bool {
    let (Ok(year), Ok(month)) = (u32::try_from(year), u32::try_from(month)) else {
        return false;
    };
    (1..=u64::from(days_in(year, month))).contains(&day)
}

/// Whether the calendar of some century has that day: 2000 was a leap year, so its century has them all.
pub(super) fn is_date_of_some_century(year: u64, month: u64, day: u64) -> bool {
    is_date(2000 + year % 100, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_digits_are_digits() {
        assert_eq!(digits(b"0192"), Some([0, 1, 9, 2]));
        for text in ["019", "01922", "01A2", "01/2", "01:2"] {
            assert_eq!(digits::<4>(text.as_bytes()), None, "{text}");
        }
        assert_eq!(number(&[9; 19]), 9_999_999_999_999_999_999);
        assert_eq!(number(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7]), 12_345_678_901_234_567);
        assert_eq!([number(&[]), number(&[0, 7])], [0, 7]);
    }

    #[test]
    fn one_last_digit_passes_each_check() {
        let passing = |check: &dyn Fn(u8) -> bool| (0..10).filter(|&digit| check(digit)).collect::<Vec<_>>();
        assert_eq!(passing(&|digit| luhn(&[7, 9, 9, 2, 7, 3, 9, 8, 7, 1, digit])), [3]);
        assert_eq!(passing(&|digit| modulo_11_10(&[0, 7, 9, 4], digit)), [5]);
        assert_eq!(passing(&|digit| verhoeff([2, 3, 6, digit].into_iter())), [3]);
    }

    #[test]
    fn verhoeff_sees_every_swap_of_neighbours() {
        for (left, right) in (0..10).flat_map(|left| (0..10).map(move |right| (left, right))) {
            let both = verhoeff([left, right, 0].into_iter()) && verhoeff([right, left, 0].into_iter());
            assert!(!both || left == right, "{left}{right}");
        }
    }

    #[test]
    fn leap_years_follow_the_calendar() {
        assert!(is_date(2000, 2, 29) && is_date(1996, 2, 29) && is_date_of_some_century(0, 2, 29));
        assert!(!is_date(1900, 2, 29) && !is_date(1999, 2, 29) && !is_date(2000, 2, 30));
        assert!(
            !is_date(2000, 0, 1) && !is_date(2000, 13, 1) && !is_date(2000, 4, 31) && !is_date(2000, 1, 0)
        );
    }
}
