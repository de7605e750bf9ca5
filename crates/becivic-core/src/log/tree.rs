//! The Merkle tree of RFC 6962.
//!
//! 1. A leaf is `SHA-256(0 ‖ entry)`, a node `SHA-256(1 ‖ left ‖ right)`; the left half of a tree is the largest power of two that
//!    is less than its size.
//! 2. Of a tree that only grows, the roots of its complete subtrees, largest first, are all there is to know ([`Peaks`]): one for
//!    each bit of its size. A new leaf joins the small ones as a carry does in binary addition.
//! 3. The peaks before a leaf, smallest first, are its proof in the tree that ends with it.
//! 4. Proofs are checked by walking from the leaf to the root, by the bits of its place.

use sha2::{Digest, Sha256};

/// A digest.
pub type Hash = [u8; 32];

/// The root of a tree without leaves: the digest of nothing.
pub const EMPTY_ROOT: Hash = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27,
    0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
];

/// The hash of an entry.
pub fn leaf(entry: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

/// The hash of two subtrees together.
pub fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The complete subtrees of a tree, largest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peaks {
    size: u64,
    roots: Vec<Hash>,
}

/// What a leaf brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grown {
    /// The proof that the leaf is in the tree that ends with it.
    pub proof: Vec<Hash>,
    /// Hashes of the higher tiles that are known from now on, each with its tile's level, lowest first.
    pub above: Vec<(u8, Hash)>,
}

impl Peaks {
    /// The peaks of a tree of a size; `None` when it has another number of them.
    pub fn new(size: u64, roots: Vec<Hash>) -> Option<Self> {
        (roots.len() == size.count_ones() as usize).then_some(Self { size, roots })
    }

    /// From a proof of the tree's last leaf and that leaf: the tree with it.
    pub fn after(index: u64, proof: &[Hash], leaf: Hash) -> Option<Self> {
        let mut before = Self::new(index, proof.iter().rev().copied().collect())?;
        before.append(leaf);
        Some(before)
    }

    /// How many leaves there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf.
    pub fn append(&mut self, leaf: Hash) -> Grown {
        let mut grown = Grown { proof: self.roots.iter().rev().copied().collect(), above: Vec::new() };
        let mut root = leaf;
        // As many subtrees as the size ends in ones are complete with this leaf.
        for height in 1..=self.size.trailing_ones() {
            let Some(left) = self.roots.pop() else { break };
            root = node(&left, &root);
            if height % 8 == 0 {
                grown.above.push(((height / 8) as u8, root));
            }
        }
        self.roots.push(root);
        self.size += 1;
        grown
    }

    /// The root.
    pub fn root(&self) -> Hash {
        let mut roots = self.roots.iter().rev();
        let Some(last) = roots.next() else { return EMPTY_ROOT };
        roots.fold(*last, |right, left| node(left, &right))
    }
}

/// Whether a leaf is at a place of the tree with this size and root.
pub fn is_included(index: u64, leaf: Hash, proof: &[Hash], size: u64, root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut place, mut last, mut hash) = (index, size - 1, leaf);
    let mut proof = proof.iter();
    while last > 0 {
        // A node at the right edge that has no sibling is its own parent.
        if place % 2 == 1 || place < last {
            let Some(sibling) = proof.next() else { return false };
            hash = if place % 2 == 1 { node(sibling, &hash) } else { node(&hash, sibling) };
        }
        place /= 2;
        last /= 2;
    }
    proof.next().is_none() && hash == *root
}

/// Whether a tree is the beginning of another.
pub fn is_consistent((old_size, old_root): (u64, &Hash), (size, root): (u64, &Hash), proof: &[Hash]) -> bool {
    if old_size > size {
        return false;
    }
    if old_size == 0 {
        return proof.is_empty() && *old_root == EMPTY_ROOT;
    }
    if old_size == size {
        return proof.is_empty() && old_root == root;
    }
    let mut proof = proof.iter().copied();
    // Where the old tree is one complete subtree, its root is what one starts from and is not repeated.
    let start = if old_size.is_power_of_two() { Some(*old_root) } else { proof.next() };
    let Some(start) = start else { return false };
    let skip = old_size.trailing_zeros();
    let (mut place, mut last) = ((old_size - 1) >> skip, (size - 1) >> skip);
    let (mut old, mut new) = (start, start);
    while last > 0 {
        if place % 2 == 1 || place < last {
            let Some(sibling) = proof.next() else { return false };
            if place % 2 == 1 {
                old = node(&sibling, &old);
                new = node(&sibling, &new);
            } else {
                new = node(&new, &sibling);
            }
        }
        place /= 2;
        last /= 2;
    }
    proof.next().is_none() && old == *old_root && new == *root
}

/// A digest in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |it: u8| DIGITS[usize::from(it & 15)];
    let mut text = vec![0; 2 * bytes.len()];
    for (two, byte) in text.as_chunks_mut().0.iter_mut().zip(bytes) {
        *two = [digit(byte >> 4), digit(*byte)];
    }
    String::from_utf8(text).unwrap_or_default()
}

/// A digest from hexadecimal, in lower case only.
pub fn unhex(text: &str) -> Option<Hash> {
    let digit = |it: &u8| match it {
        b'0'..=b'9' => Some(it - b'0'),
        b'a'..=b'f' => Some(it - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    bytes.filter(|_| rest.is_empty())?.try_into().ok()
}
