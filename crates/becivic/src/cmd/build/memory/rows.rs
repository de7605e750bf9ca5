//! The rows of the catalogue: a line for each, with a digest of what it said, its uid, the names by which pages are connected, and
//! where in the notes the pages stand that show it.
//!
//! The digest comes first and has its width: a row that says something else, and is shown where it was, is changed in its place.

use super::lines;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// Where rows are noted to be shown: in the line that begins at each of these places, by uid.
pub type Shown<'p> = FxHashMap<&'p str, Vec<usize>>;

/// The rows of each file of the catalogue, in their order.
pub struct Rows<'t>(pub [Vec<Row<'t>>; 2]);

/// A row.
pub struct Row<'t> {
    /// Where its line begins.
    pub at: usize,
    /// Of what it said.
    pub digest: &'t str,
    /// Its uid.
    pub uid: &'t str,
    /// Its name and the name of its source.
    names: &'t str,
    /// Where the pages stand that show it.
    pages: &'t str,
}

impl<'t> Rows<'t> {
    /// As they were written.
    pub fn read(text: &'t str) -> Option<Self> {
        let mut at = 0;
        let mut lines = lines(text).map(|line| {
            at += line.len() + 1;
            (at - line.len() - 1, line)
        });
        let mut of_file = || {
            let count: usize = lines.next()?.1.parse().ok()?;
            let rows: Vec<Row<'_>> = lines.by_ref().take(count).map(Row::read).collect::<Option<_>>()?;
            (rows.len() == count).then_some(rows)
        };
        Some(Self([of_file()?, of_file()?]))
    }

    /// As they are written; nothing where one cannot be read.
    pub fn text(files: [&str; 2], shown: &Shown<'_>) -> Option<String> {
        let mut out = String::with_capacity(files.iter().map(|text| text.len() / 2).sum());
        for text in files {
            out.push_str(&text.lines().count().to_string());
            out.push('\n');
            let row = |line: &str| {
                let Said { uid, names } = said(line)?;
                let pages = shown.get(uid.as_str()).map(Vec::as_slice).unwrap_or_default();
                let pages: Vec<String> = pages.iter().map(usize::to_string).collect();
                Some([&digest(line), "\t", &uid, "\t", &names, "\t", &pages.join(" "), "\n"].concat())
            };
            let rows: Option<Vec<String>> = text.par_lines().map(row).collect();
            rows?.iter().for_each(|row| out.push_str(row));
        }
        Some(out)
    }
}

impl<'t> Row<'t> {
    fn read((at, line): (usize, &'t str)) -> Option<Self> {
        let mut parts = line.split('\t');
        let mut part = || parts.next();
        Some(Self { at, digest: part()?, uid: part()?, names: part()?, pages: part()? })
    }

    /// Its name.
    pub fn name(&self) -> &'t str {
        self.names.split_once(' ').map_or(self.names, |(name, _)| name)
    }

    /// The name of its source; empty where it has none.
    pub fn source(&self) -> &'t str {
        self.names.split_once(' ').map_or("", |(_, source)| source)
    }

    /// Whether this is the row of that line, whatever it says else.
    pub fn is_of(&self, line: &str) -> bool {
        said(line).is_some_and(|said| said.uid == self.uid && said.names == self.names)
    }

    /// Where the pages stand that show it.
    pub fn pages(&self) -> impl Iterator<Item = Option<u64>> {
        self.pages.split_whitespace().map(|at| at.parse().ok())
    }
}

/// What a row says by which pages are connected.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    uid: String,
    names: String,
}

/// Reads that; nothing of a row that cannot be read.
fn said(line: &str) -> Option<Said> {
    let row: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| row.get(name).map(|it| it.as_str().unwrap_or_default()).unwrap_or_default();
    let names = format!("{} {}", text("name"), text("source"));
    // What stands between others, without a sign that is between them.
    let fits = !text("uid").is_empty()
        && !text("uid").contains(char::is_whitespace)
        && !names.contains(['\t', '\n', '\r']);
    fits.then(|| Said { uid: text("uid").to_owned(), names })
}

/// The digest of a line of the catalogue: lines that differ have another, as good as always.
pub fn digest(line: &str) -> String {
    let mut hash = FxHasher::default();
    hash.write(line.as_bytes());
    format!("{:016x}", hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let line = |uid: &str| format!(r#"{{"uid":"{uid}","name":"a-fee","source":"a-law","value":1}}"#);
        let (one, other) =
            (format!("{}\n", line("val-1")), format!("{}\n{}\n", line("ref-1"), line("ref-2")));
        let shown = FxHashMap::from_iter([("val-1", vec![0, 70]), ("ref-2", vec![5])]);
        let text = Rows::text([&one, &other], &shown).expect("written");
        let Rows([values, references]) = Rows::read(&text).expect("read");
        assert_eq!((values.len(), references.len()), (1, 2));
        let row = &values[0];
        assert_eq!((row.uid, row.name(), row.source()), ("val-1", "a-fee", "a-law"));
        assert_eq!(row.pages().collect::<Vec<_>>(), [Some(0), Some(70)]);
        assert_eq!(references[0].pages().count(), 0);
        assert_eq!(&text[row.at..row.at + row.digest.len()], digest(&line("val-1")));
        assert!(row.is_of(&line("val-1").replace(":1}", ":2}")), "another value is the same row");
        assert!(!row.is_of(&line("val-2")) && !row.is_of(&line("val-1").replace("a-law", "another")));
        assert_ne!(digest(&line("val-1")), digest(&line("val-1").replace(":1}", ":2}")));
        assert!(Rows::read(&text[..text.len() - 30]).is_none(), "a line is missing");
    }
}
