//! Reads a corpus folder.
//!
//! 1. Walk the folders a corpus has, in order of names; links are not followed. What cannot be listed, or has a
//!    name that is not UTF-8, goes on as a file that cannot be read.
//! 2. Read and parse each file on all cores; a file over its kind's limit is not read.
//! 3. With a base revision, note which files differ from it.

use crate::base::Blobs;
use anyhow::{Context, bail};
use becivic_core::corpus::{self, Content, Corpus, Input, Piece, Shape};
use becivic_core::finding::Finding;
use becivic_core::frontmatter;
use becivic_core::layout::{FileKind, LARGEST_TEMPLATE, classify};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind, IsTerminal};
use std::path::Path;

/// The folders and files of a corpus that the rules read.
const TOP: &[&str] = &[
    "agents",
    "agents.mdx",
    "catalogue",
    "data",
    "docs",
    "index.mdx",
    "paths",
    "redirects.json",
    "schemas",
    "scrub",
    "skills",
];

/// Deeper folders than this are not walked; a corpus has four levels.
const MAX_DEPTH: usize = 12;

/// More files than this are refused: it is not a corpus.
const MAX_FILES: usize = 500_000;

/// A corpus read from a folder.
pub struct Read {
    /// The corpus.
    pub corpus: Corpus,
    /// How many files were looked at.
    pub files: usize,
    /// Files that differ from the base revision, when one was given.
    pub changed: Vec<String>,
}

