//! A corpus in memory, from bytes.
//!
//! 1. Whoever does IO hands over [`Input`]s: a path and its bytes, or why there are none.
//! 2. [`read`] turns each into a [`Piece`] and findings. Files are independent, so this runs on all
//!    cores; nothing here reads a disk.
//! 3. [`Corpus::assemble`] puts the pieces together. What could not be read stays known by name, so
//!    that one broken file does not make every reference to it look wrong too.

mod bytes;
mod data;
mod page;
mod patch;
mod paths;
mod sidecar;
mod skill;
mod targets;
mod uses;

pub use data::{Categories, Category, DataFile, HostList, Hosts, SourceClasses, Types};
pub use page::{Page, PageFront};
pub use paths::{Path, Paths};
pub use sidecar::Sidecar;
pub use skill::Skill;
pub use targets::KnownTargets;
pub use uses::Uses;

use crate::catalogue::{ReferenceRow, SeedCatalogue, Taken, ValueRow};
use crate::finding::{Finding, MAX_FINDINGS_PER_FILE};
use crate::layout::{FileKind, LARGEST_TEMPLATE, classify};
use crate::schema::Schema;
use crate::text::{Source, Span};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// One file as handed over by whoever reads it.
#[derive(Debug)]
pub struct Input {
    /// Path relative to the corpus root, `/` separated.
    pub path: String,
    /// What was found there.
    pub content: Content,
}

/// What was found at a path.
#[derive(Debug)]
pub enum Content {
    /// A file's bytes.
    Bytes(Vec<u8>),
    /// A file over its kind's limit; it was not read. Its size in bytes.
    TooLarge(u64),
    /// Something that is no plain file: a link, a device, a folder where a file should be.
    NotAFile,
    /// The system refused to read it; the reason in words.
    Unreadable(String),
}

/// Rows of a catalogue file.
#[derive(Debug)]
pub struct Rows<Row> {
    source: Source,
    /// Each row with its place.
    rows: Vec<(u32, Row)>,
    /// Whether every line could be read.
    complete: bool,
}

/// What one file became.
#[derive(Debug)]
pub enum Piece {
    /// A skill.
    Skill(Box<Skill>),
    /// The diagram of this skill.
    Diagram(String, Source),
    /// A research report.
    Sidecar(Box<Sidecar>),
    /// The Path Directory.
    Paths(Box<Paths>),
    /// Values of the catalogue.
    Values(Rows<ValueRow>),
    /// References of the catalogue.
    References(Rows<ReferenceRow>),
    /// Communes, authorities, synonyms, triggers, redirects or scrub rules.
    Data(FileKind, DataFile),
    /// `schemas/types.json`
    Types(Types),
    /// `schemas/categories.json`
    Categories(Source, Categories),
    /// `schemas/source-classes.json`
    SourceClasses(SourceClasses),
    /// A page, by its address.
    Page(String, Box<Page>),
    /// A submission contract, by its major version.
    Contract(u64, Box<Page>),
    /// A rollup file.
    Rollup(FileKind, Source),
    /// A template of this skill, by its name in the folder; with its text where it is one that can be shown.
    Template(String, String, Option<Arc<str>>),
    /// Known by name only: not read, or not readable.
    Named(FileKind),
}

/// What is known of a file's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing: it is checked against its schema.
    Unknown,
    /// It was checked and found to be right, and the file has not changed since.
    Right,
}

/// Reads one file into a piece and findings.
pub fn read(input: Input) -> (Piece, Vec<Finding>) {
    read_as(input, Shape::Unknown)
}

/// The same, where something is known of the file.
pub fn read_as(input: Input, shape: Shape) -> (Piece, Vec<Finding>) {
    let kind = classify(&input.path);
    let mut findings = Vec::new();
    let template = template(&kind, &input.content);
    let piece = match bytes::source(&kind, &input.path, input.content, &mut findings) {
        Some(source) => piece(kind, source, shape, &mut findings),
        None => template.unwrap_or(Piece::Named(kind)),
    };
    if findings.len() > MAX_FINDINGS_PER_FILE {
        let more = findings.len() - MAX_FINDINGS_PER_FILE;
        findings.truncate(MAX_FINDINGS_PER_FILE);
        findings.push(Finding::whole_file(
            "too_many_findings",
            &input.path,
            format!("{more} more findings in this file are not listed"),
            "Fix the ones above and check again.",
        ));
    }
    (piece, findings)
}

