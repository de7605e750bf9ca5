//! The list of what a build wrote, kept in the folder itself: what to leave alone next time, and what to remove.
//!
//! A line says whether the build came to its end; then a line for each file, in the order of names: the digest of what it holds, a
//! digest of what it was made of, its length, its name. Everything before the name has its width, so that a line can be found and
//! changed in its place ([`Text`]).

use blake3::Hasher;
use memchr::memchr_iter;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Where the list is.
pub const NAME: &str = ".becivic-build.list";

/// The first line of a list.
pub const FINISHED: &str = "becivic build, finished";
/// The same, as long as a build goes on; as long as the other.
pub const UNDERWAY: &str = "becivic build, underway";

/// What stands before a name: two digests and a length, each with a space after it.
const BEFORE_NAME: usize = 64 + 1 + 32 + 1 + 12 + 1;

/// What a build wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Whether the build came to its end: otherwise only the names count.
    pub finished: bool,
    /// The files, by name.
    pub files: BTreeMap<String, Entry>,
}

/// One file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// What it holds.
    pub content: [u8; 32],
    /// What it was made of.
    pub inputs: Inputs,
    /// How long it is.
    pub length: u64,
}

/// A digest of what something is made of.
pub type Inputs = [u8; 16];

/// A file that was made.
pub struct Made {
    /// Its name.
    pub name: String,
    /// What is noted of it.
    pub entry: Entry,
}

impl List {
    /// Reads a list; nothing where it is none.
    pub fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let finished = match lines.next()? {
            FINISHED => true,
            UNDERWAY => false,
            _ => return None,
        };
        let files = lines.map(file).collect::<Option<_>>()?;
        Some(Self { finished, files })
    }

    /// The list as it is written.
    pub fn text(&self) -> String {
        let state = if self.finished { FINISHED } else { UNDERWAY };
        let files: Vec<_> = self.files.iter().map(|(name, entry)| (name.as_str(), *entry)).collect();
        text(state, &files)
    }

    /// The list as it is written while a build goes on: what was there before, and what may be there from now on.
    pub fn underway(&self, names: &[String]) -> String {
        let known = self.files.keys().chain(names).map(String::as_str);
        let mut all: Vec<&str> = known.collect();
        all.par_sort_unstable();
        all.dedup();
        let entry = |name: &str| self.files.get(name).copied().unwrap_or_default();
        let files: Vec<_> = all.into_iter().map(|name| (name, entry(name))).collect();
        text(UNDERWAY, &files)
    }
}

impl Entry {
    fn write(&self, out: &mut String) {
        push_hex(out, &self.content);
        out.push(' ');
        push_hex(out, &self.inputs);
        let _text_takes_everything = write!(out, " {:012} ", self.length);
    }
}

/// What a list comes to.
pub struct Summary {
    /// Files in it.
    pub files: usize,
    /// Pages among them.
    pub pages: usize,
    /// What the whole folder holds, names and contents: equal for equal sites, wherever they are. It is what `b3sum` prints of
    /// what `b3sum` prints of every file.
    pub digest: String,
}

/// Bytes of lines that are hashed at once.
const HASHED_AT_ONCE: usize = 16 << 10;

/// A list as it is written, of which a few lines are looked at or changed.
pub struct Text {
    written: String,
    /// What stands before names now, by where their lines begin.
    changed: BTreeMap<usize, String>,
}

impl Text {
    /// A list of a build that came to its end.
    pub fn new(written: String) -> Option<Self> {
        written.starts_with(FINISHED).then(|| Self { written, changed: BTreeMap::new() })
    }

    /// The files: the digest of each, as text, and its name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut start = 0;
        let mut changed = self.changed.iter().peekable();
        let lines = memchr_iter(b'\n', self.written.as_bytes()).map(move |end| {
            let line = start..end;
            start = end + 1;
            let before = changed.next_if(|(at, _)| **at == line.start).map(|(_, before)| before.as_str());
            (self.written.get(line).unwrap_or_default(), before)
        });
        lines
            .skip(1)
            .filter_map(|(line, before)| Some((before.unwrap_or(line).get(..64)?, line.get(BEFORE_NAME..)?)))
    }

    /// How many files there are, and what they hold.
    pub fn summary(&self) -> Summary {
        let (mut files, mut pages, mut hash) = (0, 0, Hasher::new());
        // Handed to the hash many at a time: it costs as much for a few bytes as for a block.
        let mut lines = String::with_capacity(HASHED_AT_ONCE + 1_024);
        for (content, name) in self.files() {
            files += 1;
            pages += usize::from(name.ends_with(".html"));
            for part in [content, "  ", name, "\n"] {
                lines.push_str(part);
            }
            if lines.len() >= HASHED_AT_ONCE {
                hash.update(lines.as_bytes());
                lines.clear();
            }
        }
        let mut digest = String::new();
        push_hex(&mut digest, hash.update(lines.as_bytes()).finalize().as_bytes());
        Summary { files, pages, digest }
    }

    /// Where the line of a file begins; the lines are in the order of names.
    fn find(&self, wanted: &str) -> Option<usize> {
        let text = &self.written;
        let (mut low, mut high) = (text.find('\n')? + 1, text.len());
        while low < high {
            let middle = (low + high) / 2;
            let start = text.as_bytes().get(low..middle)?.iter().rposition(|byte| *byte == b'\n');
            let start = start.map_or(low, |at| low + at + 1);
            let line = text.get(start..)?.lines().next()?;
            match line.get(BEFORE_NAME..)?.cmp(wanted) {
                Ordering::Equal => return Some(start),
                Ordering::Less => low = start + line.len() + 1,
                Ordering::Greater => high = start,
            }
        }
        None
    }

    /// What is noted of a file.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        let (_, before) = self.line(name)?;
        file(&format!("{before}{name}")).map(|(_, entry)| entry)
    }

    /// What stands before a file's name, and where.
    pub fn line(&self, name: &str) -> Option<(usize, &str)> {
        let start = self.find(name)?;
        let written = || self.written.get(start..start + BEFORE_NAME);
        Some((start, self.changed.get(&start).map(String::as_str).or_else(written)?))
    }

    /// Changes what is noted of a file.
    pub fn change(&mut self, name: &str, entry: &Entry) -> Option<()> {
        let start = self.find(name)?;
        let mut line = String::new();
        entry.write(&mut line);
        (line.len() == BEFORE_NAME).then(|| self.changed.insert(start, line)).map(|_| ())
    }
}

