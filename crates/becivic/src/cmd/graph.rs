//! `becivic graph`: the skills graph for programs, for Graphviz, or as a picture.

use super::words::{date, one_of};
use crate::{Outcome, folder, say};
use becivic_core::corpus::Corpus;
use becivic_core::graph_view::{Filter, View};
use becivic_core::rules;
use becivic_core::schema::Schema;
use becivic_core::vocabulary::{Domain, Status};
use std::path::{Path, PathBuf};

/// Print the graph of skills: what requires, precedes or relates to what
///
/// The JSON form is the answer that agents get from /api/skill-graph: prerequisites and related skills. The DOT
/// and SVG forms show the composition too: solid lines for requires, dashed for prerequisites, dotted for
/// related. Deprecated and quarantined skills are never shown; meta-no-skill-fallback always is.
///
/// Skills that cannot be read are left out and named on standard error, and so is a circle among the others.
///
/// The output depends on the corpus and the arguments alone.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic graph corpus --format svg > graph.svg\n  becivic graph corpus --format dot | dot -Tpdf -o graph.pdf\n  becivic graph corpus --format json --status beta,stable --at 2026-05-11T15:00:00Z\n  becivic graph corpus --format svg --domain residency\n\nExit codes: 0 fine, 1 there is no skill, one cannot be read or they go in a circle, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The corpus folder: the one that holds skills/ and paths/
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,

    /// How to write the graph
    #[arg(long, value_enum)]
    format: Format,

    /// Only skills of these statuses (default: all four)
    #[arg(long, value_delimiter = ',', value_parser = one_of(SHOWN, Status::as_str), value_name = "STATUS")]
    status: Vec<Status>,

    /// Only skills of these domains (default: all)
    #[arg(long, value_delimiter = ',', value_parser = one_of(Domain::ALL, Domain::as_str), value_name = "DOMAIN")]
    domain: Vec<Domain>,

    /// The JSON form's generated_at (RFC 3339, UTC); fixed unless given, so that equal input gives equal output
    #[arg(long, default_value = "1970-01-01T00:00:00Z", value_parser = timestamp, value_name = "TIME")]
    at: String,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// The answer of the skills graph
    Json,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

/// The statuses a graph shows (§24.2).
const SHOWN: &[Status] = &[Status::Draft, Status::Alpha, Status::Beta, Status::Stable];

impl Args {
    /// Prints the graph.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let corpus = folder::read(&self.dir, None)?.corpus;
        let filter = Filter { status: once(self.status), domain: once(self.domain), ..Filter::default() };
        let view = View::of(&corpus, filter);
        let text = match self.format {
            Format::Dot => view.dot(),
            Format::Svg => view.svg(),
            Format::Json => {
                let mut text = serde_json::to_string_pretty(&view.answer(&self.at))?;
                text.push('\n');
                text
            }
        };
        say::text(&text)?;
        let troubles = troubles(&self.dir, &corpus);
        for trouble in &troubles {
            say::aside(trouble);
        }
        Ok(if troubles.is_empty() { Outcome::Fine } else { Outcome::Findings })
    }
}

/// Why the graph is not the whole graph, or not one that can be walked.
fn troubles(dir: &Path, corpus: &Corpus) -> Vec<String> {
    let mut troubles = Vec::new();
    let misfits = corpus.skills.iter().filter(|(_, skill)| skill.front.is_none()).map(|(id, _)| id);
    for id in corpus.unreadable_skills.iter().chain(misfits) {
        troubles.push(format!("skills/{id} cannot be read and is left out; run `becivic check`"));
    }
    for finding in &corpus.findings {
        let named = finding.file.ends_with("/canonical.md");
        if finding.rule == "unreadable_file" && finding.file.starts_with("skills") && !named {
            troubles.push(format!("{}: {}", finding.file, finding.message));
        }
    }
    if corpus.skills.is_empty() && troubles.is_empty() {
        troubles.push(format!("{} holds no skill; is it a corpus?", dir.display()));
    }
    for finding in rules::check(corpus, &corpus.catalogue, None) {
        if finding.rule == "graph_cycle" {
            troubles.push(format!("{}:{}: {}", finding.file, finding.line, finding.message));
        }
    }
    troubles
}

/// The words in order, once each.
fn once<T: Ord>(mut words: Vec<T>) -> Vec<T> {
    words.sort();
    words.dedup();
    words
}

/// A timestamp as the graph's schema has it.
fn timestamp(text: &str) -> Result<String, String> {
    let probe = serde_json::json!({"generated_at": text, "filters_applied": {}, "nodes": [], "edges": []});
    let day = text.get(..10).is_some_and(|day| date(day).is_ok());
    match day && Schema::SkillGraph.accepts(&probe) {
        true => Ok(text.to_owned()),
        false => Err("write a time like 2026-05-11T15:00:00Z".to_owned()),
    }
}