/// A template: no rule reads it, so it may be anything; only text of some length is shown.
fn template(kind: &FileKind, content: &Content) -> Option<Piece> {
    let FileKind::Template(id, file) = kind else { return None };
    let bytes = match content {
        Content::Bytes(bytes) if bytes.len() as u64 <= LARGEST_TEMPLATE => bytes.as_slice(),
        Content::Bytes(_) | Content::TooLarge(_) | Content::NotAFile | Content::Unreadable(_) => &[],
    };
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.is_empty());
    Some(Piece::Template(id.clone(), file.clone(), text.map(Arc::from)))
}

fn piece(kind: FileKind, source: Source, shape: Shape, findings: &mut Vec<Finding>) -> Piece {
    let prose = matches!(kind, FileKind::Diagram(_) | FileKind::SkillReport(_) | FileKind::PathReport(_));
    if prose {
        bytes::forbidden(&source, Span::new(0, source.text().len()), findings);
    }
    match &kind {
        FileKind::Skill(id) => Piece::Skill(Box::new(Skill::read(id, source, shape, findings))),
        FileKind::Diagram(id) => Piece::Diagram(id.clone(), source),
        FileKind::SkillReport(_) | FileKind::PathReport(_) => {
            Piece::Sidecar(Box::new(Sidecar::read(kind, source, findings)))
        }
        FileKind::PathsIndex => match Paths::read(source, shape, findings) {
            Some(paths) => Piece::Paths(Box::new(paths)),
            None => Piece::Named(kind),
        },
        FileKind::Values => Piece::Values(rows(source, Schema::VolatileValue, findings)),
        FileKind::References => Piece::References(rows(source, Schema::Reference, findings)),
        FileKind::Communes
        | FileKind::Authorities
        | FileKind::Synonyms
        | FileKind::Triggers
        | FileKind::Redirects
        | FileKind::ScrubRules => match DataFile::read(&kind, source, shape, findings) {
            Some(data) => Piece::Data(kind, data),
            None => Piece::Named(kind),
        },
        FileKind::Types => data::shaped(&source, findings).map_or(Piece::Named(kind), Piece::Types),
        FileKind::Categories => match data::shaped(&source, findings) {
            Some(categories) => Piece::Categories(source, categories),
            None => Piece::Named(kind),
        },
        FileKind::SourceClasses => {
            data::shaped(&source, findings).map_or(Piece::Named(kind), Piece::SourceClasses)
        }
        FileKind::Page(address) => {
            Piece::Page(address.clone(), Box::new(Page::read(source, shape, findings)))
        }
        FileKind::Contract(major) => Piece::Contract(*major, Box::new(Page::contract(source, findings))),
        FileKind::SkillsRollup | FileKind::PathsRollup => Piece::Rollup(kind, source),
        FileKind::Template(..) | FileKind::Misplaced | FileKind::Other => Piece::Named(kind),
    }
}

fn rows<Row: for<'de> serde::Deserialize<'de>>(
    source: Source,
    schema: Schema,
    findings: &mut Vec<Finding>,
) -> Rows<Row> {
    let before = findings.len();
    let rows = data::rows(&source, schema, findings);
    Rows { source, rows, complete: findings.len() == before }
}

