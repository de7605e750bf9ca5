//! `becivic build`: the whole site as files that any static host serves.
//!
//! 0. Wait for whoever else builds into the folder ([`lock`]). Where nothing but values has changed since the last build into it, a
//!    short way is enough ([`quick`]).
//! 1. Read the corpus and run the rules; with errors nothing is written, unless somebody insists.
//! 2. Look at the folder: an empty one, or one that an earlier build filled and left its list in ([`list`]).
//! 3. Plan every page ([`plan`]) with a digest of what it is made of ([`inputs`]); what an earlier build made of the same is left
//!    alone.
//! 4. Write down that the folder is being worked on, make the rest on all cores, one page at a time each, and write what differs;
//!    then the files that hold many pages, from those that are there.
//! 5. Remove what is not made any more, and write the list last: a build that was cut off is made again from the start.
//! 6. Remember what was seen, for the short way ([`memory`]).
//!
//! The same corpus and the same options give the same bytes: no clock, no order of threads, no machine shows in them.
//!
//! `/skills/x` is the file `skills/x/index.html`, which every static host serves at that address; lists, which end with a slash, are
//! `index.html` of their folder alike; an old address is a page that leads on; what is not there is `404.html`.

mod inputs;
mod list;
mod lock;
mod memory;
mod plan;
mod quick;
mod remember;
mod stamps;
mod target;

use crate::cmd::words::one_of;
use crate::{Outcome, folder, say, site};
use anyhow::bail;
use becivic_core::corpus::Corpus;
use becivic_core::finding::Severity;
use becivic_core::rules;
use becivic_core::vocabulary::Language;
use becivic_site::citations::Citations;
use becivic_site::{Shelves, World};
use list::{List, Summary};
use plan::{Job, Plan};
use rayon::prelude::*;
use remember::Noted;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::time::Instant;
use target::{Fate, Target};

/// Write the whole site as files
///
/// Every page in HTML and as markdown, with its source, styles and fonts, in a folder that any static host can serve. The same
/// corpus gives the same bytes. A second build into the same folder writes only what changed, and removes what is gone.
///
/// Values and references are those of the seed files; what people said of them is known to a server only.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  becivic build corpus --out site\n  becivic build corpus --out site --lang fr --base https://example.be\n  becivic build --out ../site                  the corpus in this folder\n\n/skills/x becomes skills/x/index.html, old addresses become pages that lead on, and what is not there 404.html.\n\nExit codes: 0 built, 1 the corpus has errors, 2 wrong usage, 3 could not run."
)]
pub struct Args {
    /// The corpus folder: the one that holds skills/ and paths/
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,

    /// The folder to write into; made where it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The language of the words around the texts
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = one_of(Language::ALL, Language::as_str))]
    lang: Language,

    /// Where the site will stand
    #[arg(long, value_name = "URL", default_value = site::BASE)]
    base: String,

    /// Build in spite of errors that `becivic check` finds
    #[arg(long)]
    with_findings: bool,

    /// Write into a folder that holds something else; what stands there under other names is left alone
    #[arg(long)]
    force: bool,
}

impl Args {
    /// Builds.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let began = Instant::now();
        let base = base(&self.base)?;
        if self.dir.is_file() {
            let advice = "a corpus is a folder: give the one that holds skills/ and paths/";
            return Err(crate::UsageError(format!("{} is a file; {advice}", self.dir.display())).into());
        }
        let held = lock::hold(&self.out)?;
        if let Some(done) = quick::build(&self, &base)? {
            done.say(began, " (nothing but the catalogue was read)")?;
            return Ok(Outcome::Fine);
        }
        let before = remember::Before::look(&self, &base);
        let corpus = match &before {
            Some(before) => before.read(&self.dir)?,
            None => folder::read(&self.dir, None)?.corpus,
        };
        let (errors, (citations, shelves)) = rayon::join(
            || errors(&corpus),
            || rayon::join(|| Citations::of(&corpus), || Shelves::of(&corpus)),
        );
        if errors > 0 && !self.with_findings {
            say::aside(format_args!(
                "becivic: nothing is built: the corpus has {errors} {}. `becivic check {}` lists them; --with-findings builds anyway.",
                if errors == 1 { "error" } else { "errors" },
                self.dir.display()
            ));
            return Ok(Outcome::Findings);
        }
        let world = World { shelves: Some(&shelves), ..site::world(&corpus, &citations, &base) };
        let plan = Plan::of(&world, self.lang);
        let target = Target::open(&self.out, self.force, held)?;
        let (done, list, notes) = build(&plan, &target)?;
        if let Some(before) = before {
            before.keep(&self, &base, &corpus, &plan, Noted { list: &list, pages: &notes });
        }
        done.say(began, "")?;
        // The process ends soon: returning the memory of many thousand pages piece by piece would only cost time.
        std::mem::forget((plan, list, notes));
        std::mem::forget((shelves, citations));
        std::mem::forget(corpus);
        Ok(Outcome::Fine)
    }
}

