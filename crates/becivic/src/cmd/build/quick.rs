//! A build after which nothing but values has changed: the corpus is not read.
//!
//! 1. Nothing but the catalogue looks different from outside, neither in the corpus nor in the site's folder.
//! 2. The catalogue has the same rows as before, in the same order, under the same names; some say something else.
//! 3. The pages that show such a row are noted, and what each of them was made of. A corpus of just that is read: it gives the same
//!    pages, for a page is made of nothing else. Whatever differs from that expectation ends this way.
//! 4. The pages are made and written, then the files that hold them; their lines in the list are changed in their place.
//!
//! What was made counts once it is known that nothing else has changed, which takes about as long and goes on beside it. Before anything
//! is written, everything has been made: wherever this way ends, a build that reads everything follows.

use super::inputs::{self, Inputs};
use super::list::{self, Entry, Summary, Text};
use super::memory::{self, CATALOGUE, Head, Names, Note, PATHS, Pages, Parts, Place, Row, Rows};
use super::plan::{self, Product, name};
use super::stamps::{self, Stamp};
use super::{Args, Done};
use crate::site::{self, Seeds};
use crate::{folder, write};
use anyhow::Context;
use becivic_core::corpus::{Corpus, Shape};
use becivic_core::finding::Severity;
use becivic_core::rules;
use becivic_site::address::{Form, Which};
use becivic_site::citations::Citations;
use becivic_site::files::Volume;
use memchr::memchr;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::sync::LazyLock;

/// Files that no page is made of, and that take long to check.
const NOT_FOR_PAGES: [&str; 2] = ["scrub/regex-rules.json", "agents/triggers.json"];

/// With more, reading everything is no slower.
const MOST_ROWS: usize = 64;

/// Builds, where nothing but values has changed; nothing where everything has to be read.
pub fn build(args: &Args, base: &str) -> anyhow::Result<Option<Done>> {
    let Some(place) = Place::of(&args.out) else { return Ok(None) };
    let of_this = place.head().filter(|head| head.key == key(args, base));
    let Some(mut head) = of_this else { return Ok(None) };
    // Read by whoever needs them first.
    let names = LazyLock::new(|| place.names());
    let names = LazyLock::new(|| names.as_deref().map(Names::read));
    let folders = place.folders();
    let folders: Vec<&str> = folders.as_deref().map(|text| memory::lines(text).collect()).unwrap_or_default();
    let looks = || {
        let out = out_as_before(args, &folders, &head)?;
        corpus_as_before(args, names.as_ref()?, &head).then_some(out)
    };
    let (out, change) =
        rayon::join(looks, || Change::find(args, base, head.common, (&|| names.as_ref(), &place)));
    let Some((out, change)) = out.zip(change) else { return Ok(None) };
    // Rows count with a head that is written after the pages: until then there is none.
    let write = || {
        let rows = place.change_rows(&change.rows);
        change.write(args).map(|written| (written, rows))
    };
    let (written, list) = rayon::join(write, || change.list.summary());
    let (written, rows) = written?;
    let out = change.renewed_looks(args, out, &folders).map(|looks| stamps::stamp(&looks));
    if let Some((list, out)) = list_stamp(args).zip(out).filter(|_| rows.is_some()) {
        (head.list, head.out) = (list, out);
        place.keep_head(&head);
    }
    let Summary { files, pages, digest } = list;
    // The process ends soon: giving memory back piece by piece would only cost time.
    std::mem::forget(change);
    Ok(Some(Done { pages, written, unchanged: files - written, removed: 0, digest }))
}

/// The program, and everything it was told.
pub fn key(args: &Args, base: &str) -> list::Inputs {
    let key = inputs::key(args.lang, base);
    // Where errors do not count, none were looked for.
    let mut hash = blake3::Hasher::new();
    hash.update(&key).update(&[u8::from(args.with_findings)]);
    // What was written before the machine stopped may be lost, and looks the same from outside.
    hash.update(&fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default());
    let whole: [u8; 32] = hash.finalize().into();
    whole.first_chunk().copied().unwrap_or_default()
}