/// A whole corpus. What was read is shared between a corpus and what is made of it: a copy costs pointers.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Skills by folder name.
    pub skills: BTreeMap<String, Arc<Skill>>,
    /// Folder names whose skill could not be read at all.
    pub unreadable_skills: BTreeSet<String>,
    /// Diagrams by skill; `None` for one that could not be read.
    pub diagrams: BTreeMap<String, Option<Arc<Source>>>,
    /// Files under `templates/` by skill folder and name; with their text where that can be shown.
    pub templates: BTreeMap<String, BTreeMap<String, Option<Arc<str>>>>,
    /// Research reports.
    pub sidecars: Vec<Arc<Sidecar>>,
    /// The Path Directory; `None` when there is none or it could not be read.
    pub paths: Option<Arc<Paths>>,
    /// Whether a Path Directory exists but could not be read.
    pub paths_unreadable: bool,
    /// The seed catalogue.
    pub catalogue: Arc<SeedCatalogue>,
    /// The files of the seeds, and where each row of them begins.
    values_file: RowsFile,
    references_file: RowsFile,
    /// Whether a seed file exists but could not be read whole: values, references.
    unreadable_rows: (bool, bool),
    /// Data files that exist but could not be read: nothing is concluded from their absence.
    pub unreadable_data: Vec<FileKind>,
    /// `data/communes.json`
    pub communes: Option<Arc<DataFile>>,
    /// `data/authorities.json`
    pub authorities: Option<Arc<DataFile>>,
    /// `data/synonyms.json`
    pub synonyms: Option<Arc<DataFile>>,
    /// `scrub/regex-rules.json`
    pub scrub_rules: Option<Arc<DataFile>>,
    /// `schemas/types.json`
    pub types: Option<Types>,
    /// `schemas/categories.json`
    pub categories: Option<Arc<(Source, Categories)>>,
    /// `schemas/source-classes.json`
    pub source_classes: Option<SourceClasses>,
    /// Pages by their address, contracts among them.
    pub pages: BTreeMap<String, Arc<Page>>,
    /// `agents/triggers.json`
    pub triggers: Option<Arc<DataFile>>,
    /// `redirects.json`
    pub redirects: Option<Arc<DataFile>>,
    /// Submission contracts: major version to the versions it lists.
    pub contracts: BTreeMap<u64, Vec<String>>,
    /// `skills/rollup.json`
    pub skills_rollup: Option<Arc<Source>>,
    /// `paths/rollup.json`
    pub paths_rollup: Option<Arc<Source>>,
    /// Findings made while reading.
    pub findings: Vec<Finding>,
    /// Who names whom, found out when somebody asks first.
    uses: OnceLock<Arc<Uses>>,
}

/// A file of rows and where each row of it begins.
type RowsFile = Option<Arc<(Source, Vec<u32>)>>;

impl Corpus {
    /// Reads every input, on all cores, and assembles the corpus.
    pub fn from_inputs(inputs: Vec<Input>) -> Self {
        let pieces: Vec<_> = inputs.into_par_iter().map(read).collect();
        Self::assemble(pieces)
    }

    /// Puts pieces together.
    pub fn assemble(pieces: Vec<(Piece, Vec<Finding>)>) -> Self {
        let mut corpus = Self::default();
        for (piece, findings) in pieces {
            corpus.findings.extend(findings);
            corpus.add(piece);
        }
        corpus.sidecars.sort_by(|a, b| a.source.path().cmp(b.source.path()));
        corpus
    }

    fn add(&mut self, piece: Piece) {
        match piece {
            Piece::Skill(skill) => {
                self.skills.insert(skill.folder.clone(), Arc::new(*skill));
            }
            Piece::Diagram(id, source) => {
                self.diagrams.insert(id, Some(Arc::new(source)));
            }
            Piece::Sidecar(sidecar) => self.sidecars.push(Arc::new(*sidecar)),
            Piece::Paths(paths) => self.paths = Some(Arc::new(*paths)),
            Piece::Values(rows) => {
                self.unreadable_rows.0 = !rows.complete;
                let (file, complete) = self.add_rows(rows, SeedCatalogue::add_value);
                self.values_file = Some(Arc::new(file));
                self.unreadable_rows.0 |= !complete;
            }
            Piece::References(rows) => {
                self.unreadable_rows.1 = !rows.complete;
                let (file, complete) = self.add_rows(rows, SeedCatalogue::add_reference);
                self.references_file = Some(Arc::new(file));
                self.unreadable_rows.1 |= !complete;
            }
            Piece::Data(kind, data) => {
                let data = Some(Arc::new(data));
                match kind {
                    FileKind::Communes => self.communes = data,
                    FileKind::Authorities => self.authorities = data,
                    FileKind::Synonyms => self.synonyms = data,
                    FileKind::Triggers => self.triggers = data,
                    FileKind::Redirects => self.redirects = data,
                    _ => self.scrub_rules = data,
                }
            }
            Piece::Types(types) => self.types = Some(types),
            Piece::Categories(source, categories) => self.categories = Some(Arc::new((source, categories))),
            Piece::SourceClasses(classes) => self.source_classes = Some(classes),
            Piece::Page(address, page) => {
                self.pages.insert(address, Arc::new(*page));
            }
            Piece::Contract(major, page) => {
                self.contracts.insert(major, page.versions());
                self.pages.insert(contract_address(major), Arc::new(*page));
            }
            Piece::Rollup(FileKind::SkillsRollup, source) => self.skills_rollup = Some(Arc::new(source)),
            Piece::Rollup(_, source) => self.paths_rollup = Some(Arc::new(source)),
            Piece::Named(FileKind::Skill(id)) => {
                self.unreadable_skills.insert(id);
            }
            Piece::Named(FileKind::Diagram(id)) => {
                self.diagrams.insert(id, None);
            }
            Piece::Template(id, file, text) => {
                self.templates.entry(id).or_default().insert(file, text);
            }
            Piece::Named(FileKind::PathsIndex) => self.paths_unreadable = true,
            Piece::Named(FileKind::Values) => self.unreadable_rows.0 = true,
            Piece::Named(FileKind::References) => self.unreadable_rows.1 = true,
            Piece::Named(kind) => self.unreadable_data.push(kind),
        }
    }

