//! `becivic communes build`: `data/communes.json` from a table of communes (§6.4).
//!
//! 1. Read the table; a row that does not fit is refused with its line.
//! 2. Sort by NIS code, so that a refresh is a readable diff.
//! 3. Check the whole against the schema and the rules of §6.4; write only what passes.

mod table;

use super::words::date;
use crate::{Outcome, UsageError, say, write};
use anyhow::{Context, bail};
use becivic_core::communes::{self, Communes};
use becivic_core::schema::Schema;
use std::fs;
use std::path::{Path, PathBuf};

/// Work with the list of communes
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Build(Build),
}

/// Make data/communes.json from a CSV table
///
/// The table has the columns nis, fr, nl, de, region, province, postcodes, languages, slug and, ignored here,
/// postcodes_special (institutions, where nobody lives). `|` separates the entries of a list; an empty name or
/// province is none. A refresh is the same command on a newer table.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  becivic communes build --from communes.csv --out corpus/data/communes.json --nomenclature-date 2025-01-01 --fetched-at 2026-11-15\n\nExit codes: 0 written, 1 the table has mistakes (nothing is written), 2 wrong usage, 3 could not run."
)]
struct Build {
    /// The table
    #[arg(long, value_name = "CSV")]
    from: PathBuf,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The day the nomenclature came into force, YYYY-MM-DD
    #[arg(long, value_name = "DATE", default_value = "2025-01-01", value_parser = date)]
    nomenclature_date: String,

    /// The day the table was fetched, YYYY-MM-DD
    #[arg(long, value_name = "DATE", value_parser = date)]
    fetched_at: String,
}

/// Where the nomenclature is published.
const SOURCE: &str = "https://statbel.fgov.be/en/open-data/code-refnis";

/// A table larger than this is not one of communes: 565 rows take 50 KB.
const MAX_TABLE: u64 = 4 * 1024 * 1024;

impl Args {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<Outcome> {
        match self.what {
            What::Build(build) => build.run(),
        }
    }
}

impl Build {
    fn run(self) -> anyhow::Result<Outcome> {
        let from = self.from.display();
        let size = fs::metadata(&self.from).with_context(|| format!("cannot read {from}"))?.len();
        if size > MAX_TABLE {
            bail!("{from} has {size} bytes; a table of communes has less than {MAX_TABLE}");
        }
        let bytes = fs::read(&self.from).with_context(|| format!("cannot read {from}"))?;
        let mut rows = match table::read(&bytes) {
            Ok(rows) => rows,
            Err(mistakes) => return Ok(refused(&self.from, &mistakes)),
        };
        rows.sort_by(|a, b| a.commune.nis_code.cmp(&b.commune.nis_code));
        let lines: Vec<u64> = rows.iter().map(|row| row.line).collect();
        let file = Communes {
            nomenclature_date: self.nomenclature_date,
            source: SOURCE.to_owned(),
            fetched_at: self.fetched_at,
            communes: rows.into_iter().map(|row| row.commune).collect(),
        };
        let mistakes = mistakes(&file, &lines)?;
        if !mistakes.is_empty() {
            return Ok(refused(&self.from, &mistakes));
        }
        let mut text = serde_json::to_string_pretty(&file)?;
        text.push('\n');
        let folder = match self.out.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            Some(_) | None => Path::new("."),
        };
        let name = self.out.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| UsageError(format!("{} names no file", self.out.display())))?;
        write::replace(folder, name, text.as_bytes())?;
        say::line(format_args!("wrote {} communes to {}", file.communes.len(), self.out.display()))?;
        Ok(Outcome::Fine)
    }
}

/// What is wrong, and on which line (0: on none in particular).
type Mistake = (u64, String);

/// What the schema and the rules say, on the lines of the table.
fn mistakes(file: &Communes, lines: &[u64]) -> anyhow::Result<Vec<Mistake>> {
    let value = serde_json::to_value(file)?;
    let shape = Schema::Communes.violations(&value).into_iter();
    let shape = shape.map(|violation| (violation.pointer, violation.message, violation.help));
    let mut found: Vec<Mistake> = shape
        .chain(communes::check(file))
        .map(|(pointer, message, help)| {
            let index = pointer.strip_prefix("/communes/").and_then(|rest| rest.split('/').next());
            let index = index.and_then(|index| index.parse::<usize>().ok());
            let line = index.and_then(|index| lines.get(index)).copied().unwrap_or(0);
            (line, format!("{message}. {help}"))
        })
        .collect();
    found.sort();
    Ok(found)
}

fn refused(from: &Path, mistakes: &[Mistake]) -> Outcome {
    for (line, message) in mistakes.iter().take(50) {
        match line {
            0 => say::aside(format_args!("{}: {message}", from.display())),
            line => say::aside(format_args!("{}:{line}: {message}", from.display())),
        }
    }
    say::aside(format_args!("nothing was written: {} mistakes", mistakes.len()));
    Outcome::Findings
}
