//! What a build remembers of itself, so that the next one need not read the corpus to know what to make again.
//!
//! 1. The *head* is short and changes with every build: of which program and options it is, stamps of the corpus, of the folders
//!    that were written into and of the list in there.
//! 2. The *names* of the corpus ([`Names`]), and the *folders* of the site, change when files come and go.
//! 3. The *rows* have a line for each row of the catalogue: what it said, and which pages show it ([`Row`]). A row that says something
//!    else is changed in its place.
//! 4. The *pages* are long and change with texts only: what each page was made of ([`Note`]). Only the lines of a few are ever read.
//! 5. The *parts* say where each path stands in its file, and which pages stand in files that hold many ([`Parts`]).
//!
//! They lie in the cache folder of whoever builds, under a name made of the site's folder. Nothing of a site depends on them: where
//! they are missing or are of something else, everything is read.

mod names;
mod notes;
mod parts;
mod rows;

pub use names::{FOLDER, Names, is_looked_at};
pub use notes::{Note, Pages, by_address, shown};
pub use parts::Parts;
pub use rows::{Row, Rows, digest};

use super::list::{Inputs as Digest16, content, digits, push_hex};
use super::stamps::Stamp;
use memchr::memchr_iter;
use rayon::prelude::*;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the format, and of what is remembered.
const FORMAT: &str = "becivic build memory 4";

/// The files of the catalogue.
pub const CATALOGUE: [&str; 2] = ["catalogue/volatile-values.jsonl", "catalogue/references.jsonl"];

/// The file of the paths.
pub const PATHS: &str = "paths/index.json";

/// Where a site's memory is.
pub struct Place(PathBuf);

/// Everything that is remembered, as it is written.
pub struct Memory {
    /// The short part.
    pub head: Head,
    /// The names of the corpus.
    pub names: String,
    /// The folders of the site, sorted.
    pub folders: String,
    /// The rows of the catalogue.
    pub rows: String,
    /// What each page was made of.
    pub pages: String,
    /// Where parts of files are.
    pub parts: String,
}

impl Place {
    /// Of a site's folder; nothing where the system names no cache folder.
    pub fn of(out: &Path) -> Option<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
        let cache = cache.or_else(|| set("LOCALAPPDATA")).filter(|path| path.is_absolute())?;
        let out = fs::canonicalize(out).ok()?;
        let mut name = String::new();
        push_hex(&mut name, &content(out.as_os_str().as_encoded_bytes())[..16]);
        Some(Self(cache.join("becivic").join("build").join(name)))
    }

    fn file(&self, which: &str) -> PathBuf {
        self.0.with_extension(which)
    }

    /// The head.
    pub fn head(&self) -> Option<Head> {
        Head::read(&fs::read_to_string(self.file("head")).ok()?)
    }

    /// The names that belong to it.
    pub fn names(&self) -> Option<String> {
        fs::read_to_string(self.file("names")).ok()
    }

    /// The folders that belong to it.
    pub fn folders(&self) -> Option<String> {
        fs::read_to_string(self.file("folders")).ok()
    }

    /// The rows that belong to it.
    pub fn rows(&self) -> Option<String> {
        fs::read_to_string(self.file("rows")).ok()
    }

    /// The pages that belong to it.
    pub fn pages(&self) -> Option<Pages> {
        File::open(self.file("pages")).ok().map(Pages::of)
    }

    /// The parts that belong to it.
    pub fn parts(&self) -> Option<String> {
        fs::read_to_string(self.file("parts")).ok()
    }

    /// Remembers a head; the rest stays.
    pub fn keep_head(&self, head: &Head) -> Option<()> {
        replace(&self.file("head"), &head.text())
    }

    /// Changes rows in their place: where each begins, and what stands there now. They count with a head that is written after them.
    pub fn change_rows(&self, changed: &[(usize, String)]) -> Option<()> {
        if changed.is_empty() {
            return Some(());
        }
        self.forget();
        let mut file = OpenOptions::new().write(true).open(self.file("rows")).ok()?;
        for (at, text) in changed {
            file.seek(SeekFrom::Start(*at as u64)).ok()?;
            file.write_all(text.as_bytes()).ok()?;
        }
        Some(())
    }

    /// Remembers everything.
    pub fn keep(&self, memory: &Memory) -> Option<()> {
        fs::create_dir_all(self.0.parent()?).ok()?;
        // Without a head, the rest counts for nothing.
        self.forget();
        let Memory { head, names, folders, rows, pages, parts } = memory;
        let all =
            [("names", names), ("folders", folders), ("rows", rows), ("pages", pages), ("parts", parts)];
        all.into_par_iter().try_for_each(|(which, text)| replace(&self.file(which), text))?;
        self.keep_head(head)
    }

    /// Forgets.
    pub fn forget(&self) {
        let _it_was_not_there = fs::remove_file(self.file("head"));
    }
}

/// The lines of a text, each of which ends like this. What is remembered has very many, and most are short.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    memchr_iter(b'\n', text.as_bytes())
        .filter_map(move |end| text.get(std::mem::replace(&mut start, end + 1)..end))
}

fn replace(file: &Path, text: &str) -> Option<()> {
    // Several are written at once.
    let beside = file.with_added_extension(format!("{}.tmp", std::process::id()));
    fs::write(&beside, text).ok()?;
    fs::rename(&beside, file).ok()
}

/// The short part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Of the program and its options.
    pub key: Digest16,
    /// Digests of what all pages have in common, and of every text.
    pub common: [[u8; 32]; 2],
    /// Of the list in the site's folder.
    pub list: Stamp,
    /// Of every folder and file of the corpus but the catalogue.
    pub corpus: Stamp,
    /// Of the folders of the site.
    pub out: Stamp,
}

impl Head {
    fn text(&self) -> String {
        let mut out = format!("{FORMAT}\n");
        let short = [&self.key, &self.list, &self.corpus, &self.out];
        for bytes in
            short.into_iter().map(<[u8; 16]>::as_slice).chain(self.common.iter().map(<[u8; 32]>::as_slice))
        {
            push_hex(&mut out, bytes);
            out.push('\n');
        }
        out
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        (lines.next()? == FORMAT).then_some(())?;
        let mut short = || digits::<16>(lines.next()?);
        let (key, list, corpus, out) = (short()?, short()?, short()?, short()?);
        let common = [digits(lines.next()?)?, digits(lines.next()?)?];
        Some(Self { key, common, list, corpus, out })
    }
}