/// Reads the corpus in `dir`.
pub fn read(dir: &Path, base: Option<&Blobs>) -> anyhow::Result<Read> {
    let metadata = fs::metadata(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    if !metadata.is_dir() {
        let name = dir.display().to_string();
        let piece = Piece::Named(FileKind::Other);
        let finding = Finding::whole_file(
            "not_a_file",
            &name,
            "a corpus is a folder, and this is a file",
            "Give the folder that holds skills/ and paths/.",
        );
        let corpus = Corpus::assemble(vec![(piece, vec![finding])]);
        return Ok(Read { corpus, files: 1, changed: Vec::new() });
    }
    let found = TOP.iter().flat_map(|top| walk(dir, top));
    read_found(dir, found.filter(|found| !found.is_folder).collect(), base)
}

/// Reads the files of a corpus folder that was listed already.
pub fn read_named(dir: &Path, names: &Names) -> anyhow::Result<Corpus> {
    Ok(read_found(dir, names.files.iter().map(Found::file).collect(), None)?.corpus)
}

fn read_found(dir: &Path, paths: Vec<Found>, base: Option<&Blobs>) -> anyhow::Result<Read> {
    if paths.len() > MAX_FILES {
        bail!("{} holds more than {MAX_FILES} files; is it a corpus?", dir.display());
    }
    let bar = progress(paths.len());
    let files = paths.len();
    let read: Vec<(Piece, Vec<Finding>, Option<String>)> = paths
        .into_par_iter()
        // A few at a time, so that no core waits for another at the end.
        .with_max_len(16)
        .map(|Found { path, trouble, .. }| {
            let content = trouble.map_or_else(|| content(dir, &path), Content::Unreadable);
            let input = Input { content, path };
            let changed = base.filter(|base| base.differs(&input)).map(|_| input.path.clone());
            let (piece, findings) = corpus::read(input);
            bar.inc(1);
            (piece, findings, changed)
        })
        .collect();
    bar.finish_and_clear();
    let mut pieces = Vec::with_capacity(read.len());
    let mut changed = Vec::new();
    for (piece, findings, path) in read {
        changed.extend(path);
        pieces.push((piece, findings));
    }
    Ok(Read { corpus: Corpus::assemble(pieces), files, changed })
}

/// The names of everything a corpus folder holds, folders before what is in them.
pub struct Names {
    /// Files that can be read.
    pub files: Vec<String>,
    /// Folders, the corpus itself too.
    pub folders: Vec<String>,
}

/// Lists a corpus folder; nothing where something in it cannot be listed.
pub fn names(dir: &Path) -> Option<Names> {
    let mut names = Names { files: Vec::new(), folders: vec![".".to_owned()] };
    for found in TOP.iter().flat_map(|top| walk(dir, top)) {
        match found {
            Found { trouble: Some(_), .. } => return None,
            Found { path, is_folder: true, .. } => names.folders.push(path),
            Found { path, .. } => names.files.push(path),
        }
    }
    Some(names)
}

/// Reads some files of a corpus folder, of some skills without their text, and takes others as they are given: path, what is known of
/// the shape, and bytes.
pub fn read_some(
    dir: &Path,
    (files, shape): (&[&str], Shape),
    without_text: impl Fn(&str) -> bool + Sync,
    given: Vec<(&str, Shape, Vec<u8>)>,
) -> Corpus {
    let given = given.into_par_iter().map(|(path, shape, bytes)| (path, shape, Content::Bytes(bytes)));
    let read = files.par_iter().map(|path| match content(dir, path) {
        Content::Bytes(bytes) if without_text(path) => (*path, shape, Content::Bytes(front(bytes))),
        content => (*path, shape, content),
    });
    let pieces = given.chain(read).map(|(path, shape, content)| {
        let input = Input { path: path.to_owned(), content };
        corpus::read_as(input, shape)
    });
    Corpus::assemble(pieces.collect())
}

/// The skill a file belongs to, and its name there.
pub fn skill_of(file: &str) -> Option<(&str, &str)> {
    file.strip_prefix("skills/")?.split_once('/')
}

/// A skill's file without its text; all of one that cannot be taken apart.
fn front(mut bytes: Vec<u8>) -> Vec<u8> {
    let parts = str::from_utf8(&bytes).ok().and_then(|text| frontmatter::split(text).ok());
    bytes.truncate(parts.map_or(bytes.len(), |parts| parts.body.start as usize));
    bytes
}

/// What the files of a corpus folder look like from outside: another size, time or name of any of them, and this is another.
pub fn stamp(dir: &Path) -> u64 {
    let mut hash = DefaultHasher::new();
    for found in TOP.iter().flat_map(|top| walk(dir, top)) {
        let metadata = fs::symlink_metadata(dir.join(&found.path)).ok();
        let seen = metadata.map(|it| (it.len(), it.modified().ok(), it.is_file()));
        (found.path, found.trouble, seen).hash(&mut hash);
    }
    hash.finish()
}

/// Something a folder holds.
struct Found {
    /// Its path relative to the corpus root.
    path: String,
    /// Why it cannot be read, when that is known already.
    trouble: Option<String>,
    /// Whether it is a folder, whose files follow.
    is_folder: bool,
}

impl Found {
    fn file(path: impl Into<String>) -> Self {
        Self { path: path.into(), trouble: None, is_folder: false }
    }

    fn troubled(path: &str, trouble: impl ToString) -> Self {
        Self { path: path.to_owned(), trouble: Some(trouble.to_string()), is_folder: false }
    }
}

/// The folder at `path` and the files below it, in order of names. Sub-folders are listed on all cores.
fn walk(root: &Path, path: &str) -> Vec<Found> {
    match fs::symlink_metadata(root.join(path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => vec![Found::troubled(path, error)],
        Ok(metadata) if metadata.is_dir() => walk_folder(root, path, 0),
        Ok(_) => vec![Found::file(path)],
    }
}

fn walk_folder(root: &Path, path: &str, depth: usize) -> Vec<Found> {
    if depth > MAX_DEPTH || classify(path).is_read() {
        return vec![Found::file(path)];
    }
    let mut entries = match list(&root.join(path)) {
        Ok(entries) => entries,
        Err(error) => return vec![Found::troubled(path, error)],
    };
    entries.sort_unstable();
    let walked: Vec<Vec<Found>> = entries
        .into_par_iter()
        .map(|(name, folder)| match (name.to_str(), folder) {
            (None, _) => {
                let path = format!("{path}/{}", name.to_string_lossy());
                vec![Found::troubled(&path, "its name is not UTF-8")]
            }
            (Some(name), true) => walk_folder(root, &format!("{path}/{name}"), depth + 1),
            (Some(name), false) => vec![Found::file(format!("{path}/{name}"))],
        })
        .collect();
    let own = Found { is_folder: true, ..Found::file(path) };
    std::iter::once(own).chain(walked.into_iter().flatten()).collect()
}

/// The names in a folder, and which of them are folders.
fn list(folder: &Path) -> io::Result<Vec<(OsString, bool)>> {
    fs::read_dir(folder)?
        .map(|entry| {
            let entry = entry?;
            Ok((entry.file_name(), entry.file_type()?.is_dir()))
        })
        .collect()
}

fn content(root: &Path, path: &str) -> Content {
    let full = root.join(path);
    let kind = classify(path);
    let metadata = match fs::symlink_metadata(&full) {
        Ok(metadata) => metadata,
        Err(error) => return Content::Unreadable(error.to_string()),
    };
    if !metadata.is_file() {
        return Content::NotAFile;
    }
    if metadata.len() > kind.size_limit() {
        return Content::TooLarge(metadata.len());
    }
    // No rule reads a template, but the site shows it.
    let is_shown = matches!(kind, FileKind::Template(..)) && metadata.len() <= LARGEST_TEMPLATE;
    if !kind.is_read() && !is_shown {
        return Content::Bytes(Vec::new());
    }
    match fs::read(&full) {
        Ok(bytes) => Content::Bytes(bytes),
        Err(error) => Content::Unreadable(error.to_string()),
    }
}

/// A bar on a terminal for long work; nothing otherwise.
pub fn progress(files: usize) -> ProgressBar {
    if files < 2_000 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files {eta}");
    let bar = ProgressBar::new(files as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
