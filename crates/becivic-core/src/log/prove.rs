//! Proofs from tiles.
//!
//! 1. A complete subtree of height `h` lies in tiles of level `h / 8`: it is the root over `2^(h % 8)` hashes of one of them.
//! 2. Any run of leaves that a proof speaks of is such subtrees joined at the largest powers of two ([`range`]).
//! 3. An inclusion proof is the siblings on the way up from the leaf; a consistency proof begins at the last complete subtree of the
//!    smaller tree.
//!
//! Whoever asks brings tiles: from a server, a folder or a database. A tile of another length than its width says is refused.

use super::tile::Tile;
use super::tree::{EMPTY_ROOT, Hash, node};

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved<E> {
    /// The tree has no such leaf, or no such beginning.
    #[error("a tree of {size} entries has no {asked}")]
    Outside {
        /// What was asked for.
        asked: u64,
        /// The tree's size.
        size: u64,
    },
    /// A tile holds more or less than its name says.
    #[error("{tile} holds {bytes} bytes where {} are due", tile.width * 32)]
    Truncated {
        /// Which.
        tile: Tile,
        /// What it holds.
        bytes: usize,
    },
    /// A tile could not be had.
    #[error(transparent)]
    Tiles(#[from] E),
}

/// The root of the first `size` leaves.
pub fn root<E>(size: u64, mut tiles: impl FnMut(Tile) -> Result<Vec<u8>, E>) -> Result<Hash, Unproved<E>> {
    if size == 0 {
        return Ok(EMPTY_ROOT);
    }
    range(0, size, size, &mut tiles)
}

/// The proof that a leaf is in the tree of a size.
pub fn inclusion<E>(
    index: u64,
    size: u64,
    mut tiles: impl FnMut(Tile) -> Result<Vec<u8>, E>,
) -> Result<Vec<Hash>, Unproved<E>> {
    if index >= size {
        return Err(Unproved::Outside { asked: index, size });
    }
    let (mut from, mut to, mut siblings) = (0, size, Vec::new());
    while to - from > 1 {
        let middle = from + half(to - from);
        if index < middle {
            siblings.push((middle, to));
            to = middle;
        } else {
            siblings.push((from, middle));
            from = middle;
        }
    }
    siblings.iter().rev().map(|(from, to)| range(*from, *to, size, &mut tiles)).collect()
}

/// The proof that the tree of a smaller size is the beginning of the one of a larger.
pub fn consistency<E>(
    old: u64,
    size: u64,
    mut tiles: impl FnMut(Tile) -> Result<Vec<u8>, E>,
) -> Result<Vec<Hash>, Unproved<E>> {
    if old > size {
        return Err(Unproved::Outside { asked: old, size });
    }
    if old == 0 || old == size {
        return Ok(Vec::new());
    }
    let (mut from, mut to, mut ranges) = (0, size, Vec::new());
    // Down to the subtree that ends where the old tree does.
    while to != old {
        let middle = from + half(to - from);
        if old <= middle {
            ranges.push((middle, to));
            to = middle;
        } else {
            ranges.push((from, middle));
            from = middle;
        }
    }
    if from > 0 {
        ranges.push((from, to));
    }
    ranges.iter().rev().map(|(from, to)| range(*from, *to, size, &mut tiles)).collect()
}

/// The largest power of two below a number that is more than one.
fn half(count: u64) -> u64 {
    1 << (63 - (count - 1).leading_zeros())
}

/// The hash over leaves `from..to` of a tree, where `from` is a multiple of the largest power of two in it.
fn range<E>(
    from: u64,
    to: u64,
    size: u64,
    tiles: &mut impl FnMut(Tile) -> Result<Vec<u8>, E>,
) -> Result<Hash, Unproved<E>> {
    let count = to - from;
    if count.is_power_of_two() {
        return subtree(count.trailing_zeros(), from / count, size, tiles);
    }
    let middle = from + half(count);
    let left = range(from, middle, size, tiles)?;
    let right = range(middle, to, size, tiles)?;
    Ok(node(&left, &right))
}

/// The root of a complete subtree, by its height and its place among those of its height.
fn subtree<E>(
    height: u32,
    place: u64,
    size: u64,
    tiles: &mut impl FnMut(Tile) -> Result<Vec<u8>, E>,
) -> Result<Hash, Unproved<E>> {
    let (level, inner) = ((height / 8) as u8, height % 8);
    let first = place << inner;
    let tile = Tile::holding(level, first, size).ok_or(Unproved::Outside { asked: place, size })?;
    let bytes = tiles(tile)?;
    let (hashes, rest) = bytes.as_chunks::<32>();
    if !rest.is_empty() || hashes.len() as u64 != tile.width {
        return Err(Unproved::Truncated { tile, bytes: bytes.len() });
    }
    let begin = (first - tile.first()) as usize;
    let run =
        hashes.get(begin..begin + (1 << inner)).ok_or(Unproved::Truncated { tile, bytes: bytes.len() })?;
    let mut row: Vec<Hash> = run.to_vec();
    while row.len() > 1 {
        row = row.as_chunks::<2>().0.iter().map(|[left, right]| node(left, right)).collect();
    }
    row.first().copied().ok_or(Unproved::Truncated { tile, bytes: bytes.len() })
}
