//! Coordinates as they are written: with one digit after the point. Numbers of any size are written exactly by the standard library,
//! at a price; a drawing has hundreds of them, and all are small.

use std::fmt::{self, Display, Formatter};

/// A coordinate, to the tenth.
#[derive(Clone, Copy)]
pub struct Tenths(pub f64);

impl Display for Tenths {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_possible_truncation, reason = "a drawing is far smaller, and a cast saturates")]
        let tenths = (self.0 * 10.0).round() as i64;
        let (mut whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        // Written from the end, in one piece: a number of 64 bits, a point and a sign fit.
        let mut signs = [b'0'; 24];
        let mut from = signs.len();
        let mut put = |sign: u8| {
            from -= 1;
            signs[from] = sign;
        };
        let digit = |number: u64| b'0' + u8::try_from(number % 10).unwrap_or(0);
        if rest > 0 {
            put(digit(rest));
            put(b'.');
        }
        loop {
            put(digit(whole));
            whole /= 10;
            if whole == 0 {
                break;
            }
        }
        if tenths < 0 {
            put(b'-');
        }
        out.write_str(str::from_utf8(&signs[from..]).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_one_digit_after_the_point_at_most() {
        for (number, written) in [
            (0.0, "0"),
            (12.0, "12"),
            (12.5, "12.5"),
            (-3.25, "-3.3"),
            (-0.04, "0"),
            (99.96, "100"),
            (0.1, "0.1"),
        ] {
            assert_eq!(Tenths(number).to_string(), written);
        }
    }
}
