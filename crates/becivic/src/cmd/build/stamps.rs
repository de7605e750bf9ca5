//! What files and folders look like from outside: another size, time or place of any of them, and the stamp is another.
//!
//! A folder's time tells that something in it came, went or was renamed; a file's, that it was written. So whoever remembers all
//! names and one stamp over them knows that nothing has changed without reading anything. A file that was written in the very
//! moment it is looked at could be written once more without a trace: of such a one no stamp is given.

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Times are this exact at least, on any file system.
const COARSEST: Duration = Duration::from_secs(2);

/// How many are looked at in one go.
const AT_ONCE: usize = 512;

/// A stamp.
pub type Stamp = [u8; 16];

/// The stamp of all of these below a folder; nothing where one cannot be looked at, is a link, or was written just before `now`.
pub fn stamp(dir: &Path, names: &[&str], now: Option<SystemTime>) -> Option<Stamp> {
    let chunks: Vec<Option<[u8; 32]>> = names
        .par_chunks(AT_ONCE)
        .map(|names| {
            let mut hash = Sha256::new();
            for name in names {
                hash.update(name);
                hash.update(one(&dir.join(name), now)?);
            }
            Some(hash.finalize().into())
        })
        .collect();
    let mut whole = Sha256::new();
    for chunk in chunks {
        whole.update(chunk?);
    }
    let whole: [u8; 32] = whole.finalize().into();
    whole.first_chunk().copied()
}

fn one(path: &Path, now: Option<SystemTime>) -> Option<[u8; 33]> {
    let seen = fs::symlink_metadata(path).ok()?;
    if seen.is_symlink() {
        return None;
    }
    let written = seen.modified().ok()?;
    if now.is_some_and(|now| now.duration_since(written).unwrap_or_default() < COARSEST) {
        return None;
    }
    let mut out = [u8::from(seen.is_dir()); 33];
    let numbers =
        [if seen.is_dir() { 0 } else { seen.len() }, nanoseconds(written), changed(&seen), place(&seen)];
    for (slot, number) in out.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
        *slot = number.to_le_bytes();
    }
    Some(out)
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
