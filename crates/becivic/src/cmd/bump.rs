//! `becivic bump`: writes the versions a change calls for.

use crate::base::BaseTree;
use crate::{Outcome, folder, say, write};
use becivic_core::bump;
use std::path::PathBuf;

/// Write the versions that a change against a Git revision calls for
///
/// The version follows the status: draft 0.0.x, alpha 0.1.x, beta 0.2.x, stable 1.0.x. A content edit adds one
/// to the patch; a new status starts its line at 0; an edit of tag form alone changes nothing; deprecated and
/// quarantined artefacts keep the version they had. The Path Directory's own version follows its entries.
/// Artefacts with `version_pin: true` are skipped, and named.
///
/// Only the version's own characters change in a file. Counting starts at the base, so a second run changes
/// nothing.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic bump corpus                    uncommitted edits\n  becivic bump corpus --base main        everything since main\n  becivic bump corpus --base main --check\n\nExit codes: 0 fine, 1 versions are wrong (--check) or something could not be read, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The corpus folder: the one that holds skills/ and paths/
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,

    /// The Git revision to compare with
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    base: String,

    /// Change nothing; say what would change and exit 1 if anything would
    #[arg(long)]
    check: bool,
}

impl Args {
    /// Writes the versions.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let base = BaseTree::open(&self.dir, &self.base)?;
        let read = folder::read(&self.dir, Some(&base.blobs))?;
        let change = base.change(&self.dir, read.changed)?;
        let plan = bump::plan(&read.corpus, &change, &read.corpus.catalogue);
        if !self.check {
            for (path, text) in &plan.files {
                write::replace(&self.dir, path, text.as_bytes())?;
            }
        }
        for bump in &plan.bumps {
            say::line(bump)?;
        }
        for name in &plan.pinned {
            say::line(format_args!("{name} is pinned and left alone"))?;
        }
        for name in &plan.unreadable {
            say::aside(format_args!("{name} cannot be read and is left alone; run `becivic check`"));
        }
        let kept = read.corpus.skills_rollup.is_some() || read.corpus.paths_rollup.is_some();
        if kept && !self.check && !plan.bumps.is_empty() {
            say::line("now run `becivic index`: the rollups name these versions")?;
        }
        let wrong = self.check && !plan.bumps.is_empty();
        Ok(if wrong || !plan.unreadable.is_empty() { Outcome::Findings } else { Outcome::Fine })
    }
}
