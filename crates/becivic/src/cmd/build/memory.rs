//! What a build remembers of itself, so that the next one need not read the corpus to know what to make again.
//!
//! 1. The *head* is short and changes with every build: of which program and options it is, stamps of the corpus, of the folders
//!    that were written into and of the list in there. The *rows* beside it have a line for each row of the catalogue.
//! 2. The *names* change when files come and go: every name of the corpus and every folder of the site.
//! 3. The *notes* are long and change with texts only: where each path stands in its file, and for each page what it was made of:
//!    skills, paths and rows.
//!
//! They lie in the cache folder of whoever builds, under a name made of the site's folder. Nothing of a site depends on them: where
//! they are missing or are of something else, everything is read.

use super::list::{Inputs as Digest16, content, push_hex};
use super::stamps::Stamp;
use becivic_core::corpus::Corpus;
use becivic_core::node::Node;
use becivic_site::address::Which;
use becivic_site::files::{self, Volume};
use becivic_site::{Facts, LookedAt};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The version of the format, and of what is remembered.
const FORMAT: &str = "becivic build memory 3";

/// The files of the catalogue.
pub const CATALOGUE: [&str; 2] = ["catalogue/volatile-values.jsonl", "catalogue/references.jsonl"];

/// The file of the paths.
pub const PATHS: &str = "paths/index.json";

/// Where a site's memory is.
pub struct Place(PathBuf);

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

    /// The head and the names.
    pub fn read(&self) -> Option<(Head, String)> {
        let head = Head::read(&fs::read_to_string(self.file("head")).ok()?)?;
        Some((head, fs::read_to_string(self.file("names")).ok()?))
    }

    /// The rows that belong to them.
    pub fn rows(&self) -> Option<Rows> {
        rows(&fs::read_to_string(self.file("rows")).ok()?)
    }

    /// The notes that belong to them.
    pub fn notes(&self) -> Option<String> {
        fs::read_to_string(self.file("notes")).ok()
    }

    /// Remembers a head; the notes stay.
    pub fn keep_head(&self, head: &Head) -> Option<()> {
        replace(&self.file("head"), &head.text())
    }

    /// Remembers rows; they count with a head that is written after them.
    pub fn keep_rows(&self, rows: &Rows) -> Option<()> {
        replace(&self.file("rows"), &text_of(rows))
    }

    /// Remembers everything.
    pub fn keep(&self, (head, rows): (&Head, &Rows), names: &str, notes: &str) -> Option<()> {
        fs::create_dir_all(self.0.parent()?).ok()?;
        // Without a head, the rest counts for nothing.
        self.forget();
        replace(&self.file("names"), names)?;
        replace(&self.file("notes"), notes)?;
        self.keep_rows(rows)?;
        self.keep_head(head)
    }

    /// Forgets.
    pub fn forget(&self) {
        let _it_was_not_there = fs::remove_file(self.file("head"));
    }
}

fn replace(file: &Path, text: &str) -> Option<()> {
    let beside = file.with_extension(format!("{}.tmp", std::process::id()));
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

/// The rows of each file of the catalogue, in their order.
pub type Rows = [Vec<Row>; 2];

/// A row of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Of its line.
    pub digest: Digest16,
    /// Its uid.
    pub uid: String,
    /// Its name and the name of its source: pages are connected by these.
    pub names: String,
}

impl Row {
    /// Its name.
    pub fn name(&self) -> &str {
        self.names.split_once(' ').map_or(&self.names, |(name, _)| name)
    }

    /// The name of its source; empty where it has none.
    pub fn source(&self) -> &str {
        self.names.split_once(' ').map_or("", |(_, source)| source)
    }
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
        use super::list::digits;
        let mut lines = text.lines();
        (lines.next()? == FORMAT).then_some(())?;
        let mut short = || digits::<16>(lines.next()?);
        let (key, list, corpus, out) = (short()?, short()?, short()?, short()?);
        let common = [digits(lines.next()?)?, digits(lines.next()?)?];
        Some(Self { key, common, list, corpus, out })
    }
}

/// Rows as they are written.
fn text_of(rows: &Rows) -> String {
    let mut out = String::with_capacity(rows.iter().map(Vec::len).sum::<usize>() * 96);
    for rows in rows {
        let _text_takes_everything = writeln!(out, "{}", rows.len());
        for row in rows {
            push_hex(&mut out, &row.digest);
            for part in ["\t", &row.uid, "\t", &row.names, "\n"] {
                out.push_str(part);
            }
        }
    }
    out
}

/// Rows as they were written.
fn rows(text: &str) -> Option<Rows> {
    let mut lines = text.lines();
    let mut of_file = || {
        let count: usize = lines.next()?.parse().ok()?;
        let rows: Vec<Row> = lines.by_ref().take(count).map(row).collect::<Option<_>>()?;
        (rows.len() == count).then_some(rows)
    };
    Some([of_file()?, of_file()?])
}

fn row(line: &str) -> Option<Row> {
    let mut parts = line.splitn(3, '\t');
    let digest = super::list::digits(parts.next()?)?;
    Some(Row { digest, uid: parts.next()?.to_owned(), names: parts.next()?.to_owned() })
}

