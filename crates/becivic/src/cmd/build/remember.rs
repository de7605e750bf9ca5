//! Remembers a build that has read everything, so that the next one may be quick.
//!
//! Names and stamps are taken before anything is read: whatever is written while the build goes on shows the next time. What an
//! earlier build noted of pages that were left alone is taken over; where nothing is known of one, it is made once more, to see of what.

use super::list::List;
use super::memory::{self, CATALOGUE, Head, Memory, Parts, Place, Rows};
use super::plan::{Job, Plan};
use super::stamps::{self, Stamp};
use super::{Args, quick};
use crate::folder::{self, Names};
use becivic_core::corpus::Corpus;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

/// What was seen before the corpus was read.
pub struct Before {
    names: Names,
    corpus: Stamp,
    /// What the build before noted of pages, where the site is as that build left it.
    pages: Option<String>,
}

impl Before {
    /// Looks; nothing where nothing can be remembered.
    pub fn look(args: &Args, base: &str) -> Option<Self> {
        let names = folder::names(&args.dir)?;
        let corpus = stamps::stamp(&stamps::looks(&args.dir, &looked_at(&names), Some(SystemTime::now()))?);
        let pages = Place::of(&args.out).and_then(|place| {
            let head = place.head()?;
            let is_its = head.key == quick::key(args, base) && Some(head.list) == quick::list_stamp(args);
            if is_its { place.pages()?.all() } else { None }
        });
        Some(Self { names, corpus, pages })
    }

    /// Reads the corpus that was looked at.
    pub fn read(&self, dir: &Path) -> anyhow::Result<Corpus> {
        folder::read_named(dir, &self.names)
    }

    /// Remembers the build; where that cannot be, the one before is forgotten.
    pub fn keep(self, args: &Args, base: &str, corpus: &Corpus, plan: &Plan<'_>, done: Noted<'_>) {
        let Some(place) = Place::of(&args.out) else { return };
        let kept = self.remembered(args, base, corpus, plan, done);
        let kept = kept.and_then(|memory| place.keep(&memory));
        if kept.is_none() {
            place.forget();
        }
    }

    fn remembered(
        &self,
        args: &Args,
        base: &str,
        corpus: &Corpus,
        plan: &Plan<'_>,
        done: Noted<'_>,
    ) -> Option<Memory> {
        let folders: BTreeSet<&str> = done
            .list
            .files
            .keys()
            .map(|name| name.rsplit_once('/').map_or(".", |(folder, _)| folder))
            .collect();
        let folders: Vec<&str> = folders.into_iter().collect();
        let (list, out) =
            (quick::list_stamp(args)?, stamps::stamp(&stamps::looks(&args.out, &folders, None)?));
        let (key, common) = (quick::key(args, base), plan.common.digests());
        let head = Head { key, common, list, corpus: self.corpus, out };
        let older = memory::by_address(self.pages.as_deref().unwrap_or_default());
        let line = |job: &Job| {
            let which = job.which()?;
            let address = which.address();
            let older = || older.get(address.as_str()).map(|line| (*line).to_owned());
            // A page without a note would be left alone for ever.
            let noted = done.pages.get(&address).cloned().or_else(older);
            Some(noted.unwrap_or_else(|| plan.note(which).line()) + "\n")
        };
        let pages_and_rows = || {
            let lines: Vec<String> = plan.jobs.par_iter().filter_map(line).collect();
            let pages = lines.concat();
            let rows = CATALOGUE.map(|file| corpus.rows_text(file).unwrap_or_default());
            Some((Rows::text(rows, &memory::shown(&pages))?, pages))
        };
        let parts = || Parts::text(corpus, plan.volumes.iter().filter_map(Job::volume));
        let names_and_parts = || rayon::join(|| memory::Names::text(&self.names), parts);
        let (pages_and_rows, (names, parts)) = rayon::join(pages_and_rows, names_and_parts);
        let (rows, pages) = pages_and_rows?;
        let folders = folders.iter().flat_map(|name| [name, "\n"]).collect();
        Some(Memory { head, names, folders, rows, pages, parts })
    }
}

/// What a build has written.
pub struct Noted<'d> {
    /// The list.
    pub list: &'d List,
    /// The notes of pages that were made, by address.
    pub pages: &'d FxHashMap<String, String>,
}

fn looked_at(names: &Names) -> Vec<&str> {
    let all = names.folders.iter().chain(&names.files).map(String::as_str);
    all.filter(|name| memory::is_looked_at(name)).collect()
}
