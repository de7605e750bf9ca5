//! How good and how fast the search is; `cargo xtask bench search` runs this.
//!
//! - `search_score quality CORPUS QUERIES`: labelled queries, how many find what they should, per set and language.
//! - `search_score misses CORPUS QUERIES`: the queries that do not, with what they find.
//! - `search_score ask CORPUS QUERY`: what one query finds, and why.
//! - `search_score speed CORPUS QUERIES`: time of a question, memory of the index, time of an update.
//!
//! `quality` and `speed` print JSON.

use becivic_core::corpus::{Content, Corpus, Input};
use becivic_core::search::{Index, Kind, Question, find};
use becivic_core::vocabulary::Language;
use serde::Deserialize;
use serde_json::json;
use std::alloc::{GlobalAlloc, Layout, System};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

/// Counts the bytes that are in use.
struct Counting;

static IN_USE: AtomicI64 = AtomicI64::new(0);

#[allow(unsafe_code)] // An allocator cannot be written without; it hands everything on to the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller's promise is the one that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Deserialize)]
struct Labelled {
    set: String,
    language: Language,
    query: String,
    #[serde(default)]
    expected: Vec<String>,
    #[serde(default)]
    outside: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["quality", corpus, queries] => quality(&read(corpus)?, &labelled(queries)?),
        ["misses", corpus, queries] => misses(&read(corpus)?, &labelled(queries)?),
        ["ask", corpus, query] => ask(&read(corpus)?, query),
        ["speed", corpus, queries] => speed(&read(corpus)?, &labelled(queries)?)?,
        _ => return Err("quality | misses | speed CORPUS QUERIES, or ask CORPUS QUERY".into()),
    }
    Ok(())
}

fn labelled(file: &str) -> Result<Vec<Labelled>, Box<dyn Error>> {
    Ok(serde_json::from_str(&fs::read_to_string(file)?)?)
}

fn read(folder: &str) -> Result<Corpus, Box<dyn Error>> {
    let mut inputs = Vec::new();
    let mut folders = vec![Path::new(folder).to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
            inputs.push(Input { path: relative, content: Content::Bytes(fs::read(&path)?) });
        }
    }
    Ok(Corpus::from_inputs(inputs))
}

/// The skills and paths that a query finds.
fn asked(index: &Index, query: &str, limit: usize) -> (Vec<String>, bool) {
    let kinds = [Kind::Skill, Kind::Path];
    let found = find(index, &Question { kinds: &kinds, limit, ..Question::new(query) });
    (found.hits.into_iter().map(|hit| hit.id).collect(), found.nothing_fits)
}

/// The place of the first hit that was expected, from 1.
fn place(hits: &[String], labelled: &Labelled) -> Option<usize> {
    hits.iter().position(|id| labelled.expected.contains(id)).map(|at| at + 1)
}

fn quality(corpus: &Corpus, queries: &[Labelled]) {
    let index = Index::of(corpus);
    let places: Vec<_> = queries
        .iter()
        .map(|labelled| {
            let (hits, nothing_fits) = asked(&index, &labelled.query, 10);
            (labelled, place(&hits, labelled), nothing_fits)
        })
        .collect();
    let mut rows = Vec::new();
    for set in ["all", "tune", "held_out", "later"] {
        let of_set = |labelled: &Labelled| set == "all" || labelled.set == set;
        let of_language = |name: &str, labelled: &Labelled| match name {
            "all" => true,
            "across" => labelled.language != Language::En,
            name => labelled.language.as_str() == name,
        };
        for name in ["all", "across", "en", "fr", "nl", "de"] {
            let chosen = places.iter().filter(|(labelled, ..)| {
                of_set(labelled) && of_language(name, labelled) && !labelled.outside
            });
            let places: Vec<_> = chosen.map(|(_, place, _)| *place).collect();
            let near = places.iter().flatten().filter(|place| **place <= 3).count();
            let reciprocal: f64 = places.iter().flatten().map(|place| 1.0 / *place as f64).sum();
            rows.push(json!({
                "set": set, "language": name, "queries": places.len(),
                "recall_at_3": near as f64 / places.len() as f64,
                "mrr": reciprocal / places.len() as f64,
            }));
        }
        let outside: Vec<_> =
            places.iter().filter(|(labelled, ..)| of_set(labelled) && labelled.outside).collect();
        let right = outside.iter().filter(|(_, _, nothing_fits)| *nothing_fits).count();
        rows.push(json!({
            "set": set, "language": "outside", "queries": outside.len(),
            "fallback": right as f64 / outside.len() as f64,
        }));
    }
    println!("{}", serde_json::Value::Array(rows));
}

