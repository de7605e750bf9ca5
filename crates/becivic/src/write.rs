//! Writes files of a corpus: whole or not at all, never through a link, never outside the folder.
//!
//! 1. The path is relative and made of plain names; every folder on the way is a real folder, the file
//!    (if it exists) a real file. Missing folders are made.
//! 2. The bytes go into a new file beside the target, are flushed to the disk, and the file is renamed.
//! 3. When a step fails, the target is as it was and the new file is removed.

use anyhow::{Context, bail};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// Replaces (or makes) the file at `path` inside `dir`.
pub fn replace(dir: &Path, path: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let target = renamed(dir, path, bytes, Flush::Now)?;
    // The rename is on the disk once the folder is; systems that cannot flush folders do it themselves.
    if let Ok(folder) = File::open(target.parent().unwrap_or(dir)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Writes many files that can be made again: nobody waits until they are on the disk, and one that is new is written in its place.
pub struct Many {
    dir: PathBuf,
    /// Folders that were looked at already.
    folders: RwLock<FxHashSet<String>>,
}

impl Many {
    /// Into a folder.
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.to_path_buf(), folders: RwLock::default() }
    }

    /// Replaces (or makes) a file.
    pub fn put(&self, path: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let target = self.target(path)?;
        match OpenOptions::new().write(true).create_new(true).open(&target) {
            Ok(mut file) => file.write_all(bytes).or_else(|error| {
                let _ = fs::remove_file(&target);
                Err(error).with_context(|| format!("cannot write {}", target.display()))
            }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                renamed(&self.dir, path, bytes, Flush::Later).map(|_| ())
            }
            Err(error) => Err(error).with_context(|| format!("cannot write {}", target.display())),
        }
    }

    fn target(&self, path: &str) -> anyhow::Result<PathBuf> {
        self.enter(parent(path)?)?;
        Ok(self.dir.join(path))
    }

    /// Makes a folder, and those it lies in; one that is there has to be a real one. Most are new, and each is looked at once.
    fn enter(&self, folder: &str) -> anyhow::Result<()> {
        let is_known = || self.folders.read().unwrap_or_else(PoisonError::into_inner).contains(folder);
        if folder.is_empty() || is_known() {
            return Ok(());
        }
        self.enter(parent(folder)?)?;
        make_real(&self.dir.join(folder))?;
        self.folders.write().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned());
        Ok(())
    }
}

/// When bytes have to be on the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flush {
    Now,
    Later,
}

fn renamed(dir: &Path, path: &str, bytes: &[u8], flush: Flush) -> anyhow::Result<PathBuf> {
    let target = safe_target(dir, Path::new(path))?;
    let permissions = match fs::symlink_metadata(&target) {
        Ok(metadata) if metadata.is_file() => Some(metadata.permissions()),
        Ok(_) => bail!("{} is not a plain file; it is left alone", target.display()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            return Err(error).with_context(|| format!("cannot look at {}", target.display()));
        }
    };
    let (temporary, mut file) = beside(&target)?;
    let written = file.write_all(bytes).and_then(|()| {
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        if flush == Flush::Now {
            file.sync_all()?;
        }
        fs::rename(&temporary, &target)
    });
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary);
        return Err(error).with_context(|| format!("cannot write {}", target.display()));
    }
    Ok(target)
}

/// Makes the file at `path` inside `dir`; refuses when something is there.
pub fn create(dir: &Path, path: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let target = safe_target(dir, Path::new(path))?;
    if fs::symlink_metadata(&target).is_ok() {
        bail!("{} exists already", target.display());
    }
    replace(dir, path, bytes)
}

