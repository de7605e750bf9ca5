//! The folder that is built into.
//!
//! Files are replaced whole. Nothing is removed that no list of an earlier build names, but what a build that was cut off left beside
//! such files.

use super::list::{self, Entry, Inputs, List, Made};
use super::lock::{self, Held};
use super::plan::{Job, Plan};
use crate::{UsageError, write};
use anyhow::Context;
use rayon::prelude::*;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder, and what an earlier build left in it.
pub struct Target {
    dir: PathBuf,
    writer: write::Many,
    /// What an earlier build wrote.
    pub before: List,
    /// Nobody else builds into it.
    _held: Option<Held>,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was written.
    Written,
    /// It was there already.
    Unchanged,
}

impl Target {
    /// Looks at the folder; makes it where it is missing, and waits for it then.
    pub fn open(dir: &Path, force: bool, held: Option<Held>) -> anyhow::Result<Self> {
        fs::create_dir_all(dir).with_context(|| format!("cannot make the folder {}", dir.display()))?;
        let held = if held.is_some() { held } else { lock::hold(dir)? };
        let dir = dir.to_path_buf();
        let before = match fs::read_to_string(dir.join(list::NAME)) {
            Ok(text) => match List::read(&text) {
                Some(list) => Some(list),
                None if force => None,
                None => return Err(refused(&dir, &format!("{} is no list of ours", list::NAME))),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", list::NAME)),
        };
        let listed = |entries: fs::ReadDir| entries.flatten().next().is_some();
        let is_empty =
            !fs::read_dir(&dir).map(listed).with_context(|| format!("cannot list {}", dir.display()))?;
        if before.is_none() && !is_empty && !force {
            return Err(refused(&dir, "it holds files that no build has written"));
        }
        let before = before.unwrap_or_default();
        let cut_off = before.files.keys().filter(|_| !before.finished).map(String::as_str);
        write::remove_unfinished(&dir, cut_off.chain([list::NAME]))?;
        Ok(Self { writer: write::Many::new(&dir), dir, before, _held: held })
    }

    /// Whether everything a job makes is there, made of the same. Where nothing is, nobody asks what it would be made of.
    fn has(&self, plan: &Plan<'_>, job: &Job, list: &List) -> bool {
        let names = job.names();
        let mut known = names.iter().filter_map(|name| Some((name, self.before.files.get(name)?))).peekable();
        let is_known = known.peek().is_some();
        if !self.before.finished || !is_known {
            return false;
        }
        let inputs = plan.inputs(job, list);
        known.all(|(name, entry)| entry.inputs == inputs && self.is_there(name, entry))
    }

    /// The jobs that have to be done; what is noted of the others is taken over.
    pub fn stale<'j>(&self, plan: &Plan<'_>, jobs: &'j [Job], list: &mut List) -> Vec<&'j Job> {
        let has: Vec<bool> = jobs.par_iter().map(|job| self.has(plan, job, list)).collect();
        let (kept, stale): (Vec<_>, Vec<_>) = jobs.iter().zip(has).partition(|(_, has)| *has);
        kept.into_iter().for_each(|(job, _)| self.keep(job, list));
        stale.into_iter().map(|(job, _)| job).collect()
    }

    fn keep(&self, job: &Job, list: &mut List) {
        for name in job.names() {
            if let Some(entry) = self.before.files.get(&name) {
                list.files.insert(name, *entry);
            }
        }
    }

    fn is_there(&self, name: &str, entry: &Entry) -> bool {
        let metadata = fs::symlink_metadata(self.dir.join(name));
        metadata.is_ok_and(|it| it.is_file() && it.len() == entry.length)
    }

    /// Notes that the folder is worked on, and every name that may be in it from now on.
    pub fn begin(&self, plan: &Plan<'_>) -> anyhow::Result<()> {
        let jobs = plan.jobs.par_iter().chain(&plan.volumes);
        let names: Vec<String> = jobs.flat_map_iter(Job::names).collect();
        self.note(&self.before.underway(&names))
    }

    /// Puts a file in its place, unless it is there already.
    pub fn put(&self, name: String, inputs: Inputs, bytes: &[u8]) -> anyhow::Result<(Fate, Made)> {
        let content = list::content(bytes);
        let length = bytes.len() as u64;
        let before = self.before.files.get(&name).filter(|_| self.before.finished);
        let is_same = before.is_some_and(|it| it.content == content && self.is_there(&name, it));
        if !is_same {
            self.writer.put(&name, bytes)?;
        }
        let fate = if is_same { Fate::Unchanged } else { Fate::Written };
        Ok((fate, Made { name, entry: Entry { inputs, content, length } }))
    }

    /// Removes what is not made any more, and notes what is there; gives how many files were removed, and the note. Where a build has
    /// begun, the note says that it does not go on, also when nothing changed.
    pub fn finish(&self, list: &mut List, begun: bool) -> anyhow::Result<(usize, String)> {
        let gone: Vec<&String> =
            self.before.files.keys().filter(|name| !list.files.contains_key(*name)).collect();
        let mut removed = 0;
        for name in gone {
            removed += usize::from(write::remove(&self.dir, name)?);
        }
        list.finished = true;
        let text = list.text();
        if begun || *list != self.before {
            self.note(&text)?;
        }
        Ok((removed, text))
    }

    fn note(&self, list: &str) -> anyhow::Result<()> {
        // Nobody waits for the disk: where power fails, lengths tell what has to be made again.
        self.writer.put(list::NAME, list.as_bytes())
    }

    /// The text of a file that this build has made, or left alone.
    pub fn text(&self, name: &str, list: &List) -> Option<String> {
        list.files.get(name)?;
        fs::read_to_string(self.dir.join(name)).ok()
    }
}

fn refused(dir: &Path, why: &str) -> anyhow::Error {
    let advice = "Give an empty folder, or --force to write into it all the same";
    UsageError(format!("{} is left alone: {why}. {advice}.", dir.display())).into()
}