    /// Adds rows to the catalogue; gives back their file, where each added row begins, and whether all were added.
    fn add_rows<Row>(
        &mut self,
        rows: Rows<Row>,
        add: impl Fn(&mut SeedCatalogue, Row) -> Result<(), Taken>,
    ) -> ((Source, Vec<u32>), bool) {
        let source = rows.source;
        let mut complete = true;
        let catalogue = Arc::make_mut(&mut self.catalogue);
        let mut places = Vec::with_capacity(rows.rows.len());
        for (offset, row) in rows.rows {
            if let Err(taken) = add(catalogue, row) {
                complete = false;
                let key = match taken {
                    Taken::Uid => "uid",
                    Taken::Name => "name",
                };
                self.findings.push(Finding::error(
                    "catalogue_duplicate",
                    &source,
                    offset,
                    format!("another row of this file has the same {key}"),
                    "Each entry has one seed row; give it a uid and a name of its own.",
                ));
            } else {
                places.push(offset);
            }
        }
        ((source, places), complete)
    }

    /// Whether a seed file exists but could not be read whole.
    pub fn catalogue_unreadable(&self) -> bool {
        self.unreadable_rows.0 || self.unreadable_rows.1
    }

    /// The text of a file of the seed catalogue.
    pub fn rows_text(&self, path: &str) -> Option<&str> {
        let files = [&self.values_file, &self.references_file].into_iter().flatten();
        files.map(|file| &file.0).find(|source| source.path() == path).map(Source::text)
    }

    /// Every seed value with its file and its place in it.
    pub fn placed_values(&self) -> impl Iterator<Item = (&Source, u32, &ValueRow)> {
        placed(&self.values_file, self.catalogue.values())
    }

    /// Every seed reference with its file and its place in it.
    pub fn placed_references(&self) -> impl Iterator<Item = (&Source, u32, &ReferenceRow)> {
        placed(&self.references_file, self.catalogue.references())
    }

    /// Whether a skill folder exists, readable or not.
    pub fn has_skill(&self, id: &str) -> bool {
        self.skills.contains_key(id) || self.unreadable_skills.contains(id)
    }

    /// Whether there is a Path Directory, readable or not.
    pub fn has_directory(&self) -> bool {
        self.paths.is_some() || self.paths_unreadable
    }

    /// Whether there is any submission contract, readable or not.
    pub fn has_contracts(&self) -> bool {
        let unreadable = self.unreadable_data.iter().any(|kind| matches!(kind, FileKind::Contract(_)));
        unreadable || !self.contracts.is_empty()
    }

    /// Whether a version of the submission contract exists: its document is there, and lists the
    /// version when it lists any.
    pub fn has_contract(&self, version: &str) -> bool {
        let major = version.split('.').next().and_then(|major| major.parse::<u64>().ok());
        let listed = major.and_then(|major| self.contracts.get(&major));
        let unreadable = major.is_some_and(|major| self.is_unreadable(&FileKind::Contract(major)));
        unreadable
            || listed.is_some_and(|versions| {
                versions.is_empty() || versions.iter().any(|listed| listed == version)
            })
    }

    /// Whether a data file is there but could not be read.
    pub fn is_unreadable(&self, kind: &FileKind) -> bool {
        self.unreadable_data.contains(kind)
    }

    /// Whether a path exists, readable or not.
    pub fn has_path(&self, id: &str) -> bool {
        self.paths_unreadable || self.paths.as_ref().is_some_and(|paths| paths.has(id))
    }
}

/// Where the page of a submission contract stands.
fn contract_address(major: u64) -> String {
    format!("/docs/submission-contract-v{major}")
}

fn placed<'c, Row>(file: &'c RowsFile, rows: &'c [Row]) -> impl Iterator<Item = (&'c Source, u32, &'c Row)> {
    let places = file.iter().flat_map(|file| file.1.iter().map(move |at| (&file.0, *at)));
    places.zip(rows).map(|((source, at), row)| (source, at, row))
}