/// Removes the file at `path` inside `dir`, and the folders it leaves empty; whether it was there. Links are not followed.
pub fn remove(dir: &Path, path: &str) -> anyhow::Result<bool> {
    let path = Path::new(path);
    if !is_plain(path) {
        bail!("{} does not stay inside the folder", path.display());
    }
    let target = dir.join(path);
    let is_there = path.parent().is_some_and(|folder| is_real(dir, folder));
    if !is_there || !fs::symlink_metadata(&target).is_ok_and(|it| it.is_file()) {
        return Ok(false);
    }
    fs::remove_file(&target).with_context(|| format!("cannot remove {}", target.display()))?;
    // The first folder that is not empty ends this.
    for folder in upwards(path).skip(1) {
        if fs::remove_dir(dir.join(folder)).is_err() {
            break;
        }
    }
    Ok(true)
}

/// Whether a path is made of plain names.
fn is_plain(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// A path and the folders it lies in, up to the one that all lie in.
fn upwards(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors().filter(|it| !it.as_os_str().is_empty())
}

/// Whether a folder and those it lies in are real ones.
fn is_real(dir: &Path, folder: &Path) -> bool {
    upwards(folder).all(|it| fs::symlink_metadata(dir.join(it)).is_ok_and(|it| it.is_dir()))
}

/// Removes what writers that were cut off left beside these files; nobody may be writing them now.
pub fn remove_unfinished<'n>(dir: &Path, names: impl Iterator<Item = &'n str>) -> anyhow::Result<()> {
    let mut folders: BTreeMap<&str, FxHashSet<&str>> = BTreeMap::new();
    for name in names {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        folders.entry(folder).or_default().insert(file);
    }
    let is_inside = |folder: &str| is_plain(Path::new(folder)) && is_real(dir, Path::new(folder));
    for (folder, files) in folders.into_iter().filter(|(folder, _)| is_inside(folder)) {
        let Ok(entries) = fs::read_dir(dir.join(folder)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let is_left = name.to_str().and_then(unfinished_of).is_some_and(|file| files.contains(file));
            if is_left && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let path = entry.path();
                fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
    }
    Ok(())
}

/// The folder that something lies in, by its path; nothing but a plain name may follow it, on any system.
fn parent(path: &str) -> anyhow::Result<&str> {
    let (parent, name) = match path.rsplit_once('/') {
        Some(("", _)) => bail!("{path} does not stay inside the folder"),
        Some(parts) => parts,
        None => ("", path),
    };
    let mut components = Path::new(name).components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(_)), None) => Ok(parent),
        _ => bail!("{path} does not stay inside the folder"),
    }
}

/// Makes a folder where there is none; what is there has to be a real one.
fn make_real(folder: &Path) -> anyhow::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => return made.with_context(|| format!("cannot make the folder {}", folder.display())),
    }
    let seen = fs::symlink_metadata(folder);
    if !seen.with_context(|| format!("cannot look at {}", folder.display()))?.is_dir() {
        bail!("{} is a link or a file, not a folder; nothing is written there", folder.display());
    }
    Ok(())
}

/// The full path, once every folder on the way is known to be a real one.
fn safe_target(dir: &Path, path: &Path) -> anyhow::Result<PathBuf> {
    let (Some(parent), Some(name), true) = (path.parent(), path.file_name(), is_plain(path)) else {
        bail!("{} does not stay inside the folder", path.display());
    };
    let mut folder = dir.to_path_buf();
    for part in parent.components() {
        folder.push(part);
        make_real(&folder)?;
    }
    Ok(folder.join(name))
}

/// What a file is called while it is written.
fn unfinished(name: &str, attempt: u32) -> String {
    format!(".{name}.{}-{attempt}.tmp", std::process::id())
}

/// The file that another is the beginning of, by its name.
fn unfinished_of(name: &str) -> Option<&str> {
    let (file, whose) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (process, attempt) = whose.split_once('-')?;
    (is_number(process) && is_number(attempt)).then_some(file)
}

