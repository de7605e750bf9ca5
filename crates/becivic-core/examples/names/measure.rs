//! How good the recogniser is on other people's labelled files, and how fast it is on notes.

use crate::Failure;
use crate::score::Line;
use crate::{labelled, score};
use becivic_core::names::Names;
use serde_json::{Value, json};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Notes that are timed, made of the test lines.
const NOTES: usize = 20_000;
const NOTE_CHARACTERS: usize = 500;
const ROUNDS: usize = 3;

/// Whole names found exactly: precision, recall and F1 by file.
pub fn labelled(names: &Names<'_>, data: &Path, pins: &Path) -> Result<Value, Failure> {
    let mut scores = serde_json::Map::new();
    for (file, sentences) in labelled::read(data, &fs::read_to_string(pins)?)? {
        // Nothing was learned from the others.
        if file.contains("train") {
            continue;
        }
        let (mut right, mut found, mut wanted) = (0usize, 0usize, 0usize);
        for sentence in &sentences {
            let (text, spans) = sentence.text();
            let persons = names.find(&text).persons;
            right += persons.iter().filter(|it| spans.contains(&(it.start..it.end))).count();
            found += persons.len();
            wanted += spans.len();
        }
        let share = |of: usize| right as f64 / of.max(1) as f64;
        let (precision, recall) = (share(found), share(wanted));
        let f1 = 2.0 * precision * recall / (precision + recall).max(1e-9);
        scores.insert(file, json!({ "sentences": sentences.len(), "names": wanted, "precision": precision, "recall": recall, "f1": f1 }));
    }
    Ok(scores.into())
}

/// A labelled file as lines of `- TAB - TAB text with [[names]]`.
pub fn marked(data: &Path, pins: &Path, file: &str) -> Result<String, Failure> {
    let files = labelled::read(data, &fs::read_to_string(pins)?)?;
    let (_, sentences) = files.iter().find(|(name, _)| name == file).ok_or("no such file is pinned")?;
    let mut out = String::new();
    for sentence in sentences {
        out.push_str("-\t-\t");
        for (piece, is_name) in &sentence.pieces {
            out.push_str(&if *is_name { format!("[[{piece}]]") } else { piece.clone() });
        }
        out.push('\n');
    }
    Ok(out)
}

/// Notes per second, the slowest of a hundred, and the time to be ready.
pub fn speed(model: &Path, folder: &Path) -> Result<Value, Failure> {
    let bytes = fs::read(model)?;
    let began = Instant::now();
    let names = Names::read(&bytes)?;
    black_box(names.find("Bonjour"));
    let ready = began.elapsed().as_secs_f64() * 1e3;
    let lines = score::read(folder, "")?;
    let notes = notes(&lines);
    let mut best = f64::MAX;
    let mut each = Vec::new();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        each.clear();
        for note in &notes {
            let began = Instant::now();
            black_box(names.find(note));
            each.push(began.elapsed().as_secs_f64() * 1e3);
        }
        best = best.min(began.elapsed().as_secs_f64());
    }
    each.sort_by(f64::total_cmp);
    let lines_began = Instant::now();
    for line in &lines {
        black_box(names.find(&line.text));
    }
    let per_line = lines_began.elapsed().as_secs_f64() / lines.len() as f64;
    Ok(json!({
        "bytes": bytes.len(),
        "ready_ms": ready,
        "notes_per_second": notes.len() as f64 / best,
        "p99_ms": each.get(each.len() * 99 / 100),
        "lines_per_second": 1.0 / per_line,
        "resident_mb": resident(),
    }))
}

/// Names found, spans right, lines held and lines per second, in one language.
pub fn compare(model: &Path, folder: &Path, language: &str) -> Result<Value, Failure> {
    let bytes = fs::read(model)?;
    let names = Names::read(&bytes)?;
    let lines: Vec<Line> =
        score::read(folder, "")?.into_iter().filter(|line| line.language == language).collect();
    let scores = score::score(&names, &lines, |_, _| {});
    let [recall, precision, held] = [&scores.recall, &scores.precision, &scores.held]
        .map(|of| of.get("all").copied().unwrap_or_default());
    let seconds = (0..ROUNDS).map(|_| {
        let began = Instant::now();
        lines.iter().for_each(|line| drop(black_box(names.find(&line.text))));
        began.elapsed().as_secs_f64()
    });
    let best = seconds.fold(f64::MAX, f64::min);
    Ok(json!({
        "names": recall.of, "names_found": recall.hits,
        "spans": precision.of, "spans_right": precision.hits,
        "benign": held.of, "benign_held": held.hits,
        "lines_per_second": lines.len() as f64 / best,
    }))
}

/// Notes of 500 characters, made of test lines one after another.
fn notes(lines: &[Line]) -> Vec<String> {
    let mut texts = lines.iter().map(|line| line.text.as_str()).cycle();
    let mut note = || {
        let mut note = String::new();
        while note.chars().count() < NOTE_CHARACTERS {
            note.push_str(texts.next().unwrap_or("."));
            note.push(' ');
        }
        note.chars().take(NOTE_CHARACTERS).collect()
    };
    (0..NOTES).map(|_| note()).collect()
}

/// What the process has in memory, in megabytes of 10^6 bytes, where the system tells.
fn resident() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}
