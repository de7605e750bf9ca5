//! The index: a few segments, what of them is left, and where they came from.
//!
//! 1. [`Index::of`] reads a corpus into one segment.
//! 2. [`Index::updated`] compares a corpus with the one before. Skills that did not change are shared between versions of a
//!    corpus, so most are recognised by their address. What changed or went is struck out where it stands, and what is new
//!    goes into a segment of its own.
//! 3. Segments are merged when there are too many, and all of them when too much is struck out.
//!
//! Questions count words in documents that are left, so an updated index answers as a new one would.

use super::analyse::{Analysed, Analyst, analyse};
use super::document::{Document, Kind};
use super::merge::merge;
use super::segment::{Builder, Entry, Segment};
use super::synonyms::{SynonymTable, Synonyms};
use super::words::fold;
use crate::catalogue::SeedCatalogue;
use crate::communes::Communes;
use crate::corpus::{Corpus, DataFile, Paths, Skill};
use crate::vocabulary::Status;
use rayon::prelude::*;
use serde::Deserialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// More segments than this are merged.
const MOST_LAYERS: usize = 6;

/// Everything is merged when the small segments and what was struck out are more than this share of it.
const LARGEST_SHARE: usize = 4;

/// So many documents are taken apart at once.
const AT_ONCE: usize = 256;

/// What can be searched. A copy costs pointers.
#[derive(Clone, Debug)]
pub struct Index {
    pub(super) layers: Arc<Vec<Layer>>,
    pub(super) synonyms: Arc<Synonyms>,
    /// Names of communes: they say where, not what.
    pub(super) communes: Arc<BTreeSet<String>>,
    origin: Arc<Origin>,
}

/// A segment, and what of it is left.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The segment.
    pub segment: Arc<Segment>,
    /// Which of its documents were struck out.
    struck: Arc<Vec<bool>>,
    /// How many.
    struck_count: usize,
}

impl Layer {
    fn new(segment: Segment) -> Self {
        let struck = Arc::new(vec![false; segment.entries.len()]);
        Self { segment: Arc::new(segment), struck, struck_count: 0 }
    }

    /// Whether a document is left.
    pub fn is_alive(&self, document: u32) -> bool {
        self.struck.get(document as usize).is_some_and(|struck| !struck)
    }

    /// How many are left.
    pub fn alive(&self) -> usize {
        self.segment.entries.len() - self.struck_count
    }

    fn strike(&mut self, kind: Kind, id: &str) {
        let Some(document) = self.segment.document(kind, id) else { return };
        if self.is_alive(document)
            && let Some(struck) = Arc::make_mut(&mut self.struck).get_mut(document as usize)
        {
            *struck = true;
            self.struck_count += 1;
        }
    }
}

/// What an index was made of.
#[derive(Debug, Default)]
struct Origin {
    /// In the order of their folders.
    skills: Vec<Arc<Skill>>,
    paths: Option<Arc<Paths>>,
    rows: Rows,
    synonyms: Option<Arc<DataFile>>,
    communes: Option<Arc<DataFile>>,
}

/// Where the rows of the catalogue come from.
#[derive(Clone, Debug)]
enum Rows {
    /// From the seeds of the corpus.
    Seeds(Arc<SeedCatalogue>),
    /// Whoever searches hands them over.
    Given(Arc<BTreeMap<(Kind, String), Document>>),
}

impl Default for Rows {
    fn default() -> Self {
        Self::Seeds(Arc::default())
    }
}

impl Index {
    /// Reads a corpus: its skills, its paths, and the seeds of its catalogue.
    pub fn of(corpus: &Corpus) -> Self {
        Self::read(corpus, Rows::Seeds(Arc::clone(&corpus.catalogue)))
    }

    /// An index of these documents. The last of those with the same kind and id counts.
    pub fn of_documents(documents: Vec<Document>) -> Self {
        Self::with_synonyms(documents, &SynonymTable::default())
    }

    /// An index of these documents, with a table of synonyms.
    pub fn with_synonyms(documents: Vec<Document>, table: &SynonymTable) -> Self {
        let synonyms = Arc::new(Synonyms::of(table));
        let documents: BTreeMap<_, _> =
            documents.into_iter().map(|document| ((document.kind, document.id.clone()), document)).collect();
        let documents: Vec<Document> = documents.into_values().collect();
        let mut builder = Builder::default();
        add(&mut builder, &documents, &synonyms, |document| Some(document.clone()));
        let layer = Layer::new(builder.finish());
        Self { layers: Arc::new(vec![layer]), synonyms, communes: Arc::default(), origin: Arc::default() }
    }