/// A new, empty file beside the target.
fn beside(target: &Path) -> anyhow::Result<(PathBuf, File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    for attempt in 0..100 {
        let path = target.with_file_name(unfinished(&name, attempt));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(error).with_context(|| format!("cannot write beside {}", target.display()));
            }
        }
    }
    bail!("there are too many unfinished files beside {}", target.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole_and_only_inside() {
        let folder = tempfile::tempdir().expect("temp folder");
        let dir = folder.path();
        replace(dir, "a/b/c.txt", b"one").expect("folders are made");
        replace(dir, "a/b/c.txt", b"two").expect("replaced");
        assert_eq!(fs::read(dir.join("a/b/c.txt")).expect("there"), b"two");
        assert_eq!(fs::read_dir(dir.join("a/b")).expect("listed").count(), 1);
        for outside in ["../x", "/tmp/x", "a/../x", "", "a/.."] {
            assert!(replace(dir, outside, b"").is_err(), "{outside:?}");
        }
        assert!(replace(dir, "a/b", b"").is_err(), "a folder is not replaced");
        let many = Many::new(dir);
        for outside in ["../x", "/tmp/x", "a/../x", "", "a/..", "./../x"] {
            assert!(many.put(outside, b"").is_err(), "{outside:?}");
        }
        for (path, bytes) in [("m/n/o.txt", b"one"), ("m/n/p.txt", b"two"), ("m/n/o.txt", b"new")] {
            many.put(path, bytes).expect("folders are made");
            assert_eq!(fs::read(dir.join(path)).expect("there"), bytes);
        }
        assert!(many.put("m/n/o.txt/x", b"").is_err(), "a file is no folder");
        assert!(create(dir, "a/b/c.txt", b"").is_err(), "nothing is overwritten");
        assert!(remove(dir, "../x").is_err() && remove(dir, "/tmp/x").is_err());
        assert!(!remove(dir, "a/b").expect("a folder is left alone"));
        fs::write(dir.join("a/kept"), "").expect("written");
        assert!(remove(dir, "a/b/c.txt").expect("removed"));
        assert!(!dir.join("a/b").exists() && dir.join("a/kept").exists());
    }

    #[test]
    fn what_was_left_unfinished_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("temp folder");
        let dir = folder.path();
        fs::create_dir(dir.join("a")).expect("made");
        let left = [".list.12-0.tmp".to_owned(), format!("a/{}", unfinished("page.html", 3))];
        let kept = [
            "list",
            "a/page.html",
            "a/.other.html.12-0.tmp",
            "a/.page.html.tmp",
            "a/.page.html.12.tmp",
            "a/page.html.12-0.tmp",
            "a/.page.html.x-0.tmp",
        ];
        for name in left.iter().map(String::as_str).chain(kept) {
            fs::write(dir.join(name), "").expect("written");
        }
        fs::create_dir(dir.join("a/.page.html.1-1.tmp")).expect("a folder is nobody's");
        remove_unfinished(dir, ["list", "a/page.html", "gone/x.html"].into_iter()).expect("removed");
        assert!(left.iter().all(|name| !dir.join(name).exists()));
        assert!(kept.iter().chain(&["a/.page.html.1-1.tmp"]).all(|name| dir.join(name).exists()));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().expect("temp folder");
        let elsewhere = tempfile::tempdir().expect("temp folder");
        let (dir, other) = (folder.path(), elsewhere.path());
        fs::write(other.join("file"), "kept").expect("written");
        std::os::unix::fs::symlink(other, dir.join("folder")).expect("linked");
        std::os::unix::fs::symlink(other.join("file"), dir.join("file")).expect("linked");
        assert!(replace(dir, "folder/file", b"lost").is_err());
        assert!(Many::new(dir).put("folder/file", b"lost").is_err());
        assert!(Many::new(dir).put("folder/new/file", b"lost").is_err());
        assert!(replace(dir, "file", b"lost").is_err());
        assert!(!remove(dir, "folder/file").expect("left alone"));
        fs::write(other.join(".file.1-1.tmp"), "kept").expect("written");
        let outside = format!("../{}/file", other.file_name().expect("named").to_string_lossy());
        remove_unfinished(dir, ["folder/file", &outside].into_iter()).expect("left alone");
        assert!(other.join(".file.1-1.tmp").exists());
        assert_eq!(fs::read(other.join("file")).expect("there"), b"kept");
    }
}
