//! What files and folders look like from outside: another size, time or place of any of them, and the stamp is another.
//!
//! A folder's time tells that something in it came, went or was renamed; a file's, that it was written. So whoever remembers all
//! names and one stamp over them knows that nothing has changed without reading anything. A file that was written in the very
//! moment it is looked at could be written once more without a trace: of such a one no stamp is given.

use rayon::prelude::*;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Times are this exact at least, on any file system: two seconds.
const COARSEST: u64 = 2_000_000_000;

/// How many are looked at in one go.
const AT_ONCE: usize = 512;

/// A stamp over many: the sum of what each of them looks like, and how many they are. Where a few have changed, it can be renewed
/// without another look at the rest.
pub type Stamp = [u8; 16];

/// What each of these below a folder looks like; nothing where one cannot be looked at, is a link, or was written just before `now`.
pub fn looks(dir: &Path, names: &[&str], now: Option<SystemTime>) -> Option<Vec<u64>> {
    let folder = Folder::open(dir)?;
    let now = now.map(nanoseconds);
    let chunks = names.par_chunks(AT_ONCE);
    let chunks: Vec<Option<Vec<u64>>> =
        chunks.map(|names| names.iter().map(|name| one(&folder, name, now)).collect()).collect();
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

fn one(folder: &Folder, name: &str, now: Option<u64>) -> Option<u64> {
    let seen = folder.look(name)?;
    if now.is_some_and(|now| now.saturating_sub(seen.written) < COARSEST) {
        return None;
    }
    let mut hash = FxHasher::default();
    (name, seen).hash(&mut hash);
    Some(hash.finish())
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    of_second(since.as_secs(), since.subsec_nanos())
}

fn of_second(second: impl TryInto<u64>, nanosecond: impl TryInto<u64>) -> u64 {
    number(second).wrapping_mul(1_000_000_000).wrapping_add(number(nanosecond))
}

/// A number of the system, whatever it is made of there.
fn number(it: impl TryInto<u64>) -> u64 {
    it.try_into().unwrap_or_default()
}

/// What something looks like from outside.
#[derive(Hash)]
struct Seen {
    is_folder: bool,
    /// Of a file.
    length: u64,
    /// When it was written, in nanoseconds.
    written: u64,
    /// When anything about it changed; programs can set other times, not this one.
    changed: u64,
    place: u64,
}

/// A folder in which names are looked up, each from there and not from the root of the system.
#[cfg(unix)]
struct Folder(std::fs::File);

#[cfg(unix)]
impl Folder {
    fn open(dir: &Path) -> Option<Self> {
        std::fs::File::open(dir).ok().map(Self)
    }

    /// What is called so; nothing of a link.
    fn look(&self, name: &str) -> Option<Seen> {
        use rustix::fs::{AtFlags, FileType, statat};
        let seen = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let kind = FileType::from_raw_mode(seen.st_mode);
        let is_folder = kind == FileType::Directory;
        (kind != FileType::Symlink).then(|| Seen {
            is_folder,
            length: if is_folder { 0 } else { number(seen.st_size) },
            written: of_second(seen.st_mtime, seen.st_mtime_nsec),
            changed: of_second(seen.st_ctime, seen.st_ctime_nsec),
            place: number(seen.st_ino),
        })
    }
}

#[cfg(not(unix))]
struct Folder(std::path::PathBuf);

#[cfg(not(unix))]
impl Folder {
    fn open(dir: &Path) -> Option<Self> {
        Some(Self(dir.to_path_buf()))
    }

    fn look(&self, name: &str) -> Option<Seen> {
        let seen = std::fs::symlink_metadata(self.0.join(name)).ok()?;
        let written = nanoseconds(seen.modified().ok()?);
        let length = if seen.is_dir() { 0 } else { seen.len() };
        (!seen.is_symlink()).then(|| Seen { is_folder: seen.is_dir(), length, written, changed: 0, place: 0 })
    }
}