    /// The index with these rows of the catalogue in place of those it has. Whoever keeps rows in a database hands them over
    /// here; [`Index::updated`] then leaves them alone.
    pub fn with_rows(&self, rows: Vec<Document>) -> Self {
        let of_kind = |document: &Document| matches!(document.kind, Kind::Value | Kind::Reference);
        let rows = rows.into_iter().filter(of_kind);
        let rows: BTreeMap<_, _> = rows.map(|row| ((row.kind, row.id.clone()), row)).collect();
        let rows = Rows::Given(Arc::new(rows));
        let mut changes = Changes::default();
        changes.rows(&self.origin.rows, &rows);
        let origin = Origin {
            skills: self.origin.skills.clone(),
            paths: self.origin.paths.clone(),
            rows,
            synonyms: self.origin.synonyms.clone(),
            communes: self.origin.communes.clone(),
        };
        self.changed(changes, origin)
    }

    /// The index of a later version of the corpus.
    pub fn updated(&self, corpus: &Corpus) -> Self {
        let rows = match &self.origin.rows {
            Rows::Seeds(_) => Rows::Seeds(Arc::clone(&corpus.catalogue)),
            given @ Rows::Given(_) => given.clone(),
        };
        if !same(&self.origin.synonyms, &corpus.synonyms) {
            return Self::read(corpus, rows);
        }
        let mut changes = Changes::default();
        changes.skills(&self.origin.skills, &corpus.skills);
        changes.paths(self.origin.paths.as_ref(), corpus.paths.as_ref());
        changes.rows(&self.origin.rows, &rows);
        let mut index = self.changed(changes, Origin::of(corpus, rows));
        if !same(&self.origin.communes, &corpus.communes) {
            index.communes = Arc::new(communes(corpus.communes.as_deref()));
        }
        index
    }

    /// The ids of the documents of a kind, in no order.
    pub fn ids(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.layers.iter().flat_map(move |layer| {
            let entries = (0u32..).zip(&layer.segment.entries);
            let of_kind = entries.filter(move |(at, entry)| entry.kind == kind && layer.is_alive(*at));
            of_kind.map(|(_, entry)| &*entry.id)
        })
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.layers.iter().map(Layer::alive).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn read(corpus: &Corpus, rows: Rows) -> Self {
        let synonyms = Arc::new(Synonyms::of(&table(corpus.synonyms.as_deref())));
        let mut changes = Changes::default();
        changes.skills(&[], &corpus.skills);
        changes.paths(None, corpus.paths.as_ref());
        changes.rows(&Rows::default(), &rows);
        let layer = Layer::new(changes.segment(&synonyms));
        Self {
            layers: Arc::new(vec![layer]),
            synonyms,
            communes: Arc::new(communes(corpus.communes.as_deref())),
            origin: Arc::new(Origin::of(corpus, rows)),
        }
    }

    fn changed(&self, changes: Changes, origin: Origin) -> Self {
        let mut index = Self { origin: Arc::new(origin), ..self.clone() };
        if changes.gone.is_empty() && changes.is_empty() {
            return index;
        }
        let mut layers = self.layers.as_ref().clone();
        for (kind, id) in &changes.gone {
            layers.iter_mut().for_each(|layer| layer.strike(*kind, id));
        }
        if !changes.is_empty() {
            layers.push(Layer::new(changes.segment(&self.synonyms)));
        }
        index.layers = Arc::new(tidied(layers));
        index
    }
}

impl Origin {
    fn of(corpus: &Corpus, rows: Rows) -> Self {
        Self {
            skills: corpus.skills.values().cloned().collect(),
            paths: corpus.paths.clone(),
            rows,
            synonyms: corpus.synonyms.clone(),
            communes: corpus.communes.clone(),
        }
    }
}

/// Merges what has become too many.
fn tidied(layers: Vec<Layer>) -> Vec<Layer> {
    let all: usize = layers.iter().map(|layer| layer.segment.entries.len()).sum();
    let first = layers.first().map_or(0, |layer| layer.alive());
    if (all - first) * LARGEST_SHARE > all {
        return vec![Layer::new(merge(&layers))];
    }
    if layers.len() <= MOST_LAYERS {
        return layers;
    }
    match layers.split_first() {
        Some((first, small)) => vec![first.clone(), Layer::new(merge(small))],
        None => layers,
    }
}

/// What to strike out and what to add.
#[derive(Default)]
struct Changes {
    gone: Vec<(Kind, String)>,
    skills: Vec<Arc<Skill>>,
    paths: Vec<(Arc<Paths>, String)>,
    rows: Vec<Document>,
}

impl Changes {
    fn is_empty(&self) -> bool {
        self.skills.is_empty() && self.paths.is_empty() && self.rows.is_empty()
    }

    /// Both are in the order of folders: they are walked side by side.
    fn skills(&mut self, before: &[Arc<Skill>], after: &BTreeMap<String, Arc<Skill>>) {
        let (mut before, mut after) = (before.iter().peekable(), after.values().peekable());
        loop {
            let order = match (before.peek(), after.peek()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(other)) if Arc::ptr_eq(one, other) => {
                    before.next();
                    after.next();
                    continue;
                }
                (Some(one), Some(other)) => one.folder.cmp(&other.folder),
            };
            if order != Ordering::Greater {
                self.gone.extend(before.next().map(|skill| (Kind::Skill, skill.folder.clone())));
            }
            if order != Ordering::Less {
                self.skills.extend(after.next().cloned());
            }
        }
    }

