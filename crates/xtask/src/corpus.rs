//! `cargo xtask corpus`: a generated corpus, valid, realistic and equal to the byte for a seed.
//!
//! 1. Refuse a folder that holds something, or one of the checkout's own corpora.
//! 2. Plan ids, statuses and edges ([`plan`]).
//! 3. Write the fixed files: schemas' tables, scrub rules and contract copied from `corpus/`, data,
//!    catalogue, paths.
//! 4. Write the skills, each from a random stream of its own, on all cores; a line on stderr says
//!    how far it is.
//!
//! No clock and no foreign randomness: the bytes depend on sizes and seed (and on the copied files).

mod body;
mod catalogue;
mod data;
mod dates;
mod plan;
mod prose;
pub mod rng;
mod route;
mod skill;
mod source;
mod words;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};

use crate::Outcome;
use body::Sources;
use plan::Plan;

/// Arguments of `cargo xtask corpus`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many skills, the fallback included.
    #[arg(long, value_name = "N", value_parser = size)]
    skills: usize,
    /// How many paths.
    #[arg(long, value_name = "M", value_parser = size)]
    paths: usize,
    /// The seed: equal seeds give equal bytes.
    #[arg(long, value_name = "S")]
    seed: u64,
    /// The folder to write; made when missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write into a folder that holds something: the corpus folders in it are deleted first.
    #[arg(long)]
    force: bool,
}

/// The folders of a corpus; `--force` deletes these and nothing else.
const FOLDERS: &[&str] = &["catalogue", "data", "docs", "paths", "schemas", "scrub", "skills"];

/// Files every corpus shares, taken from the checkout's `corpus/`.
const COPIED: &[&str] = &[
    "schemas/types.json",
    "schemas/categories.json",
    "schemas/source-classes.json",
    "scrub/regex-rules.json",
    "docs/submission-contract-v2.mdx",
];

/// Above this many skills the progress is shown, on a terminal.
const SHOW_PROGRESS: usize = 2_000;

/// Writes the corpus.
pub fn run(root: &Path, args: &Args) -> Result<Outcome> {
    make_room(root, args)?;
    let plan = Plan::new(args.skills, args.paths, args.seed);
    let sources = sources(&plan);
    for name in COPIED {
        let from = root.join("corpus").join(name);
        let bytes =
            std::fs::read(&from).with_context(|| format!("corpus/{name} is missing from the checkout"))?;
        write(&args.out, name, &without_links(bytes))?;
    }
    for (name, text) in fixed_files(&plan, &sources)? {
        write(&args.out, name, text.as_bytes())?;
    }
    write_skills(&plan, &sources, &args.out)?;
    println!("{}: {} skills, {} paths, seed {}", args.out.display(), args.skills, args.paths, args.seed);
    Ok(Outcome::Fine)
}

/// The same without links to pages of the site, which a generated corpus does not have.
fn without_links(bytes: Vec<u8>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&bytes) else { return bytes };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((label, after)) = rest.split_once("](/") {
        let (Some(open), Some((_, after))) = (label.rfind('['), after.split_once(')')) else { break };
        out.push_str(label.get(..open).unwrap_or_default());
        out.push_str(label.get(open + 1..).unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
    out.into_bytes()
}

fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=99_999) => Ok(number),
        _ => Err("a whole number from 1 to 99999".to_owned()),
    }
}

fn make_room(root: &Path, args: &Args) -> Result<()> {
    let out = &args.out;
    let real = real_path(out)?;
    for ours in ["corpus", "fixtures"] {
        if real.starts_with(real_path(&root.join(ours))?) {
            bail!("{} is written by hand; choose another folder", out.display());
        }
    }
    std::fs::create_dir_all(out).with_context(|| format!("{} cannot be made", out.display()))?;
    if std::fs::read_dir(out)?.next().is_none() {
        return Ok(());
    }
    if !args.force {
        bail!("{} is not empty; empty it, or say --force", out.display());
    }
    for folder in FOLDERS.iter().map(|name| out.join(name)) {
        if folder.is_dir() {
            std::fs::remove_dir_all(&folder)
                .with_context(|| format!("{} cannot be deleted", folder.display()))?;
        }
    }
    Ok(())
}

/// The path with links resolved, as far as it exists.
fn real_path(path: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let existing = path.ancestors().find(|folder| folder.exists());
    let (Some(existing), false) = (existing, path.exists()) else {
        return Ok(path.canonicalize()?);
    };
    Ok(existing.canonicalize()?.join(path.strip_prefix(existing)?))
}

fn sources(plan: &Plan) -> Sources {
    let all = 0..plan.catalogue;
    Sources {
        values: all.clone().map(|n| catalogue::value(plan.seed, n)).collect(),
        references: all.map(|n| catalogue::reference(plan.seed, n)).collect(),
    }
}

fn fixed_files(plan: &Plan, sources: &Sources) -> Result<Vec<(&'static str, String)>> {
    Ok(vec![
        ("data/communes.json", data::communes_file()?),
        ("data/authorities.json", data::authorities_file()?),
        ("catalogue/volatile-values.jsonl", catalogue::values_file(&sources.values)),
        ("catalogue/references.jsonl", catalogue::references_file(&sources.references)),
        ("paths/index.json", route::index_file(plan)?),
    ])
}

fn write_skills(plan: &Plan, sources: &Sources, out: &Path) -> Result<()> {
    let next = AtomicUsize::new(0);
    let total = plan.skills.len();
    let show = total > SHOW_PROGRESS && std::io::stderr().is_terminal();
    let work = || -> Result<()> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(skill) = plan.skills.get(index) else {
                return Ok(());
            };
            let files = skill::files(plan, sources, index);
            write(out, &format!("skills/{}/canonical.md", skill.id), files.canonical.as_bytes())?;
            if let Some(process) = files.process {
                write(out, &format!("skills/{}/process.mmd", skill.id), process.as_bytes())?;
            }
            if show && index % 500 == 499 {
                eprint!("\r{} of {total} skills", index + 1);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let results: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    if show {
        eprintln!("\r{total} of {total} skills");
    }
    for result in results {
        match result {
            Ok(written) => written?,
            Err(_) => bail!("a writing thread stopped early"),
        }
    }
    Ok(())
}

fn write(out: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = out.join(name);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    std::fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests;
