//! Chance that is the same on every machine: SplitMix64 from a seed, in whole numbers.
//!
//! Each purpose has a stream of its own, so that under another policy the same people read the same things at the same times,
//! and only what becomes of it differs.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The stream of a purpose, and of one among many that share it.
    pub fn new(seed: u64, purpose: &str, number: u64) -> Self {
        // FNV-1a of the purpose; the first steps of the stream mix it with the rest.
        let named = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut stream = Self(seed ^ named);
        let mixed = stream.next() ^ number.wrapping_mul(GOLDEN);
        let mut stream = Self(mixed);
        stream.next();
        stream
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below another.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A share: at least 0 and below 1, with 53 bits.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// How often something happens that happens so often on average: the whole part, and once more by chance.
    pub fn times(&mut self, on_average: f64) -> u64 {
        let whole = on_average.floor();
        whole as u64 + u64::from(self.share() < on_average - whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_what_it_always_was() {
        let mut stream = Random::new(7, "readers", 0);
        let numbers: Vec<u64> = (0..3).map(|_| stream.next()).collect();
        assert_eq!(numbers, FIRST);
        let mut other = Random::new(7, "readers", 1);
        assert_ne!(other.next(), FIRST[0]);
        assert_ne!(Random::new(7, "truth", 0).next(), FIRST[0]);
        assert_ne!(Random::new(8, "readers", 0).next(), FIRST[0]);
    }

    const FIRST: [u64; 3] =
        [6_667_064_600_345_786_676, 17_014_707_925_694_106_688, 4_622_886_926_024_171_485];

    #[test]
    fn shares_and_numbers_keep_their_bounds_and_their_mean() {
        let mut stream = Random::new(1, "test", 0);
        let shares: Vec<f64> = (0..10_000).map(|_| stream.share()).collect();
        assert!(shares.iter().all(|it| (0.0..1.0).contains(it)));
        let mean = shares.iter().sum::<f64>() / 10_000.0;
        assert!((0.48..0.52).contains(&mean), "{mean}");
        assert!((0..10_000).all(|_| stream.below(7) < 7));
        assert_eq!(stream.below(0), 0);
        let times: u64 = (0..10_000).map(|_| stream.times(1.25)).sum();
        assert!((12_200..12_800).contains(&times), "{times}");
        assert_eq!((stream.times(0.0), stream.times(3.0)), (0, 3));
    }
}
