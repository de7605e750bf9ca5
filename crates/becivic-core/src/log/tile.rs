//! Where hashes and entries are published: `tile/<level>/<index>[.p/<width>]`, `tile/entries/<index>[.p/<width>]`.
//!
//! 1. A tile holds up to 256 hashes of one level; a hash of level `l + 1` is the root over one full tile of level `l`.
//! 2. An index is written in groups of three digits, all but the last behind an `x`: `x001/x234/067`.
//! 3. A tile that is not full yet says how wide it is. A full one is written without: every tile has one name.

use std::fmt;

/// Hashes in a full tile.
pub const WIDTH: u64 = 256;

/// The highest level: 2^64 leaves have eight.
const HIGHEST: u8 = 7;

/// A tile, or a bundle of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// Its level; `None` for entries.
    pub level: Option<u8>,
    /// Which of its level.
    pub index: u64,
    /// How many are in it: 1 to 256.
    pub width: u64,
}

impl Tile {
    /// The tile of a level that holds a hash, as wide as a tree of a size has it; `None` where the tree has no such hash.
    pub fn holding(level: u8, place: u64, size: u64) -> Option<Self> {
        let there = size.checked_shr(8 * u32::from(level)).unwrap_or(0);
        let index = place / WIDTH;
        let width = there.saturating_sub(index * WIDTH).min(WIDTH);
        (place < there).then_some(Self { level: Some(level), index, width })
    }

    /// The bundles of a tree of a size, in order.
    pub fn bundles(size: u64) -> impl Iterator<Item = Self> {
        let all = size.div_ceil(WIDTH);
        (0..all).map(move |index| Self { level: None, index, width: (size - index * WIDTH).min(WIDTH) })
    }

    /// The same at its full width.
    pub fn full(self) -> Self {
        Self { width: WIDTH, ..self }
    }

    /// Reads `tile/…`.
    pub fn read(path: &str) -> Option<Self> {
        let rest = path.strip_prefix("tile/")?;
        let (level, rest) = rest.split_once('/')?;
        let level = match level {
            "entries" => None,
            text => Some(text.parse().ok().filter(|level: &u8| *level <= HIGHEST && text.len() == 1)?),
        };
        let (index, width) = match rest.split_once(".p/") {
            Some((index, width)) => {
                let number: u64 = width.parse().ok()?;
                let written = (1..WIDTH).contains(&number) && number.to_string() == width;
                (index, written.then_some(number)?)
            }
            None => (rest, WIDTH),
        };
        let tile = Self { level, index: read_index(index)?, width };
        // One name for each: leading zeros and needless groups are somebody else's.
        (tile.to_string() == path).then_some(tile)
    }

    /// The place of its first hash in its level.
    pub fn first(self) -> u64 {
        self.index.saturating_mul(WIDTH)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Some(level) => write!(f, "tile/{level}/")?,
            None => write!(f, "tile/entries/")?,
        }
        let mut groups = vec![self.index % 1000];
        let mut rest = self.index / 1000;
        while rest > 0 {
            groups.push(rest % 1000);
            rest /= 1000;
        }
        let last = groups.first().copied().unwrap_or_default();
        for group in groups.iter().skip(1).rev() {
            write!(f, "x{group:03}/")?;
        }
        write!(f, "{last:03}")?;
        if self.width < WIDTH {
            write!(f, ".p/{}", self.width)?;
        }
        Ok(())
    }
}

fn read_index(text: &str) -> Option<u64> {
    let groups: Vec<&str> = text.split('/').collect();
    let (last, front) = groups.split_last()?;
    let digits = |group: &str| {
        let is_three = group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
        is_three.then(|| group.parse::<u64>().ok()).flatten()
    };
    let mut index: u64 = 0;
    for group in front {
        index = index.checked_mul(1000)?.checked_add(digits(group.strip_prefix('x')?)?)?;
    }
    let index = index.checked_mul(1000)?.checked_add(digits(last)?)?;
    // Beyond this no tile of a tree that can be counted begins.
    (index <= u64::MAX / WIDTH).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_format_and_each_tile_has_one() {
        let tile = |level, index, width| Tile { level, index, width };
        let cases = [
            (tile(Some(0), 0, 256), "tile/0/000"),
            (tile(Some(1), 5, 3), "tile/1/005.p/3"),
            (tile(None, 1_234_067, 256), "tile/entries/x001/x234/067"),
            (tile(Some(2), 1_000, 255), "tile/2/x001/000.p/255"),
        ];
        for (tile, name) in cases {
            assert_eq!(tile.to_string(), name);
            assert_eq!(Tile::read(name), Some(tile), "{name}");
        }
        let wrong = [
            "",
            "tile/",
            "tile/0",
            "tile/0/",
            "tile/0/0",
            "tile/0/0000",
            "tile/0/x000/000",
            "tile/00/000",
            "tile/8/000",
            "tile/0/000.p/0",
            "tile/0/000.p/256",
            "tile/0/000.p/01",
            "tile/0/000.p/",
            "tile/-1/000",
            "tile/entries/x1/000",
            "tile/0/+01",
            "tile/0/000.p/+1",
            "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
            "tile/0/000/",
            "tile/0/00a",
        ];
        for name in wrong {
            assert_eq!(Tile::read(name), None, "{name}");
        }
    }

    #[test]
    fn a_tile_is_as_wide_as_the_tree_has_it() {
        assert_eq!(Tile::holding(0, 0, 0), None);
        assert_eq!(Tile::holding(0, 255, 300).map(|it| it.width), Some(256));
        assert_eq!(Tile::holding(0, 256, 300).map(|it| (it.index, it.width)), Some((1, 44)));
        assert_eq!(Tile::holding(1, 0, 255), None, "a subtree that is not complete is in no tile");
        assert_eq!(Tile::holding(1, 0, 256).map(|it| it.width), Some(1));
        assert_eq!(Tile::bundles(513).map(|it| it.width).collect::<Vec<_>>(), [256, 256, 1]);
        assert_eq!(Tile::bundles(0).count(), 0);
    }
}
