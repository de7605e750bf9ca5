//! `becivic fmt`: every file of a corpus in its canonical form.
//!
//! 1. Walk the folders of a corpus; links are not followed.
//! 2. Ask core for each file's canonical text, on all cores.
//! 3. Write what differs, or with --check only say so. What cannot be read is left alone and reported.

use crate::{Outcome, say, write};
use anyhow::{Context, bail};
use becivic_core::format;
use becivic_core::layout::classify;
use becivic_core::node::ReadError;
use becivic_core::text::Source;
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

/// Put every file of a corpus in its canonical form
///
/// Skills: frontmatter fields in their usual order, comments with the field below them; the text itself stays
/// letter for letter. Data: JSON with two spaces, the Path Directory sorted by id, JSON Lines with one object
/// per line. Everywhere: LF line ends, no byte order mark, one newline at the end.
///
/// No value changes, and formatting twice is formatting once. A file that cannot be read is left alone and
/// reported.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic fmt corpus\n  becivic fmt corpus --check      for a commit hook: exit 1 when something would change\n\nExit codes: 0 fine, 1 something would change (--check) or could not be read, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The corpus folder: the one that holds skills/ and paths/
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,

    /// Change nothing; say what would change and exit 1 if anything would
    #[arg(long)]
    check: bool,
}

/// Folders whose files have a canonical form.
const TOP: &[&str] = &["catalogue", "data", "docs", "paths", "schemas", "scrub", "skills"];

/// A corpus is four levels deep.
const MAX_DEPTH: usize = 4;

/// What became of a file.
enum Fate {
    Same,
    Formed(String),
    LeftAlone(String),
}

impl Args {
    /// Formats the corpus.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let mut files = Vec::new();
        fs::read_dir(&self.dir).with_context(|| format!("cannot read {}", self.dir.display()))?;
        for top in TOP {
            walk(&self.dir, top, 0, &mut files)?;
        }
        if files.is_empty() {
            bail!("{} holds no corpus: there is no skills/ or paths/ in it", self.dir.display());
        }
        let fates: Vec<Fate> = files.par_iter().map(|path| fate(&self.dir, path)).collect();
        let mut outcome = Outcome::Fine;
        for (path, fate) in files.iter().zip(fates) {
            match fate {
                Fate::Same => {}
                Fate::LeftAlone(why) => {
                    say::aside(format_args!("left alone: {path}{why}"));
                    outcome = Outcome::Findings;
                }
                Fate::Formed(_) if self.check => {
                    say::line(format_args!("would change {path}"))?;
                    outcome = Outcome::Findings;
                }
                Fate::Formed(text) => {
                    write::replace(&self.dir, path, text.as_bytes())?;
                    say::line(format_args!("formatted {path}"))?;
                }
            }
        }
        Ok(outcome)
    }
}

/// Files with a canonical form, in order of names.
fn walk(root: &Path, path: &str, depth: usize, found: &mut Vec<String>) -> anyhow::Result<()> {
    let full = root.join(path);
    let Ok(metadata) = fs::symlink_metadata(&full) else {
        return Ok(());
    };
    if metadata.is_file() && classify(path).is_read() {
        found.push(path.to_owned());
    }
    if !metadata.is_dir() || depth >= MAX_DEPTH {
        return Ok(());
    }
    let entries = fs::read_dir(&full).with_context(|| format!("cannot list {}", full.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot list {}", full.display()))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort_unstable();
    for name in names {
        walk(root, &format!("{path}/{name}"), depth + 1, found)?;
    }
    Ok(())
}

fn fate(root: &Path, path: &str) -> Fate {
    let full = root.join(path);
    let limit = classify(path).size_limit();
    if fs::metadata(&full).is_ok_and(|metadata| metadata.len() > limit) {
        return Fate::LeftAlone(format!(": the file has more than {limit} bytes"));
    }
    let bytes = match fs::read(&full) {
        Ok(bytes) => bytes,
        Err(error) => return Fate::LeftAlone(format!(": {error}")),
    };
    match format::canonical(path, &bytes) {
        Ok(Some(text)) if text.as_bytes() != bytes => Fate::Formed(text),
        Ok(_) => Fate::Same,
        Err(error) => Fate::LeftAlone(place(path, &bytes, &error)),
    }
}

/// `:line:column: what is wrong. What to do.`
fn place(path: &str, bytes: &[u8], error: &ReadError) -> String {
    let text = format::text(bytes).unwrap_or_default();
    let position = Source::new(path, text).position(error.offset);
    format!(":{}:{}: {}. {}", position.line, position.column, error.message, error.help)
}