fn file(line: &str) -> Option<(String, Entry)> {
    let mut parts = line.splitn(4, ' ');
    let content = digits(parts.next()?)?;
    let inputs = digits(parts.next()?)?;
    let length = parts.next()?.parse().ok()?;
    Some((parts.next()?.to_owned(), Entry { content, inputs, length }))
}

/// Digits as bytes; nothing where they are not so many, or none.
pub fn digits<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(pairs) {
        let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
        *byte = u8::try_from(high? * 16 + low?).ok()?;
    }
    Some(bytes)
}

/// The digest of what a file holds. SHA-256 took a twelfth of a build.
pub fn content(bytes: &[u8]) -> [u8; 32] {
    blake3::hash(bytes).into()
}

/// Bytes as digits.
pub fn push_hex(out: &mut String, bytes: &[u8]) {
    // Worked out, not looked up, and as many as fit at once: a list has millions of them.
    let digit = |half: u8| half + if half < 10 { b'0' } else { b'a' - 10 };
    for bytes in bytes.chunks(32) {
        let mut written = [0; 64];
        for (pair, byte) in written.as_chunks_mut().0.iter_mut().zip(bytes) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
        out.push_str(str::from_utf8(&written[..bytes.len() * 2]).unwrap_or_default());
    }
}

fn text(state: &str, files: &[(&str, Entry)]) -> String {
    let lines = |files: &[(&str, Entry)]| {
        let mut out = String::with_capacity(files.len() * 192);
        for (name, entry) in files {
            entry.write(&mut out);
            out.push_str(name);
            out.push('\n');
        }
        out
    };
    let first = [state, "\n"].concat();
    let pieces: Vec<String> = rayon::iter::once(first).chain(files.par_chunks(1_024).map(lines)).collect();
    pieces.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_was_written_and_nothing_else_is() {
        let entry = Entry { content: [0xab; 32], inputs: [7; 16], length: 12 };
        let files = BTreeMap::from([("a b.html".to_owned(), entry), ("c/d.md".to_owned(), Entry::default())]);
        for finished in [true, false] {
            let list = List { finished, files: files.clone() };
            assert_eq!(List::read(&list.text()), Some(list));
        }
        assert_eq!(FINISHED.len(), UNDERWAY.len(), "one is written over the other");
        let good = List { finished: true, files }.text();
        for broken in ["", "{}", "becivic build", &good.replace("ab", "xy"), &good[..good.len() - 8]] {
            assert_eq!(List::read(broken), None, "{broken}");
        }
    }

    #[test]
    fn lines_are_found_and_changed_in_their_place() {
        let name = |at: u64| {
            format!("skills/{}.html", "x".repeat(usize::try_from(at % 7).unwrap_or(0)) + &at.to_string())
        };
        let entry = |at: u64| Entry { content: [1; 32], inputs: [2; 16], length: at };
        let mut list = List { finished: true, files: (0..200).map(|at| (name(at), entry(at))).collect() };
        let mut text = written(&list);
        for at in 0..200 {
            assert_eq!(text.entry(&name(at)), Some(entry(at)));
        }
        assert_eq!((text.entry("a"), text.entry("skills/y"), text.entry("")), (None, None, None));
        let other = Entry { content: [9; 32], inputs: [8; 16], length: 7_000_000 };
        text.change(&name(37), &other).expect("it is there");
        list.files.insert(name(37), other);
        assert_eq!((digest(&text), text.entry(&name(37))), (digest(&written(&list)), Some(other)));
    }

    fn written(list: &List) -> Text {
        Text::new(list.text()).expect("it is finished")
    }

    fn digest(text: &Text) -> String {
        text.summary().digest
    }

    #[test]
    fn the_digest_is_what_b3sum_says() {
        let entry = Entry { content: content(b"hello\n"), ..Entry::default() };
        let list = List { finished: true, files: BTreeMap::from([("x".to_owned(), entry)]) };
        assert_eq!(
            digest(&written(&list)),
            "4fb97f0b5e10c08b36a0518c711079fea2e89d7ad53c31b8206a720967dae90f"
        );
    }
}