/// What the list looks like from outside.
pub fn list_stamp(args: &Args) -> Option<Stamp> {
    stamps::looks(&args.out, &[list::NAME], None).map(|looks| stamps::stamp(&looks))
}

/// Whether the catalogue has the same files as before.
fn has_the_same_files(args: &Args, names: &Names<'_>) -> bool {
    let now: Option<Vec<String>> = match fs::read_dir(args.dir.join(memory::FOLDER)) {
        Ok(entries) => entries.map(|entry| entry.ok()?.file_name().into_string().ok()).collect(),
        Err(_) => Some(Vec::new()),
    };
    let before: BTreeSet<&str> = names.in_catalogue().collect();
    now.is_some_and(|now| before == now.iter().map(String::as_str).collect())
}

/// What the folders of the site look like, where they look as before, and the list too.
fn out_as_before(args: &Args, folders: &[&str], head: &Head) -> Option<Vec<u64>> {
    let looks = stamps::looks(&args.out, folders, None)?;
    (stamps::stamp(&looks) == head.out && list_stamp(args)? == head.list).then_some(looks)
}

/// Whether everything of the corpus but the catalogue looks as before.
fn corpus_as_before(args: &Args, names: &Names<'_>, head: &Head) -> bool {
    let looks = || stamps::looks(&args.dir, &names.looked_at(), None);
    has_the_same_files(args, names) && looks().is_some_and(|looks| stamps::stamp(&looks) == head.corpus)
}

/// What is to be written.
struct Change {
    list: Text,
    /// Where rows are remembered that say something else now, and how they are remembered.
    rows: Vec<(usize, String)>,
    /// Names, and what they hold now; empty where they hold the same as before.
    files: Vec<(String, Vec<u8>)>,
}

