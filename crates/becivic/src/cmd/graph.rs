//! `becivic graph`: the skills graph for programs, for Graphviz, or as a picture.

use super::words::one_of;
use crate::{Outcome, folder};
use becivic_core::graph_view::{Filter, View};
use becivic_core::schema::Schema;
use becivic_core::vocabulary::{Domain, Status};
use std::io::Write;
use std::path::PathBuf;

/// Print the graph of skills: what requires, precedes or relates to what
///
/// The JSON form is the answer that agents get from /api/skill-graph: prerequisites and related skills. The DOT
/// and SVG forms show the composition too: solid lines for requires, dashed for prerequisites, dotted for
/// related. Deprecated and quarantined skills are never shown; meta-no-skill-fallback always is.
///
/// The output depends on the corpus and the arguments alone.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic graph corpus --format svg > graph.svg\n  becivic graph corpus --format dot | dot -Tpdf -o graph.pdf\n  becivic graph corpus --format json --status beta,stable --at 2026-05-11T15:00:00Z\n  becivic graph corpus --format svg --domain residency\n\nExit codes: 0 fine, 2 wrong usage, 3 could not run."
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
        let filter = Filter { status: once(self.status), domain: once(self.domain) };
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
        std::io::stdout().write_all(text.as_bytes())?;
        Ok(Outcome::Fine)
    }
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
    match Schema::SkillGraph.accepts(&probe) {
        true => Ok(text.to_owned()),
        false => Err("write a time like 2026-05-11T15:00:00Z".to_owned()),
    }
}
