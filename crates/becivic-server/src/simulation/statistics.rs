//! Shares and medians with 95 % intervals, without a function that differs between machines: only sums, quotients and square roots.

use serde::Serialize;

/// The 97.5th percentile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// How many of how many, with Wilson's interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// The share; 0 of nothing.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end; of nothing anything is possible.
    pub high: f64,
}

impl Share {
    /// Of some.
    pub fn new(count: u64, of: u64) -> Self {
        if of == 0 {
            return Self { count, of, share: 0.0, low: 0.0, high: 1.0 };
        }
        let (n, share) = (of as f64, count as f64 / of as f64);
        let middle = share + Z * Z / (2.0 * n);
        let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        let low = if count == 0 { 0.0 } else { ((middle - reach) / scale).max(0.0) };
        let high = if count >= of { 1.0 } else { ((middle + reach) / scale).min(1.0) };
        Self { count, of, share, low, high }
    }

    /// In percent, with its interval: `12 % (8–17)`.
    pub fn text(&self) -> String {
        if self.of == 0 {
            return "–".to_owned();
        }
        format!("{} % ({}–{})", percent(self.share), percent(self.low), percent(self.high))
    }
}

/// A share in percent: whole above ten, one digit below, so that what is rare does not look like nothing.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 || percent >= 9.95 { format!("{percent:.0}") } else { format!("{percent:.1}") }
}

/// A median, with the interval between two ranks that holds it 95 times in a hundred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Median {
    /// Of how many.
    pub of: u64,
    /// The middle one; of an even number the lower of the two.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Median {
    /// Of some numbers; `None` where there are none.
    pub fn of(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_by(f64::total_cmp);
        let count = numbers.len();
        let at = |rank: f64| {
            let index = (rank.max(1.0) as usize).min(count).saturating_sub(1);
            numbers.get(index).copied()
        };
        // How many lie below the median is binomial: half of them, give or take z·√n/2.
        let (n, reach) = (count as f64, Z * (count as f64).sqrt() / 2.0);
        let (low, high) = (at((n / 2.0 - reach).floor())?, at((n / 2.0 + 1.0 + reach).ceil())?);
        Some(Self { of: count as u64, median: at(count.div_ceil(2) as f64)?, low, high })
    }

    /// With its interval: `18 (16–21)`.
    pub fn text(median: Option<&Self>) -> String {
        median.map_or_else(
            || "–".to_owned(),
            |it| format!("{} ({}–{})", number(it.median), number(it.low), number(it.high)),
        )
    }
}

/// A number: whole from ten on, one digit below.
pub fn number(number: f64) -> String {
    if number == 0.0 || number >= 9.95 { format!("{number:.0}") } else { format!("{number:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_is_wilson() {
        // Checked by hand against the formula.
        let it = Share::new(8, 10);
        assert!((it.low - 0.490_1).abs() < 1e-3 && (it.high - 0.943_3).abs() < 1e-3, "{it:?}");
        assert_eq!((Share::new(0, 20).low, Share::new(20, 20).high), (0.0, 1.0));
        assert!((Share::new(0, 20).high - 0.161_1).abs() < 1e-3);
        assert_eq!((Share::new(0, 0).low, Share::new(0, 0).high), (0.0, 1.0));
        assert_eq!(
            (Share::new(1, 8).text().as_str(), Share::new(0, 0).text().as_str()),
            ("12 % (2.2–47)", "–")
        );
    }

    #[test]
    fn a_median_lies_between_its_ranks() {
        let it = Median::of((1..=100).rev().map(f64::from).collect()).expect("some");
        assert_eq!((it.of, it.median, it.low, it.high), (100, 50.0, 40.0, 61.0));
        assert_eq!(Median::of(vec![3.0]).map(|it| (it.median, it.low, it.high)), Some((3.0, 3.0, 3.0)));
        assert_eq!(Median::of(Vec::new()), None);
        assert_eq!(Median::text(Median::of(vec![3.0, 12.4]).as_ref()), "3.0 (3.0–12)");
    }
}