impl Change {
    /// Finds out what has changed, and makes it; nothing where that is more than values.
    fn find<'n>(
        args: &Args,
        base: &str,
        common: [[u8; 32]; 2],
        (names, place): (&dyn Fn() -> Option<&'n Names<'n>>, &Place),
    ) -> Option<Self> {
        let (rows, parts) = (place.rows()?, place.parts()?);
        let (rows, parts) = (Rows::read(&rows)?, Parts::read(&parts)?);
        let list = Text::new(fs::read_to_string(args.out.join(list::NAME)).ok()?)?;
        let texts = CATALOGUE.map(|file| fs::read_to_string(args.dir.join(file)).unwrap_or_default());
        let changed = changed(&rows, &texts)?;
        let affected = affected(&changed, &mut place.pages()?)?;
        let rows_now = changed.into_iter().map(|(row, digest)| (row.at, digest)).collect();
        let mut change = Self { list, rows: rows_now, files: Vec::new() };
        if affected.is_empty() {
            return Some(change);
        }
        let corpus = some(args, names()?, &parts, (&rows, &texts), &affected)?;
        if !args.with_findings && has_errors(&corpus, &affected) {
            return None;
        }
        let citations = Citations::of(&corpus);
        let world = site::world(&corpus, &citations, base);
        let common = Inputs::remembered(common);
        let seeds = Seeds::of(&corpus.catalogue);
        let page = |note: &Note| {
            let which = Which::at(&note.address)?;
            let (product, made_of) = plan::page((&world, &seeds), &common, &which, args.lang);
            // A page that is made of more than was noted would be another.
            note.covers(&made_of).then_some(product)
        };
        let pages: Option<Vec<Product>> = affected.par_iter().map(page).collect();
        for Product { files, inputs } in pages? {
            files.into_iter().try_for_each(|(name, bytes)| change.put(name, bytes, inputs))?;
        }
        let volumes = parts.volumes_with(affected.iter().map(|note| note.address.as_str()))?;
        let volumes: Vec<_> =
            volumes.par_iter().map(|volume| change.volume(args, base, &common, volume)).collect();
        volumes.into_iter().try_for_each(|(name, bytes, inputs)| change.put(name, bytes, inputs))?;
        Some(change)
    }

    /// A file that holds pages: its name, what it holds and what it is made of.
    fn volume(
        &self,
        args: &Args,
        base: &str,
        common: &Inputs,
        volume: &Volume,
    ) -> (String, Vec<u8>, list::Inputs) {
        let file = |which: &Which| name(&which.address_as(Form::Markdown));
        let made = self.files.iter().filter(|(_, bytes)| !bytes.is_empty());
        let made: BTreeMap<&str, &[u8]> =
            made.map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        let mut markdown = |which: &Which| match made.get(file(which).as_str()) {
            Some(bytes) => String::from_utf8(bytes.to_vec()).ok(),
            None => fs::read_to_string(args.out.join(file(which))).ok(),
        };
        let text = volume.text(base, &mut markdown);
        let inputs = volume.pages.iter().filter_map(|which| Some(self.list.entry(&file(which))?.inputs));
        let inputs = common.volume(inputs.collect::<Vec<_>>().into_iter());
        (name(&volume.made.address()), text.into_bytes(), inputs)
    }

    /// Takes a file that was made; nothing where there was none of its name.
    fn put(&mut self, name: String, bytes: Vec<u8>, inputs: list::Inputs) -> Option<()> {
        let entry = Entry { content: list::content(&bytes), inputs, length: bytes.len() as u64 };
        let before = self.list.entry(&name)?;
        self.list.change(&name, &entry)?;
        // What holds the same stays; its line alone is another.
        let is_same = before.content == entry.content;
        self.files.push((name, if is_same { Vec::new() } else { bytes }));
        Some(())
    }

    /// What the folders of the site look like now: those that were written into are looked at again.
    fn renewed_looks(&self, args: &Args, mut looks: Vec<u64>, folders: &[&str]) -> Option<Vec<u64>> {
        let folder = |(name, _): &(String, Vec<u8>)| {
            name.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned()
        };
        let touched: BTreeSet<String> = self.files.iter().map(folder).collect();
        for name in &touched {
            let at = folders.binary_search(&name.as_str()).ok()?;
            *looks.get_mut(at)? = *stamps::looks(&args.out, &[name], None)?.first()?;
        }
        Some(looks)
    }

    /// Writes what differs; gives how many files that were.
    fn write(&self, args: &Args) -> anyhow::Result<usize> {
        if self.files.is_empty() {
            return Ok(0);
        }
        let path = args.out.join(list::NAME);
        let open = fs::OpenOptions::new().write(true).open(&path);
        let mut file = open.with_context(|| format!("cannot write {}", path.display()))?;
        file.write_all(list::UNDERWAY.as_bytes())?;
        let writer = write::Many::new(&args.out);
        let mut written = 0;
        for (name, bytes) in self.files.iter().filter(|(_, bytes)| !bytes.is_empty()) {
            writer.put(name, bytes)?;
            written += 1;
        }
        for (name, _) in &self.files {
            let (at, line) = self.list.line(name).context("the list holds what is written")?;
            file.seek(SeekFrom::Start(at as u64))?;
            file.write_all(line.as_bytes())?;
        }
        file.rewind()?;
        file.write_all(list::FINISHED.as_bytes())?;
        Ok(written)
    }
}

/// The rows that say something else, and digests of that; nothing where rows came, went or have other names.
fn changed<'r>(rows: &'r Rows<'r>, texts: &[String; 2]) -> Option<Vec<(&'r Row<'r>, String)>> {
    // Between lines stands what no line shows, and what is wrong there counts as well.
    let is_plain =
        |text: &String| memchr(b'\r', text.as_bytes()).is_none() && (text.is_empty() || text.ends_with('\n'));
    texts.iter().all(is_plain).then_some(())?;
    let mut changed = Vec::new();
    for (rows, text) in rows.0.iter().zip(texts) {
        let mut lines = memory::lines(text);
        for row in rows {
            let line = lines.next()?;
            let digest = memory::digest(line);
            if row.digest != digest {
                row.is_of(line).then(|| changed.push((row, digest)))?;
            }
        }
        lines.next().is_none().then_some(())?;
    }
    (changed.len() <= MOST_ROWS).then_some(changed)
}

