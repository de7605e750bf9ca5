//! `becivic index`: the rollups of skills and paths, and the list of categories in use.

use crate::{Outcome, folder, say, write};
use anyhow::bail;
use becivic_core::corpus::Corpus;
use becivic_core::rollup::{self, Unreadable};
use std::fs;
use std::path::{Path, PathBuf};

/// Write the rollups of skills and paths, and list new categories
///
/// skills/rollup.json and paths/rollup.json say of each artefact what a reader chooses by. They hold only what
/// the files themselves determine, so the same corpus gives the same bytes, and `becivic check` can tell when
/// they are stale. Categories in use that schemas/categories.json does not list are added there; one that
/// looks like a misspelling is not.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic index corpus\n  becivic index corpus --check    exit 1 when something is stale\n\nExit codes: 0 fine, 1 stale (--check) or something could not be read, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The corpus folder: the one that holds skills/ and paths/
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,

    /// Change nothing; say what is stale and exit 1 if anything is
    #[arg(long)]
    check: bool,
}

/// Where the rollups are.
const SKILLS: &str = "skills/rollup.json";
const PATHS: &str = "paths/rollup.json";
/// Where categories are listed.
const CATEGORIES: &str = "schemas/categories.json";

impl Args {
    /// Writes the files.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let corpus = folder::read(&self.dir, None)?.corpus;
        let has_skills = !corpus.skills.is_empty() || !corpus.unreadable_skills.is_empty();
        if !has_skills && corpus.paths.is_none() && !corpus.paths_unreadable {
            bail!("{} holds no corpus: there is no skill and no path in it", self.dir.display());
        }
        let (files, mut outcome) = fresh(&corpus);
        for (path, text) in files {
            let same = fs::read(self.dir.join(path)).is_ok_and(|bytes| bytes == text.as_bytes());
            if same {
                continue;
            }
            if self.check {
                say::line(format_args!("stale {path}"))?;
                outcome = Outcome::Findings;
            } else {
                write::replace(&self.dir, path, text.as_bytes())?;
                say::line(format_args!("wrote {path}"))?;
            }
        }
        Ok(outcome)
    }
}

/// Brings rollups that exist up to date; a corpus that keeps none gets none. Says what it wrote.
pub fn refresh(dir: &Path) -> anyhow::Result<()> {
    let corpus = folder::read(dir, None)?.corpus;
    let kept = [
        (SKILLS, corpus.skills_rollup.as_ref(), rollup::skills(&corpus)),
        (PATHS, corpus.paths_rollup.as_ref(), rollup::paths(&corpus)),
    ];
    for (path, committed, fresh) in kept {
        if let (Some(committed), Ok(fresh)) = (committed, fresh)
            && committed.text() != fresh
        {
            write::replace(dir, path, fresh.as_bytes())?;
            say::line(format_args!("wrote {path}"))?;
        }
    }
    Ok(())
}

/// What the files should hold, and whether everything could be read.
fn fresh(corpus: &Corpus) -> (Vec<(&'static str, String)>, Outcome) {
    let mut files = Vec::new();
    let mut outcome = Outcome::Fine;
    let listed = corpus.categories.is_some();
    let listing = rollup::categories(corpus);
    for (name, near) in &listing.near {
        say::aside(format_args!("not listed: the category `{name}` looks like a misspelling of `{near}`"));
        outcome = Outcome::Findings;
    }
    if !listed && corpus.findings.iter().any(|finding| finding.file == CATEGORIES) {
        say::aside(format_args!("left alone: {CATEGORIES} cannot be read; run `becivic check`"));
        outcome = Outcome::Findings;
    } else if let Some(text) = listing.text {
        files.push((CATEGORIES, text));
    }
    let has_paths = corpus.paths.is_some() || corpus.paths_unreadable || corpus.paths_rollup.is_some();
    let rollups = [(SKILLS, true, rollup::skills(corpus)), (PATHS, has_paths, rollup::paths(corpus))];
    for (path, wanted, text) in rollups {
        match text {
            Ok(text) if wanted => files.push((path, text)),
            Ok(_) => {}
            Err(Unreadable(names)) => {
                for name in names.iter().take(20) {
                    say::aside(format_args!(
                        "{path} is left alone: {name} cannot be read; run `becivic check`"
                    ));
                }
                outcome = Outcome::Findings;
            }
        }
    }
    (files, outcome)
}
