//! Where parts of files are: each path in the file of the paths, each page in files that hold many.

use super::PATHS;
use becivic_core::corpus::Corpus;
use becivic_core::node::Node;
use becivic_site::address::Which;
use becivic_site::files::{self, Volume};
use memchr::memmem;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// Stands for all paths.
const ALL: &str = "*";

/// Stands between paths and files that hold pages.
const THEN_VOLUMES: &str = "@volumes\n";

/// Parts, as they were written.
pub struct Parts<'t> {
    /// Id, begin and end of each path; first of all of them.
    paths: &'t str,
    /// Address, title and pages of each file that holds pages.
    volumes: &'t str,
}

impl<'t> Parts<'t> {
    /// Takes them apart.
    pub fn read(text: &'t str) -> Option<Self> {
        let (paths, volumes) = text.split_once(THEN_VOLUMES)?;
        Some(Self { paths, volumes })
    }

    /// As they are written.
    pub fn text<'v>(corpus: &Corpus, volumes: impl Iterator<Item = &'v Volume>) -> String {
        let all = corpus.paths.as_ref().and_then(|file| file.node.get("paths"));
        let line = |key: &str, node: &Node| format!("{key} {} {}\n", node.span.start, node.span.end);
        let entries = all.iter().flat_map(|all| all.entries()).map(|entry| line(&entry.key, &entry.value));
        let paths = all.iter().map(|all| line(ALL, all)).chain(entries);
        paths.chain([THEN_VOLUMES.to_owned()]).chain(volumes.map(of_volume)).collect()
    }

    /// The file of the paths with some of them only; none where there is no such file.
    pub fn some_paths(&self, dir: &Path, wanted: &BTreeSet<&str>) -> Option<Option<String>> {
        let mut noted = self.paths.lines();
        let Some(first) = noted.next() else { return Some(None) };
        let (_, all) = place(first)?;
        let mut file = File::open(dir.join(PATHS)).ok()?;
        let end = file.metadata().ok()?.len();
        let mut entries = Vec::new();
        for line in noted {
            let (key, range) = place(line)?;
            if wanted.contains(key) {
                entries.push(format!("{}: {}", serde_json::to_string(key).ok()?, part(&mut file, range)?));
            }
        }
        let (before, after) = (part(&mut file, 0..all.start)?, part(&mut file, all.end..end)?);
        Some(Some(format!("{before}{{{}}}{after}", entries.join(",\n"))))
    }

    /// The files that hold one of these pages.
    pub fn volumes_with<'a>(&self, addresses: impl Iterator<Item = &'a str>) -> Option<Vec<Volume>> {
        let text = self.volumes;
        let mut lines = BTreeSet::new();
        for address in addresses {
            for at in memmem::find_iter(text.as_bytes(), &format!(" {address} ")) {
                let start = text.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
                lines.insert((start, text.get(start..)?.lines().next()?));
            }
        }
        lines.into_iter().map(|(_, line)| volume(line)).collect()
    }
}

/// A path's id, and where it stands.
fn place(line: &str) -> Option<(&str, Range<u64>)> {
    let mut parts = line.rsplitn(3, ' ');
    let (end, start) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((parts.next()?, start..end))
}

/// A part of a file.
fn part(file: &mut File, range: Range<u64>) -> Option<String> {
    let length = range.end.checked_sub(range.start)?;
    let mut text = String::new();
    file.seek(SeekFrom::Start(range.start)).ok()?;
    file.take(length).read_to_string(&mut text).ok()?;
    (text.len() as u64 == length).then_some(text)
}

/// A file that holds pages, as it is noted.
fn of_volume(volume: &Volume) -> String {
    let pages: Vec<String> = volume.pages.iter().map(Which::address).collect();
    format!("{}\t{}\t {} \n", volume.made.address(), volume.title, pages.join(" "))
}

/// As it was noted.
fn volume(line: &str) -> Option<Volume> {
    let mut parts = line.split('\t');
    let made = files::at(parts.next()?)?;
    let title = parts.next()?.to_owned();
    let pages = parts.next()?.split_whitespace().map(Which::at).collect::<Option<_>>()?;
    Some(Volume { made, title, pages })
}