/// The pages that show one of these rows; nothing where one was made of everything.
fn affected(changed: &[(&Row<'_>, String)], pages: &mut Pages) -> Option<Vec<Note>> {
    let places: Option<BTreeSet<u64>> = changed.iter().flat_map(|(row, _)| row.pages()).collect();
    let notes: Vec<Note> = places?.into_iter().map(|place| pages.at(place)).collect::<Option<_>>()?;
    notes.iter().all(|note| !note.looked.everything).then_some(notes)
}

/// The corpus that these pages were made of.
fn some(
    args: &Args,
    names: &Names<'_>,
    parts: &Parts<'_>,
    (all_rows, texts): (&Rows<'_>, &[String; 2]),
    affected: &[Note],
) -> Option<Corpus> {
    let all = |of: fn(&Note) -> &BTreeSet<String>| -> BTreeSet<&str> {
        affected.iter().flat_map(of).map(String::as_str).collect()
    };
    let skills = all(|note| &note.looked.skills);
    let is_for_pages =
        |file: &&str| *file != PATHS && !CATALOGUE.contains(file) && !NOT_FOR_PAGES.contains(file);
    let of_skills = skills.into_iter().flat_map(|id| names.of_skill(id));
    let read: Vec<&str> = of_skills.chain(names.of_no_skill().filter(is_for_pages)).collect();
    let rows: HashSet<&str> = all(|note| &note.rows).into_iter().collect();
    let mut given = Vec::new();
    // Where errors count, a build found none in what has not changed since.
    let shape = if args.with_findings { Shape::Unknown } else { Shape::Right };
    // Values name the references they were taken from: the rules look for those, too.
    let shown = all_rows.0.iter().flatten().filter(|row| rows.contains(row.uid));
    let sources: HashSet<&str> = shown.map(|row| row.source()).collect();
    let is_shown = |row: &Row<'_>| rows.contains(row.uid) || sources.contains(row.name());
    for ((file, rows_of), text) in CATALOGUE.iter().zip(&all_rows.0).zip(texts) {
        let wanted = rows_of.iter().zip(memory::lines(text)).filter(|(row, _)| is_shown(row));
        let lines: String = wanted.flat_map(|(_, line)| [line, "\n"]).collect();
        given.push((*file, Shape::Unknown, lines.into_bytes()));
    }
    if let Some(some) = parts.some_paths(&args.dir, &all(|note| &note.looked.paths))? {
        given.push((PATHS, shape, some.into_bytes()));
    }
    let cited = texts_of(affected);
    let without_text = |file: &str| match folder::skill_of(file) {
        Some((id, "canonical.md")) => !cited.contains(id),
        _ => false,
    };
    Some(folder::read_some(&args.dir, (&read, shape), without_text, given))
}

/// The skills whose texts count: those whose pages are made, and all that another page looks at, for it may say who cites what. Of the
/// rest a skill's page shows titles, statuses and edges.
fn texts_of(affected: &[Note]) -> BTreeSet<&str> {
    let (skills, others): (Vec<&Note>, Vec<&Note>) =
        affected.iter().partition(|note| note.address.starts_with("/skills/"));
    let own = skills.into_iter().filter_map(|note| note.address.strip_prefix("/skills/"));
    own.chain(others.into_iter().flat_map(|note| note.looked.skills.iter().map(String::as_str))).collect()
}

/// Whether the rules find an error in what has changed: in the catalogue, or in a skill that shows a row of it.
fn has_errors(corpus: &Corpus, affected: &[Note]) -> bool {
    let skills: BTreeSet<&str> =
        affected.iter().filter_map(|note| note.address.strip_prefix("/skills/")).collect();
    let is_about_it = |file: &str| {
        CATALOGUE.contains(&file) || folder::skill_of(file).is_some_and(|(id, _)| skills.contains(id))
    };
    let findings = rules::check(corpus, &corpus.catalogue, None);
    findings.iter().any(|finding| finding.severity == Severity::Error && is_about_it(&finding.file))
}
