//! The one hash of words, features and phrases: the same on every machine and in every version of the program, because
//! the weights on disk are found by it.

/// A hash.
pub type Hash = u64;

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of bytes (FNV-1a, then [`mix`]ed so that every bit counts).
pub fn of(bytes: &[u8]) -> Hash {
    let mut running = Running::new();
    bytes.iter().for_each(|byte| running.take(*byte));
    running.end()
}

/// A hash of bytes that come one after another.
#[derive(Clone, Copy, Debug)]
pub struct Running {
    hash: Hash,
    length: u64,
}

impl Running {
    /// Of none so far.
    #[allow(clippy::new_without_default)] // nothing is a hash by default
    pub fn new() -> Self {
        Self { hash: BASIS, length: 0 }
    }

    /// One more.
    #[inline]
    pub fn take(&mut self, byte: u8) {
        self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(PRIME);
        self.length += 1;
    }

    /// The hash of all of them.
    #[inline]
    pub fn end(self) -> Hash {
        mix(self.hash, self.length)
    }
}

/// Two hashes made one; the order counts.
pub fn mix(left: Hash, right: Hash) -> Hash {
    let hash = (left ^ right.rotate_left(32).wrapping_mul(SPREAD)).wrapping_mul(SPREAD);
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_never_change() {
        assert_eq!(of(b"peeters"), of(b"peeters"));
        assert_eq!(format!("{:016x}", of(b"")), "f8bb92ce26585846");
        assert_eq!(format!("{:016x}", of(b"peeters")), "742a8b2691140a50");
        assert_eq!(format!("{:016x}", mix(1, 2)), "3ac82d2aa90b154e");
        assert_ne!(mix(1, 2), mix(2, 1));
    }
}