/// What a build did.
struct Done {
    pages: usize,
    written: usize,
    unchanged: usize,
    removed: usize,
    digest: String,
}

impl Done {
    fn say(&self, began: Instant, how: &str) -> anyhow::Result<()> {
        say::line(format_args!(
            "{} pages: {} files written, {} unchanged, {} removed, in {:.2} s{how}",
            self.pages,
            self.written,
            self.unchanged,
            self.removed,
            began.elapsed().as_secs_f64()
        ))?;
        say::line(format_args!("digest {}", self.digest))
    }
}

/// Builds everything that is stale; gives the list, and for each page that was made what it was made of.
fn build(plan: &Plan<'_>, target: &Target) -> anyhow::Result<(Done, List, FxHashMap<String, String>)> {
    let mut work = Work::default();
    let stale = target.stale(plan, &plan.jobs, &mut work.list);
    let begins = !stale.is_empty();
    if begins {
        target.begin(plan)?;
    }
    work.make(plan, target, &stale)?;
    // Only now it is known what files are made of that hold pages.
    let stale = target.stale(plan, &plan.volumes, &mut work.list);
    let is_gone = |name: &String| !work.list.files.contains_key(name);
    let goes_on = !stale.is_empty() || target.before.files.keys().any(is_gone);
    if goes_on && !begins {
        target.begin(plan)?;
    }
    work.make(plan, target, &stale)?;
    let Work { mut list, written, notes } = work;
    let unchanged = list.files.len() - written;
    let (removed, text) = target.finish(&mut list, begins || goes_on)?;
    let Some(Summary { pages, digest, .. }) = list::Text::new(text).map(|text| text.summary()) else {
        bail!("the list of what was built cannot be read");
    };
    Ok((Done { pages, written, unchanged, removed, digest }, list, notes))
}

/// What a build has done until now.
#[derive(Default)]
struct Work {
    list: List,
    written: usize,
    /// What pages were made of, by address.
    notes: FxHashMap<String, String>,
}

impl Work {
    /// Does jobs, on all cores.
    fn make(&mut self, plan: &Plan<'_>, target: &Target, jobs: &[&Job]) -> anyhow::Result<()> {
        let bar = folder::progress(jobs.len());
        let printed = |name: &str| target.text(name, &self.list);
        let one = |job: &&Job| {
            let (product, note) = plan.make(job, &self.list, &printed);
            let put = product.files.into_iter().map(|(name, bytes)| target.put(name, product.inputs, &bytes));
            let put = put.collect::<anyhow::Result<Vec<_>>>()?;
            bar.inc(1);
            Ok((put, note.map(|note| (note.address.clone(), note.line()))))
        };
        // A few at a time, so that no core waits for another at the end.
        let made: Vec<anyhow::Result<_>> = jobs.par_iter().with_max_len(8).map(one).collect();
        bar.finish_and_clear();
        let mut all = Vec::with_capacity(made.len() * 3);
        for result in made {
            let (files, note) = result?;
            self.notes.extend(note);
            for (fate, made) in files {
                self.written += usize::from(fate == Fate::Written);
                all.push((made.name, made.entry));
            }
        }
        all.par_sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let twice = all.windows(2).find_map(|pair| match pair {
            [(one, _), (other, _)] if one == other => Some(one),
            _ => None,
        });
        if let Some(name) =
            twice.or_else(|| all.iter().map(|(name, _)| name).find(|it| self.list.files.contains_key(*it)))
        {
            bail!("two pages would be the file {name}");
        }
        // Made at once of everything, which costs less than one after the other.
        self.list.files.append(&mut all.into_iter().collect());
        Ok(())
    }
}

/// How many errors the rules find.
pub fn errors(corpus: &Corpus) -> usize {
    let findings = rules::check(corpus, &corpus.catalogue, None);
    findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

/// An address without a slash at the end.
fn base(text: &str) -> anyhow::Result<String> {
    let bare = text.trim_end_matches('/');
    let is_web = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://"));
    let fits = |rest: &str| {
        !rest.is_empty()
            // Links begin at the root of a host.
            && !rest.contains('/')
            // Nor does anybody's password belong into every page.
            && rest.chars().all(|c| !c.is_whitespace() && !c.is_control() && !"\"<>?#@".contains(c))
    };
    match is_web.is_some_and(fits) {
        true => Ok(bare.to_owned()),
        false => {
            Err(crate::UsageError(format!("--base is the root of a host, like {}, not `{text}`", site::BASE))
                .into())
        }
    }
}
