//! `becivic scrub`: personal data in a text.
//!
//! 1. Read the text: a file or standard input (`cmd/given.rs`).
//! 2. Run the rules of this program, or those of --rules, which are judged first.
//! 3. Say what was found and where; with --redact, give the text without it. What was found is never shown.
//!    With --lines each line is a text of its own, and has an answer of its own.

pub mod rules;

use super::given::{Given, Place};
use crate::{Outcome, say};
use becivic_core::scrub::{Answer, NamedHit, Scrubber, State};
use rayon::prelude::*;
use std::io::Write as _;
use std::path::PathBuf;

/// Find personal data in a text
///
/// Looks for national numbers, account numbers, telephone numbers, addresses and the like, with the rules
/// every submission to Be Civic has to pass. Nothing leaves this machine, and what is found is not shown:
/// only which rule fired, and where.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic scrub note.txt\n  echo 'call 0470 00 00 01' | becivic scrub --json\n  becivic scrub --redact note.txt > clean.txt\n  becivic scrub --explain note.txt\n  becivic scrub --rules other-rules.json note.txt\n\nExit codes: 0 clean (with --redact: written), 1 something was found, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The text to look at; - is standard input
    #[arg(default_value = "-", value_name = "FILE")]
    file: PathBuf,

    /// Answer with one JSON object; places are bytes (not with --redact, --explain)
    #[arg(long, conflicts_with_all = ["redact", "explain"])]
    json: bool,

    /// Write the text with a block for every character that was found
    #[arg(long, conflicts_with = "explain")]
    redact: bool,

    /// Take each line for a text of its own; with --json, one object per line (not with --redact, --explain)
    #[arg(long, conflicts_with_all = ["redact", "explain"])]
    lines: bool,

    /// Say of each rule that fired what it looks for
    #[arg(long)]
    explain: bool,

    /// Use the rules of this file instead of our own (a file, not standard input)
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

impl Args {
    /// Scrubs the text.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let given = Given::read(&self.file)?;
        let text = given.text()?;
        let own;
        let scrubber = match &self.rules {
            None => rules::bundled()?,
            Some(path) => {
                own = rules::read(path)?;
                &own
            }
        };
        if self.redact {
            say::text(&scrubber.redact(text))?;
            return Ok(Outcome::Fine);
        }
        if self.json && !self.lines {
            let hits = scrubber.scan(text);
            say::pieces(|out| {
                scrubber.tell(&hits, |piece| out.write_all(piece))?;
                out.write_all(b"\n")
            })?;
            return Ok(if hits.is_empty() { Outcome::Fine } else { Outcome::Findings });
        }
        let answer = if self.lines { by_line(scrubber, text, self.json)? } else { scrubber.answer(text) };
        if !self.json {
            self.tell(scrubber, &answer, &given.name, text)?;
        }
        Ok(match answer.status {
            State::Clean => Outcome::Fine,
            State::Flagged => Outcome::Findings,
        })
    }

    fn tell(&self, scrubber: &Scrubber, answer: &Answer<'_>, name: &str, text: &str) -> anyhow::Result<()> {
        let mut place = Place::start();
        for hit in answer.hits.iter().take(MAX_TOLD) {
            place.go_to(text, hit.start);
            let (line, column) = (place.line, place.column);
            say::line(format_args!("{name}:{line}:{column}: {} ({})", hit.rule, hit.category))?;
            if self.explain {
                explain(scrubber, hit)?;
            }
        }
        if answer.hits.len() > MAX_TOLD {
            say::line(format_args!("and {} more; --json lists them all", answer.hits.len() - MAX_TOLD))?;
        }
        say::line(match answer.hits.len() {
            0 => "Nothing personal found.".to_owned(),
            1 => "1 hit. Take it out before the text leaves this machine.".to_owned(),
            count => format!("{count} hits. Take them out before the text leaves this machine."),
        })
    }
}

/// Hits that are told one by one to a person.
const MAX_TOLD: usize = 200;

/// Lines that one processor takes at once have about so many bytes.
const BLOCK: usize = 64 << 10;

/// Blocks that are taken at once by each processor; after them, what was said of them is printed.
const ROUND: usize = 16;

/// Scrubs each line by itself, on all processors, and prints an answer for each if asked to. The hits of all of them together
/// are places of the whole text; where answers are printed, nobody asks for them.
fn by_line<'s>(scrubber: &'s Scrubber, text: &str, print: bool) -> anyhow::Result<Answer<'s>> {
    let mut whole = Answer { status: State::Clean, hits: Vec::new() };
    let (mut start, mut left) = (0, text);
    while !left.is_empty() {
        let round: Vec<(usize, &str)> = std::iter::from_fn(|| {
            let (block, rest) =
                left.split_at_checked(block_of(left)).filter(|(block, _)| !block.is_empty())?;
            (start, left) = (start + block.len(), rest);
            Some((start - block.len(), block))
        })
        .take(ROUND * rayon::current_num_threads())
        .collect();
        let done: Vec<anyhow::Result<Block<'s>>> =
            round.par_iter().map(|(start, block)| Block::of(scrubber, block, *start, print)).collect();
        for block in done {
            let block = block?;
            say::bytes(&block.told)?;
            if block.is_flagged {
                whole.status = State::Flagged;
            }
            whole.hits.extend(block.hits);
        }
    }
    Ok(whole)
}

/// The length of some lines at the beginning of a text.
fn block_of(text: &str) -> usize {
    let bytes = text.as_bytes();
    let end = bytes.get(BLOCK..).and_then(|rest| memchr::memchr(b'\n', rest));
    end.map_or(bytes.len(), |end| BLOCK + end + 1)
}

/// What was found in some lines.
struct Block<'s> {
    is_flagged: bool,
    /// The answers, a line each.
    told: Vec<u8>,
    hits: Vec<NamedHit<'s>>,
}

impl<'s> Block<'s> {
    /// Of lines that begin at this place of the text.
    fn of(scrubber: &'s Scrubber, lines: &str, mut start: usize, print: bool) -> anyhow::Result<Self> {
        let mut block = Self { is_flagged: false, told: Vec::new(), hits: Vec::new() };
        for line in lines.split_inclusive('\n') {
            let answer = scrubber.answer(line.trim_end_matches(['\r', '\n']));
            block.is_flagged |= answer.status == State::Flagged;
            if print {
                serde_json::to_writer(&mut block.told, &answer)?;
                block.told.push(b'\n');
            } else {
                let moved =
                    |hit: NamedHit<'s>| NamedHit { start: hit.start + start, end: hit.end + start, ..hit };
                block.hits.extend(answer.hits.into_iter().map(moved));
            }
            start += line.len();
        }
        Ok(block)
    }
}

fn explain(scrubber: &Scrubber, hit: &NamedHit<'_>) -> anyhow::Result<()> {
    let Some(rule) = scrubber.rules().iter().find(|rule| rule.name == hit.rule) else {
        return Ok(());
    };
    say::line(format_args!("    {}", rule.description))?;
    match &rule.checksum {
        Some(checksum) => say::line(format_args!("    Its check digits hold ({checksum})."))?,
        None => say::line("    Found by its form alone: there are no check digits to ask.")?,
    }
    Ok(())
}