/// The digest of a line of the catalogue.
pub fn of_line(line: &str) -> Digest16 {
    content(line.as_bytes()).first_chunk().copied().unwrap_or_default()
}

/// What is remembered of a row; nothing of one that cannot be read.
pub fn remembered(line: &str) -> Option<Row> {
    let row: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| row.get(name).map(|it| it.as_str().unwrap_or_default()).unwrap_or_default();
    let names = format!("{} {}", text("name"), text("source"));
    let plain = |text: &str| !text.contains(['\t', '\n']);
    let fits = !text("uid").is_empty() && plain(text("uid")) && plain(&names);
    fits.then(|| Row { digest: of_line(line), uid: text("uid").to_owned(), names })
}

/// The sections of names and notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Folders of the corpus.
    Folders,
    /// Files of the corpus.
    Files,
    /// Folders of the site.
    Out,
    /// Paths: id, begin and end in the file.
    Paths,
    /// Files that hold pages: address, title, addresses of the pages.
    Volumes,
    /// Pages: address, skills, paths and rows they were made of.
    Pages,
}

/// Sections in their order, and the line that each begins with.
type Order = [(Section, &'static str); 3];

/// Those of the names.
pub const NAMES: Order =
    [(Section::Folders, "@folders\n"), (Section::Files, "@files\n"), (Section::Out, "@out\n")];

/// Those of the notes.
pub const NOTES: Order =
    [(Section::Paths, "@paths\n"), (Section::Volumes, "@volumes\n"), (Section::Pages, "@pages\n")];

/// Names or notes, as they were written.
pub struct Notes<'t> {
    sections: Vec<(Section, &'t str)>,
}

impl<'t> Notes<'t> {
    /// Takes the sections apart.
    pub fn read(text: &'t str, order: &Order) -> Option<Self> {
        let mut rest = text;
        let mut sections = Vec::new();
        for (at, (section, mark)) in order.iter().enumerate() {
            rest = rest.strip_prefix(mark)?;
            let end = match order.get(at + 1) {
                // A mark begins with a sign that begins no name of ours.
                Some((_, next)) => {
                    rest.find(next).filter(|at| *at == 0 || rest.as_bytes().get(at - 1) == Some(&b'\n'))?
                }
                None => rest.len(),
            };
            let (own, after) = rest.split_at_checked(end)?;
            sections.push((*section, own));
            rest = after;
        }
        Some(Self { sections })
    }

    /// A section.
    pub fn text(&self, wanted: Section) -> &'t str {
        self.sections.iter().find(|(section, _)| *section == wanted).map_or("", |(_, text)| *text)
    }

    /// The lines of a section.
    pub fn lines(&self, wanted: Section) -> Vec<&'t str> {
        self.text(wanted).lines().collect()
    }

    /// Lines of pages, by their address.
    pub fn pages(&self) -> HashMap<&'t str, &'t str> {
        self.text(Section::Pages).lines().filter_map(|line| Some((line.split('\t').next()?, line))).collect()
    }
}

/// Puts names or notes together: the lines of each section, in their order.
pub fn notes(order: &Order, sections: [Vec<String>; 3]) -> String {
    let mut out = String::new();
    for ((_, mark), lines) in order.iter().zip(sections) {
        out.push_str(mark);
        for line in lines {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out
}

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

/// A file that holds pages, as it is noted.
pub fn of_volume(volume: &Volume) -> String {
    let pages: Vec<String> = volume.pages.iter().map(Which::address).collect();
    format!("{}\t{}\t {} ", volume.made.address(), volume.title, pages.join(" "))
}

/// As it was noted.
pub fn volume(line: &str) -> Option<Volume> {
    let mut parts = line.split('\t');
    let made = files::at(parts.next()?)?;
    let title = parts.next()?.to_owned();
    let pages = parts.next()?.split_whitespace().map(Which::at).collect::<Option<_>>()?;
    Some(Volume { made, title, pages })
}

/// Where each path stands in its file.
pub fn of_paths(corpus: &Corpus) -> Vec<String> {
    let file = corpus.paths.as_ref();
    let Some(all) = file.and_then(|file| file.node.get("paths")) else { return Vec::new() };
    let line = |key: &str, node: &Node| format!("{key} {} {}", node.span.start, node.span.end);
    let entries = all.entries().iter().map(|entry| line(&entry.key, &entry.value));
    std::iter::once(line(EVERYTHING, all)).chain(entries).collect()
}

/// The file of the paths with some of them only, put together from what was noted of it.
pub fn some_paths(file: &str, noted: &[&str], wanted: &BTreeSet<&str>) -> Option<String> {
    let place = |line: &str| -> Option<(String, Range<usize>)> {
        let mut parts = line.rsplitn(3, ' ');
        let (end, start) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some((parts.next()?.to_owned(), start..end))
    };
    let (_, all) = place(noted.first()?)?;
    let mut entries = Vec::new();
    for line in noted.iter().skip(1) {
        let (key, range) = place(line)?;
        if wanted.contains(key.as_str()) {
            entries.push(format!("{}: {}", serde_json::to_string(&key).ok()?, file.get(range)?));
        }
    }
    Some(format!("{}{{{}}}{}", file.get(..all.start)?, entries.join(",\n"), file.get(all.end..)?))
}
