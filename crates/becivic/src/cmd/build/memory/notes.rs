//! What each page was made of: a line for each, and of all these lines only a few are read, from where they stand.

use super::rows::Shown;
use becivic_site::address::Which;
use becivic_site::{Facts, LookedAt};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

/// How much is read at once: most lines are no longer.
const A_LINE: usize = 2 << 10;

/// What a page was made of, besides files that all pages are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The page's address.
    pub address: String,
    /// Skills and paths.
    pub looked: LookedAt,
    /// Rows of the catalogue.
    pub rows: BTreeSet<String>,
}

/// Stands for all skills.
const EVERYTHING: &str = "*";

impl Note {
    /// Of a page that was made with these facts.
    pub fn of(which: &Which, looked: LookedAt, facts: &Facts) -> Self {
        let rows = facts.entries.values().map(|entry| entry.uid.clone()).collect();
        Self { address: which.address(), looked, rows }
    }

    /// As it is written; rows stand between spaces, so that they can be searched for.
    pub fn line(&self) -> String {
        let joined = |ids: &BTreeSet<String>| ids.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let skills = if self.looked.everything { EVERYTHING.to_owned() } else { joined(&self.looked.skills) };
        format!("{}\t{skills}\t{}\t {} ", self.address, joined(&self.looked.paths), joined(&self.rows))
    }

    /// As it was written.
    pub fn read(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        let address = parts.next()?.to_owned();
        let mut ids =
            || parts.next().map(|part| part.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>());
        let (skills, paths, rows) = (ids()?, ids()?, ids()?);
        let everything = skills.contains(EVERYTHING);
        Some(Self { address, looked: LookedAt { skills, paths, everything }, rows })
    }

    /// Whether a page was made of no more than this.
    pub fn covers(&self, other: &Self) -> bool {
        !other.looked.everything
            && other.looked.skills.is_subset(&self.looked.skills)
            && other.looked.paths.is_subset(&self.looked.paths)
            && other.rows.is_subset(&self.rows)
    }
}

/// The notes of all pages.
pub struct Pages(BufReader<File>);

impl Pages {
    /// In a file.
    pub fn of(file: File) -> Self {
        Self(BufReader::with_capacity(A_LINE, file))
    }

    /// The note that begins there.
    pub fn at(&mut self, place: u64) -> Option<Note> {
        self.0.seek(SeekFrom::Start(place)).ok()?;
        let mut line = String::new();
        self.0.read_line(&mut line).ok()?;
        Note::read(line.strip_suffix('\n')?)
    }

    /// All of them.
    pub fn all(mut self) -> Option<String> {
        let mut text = String::new();
        self.0.read_to_string(&mut text).ok().map(|_| text)
    }
}

/// Lines of pages, by their address.
pub fn by_address(pages: &str) -> FxHashMap<&str, &str> {
    pages.lines().filter_map(|line| Some((line.split('\t').next()?, line))).collect()
}

/// Where which row is shown.
pub fn shown(pages: &str) -> Shown<'_> {
    let mut shown = Shown::default();
    let mut at = 0;
    for line in pages.split_inclusive('\n') {
        for uid in line.rsplit('\t').next().unwrap_or_default().split_ascii_whitespace() {
            shown.entry(uid).or_default().push(at);
        }
        at += line.len();
    }
    shown
}
