//! Numbers that look random and come back with the same seed.

use std::time::{SystemTime, UNIX_EPOCH};

/// A generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Begins at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Begins at `BECIVIC_SEED`, or at the time; says which, so that a failure can be repeated.
    pub fn seeded() -> Self {
        let given = std::env::var("BECIVIC_SEED").ok().and_then(|text| text.parse().ok());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_nanos() as u64;
        let seed = given.unwrap_or(now);
        println!("BECIVIC_SEED={seed}");
        Self(seed)
    }

    /// Begins at `BECIVIC_SEED`, or at the same place each time: what goes wrong in one game in ten thousand is looked for by
    /// playing others, and not by whoever tests something else.
    pub fn given(otherwise: u64) -> Self {
        let given = std::env::var("BECIVIC_SEED").ok().and_then(|text| text.parse().ok());
        Self(given.unwrap_or(otherwise))
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("a small number")
    }

    /// Puts things in another order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            things.swap(at, self.below(at + 1));
        }
    }
}
