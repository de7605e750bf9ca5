//! `cargo xtask bench scrub`: does `becivic scrub` keep up, on ordinary and on malicious texts?
//!
//! 1. Build `becivic` in release.
//! 2. Make the texts under `target/bench/scrub/`, the same bytes every time: prose in four languages
//!    ([`prose`]) and notes, one per line.
//! 3. Time the program on an empty file: that is its start-up, and is taken off every time below.
//! 4. Time it on the prose and on the notes, in turns, seven times here and seven after the next step: a machine that is slow
//!    for a while is so for all of them. The best time counts. Both are clean, or a bound is broken.
//! 5. Time it on every text of [`worst`]; those near the bound again, one after the other and all of them several times. The best time of
//!    each text counts, and the slowest text: on one processor, for which all bounds are, and on all of them, as the program runs.
//! 6. Time Presidio's pattern recognisers on a slice of the same texts ([`presidio`]).
//! 7. Print the table, keep a copy in `target/bench/scrub.json`, complain where a bound is broken.

mod presidio;
mod prose;
mod sentences;
mod timing;
mod worst;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::report::{Bound, Line, bounded, number, publish};
use crate::Outcome;
use crate::workspace::{cargo, must_succeed, target_dir};
use presidio::Speed;
use timing::Scrub;
use worst::Source;

/// Below the 64 MiB one text may have.
const PROSE_BYTES: usize = 60_000_000;
const NOTES: usize = 100_000;
const NOTE_CHARACTERS: usize = 500;
const WORST_BYTES: usize = 12_000_000;
/// A text of this size that takes longer than [`HOPELESS`] is not made any larger.
const SAMPLE_BYTES: usize = 500_000;
/// In seconds: a fortieth of the speed the worst text must have.
const HOPELESS: f64 = 1.0;
const SEED: u64 = 7;
const ROUNDS: usize = 7;

/// Prose, in MB/s of 10^6 bytes.
const LEAST_PROSE: f64 = 150.0;
/// The slowest text anybody could write, in MB/s.
const LEAST_WORST: f64 = 20.0;
/// A worst text within this factor of the bound is measured more often: so many times.
const NEAR: f64 = 3.0;
const WORST_ROUNDS: usize = 4;
/// Notes of [`NOTE_CHARACTERS`], per second.
const LEAST_NOTES: f64 = 200_000.0;

/// Less than this cannot be told from the start-up, in seconds.
const SHORTEST: f64 = 1e-3;
const MB: f64 = 1e6;

/// Runs the bench.
pub fn run(root: &Path) -> Result<Outcome> {
    println!("building in release …");
    must_succeed(cargo(root).args("build --quiet --release -p becivic".split(' ')))?;
    let target = target_dir(root)?;
    let bench = target.join("bench");
    let texts = Texts::make(bench.join("scrub"))?;
    let program = target.join("release/becivic");

    println!("measuring …");
    let whole = Scrub { program: &program, lines: false, all: false };
    let by_line = Scrub { lines: true, ..whole };
    let start_up = whole.best_of(3 * ROUNDS, &texts.empty)?;
    let runs = [
        (whole, &texts.prose),
        (by_line, &texts.notes),
        (whole.by_all(), &texts.prose),
        (by_line.by_all(), &texts.notes),
    ];
    let mut seconds = [f64::MAX; 4];
    let mut in_turns = || -> Result<()> {
        for _ in 0..ROUNDS {
            for (best, (scrub, file)) in seconds.iter_mut().zip(runs) {
                *best = best.min(scrub.best_of(1, file)? - start_up);
            }
        }
        Ok(())
    };
    in_turns()?;
    let worst = worst_rows(whole, start_up, &root.join("fuzz/seeds/scrub"), &texts.worst)?;
    in_turns()?;
    let [prose_seconds, notes_seconds, prose_by_all, notes_by_all] = seconds;
    let prose = megabytes(&texts.prose)? / prose_seconds;
    let notes = NOTES as f64 / notes_seconds;
    let flagged = [whole.is_clean(&texts.prose)?, by_line.is_clean(&texts.notes)?];
    let flagged = flagged.iter().filter(|clean| !**clean).count();
    let mut rows = vec![
        number("start-up, taken off every time below", start_up * 1e3, "ms"),
        bounded("prose in four languages", prose, "MB/s", Bound::AtLeast(LEAST_PROSE)),
        bounded("notes of 500 characters", notes, "notes/s", Bound::AtLeast(LEAST_NOTES)),
        number("notes", megabytes(&texts.notes)? / notes_seconds, "MB/s"),
        number("prose, all processors", megabytes(&texts.prose)? / prose_by_all, "MB/s"),
        number("notes, all processors", NOTES as f64 / notes_by_all, "notes/s"),
        bounded("clean texts that are flagged", flagged as f64, "", Bound::AtMost(0.0)),
    ];
    rows.extend(worst);
    match presidio::speeds(root, &bench, &texts.prose, &texts.notes) {
        Ok((kindred, all)) => {
            rows.extend(beside("same kinds", kindred, prose, notes));
            rows.extend(beside("all kinds", all, prose, notes));
        }
        Err(error) => println!("without Presidio: {error:#}"),
    }
    publish(&rows, &bench.join("scrub.json"))
}

/// The files that are scrubbed.
struct Texts {
    empty: PathBuf,
    prose: PathBuf,
    notes: PathBuf,
    /// Written anew for every worst text.
    worst: PathBuf,
}