    fn paths(&mut self, before: Option<&Arc<Paths>>, after: Option<&Arc<Paths>>) {
        if let (Some(before), Some(after)) = (before, after)
            && Arc::ptr_eq(before, after)
        {
            return;
        }
        let entry = |paths: Option<&Arc<Paths>>, key: &str| {
            paths.and_then(|paths| paths.entries.get(key).map(|path| path.entry.clone()))
        };
        for key in before.iter().flat_map(|paths| paths.entries.keys()) {
            if entry(before, key) != entry(after, key) {
                self.gone.push((Kind::Path, key.clone()));
            }
        }
        for (paths, key) in after.iter().flat_map(|paths| paths.entries.keys().map(|key| (*paths, key))) {
            if entry(before, key) != entry(after, key) {
                self.paths.push((Arc::clone(paths), key.clone()));
            }
        }
    }

    fn rows(&mut self, before: &Rows, after: &Rows) {
        if let (Rows::Seeds(before), Rows::Seeds(after)) = (before, after)
            && Arc::ptr_eq(before, after)
        {
            return;
        }
        let (before, after) = (before.documents(), after.documents());
        let gone = before.iter().filter(|(key, document)| after.get(*key) != Some(*document));
        self.gone.extend(gone.map(|(key, _)| key.clone()));
        let new = after.into_iter().filter(|(key, document)| before.get(key) != Some(document));
        self.rows.extend(new.map(|(_, document)| document));
    }

    /// A segment of what is to be added.
    fn segment(self, synonyms: &Synonyms) -> Segment {
        let mut builder = Builder::default();
        add(&mut builder, &self.skills, synonyms, |skill| Document::of_skill(skill));
        add(&mut builder, &self.paths, synonyms, |(paths, key)| {
            paths.entries.get(key).map(|path| Document::of_path(key, &path.entry))
        });
        add(&mut builder, &self.rows, synonyms, |row| Some(row.clone()));
        builder.finish()
    }
}

impl Rows {
    /// The rows as documents.
    fn documents(&self) -> BTreeMap<(Kind, String), Document> {
        let seeds = match self {
            Self::Given(rows) => return rows.as_ref().clone(),
            Self::Seeds(seeds) => seeds,
        };
        let values = seeds.values().iter().map(|row| {
            let said = [row.source.as_deref().unwrap_or_default()];
            Document::of_value(&row.name, &said, Status::named(&row.status))
        });
        let references = seeds
            .references()
            .iter()
            .map(|row| Document::of_reference(&row.name, &row.title, &row.url, Status::named(&row.status)));
        values.chain(references).map(|row| ((row.kind, row.id.clone()), row)).collect()
    }
}

/// Adds things, in order, to a segment: some at a time on all cores, so that few stand taken apart at once.
fn add<T: Sync>(
    builder: &mut Builder,
    things: &[T],
    synonyms: &Synonyms,
    document: impl Fn(&T) -> Option<Document> + Sync,
) {
    let threads = rayon::current_num_threads();
    // One for each thread, and one for whoever is none: what an analyst has learned serves all documents.
    let analysts: Vec<Mutex<Analyst<'_>>> =
        (0..=threads).map(|_| Mutex::new(Analyst::new(synonyms))).collect();
    let taken_apart = |thing: &T| {
        let document = document(thing)?;
        let mine = analysts.get(rayon::current_thread_index().unwrap_or(threads))?;
        let mut analyst = mine.lock().unwrap_or_else(PoisonError::into_inner);
        Some((Entry::of(&document), analyse(&document, &mut analyst)))
    };
    for some in things.chunks(AT_ONCE) {
        let taken_apart: Vec<(Entry, Analysed)> = some.par_iter().filter_map(taken_apart).collect();
        taken_apart.into_iter().for_each(|(entry, analysed)| builder.add(entry, analysed));
    }
}

fn table(file: Option<&DataFile>) -> SynonymTable {
    let value = file.filter(|file| file.fits).map(|file| &file.value);
    value.and_then(|value| SynonymTable::deserialize(value).ok()).unwrap_or_default()
}

/// Names of communes that are one word.
fn communes(file: Option<&DataFile>) -> BTreeSet<String> {
    let value = file.filter(|file| file.fits).map(|file| &file.value);
    let list = value.and_then(|value| Communes::deserialize(value).ok());
    let communes = list.iter().flat_map(|list| &list.communes);
    let names = communes.flat_map(|commune| {
        [Some(&commune.slug), commune.name_fr.as_ref(), commune.name_nl.as_ref(), commune.name_de.as_ref()]
    });
    let words = names.flatten().map(|name| fold(name));
    words.filter_map(|words| <[String; 1]>::try_from(words).ok()).map(|[word]| word).collect()
}

fn same(one: &Option<Arc<DataFile>>, other: &Option<Arc<DataFile>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}
