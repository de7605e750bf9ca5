//! `becivic build`: the whole site as files that any static host serves.
//!
//! 1. Read the corpus and run the rules; with errors nothing is written, unless somebody insists.
//! 2. Look at the folder: an empty one, or one that an earlier build filled and left its list in ([`list`]).
//! 3. Plan every page ([`plan`]) with a digest of what it is made of ([`inputs`]); what an earlier build made of the same is left
//!    alone.
//! 4. Write down that the folder is being worked on, make the rest on all cores, one page at a time each, and write what differs.
//! 5. Remove what is not made any more, and write the list last: a build that was cut off is made again from the start.
//!
//! The same corpus and the same options give the same bytes: no clock, no order of threads, no machine shows in them.
//!
//! `/skills/x` is the file `skills/x.html`, which static hosts serve at that address without another step; lists, which end with a
//! slash, are `index.html` of their folder; what is not there is `404.html`.

mod inputs;
mod list;
mod plan;
mod target;

use crate::cmd::words::one_of;
use crate::{Outcome, folder, say, site};
use anyhow::bail;
use becivic_core::corpus::Corpus;
use becivic_core::finding::Severity;
use becivic_core::rules;
use becivic_core::vocabulary::Language;
use becivic_site::citations::Citations;
use list::List;
use plan::{Job, Plan};
use rayon::prelude::*;
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
    after_help = "Examples:\n  becivic build corpus --out site\n  becivic build corpus --out site --lang fr --base https://example.be\n  becivic build --out ../site                  the corpus in this folder\n\n/skills/x becomes skills/x.html, /skills/ becomes skills/index.html, and what is not there 404.html.\n\nExit codes: 0 built, 1 the corpus has errors, 2 wrong usage, 3 could not run."
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
        let corpus = folder::read(&self.dir, None)?.corpus;
        let errors = errors(&corpus);
        if errors > 0 && !self.with_findings {
            say::aside(format_args!(
                "becivic: nothing is built: the corpus has {errors} {}. `becivic check {}` lists them; --with-findings builds anyway.",
                if errors == 1 { "error" } else { "errors" },
                self.dir.display()
            ));
            return Ok(Outcome::Findings);
        }
        let citations = Citations::of(&corpus);
        let world = site::world(&corpus, &citations, &base);
        let plan = Plan::of(&world, self.lang);
        let target = Target::open(&self.out, self.force)?;
        let done = build(&plan, &target)?;
        say::line(format_args!(
            "{} pages: {} files written, {} unchanged, {} removed, in {:.2} s",
            done.pages,
            done.written,
            done.unchanged,
            done.removed,
            began.elapsed().as_secs_f64()
        ))?;
        say::line(format_args!("digest {}", done.digest))?;
        // The process ends soon: returning a large corpus' memory piece by piece would only cost time.
        drop(plan);
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

fn build(plan: &Plan<'_>, target: &Target) -> anyhow::Result<Done> {
    let (kept, stale): (Vec<&Job>, Vec<&Job>) = plan.jobs.iter().partition(|job| target.has(job));
    let mut list = List::default();
    for job in &kept {
        target.keep(job, &mut list);
    }
    let mut unchanged = list.files.len();
    let mut written = 0;
    let gone =
        |list: &List| target.before.files.keys().filter(|name| !list.files.contains_key(*name)).count();
    let begins = !stale.is_empty() || gone(&list) > 0;
    if begins {
        target.begin(plan)?;
    }
    let bar = folder::progress(stale.len());
    let made: Vec<anyhow::Result<Vec<(Fate, list::Made)>>> = stale
        .par_iter()
        .map(|job| {
            let made =
                plan.make(job).into_iter().map(|(name, bytes)| target.put(name, job, &bytes)).collect();
            bar.inc(1);
            made
        })
        .collect();
    bar.finish_and_clear();
    for result in made {
        for (fate, made) in result? {
            match fate {
                Fate::Written => written += 1,
                Fate::Unchanged => unchanged += 1,
            }
            if list.files.insert(made.name.clone(), made.entry).is_some() {
                bail!("two pages would be the file {}", made.name);
            }
        }
    }
    let removed = target.finish(&mut list, begins)?;
    let pages = list.files.keys().filter(|name| name.ends_with(".html")).count();
    Ok(Done { pages, written, unchanged, removed, digest: list.digest() })
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
            && rest.chars().all(|c| !c.is_whitespace() && !c.is_control() && !"\"<>?#".contains(c))
    };
    match is_web.is_some_and(fits) {
        true => Ok(bare.to_owned()),
        false => {
            Err(crate::UsageError(format!("--base is an address like {}, not `{text}`", site::BASE)).into())
        }
    }
}
