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
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        match rest {
            0 => write!(out, "{sign}{whole}"),
            rest => write!(out, "{sign}{whole}.{rest}"),
        }
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
