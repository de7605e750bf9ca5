//! `becivic scrub`: personal data in a text.
//!
//! 1. Read the text: a file or standard input, UTF-8, up to [`MAX_TEXT`].
//! 2. Run the rules of this program, or those of --rules, which are judged first.
//! 3. Say what was found and where; with --redact, give the text without it. What was found is never shown.
//!    With --lines each line is a text of its own, and has an answer of its own.

pub mod rules;

use crate::{Outcome, say};
use anyhow::{Context, bail};
use becivic_core::scrub::{Answer, NamedHit, Scrubber, State};
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

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

/// The largest text, in bytes.
const MAX_TEXT: u64 = 64 << 20;

impl Args {
    /// Scrubs the text.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let name =
            if self.is_standard_input() { "standard input".into() } else { self.file.to_string_lossy() };
        let text = text(&name, self.read()?)?;
        let own;
        let scrubber = match &self.rules {
            None => rules::bundled()?,
            Some(path) => {
                own = rules::read(path)?;
                &own
            }
        };
        if self.redact {
            say::text(&scrubber.redact(&text))?;
            return Ok(Outcome::Fine);
        }
        let answer = if self.lines { by_line(scrubber, &text, self.json)? } else { scrubber.answer(&text) };
        match (self.json, self.lines) {
            (true, true) => {}
            (true, false) => say::json(&answer)?,
            (false, _) => self.tell(scrubber, &answer, &name, &text)?,
        }
        Ok(match answer.status {
            State::Clean => Outcome::Fine,
            State::Flagged => Outcome::Findings,
        })
    }

    fn is_standard_input(&self) -> bool {
        self.file == Path::new("-")
    }

    fn read(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if self.is_standard_input() {
            if std::io::stdin().is_terminal() {
                say::aside("Reading from the terminal; end with Ctrl-D.");
            }
            std::io::stdin()
                .take(MAX_TEXT + 1)
                .read_to_end(&mut bytes)
                .context("cannot read standard input")?;
        } else {
            let file =
                File::open(&self.file).with_context(|| format!("cannot open {}", self.file.display()))?;
            let size = file.metadata().map_or(0, |data| data.len().min(MAX_TEXT));
            bytes.reserve(usize::try_from(size).unwrap_or(0) + 1);
            file.take(MAX_TEXT + 1)
                .read_to_end(&mut bytes)
                .with_context(|| format!("cannot read {}", self.file.display()))?;
        }
        Ok(bytes)
    }

    fn tell(&self, scrubber: &Scrubber, answer: &Answer<'_>, name: &str, text: &str) -> anyhow::Result<()> {
        let mut place = Place { line: 1, column: 1, offset: 0 };
        for hit in answer.hits.iter().take(MAX_TOLD) {
            place.go_to(text, hit.start);
            let Place { line, column, .. } = place;
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

/// A place in a text, moved forward from hit to hit.
struct Place {
    line: usize,
    column: usize,
    offset: usize,
}

impl Place {
    fn go_to(&mut self, text: &str, offset: usize) {
        for c in text.get(self.offset..offset).unwrap_or_default().chars() {
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.offset = offset;
    }
}

/// Scrubs each line by itself, and prints an answer for each if asked to. The hits of all of them together
/// are places of the whole text.
fn by_line<'s>(scrubber: &'s Scrubber, text: &str, print: bool) -> anyhow::Result<Answer<'s>> {
    let mut whole = Answer { status: State::Clean, hits: Vec::new() };
    let (mut start, mut out) = (0, Vec::new());
    for line in text.split_inclusive('\n') {
        let answer = scrubber.answer(line.trim_end_matches(['\r', '\n']));
        if print {
            serde_json::to_writer(&mut out, &answer)?;
            out.push(b'\n');
        }
        if answer.status == State::Flagged {
            whole.status = State::Flagged;
            let moved =
                |hit: NamedHit<'s>| NamedHit { start: hit.start + start, end: hit.end + start, ..hit };
            whole.hits.extend(answer.hits.into_iter().map(moved));
        }
        start += line.len();
    }
    say::bytes(&out)?;
    Ok(whole)
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

/// The bytes as text, unless they are too many or none.
fn text(name: &str, bytes: Vec<u8>) -> anyhow::Result<String> {
    if bytes.len() as u64 > MAX_TEXT {
        bail!("{name} has more than {MAX_TEXT} bytes; give it in parts");
    }
    if let Some(at) = memchr::memchr(0, &bytes) {
        bail!("{name} is not text: byte {at} is zero; give a text in UTF-8");
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        anyhow::anyhow!("{name} is not UTF-8: byte {at} fits no character; convert it first")
    })
}