impl Texts {
    fn make(folder: PathBuf) -> Result<Self> {
        std::fs::create_dir_all(&folder).context("target/bench/scrub cannot be made")?;
        let file = |name: &str| folder.join(name);
        let texts = Self {
            empty: file("empty.txt"),
            prose: file("prose.txt"),
            notes: file("notes.txt"),
            worst: file("worst.txt"),
        };
        std::fs::write(&texts.empty, "").context("the empty text cannot be written")?;
        write(&texts.prose, |out| prose::prose(out, PROSE_BYTES, SEED))?;
        write(&texts.notes, |out| prose::notes(out, NOTES, NOTE_CHARACTERS, SEED))?;
        Ok(texts)
    }
}

fn write(file: &Path, text: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>) -> Result<()> {
    let written = File::create(file).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        text(&mut out)?;
        out.flush()
    });
    written.with_context(|| format!("{} cannot be written", file.display()))
}

/// A row for each worst text, the slowest last, with its bound.
fn worst_rows(scrub: Scrub, start_up: f64, seeds: &Path, file: &Path) -> Result<Vec<Line>> {
    let seconds = |scrub: Scrub, text: &[u8]| -> Result<f64> {
        std::fs::write(file, text).context("a worst text cannot be written")?;
        Ok((scrub.best_of(1, file)? - start_up).max(SHORTEST))
    };
    let mut texts = Vec::new();
    for source in worst::sources(seeds)? {
        let Some(sample) = source.text(SAMPLE_BYTES)? else { continue };
        let (mut bytes, mut by_one) = (sample.text.len(), seconds(scrub, &sample.text)?);
        if by_one < HOPELESS {
            let Some(worst) = source.text(WORST_BYTES)? else { continue };
            (bytes, by_one) = (worst.text.len(), seconds(scrub, &worst.text)?);
        }
        let text = Measured { source, name: sample.name, bytes, by_one, by_all: None };
        println!("{:>10.1} MB/s  {}", text.speed(by_one), text.name);
        texts.push(text);
    }
    let mut near: Vec<&mut Measured> = texts.iter_mut().filter(|text| text.is_near()).collect();
    println!("{} of them again, {WORST_ROUNDS} times …", near.len());
    for _ in 0..WORST_ROUNDS {
        for text in &mut near {
            let Some(worst) = text.source.text(WORST_BYTES)? else { continue };
            text.by_one = text.by_one.min(seconds(scrub, &worst.text)?);
            let by_all = seconds(scrub.by_all(), &worst.text)?;
            text.by_all = Some(text.by_all.map_or(by_all, |before| before.min(by_all)));
        }
    }
    let (mut by_one, mut by_all) = (Slowest::default(), Slowest::default());
    for text in &texts {
        by_one.add(&text.name, text.speed(text.by_one));
        if let Some(seconds) = text.by_all {
            by_all.add(&text.name, text.speed(seconds));
        }
    }
    let mut rows = by_one.bounded_rows("worst", "slowest");
    rows.extend(by_all.bounded_rows("all processors, worst", "all processors, slowest"));
    Ok(rows)
}

/// A worst text with its best times, in seconds.
#[derive(Debug)]
struct Measured {
    source: Source,
    name: String,
    bytes: usize,
    by_one: f64,
    by_all: Option<f64>,
}

impl Measured {
    /// In MB/s.
    #[expect(clippy::cast_precision_loss, reason = "no text here has 2^53 bytes")]
    fn speed(&self, seconds: f64) -> f64 {
        self.bytes as f64 / MB / seconds
    }

    /// Whether it is neither hopeless nor far above the bound.
    fn is_near(&self) -> bool {
        let speed = self.speed(self.by_one);
        self.bytes >= WORST_BYTES && speed > LEAST_WORST / NEAR && speed < LEAST_WORST * NEAR
    }
}

/// Texts with their speeds.
#[derive(Debug, Default)]
struct Slowest(Vec<(String, f64)>);

impl Slowest {
    /// Adds a text where it belongs: the slowest is the last.
    fn add(&mut self, name: &str, speed: f64) {
        let at = self.0.partition_point(|(_, other)| *other >= speed);
        self.0.insert(at, (name.to_owned(), speed));
    }

    /// A row for each, and one for the last with its bound.
    fn bounded_rows(self, what: &str, last: &str) -> Vec<Line> {
        let slowest = self.0.last().map(|(name, speed)| {
            bounded(format!("{last}: {name}"), *speed, "MB/s", Bound::AtLeast(LEAST_WORST))
        });
        let rows = self.0.iter().map(|(name, speed)| number(format!("{what}: {name}"), *speed, "MB/s"));
        rows.chain(slowest).collect()
    }
}

/// Presidio's speed and ours against it.
fn beside(set: &str, speed: Speed, prose: f64, notes: f64) -> Vec<Line> {
    let name = format!("Presidio, {set} ({} recognisers)", speed.recognisers);
    vec![
        number(format!("{name}, prose"), speed.bytes / MB, "MB/s"),
        number(format!("{name}, notes"), speed.notes, "notes/s"),
        number(format!("prose: ours / Presidio, {set}"), prose * MB / speed.bytes, "×"),
        number(format!("notes: ours / Presidio, {set}"), notes / speed.notes, "×"),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "no text here has 2^53 bytes")]
fn megabytes(file: &Path) -> Result<f64> {
    let data = std::fs::metadata(file).with_context(|| format!("{} is missing", file.display()))?;
    Ok(data.len() as f64 / MB)
}
