//! The yardstick: a bare CommonMark parser over the same bodies.
//!
//! 1. Read every `skills/*/canonical.md` into memory and cut the frontmatter off.
//! 2. Walk all events of `Parser::new(body)`, no extensions, body after body, on one thread.
//! 3. Do that [`ROUNDS`] times; print the best time as one line of JSON.
//!
//! `bench check` runs this in a process of its own, built in release, so that the parser is as
//! optimised as the program it is compared with and the bodies never weigh on the measuring process.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use pulldown_cmark::Parser;

use crate::Outcome;

/// How often the whole corpus is parsed; the best round counts.
const ROUNDS: usize = 5;

/// Measures and prints `{"bodies": …, "bytes": …, "events": …, "seconds": …}`.
pub fn run(corpus: Option<&Path>) -> Result<Outcome> {
    let corpus = corpus.context("say which corpus with --corpus DIR")?;
    let bodies = bodies(corpus)?;
    let bytes: usize = bodies.iter().map(String::len).sum();
    let mut events = 0;
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        events = bodies.iter().map(|body| parse(body)).sum::<usize>();
        best = best.min(began.elapsed().as_secs_f64());
    }
    let line = serde_json::json!({
        "bodies": bodies.len(), "bytes": bytes, "events": events, "seconds": best,
    });
    println!("{line}");
    Ok(Outcome::Fine)
}

fn parse(body: &str) -> usize {
    Parser::new(body).map(black_box).count()
}

fn bodies(corpus: &Path) -> Result<Vec<String>> {
    let folder = corpus.join("skills");
    let mut bodies = Vec::new();
    let entries =
        std::fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path().join("canonical.md");
        if path.is_file() {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("{} cannot be read", path.display()))?;
            bodies.push(body(&text).to_owned());
        }
    }
    Ok(bodies)
}

/// What follows the closing `---` of the frontmatter.
fn body(text: &str) -> &str {
    let after = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    after.map_or(text, |(_, body)| body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontmatter_is_no_part_of_the_body() {
        assert_eq!(body("---\nid: a\n---\n\n## B\n"), "\n## B\n");
        assert_eq!(body("## B\n"), "## B\n");
    }

    #[test]
    fn every_event_is_walked() {
        assert_eq!(parse("a *b*\n"), 6);
    }
}
