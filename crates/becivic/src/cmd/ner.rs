//! `becivic ner`: people's names in a text.
//!
//! 1. Read the text as `becivic scrub` does (`cmd/given.rs`).
//! 2. Ask the recogniser that comes with the program, the one that every submission is read with.
//! 3. Say where somebody seems to be named, and how sure that is. The names themselves are not shown. With --lines each line is a
//!    text of its own, and has an answer of its own.

use super::given::{Given, Place};
use crate::{Outcome, names, say};
use becivic_core::names::{Found, Names, Person};
use std::path::PathBuf;

/// Find people's names in a text
///
/// Reads French, Dutch, German and English, with the recogniser that every submission to Be Civic is read with: what names somebody waits
/// for a person there before anybody else sees it. Nothing leaves this machine, and what is found is not shown: only where,
/// and how sure that is.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic ner note.txt\n  echo 'Mme Fatiha El Amrani au guichet 3' | becivic ner --json\n  becivic ner --lines --json notes.txt\n\nExit codes: 0 nobody is named, 1 somebody is, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The text to look at; - is standard input
    #[arg(default_value = "-", value_name = "FILE")]
    file: PathBuf,

    /// Answer with one JSON object; places are bytes
    #[arg(long)]
    json: bool,

    /// Take each line for a text of its own; with --json, one object per line
    #[arg(long)]
    lines: bool,
}

impl Args {
    /// Looks for names.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let given = Given::read(&self.file)?;
        let text = given.text()?;
        let recogniser = names::bundled()?;
        let persons = match (self.lines, self.json) {
            (true, json) => by_line(recogniser, text, json)?,
            (false, json) => {
                let found = recogniser.find(text);
                if json {
                    say::json(&found)?;
                }
                found.persons
            }
        };
        if !self.json {
            tell(&given.name, text, &persons)?;
        }
        Ok(if persons.is_empty() { Outcome::Fine } else { Outcome::Findings })
    }
}

/// Places that are told one by one to a person.
const MAX_TOLD: usize = 200;

fn tell(name: &str, text: &str, persons: &[Person]) -> anyhow::Result<()> {
    let mut place = Place::start();
    for person in persons.iter().take(MAX_TOLD) {
        place.go_to(text, person.start);
        let length = text.get(person.start..person.end).map_or(0, |found| found.chars().count());
        let (line, first, last) = (place.line, place.column, place.column + length.saturating_sub(1));
        let sure = (person.score * 100.0).floor();
        say::line(format_args!("{name}:{line}:{first}: a name, up to column {last} ({sure}% sure)"))?;
    }
    if persons.len() > MAX_TOLD {
        say::line(format_args!("and {} more; --json lists them all", persons.len() - MAX_TOLD))?;
    }
    say::line(match persons.len() {
        0 => "Nobody is named.".to_owned(),
        1 => "1 name. Write who it is by what they do, not by what they are called.".to_owned(),
        count => format!("{count} names. Write who they are by what they do, not by what they are called."),
    })
}

/// Reads each line by itself, and prints an answer for each if asked to; gives the names of all of them as places of the
/// whole text.
fn by_line(recogniser: &Names<'_>, text: &str, print: bool) -> anyhow::Result<Vec<Person>> {
    let (mut all, mut start, mut out) = (Vec::new(), 0, Vec::new());
    for line in text.split_inclusive('\n') {
        let found: Found = recogniser.find(line.trim_end_matches(['\r', '\n']));
        if print {
            serde_json::to_writer(&mut out, &found)?;
            out.push(b'\n');
        }
        let moved = |it: Person| Person { start: it.start + start, end: it.end + start, ..it };
        all.extend(found.persons.into_iter().map(moved));
        start += line.len();
    }
    say::bytes(&out)?;
    Ok(all)
}
