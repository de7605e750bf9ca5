//! What files and folders look like from outside: another size, time or place of any of them, and the stamp is another.
//!
//! A folder's time tells that something in it came, went or was renamed; a file's, that it was written. So whoever remembers all
//! names and one stamp over them knows that nothing has changed without reading anything. A file that was written in the very
//! moment it is looked at could be written once more without a trace: of such a one no stamp is given.

use rayon::prelude::*;
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Times are this exact at least, on any file system.
const COARSEST: Duration = Duration::from_secs(2);

/// How many are looked at in one go.
const AT_ONCE: usize = 512;

/// A stamp over many: the sum of what each of them looks like, and how many they are. Where a few have changed, it can be renewed
/// without another look at the rest.
pub type Stamp = [u8; 16];

/// What each of these below a folder looks like; nothing where one cannot be looked at, is a link, or was written just before `now`.
pub fn looks(dir: &Path, names: &[&str], now: Option<SystemTime>) -> Option<Vec<u64>> {
    let chunks = names.par_chunks(AT_ONCE);
    let chunks: Vec<Option<Vec<u64>>> =
        chunks.map(|names| names.iter().map(|name| one(dir, name, now)).collect()).collect();
    let mut all = Vec::with_capacity(names.len());
    for chunk in chunks {
        all.extend(chunk?);
    }
    Some(all)
}

/// The stamp over them.
pub fn stamp(looks: &[u64]) -> Stamp {
    let sum = looks.iter().fold(0_u64, |sum, one| sum.wrapping_add(*one));
    let mut stamp = [0; 16];
    let (first, second) = stamp.split_at_mut(8);
    first.copy_from_slice(&sum.to_le_bytes());
    second.copy_from_slice(&(looks.len() as u64).to_le_bytes());
    stamp
}

fn one(dir: &Path, name: &str, now: Option<SystemTime>) -> Option<u64> {
    let seen = fs::symlink_metadata(dir.join(name)).ok()?;
    if seen.is_symlink() {
        return None;
    }
    let written = seen.modified().ok()?;
    if now.is_some_and(|now| now.duration_since(written).unwrap_or_default() < COARSEST) {
        return None;
    }
    let length = if seen.is_dir() { 0 } else { seen.len() };
    let mut hash = DefaultHasher::new();
    (name, seen.is_dir(), length, nanoseconds(written), changed(&seen), place(&seen)).hash(&mut hash);
    Some(hash.finish())
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().wrapping_mul(1_000_000_000).wrapping_add(u64::from(since.subsec_nanos()))
}

/// When anything about it changed; programs can set other times, not this one.
#[cfg(unix)]
fn changed(seen: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    seen.ctime().cast_unsigned().wrapping_mul(1_000_000_000).wrapping_add(seen.ctime_nsec().cast_unsigned())
}

#[cfg(unix)]
fn place(seen: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(seen)
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> u64 {
    0
}

#[cfg(not(unix))]
fn place(_: &Metadata) -> u64 {
    0
}
