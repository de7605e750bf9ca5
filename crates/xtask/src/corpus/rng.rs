//! Numbers that are the same everywhere, for ever: SplitMix64, written out.
//!
//! 1. The state grows by the golden-ratio constant at every step.
//! 2. Two multiply-xorshift rounds mix it into the answer (Steele, Lea and Flood, 2014).
//! 3. A stream is derived from a seed and two numbers, so each skill has a stream of its own and
//!    the order in which files are made does not matter.

/// 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A stream of numbers; equal seeds give equal streams.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The stream of `seed` for one thing: what kind it is and which one.
    pub fn stream(seed: u64, kind: u64, index: usize) -> Self {
        let mut rng = Self(seed ^ kind.wrapping_mul(GOLDEN));
        let mixed = rng.next() ^ (index as u64).wrapping_mul(GOLDEN);
        Self(mixed)
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 when `end` is 0. The high half of a 128-bit product: no division.
    pub fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(self.next()) * (end as u128);
        (wide >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number below `end`, low ones more often: the smaller of two, as popular things are few.
    pub fn popular(&mut self, end: usize) -> usize {
        self.below(end).min(self.below(end))
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_published_algorithm() {
        let mut rng = Rng(1_234_567);
        let first: Vec<_> = (0..3).map(|_| rng.next()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn streams_differ_and_bounds_hold() {
        assert_ne!(Rng::stream(1, 1, 1).next(), Rng::stream(1, 1, 2).next());
        assert_ne!(Rng::stream(1, 1, 1).next(), Rng::stream(2, 1, 1).next());
        let mut rng = Rng::stream(7, 0, 0);
        for _ in 0..1_000 {
            assert!((3..=9).contains(&rng.between(3, 9)));
            assert!(rng.popular(10) < 10);
        }
        assert_eq!(rng.below(0), 0);
    }
}