fn misses(corpus: &Corpus, queries: &[Labelled]) {
    let index = Index::of(corpus);
    for labelled in queries {
        let (hits, nothing_fits) = asked(&index, &labelled.query, 10);
        let found = place(&hits, labelled);
        let right = if labelled.outside { nothing_fits } else { found.is_some_and(|place| place <= 3) };
        if !right {
            let first: Vec<_> = hits.iter().take(4).collect();
            println!("{:8} {} {:50} {found:?} {first:?}", labelled.set, labelled.language, labelled.query);
        }
    }
}

fn ask(corpus: &Corpus, query: &str) {
    let index = Index::of(corpus);
    let found = find(&index, &Question::new(query));
    println!("nothing fits: {}", found.nothing_fits);
    for hit in found.hits {
        println!("{:4} {} {}", hit.score, hit.kind, hit.id);
        for reason in hit.reasons {
            println!("       {reason}");
        }
    }
}

fn speed(corpus: &Corpus, queries: &[Labelled]) -> Result<(), Box<dyn Error>> {
    let before = IN_USE.load(Ordering::Relaxed);
    let start = Instant::now();
    let index = Index::of(corpus);
    let build = start.elapsed();
    let memory = IN_USE.load(Ordering::Relaxed) - before;

    let (mut times, mut slowest) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        for labelled in queries {
            let start = Instant::now();
            let (hits, _) = asked(&index, &labelled.query, 10);
            let took = start.elapsed().as_secs_f64() * 1e3;
            times.push(took);
            slowest.push((took, &labelled.query));
            std::hint::black_box(hits);
        }
    }
    times.sort_by(f64::total_cmp);
    slowest.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (took, query) in slowest.iter().take(10) {
        eprintln!("{took:8.3} ms  {query}");
    }
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0.0);

    let long = "gezinssamenstelling verhuizen casier judiciaire ".repeat(100_000);
    let start = Instant::now();
    std::hint::black_box(asked(&index, &long, 10));
    let hostile = start.elapsed().as_secs_f64() * 1e3;

    let mut updates = Vec::new();
    let (mut corpus, mut index) = (corpus.clone(), index);
    let ids: Vec<String> = corpus.skills.keys().step_by(97).take(60).cloned().collect();
    for id in ids {
        let path = format!("skills/{id}/canonical.md");
        let text = corpus.skills.get(&id).map(|skill| skill.source.text().to_owned()).unwrap_or_default();
        let changed =
            Input { path, content: Content::Bytes(format!("{text}\nAnother sentence.\n").into_bytes()) };
        corpus = corpus.patched(vec![changed], &[]).ok_or("the corpus must be read anew")?;
        let start = Instant::now();
        index = index.updated(&corpus);
        updates.push(start.elapsed().as_secs_f64() * 1e3);
    }
    updates.sort_by(f64::total_cmp);
    println!(
        "{}",
        json!({
            "documents": index.len(),
            "build_s": build.as_secs_f64(),
            "memory_mb": memory as f64 / 1e6,
            "p50_ms": at(0.5), "p99_ms": at(0.99), "slowest_ms": times.last(),
            "five_megabytes_ms": hostile,
            "update_p50_ms": updates.get(updates.len() / 2), "update_slowest_ms": updates.last(),
        })
    );
    Ok(())
}
