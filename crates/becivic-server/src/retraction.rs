//! Taking something out of the public record for good (§8.6, §10.3): the one case in which history is rewritten.
//!
//! 1. Nobody may serve the folder meanwhile, or commit to the same database.
//! 2. The whole history is copied into another repository beside the first, without what is taken out ([`rewrite`]), and
//!    an incident note is committed on top ([`note`]). What that makes of the corpus is checked. A rehearsal ends here, and
//!    throws the copy away.
//! 3. In one transaction the rows that hold it are erased, commits get their new names, what was done is audited, and the
//!    head of the copy is noted.
//! 4. The copy takes the place of the first repository, which is removed with everything in it. A crash before the
//!    transaction leaves everything as it was; one after it is finished at the next start ([`finish`]).
//! 5. Other processes on the same database take the rewritten history when they start ([`elsewhere`]).
//! 6. The database's files are written anew, so that nothing stays in their unused places.

pub mod elsewhere;
pub mod note;
pub mod rewrite;
pub mod selection;
pub mod words;

use crate::app;
use crate::db::{Db, DbError, audit, corpus_commits, facts, log_entries, retraction as rows};
use crate::git::refs::{self, MAIN};
use crate::jobs::{Lease, commit};
use crate::moment::{Clock, Moment};
use crate::repository::Repository;
use anyhow::{Context, anyhow, ensure};
use becivic_core::corpus::Corpus;
use becivic_core::finding::Severity;
use becivic_core::{rollup, rules};
use gix::ObjectId;
use rewrite::{Found, Rewriter};
use selection::Selection;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name under which the head of a rewritten history is noted.
const FACT: &str = "rewritten";

/// What is asked to be taken out.
pub enum Asked {
    /// A text.
    Text(String),
    /// A file or folder.
    Path(String),
    /// What was submitted under a public name.
    Uid(String),
}

const TOO_SHORT: &str = "the text is too short: it would be found everywhere";
const NO_PATH: &str = "a path is written as in the corpus, like skills/my-skill/research-report.md";

impl Asked {
    /// What is wrong with it, whatever the folder holds.
    pub fn wrong(&self) -> Option<&'static str> {
        match self {
            Self::Text(text) => Selection::text(text).is_none().then_some(TOO_SHORT),
            Self::Path(path) => Selection::path(path).is_none().then_some(NO_PATH),
            Self::Uid(uid) => {
                (!Selection::is_uid(uid)).then_some("a public name is like con-00012, amd-00003 or drf-00001")
            }
        }
    }
}

/// A folder in which something is to be taken out; nobody else uses it meanwhile.
pub struct Retraction {
    data: PathBuf,
    url: String,
    db: Db,
    repository: Repository,
    tips: BTreeMap<String, ObjectId>,
    selection: Arc<Selection>,
    /// Which incident it is: the day, and a number within it.
    pub id: String,
    now: Moment,
    lease: Lease,
    _lock: File,
}

/// What would be done, or was.
pub struct Plan {
    /// In the history.
    pub found: Found,
    /// Names that stand for other commits now.
    pub moved: Vec<String>,
    /// Names that go.
    pub dropped: Vec<String>,
    /// Rows of each table.
    pub rows: BTreeMap<&'static str, u64>,
    /// Objects that no name led to.
    pub nameless: usize,
    /// Rules that the corpus would break and does not break now.
    pub broken: BTreeSet<&'static str>,
    /// The commit of the incident note.
    head: ObjectId,
    /// The commit it follows.
    below: ObjectId,
}

impl Plan {
    /// Whether nothing holds it.
    pub fn is_empty(&self) -> bool {
        let history = self.found.renamed.is_empty() && self.dropped.is_empty() && self.nameless == 0;
        history && self.rows.is_empty()
    }

    /// How many files and rows it touches.
    pub fn places(&self) -> u64 {
        self.found.paths.len() as u64 + self.rows.values().sum::<u64>()
    }
}

impl Retraction {
    /// Opens a data folder that nobody serves.
    pub fn open(data: &Path, url: &str, asked: &Asked, now: Moment) -> anyhow::Result<Self> {
        let place = data.join("corpus.git");
        ensure!(place.exists(), "there is no repository {}", place.display());
        let lock = app::lock(data)?;
        let db = Db::open(url, 1)?;
        // Nor may anybody add commits meanwhile, here or in another folder on the same database.
        let lease = Lease::take_over(db.clone(), Clock::System, commit::NAME)?
            .context("submissions are being committed right now; try again when that has ended")?;
        finish(data, &db)?;
        let (repository, _) = Repository::open_or_create(&place, std::iter::empty(), now)?;
        let git = repository.local();
        let tips = tips(&git)?;
        let selection = Arc::new(match asked {
            Asked::Text(text) => Selection::text(text).context(TOO_SHORT)?,
            Asked::Path(path) => Selection::path(path).context(NO_PATH)?,
            Asked::Uid(uid) => Selection::uid(uid, &git, &tips)?,
        });
        let id = note::next_id(&repository, now)?;
        Ok(Self {
            data: data.to_owned(),
            url: url.to_owned(),
            db,
            repository,
            tips,
            selection,
            id,
            now,
            lease,
            _lock: lock,
        })
    }

    /// What is taken out, in a word.
    pub fn kind(&self) -> &'static str {
        self.selection.kind()
    }

    /// A path as it may be shown.
    pub fn shown(&self, path: &str) -> String {
        match self.selection.in_words(path.as_bytes()) {
            Some(_) => "(a path that holds it)".to_owned(),
            None => path.to_owned(),
        }
    }

    fn copy(&self) -> PathBuf {
        self.data.join("corpus.git.rewriting")
    }

    /// Makes the copy, and says what it took out.
    pub fn rehearse(&self) -> anyhow::Result<Plan> {
        self.discard()?;
        let (rows, pulls) = self.rows(None)?;
        let copy = self.copy();
        let git = self.repository.local();
        let to = new_repository(&copy)?;
        let mut rewriter = Rewriter::new(&git, &to, &self.selection);
        rewriter.run(&self.tips)?;
        let (mut moved, mut dropped) = (Vec::new(), Vec::new());
        let mut below = None;
        for (name, id) in &self.tips {
            let now = rewriter.now(*id).with_context(|| format!("{name} was not copied"))?;
            if pulls.iter().any(|pull| *name == format!("refs/pull/{pull}/head")) {
                dropped.push(name.clone());
                continue;
            }
            if now != *id {
                moved.push(name.clone());
            }
            if name == MAIN {
                below = Some(now);
            } else {
                write_ref(&copy, name, now)?;
            }
        }
        let below = below.context("the repository has no branch main")?;
        let found = std::mem::take(&mut rewriter.found);
        let nameless = rewrite::nameless(&git, &self.selection, &self.tips)?;
        let mut plan =
            Plan { found, moved, dropped, rows, nameless, broken: BTreeSet::new(), head: below, below };
        plan.head = self.commit_note(&to, &plan)?;
        write_ref(&copy, MAIN, plan.head)?;
        plan.broken = self.newly_broken(&copy)?;
        Ok(plan)
    }

    /// Commits the incident note, and rollups that are stale without what was taken out.
    fn commit_note(&self, to: &gix::Repository, plan: &Plan) -> anyhow::Result<ObjectId> {
        let wrong = |error: gix::Error| anyhow!("{error}");
        let mut files = vec![(note::path(&self.id), note::text(&self.id, self.kind(), plan))];
        write_ref(&self.copy(), MAIN, plan.below)?;
        let (copied, _) = Repository::open_or_create(&self.copy(), std::iter::empty(), self.now)?;
        let corpus = Corpus::from_inputs(copied.files(&plan.below.to_string())?);
        for (path, kept, fresh) in [
            ("skills/rollup.json", corpus.skills_rollup.as_ref(), rollup::skills(&corpus)),
            ("paths/rollup.json", corpus.paths_rollup.as_ref(), rollup::paths(&corpus)),
        ] {
            if let (Some(kept), Ok(fresh)) = (kept, fresh)
                && kept.text() != fresh
            {
                files.push((path.to_owned(), fresh));
            }
        }
        let parent = to.find_commit(plan.below).map_err(wrong)?;
        let mut tree = to.edit_tree(parent.tree_id().map_err(wrong)?).map_err(wrong)?;
        for (path, text) in files {
            let blob = to.write_blob(text.as_bytes()).map_err(wrong)?;
            tree.upsert(path.as_str(), gix::objs::tree::EntryKind::Blob, blob).map_err(wrong)?;
        }
        let tree = tree.write().map_err(wrong)?.detach();
        // No finer than the day, and not before what it follows.
        let seconds = parent.time().map_err(wrong)?.seconds.max(self.now.day().0.div_euclid(1_000));
        let bot = crate::repository::BOT;
        let commit = format!(
            "tree {tree}\nparent {}\nauthor {bot} {seconds} +0000\ncommitter {bot} {seconds} +0000\n\n\
             Incident {}: the history was rewritten\n",
            plan.below, self.id
        );
        use gix::objs::Write;
        to.objects.write_buf(gix::objs::Kind::Commit, commit.as_bytes()).map_err(|error| anyhow!("{error}"))
    }

    fn newly_broken(&self, copy: &Path) -> anyhow::Result<BTreeSet<&'static str>> {
        let errors = |repository: &Repository| -> anyhow::Result<BTreeSet<(&'static str, String)>> {
            let corpus = Corpus::from_inputs(repository.files(&repository.head()?.sha)?);
            let findings = rules::check(&corpus, &corpus.catalogue, None).into_iter();
            let errors = findings.filter(|it| it.severity == Severity::Error);
            Ok(errors.map(|it| (it.rule, it.message)).collect())
        };
        let (copied, _) = Repository::open_or_create(copy, std::iter::empty(), self.now)?;
        let (before, after) = (errors(&self.repository)?, errors(&copied)?);
        Ok(after.difference(&before).map(|(rule, _)| *rule).collect())
    }

    /// The rows that hold it, and the pull requests of a public name; with a moment they are erased.
    fn rows(&self, erase: Option<Moment>) -> anyhow::Result<(BTreeMap<&'static str, u64>, Vec<i64>)> {
        let selection = Arc::clone(&self.selection);
        Ok(self.db.write_now(move |tx| erased(tx, &selection, erase))?)
    }

    /// Throws the copy away.
    pub fn discard(&self) -> anyhow::Result<()> {
        let copy = self.copy();
        if copy.exists() {
            std::fs::remove_dir_all(&copy)?;
        }
        Ok(())
    }

    /// Does what was rehearsed; afterwards nothing can bring it back.
    pub fn apply(self, plan: &Plan, who: &str, why: &str) -> anyhow::Result<()> {
        let waiting = self.data.join(WAITING);
        ensure!(self.lease.is_held(), "the database did not answer in time; nothing was changed");
        ensure!(!waiting.exists(), "{} is in the way", waiting.display());
        std::fs::rename(self.copy(), &waiting)?;
        let names: HashMap<String, String> =
            plan.found.renamed.iter().map(|(old, new)| (old.to_string(), new.to_string())).collect();
        let (head, below) = (plan.head.to_string(), plan.below.to_string());
        let objects = match self.db.is_shared() {
            true => elsewhere::line(&waiting, &self.db, &names, &below, &head)?,
            false => HashMap::new(),
        };
        let (selection, id, now) = (Arc::clone(&self.selection), self.id.clone(), self.now);
        let (who, why) = (who.to_owned(), why.to_owned());
        self.db.write_now(move |tx| {
            erased(tx, &selection, Some(now))?;
            rows::replace_line(tx, &|sha| names.get(sha).cloned(), &|sha| objects.get(sha).cloned())?;
            // Where a maintainer's push has not been taken in yet, the commit job takes this in with it.
            if corpus_commits::newest(tx)?.is_some_and(|(_, newest)| newest == below) {
                corpus_commits::append(tx, &below, &head, objects.get(&head).map(Vec::as_slice))?;
            }
            facts::set(tx, FACT, &head)?;
            audit::write(
                tx,
                &audit::Deed { at: now, who: &who, action: "retract", subject: &id, why: &why },
            )?;
            Ok(())
        })?;
        finish(&self.data, &self.db)?;
        self.lease.give_back("retracted");
        self.db.close_renewed(&self.url)
    }

    /// Lets go of the database.
    pub fn close(self) {
        self.lease.give_back("rehearsed");
        self.db.close();
    }
}

fn erased(
    tx: &mut dyn crate::db::Tx,
    selection: &Selection,
    erase: Option<Moment>,
) -> Result<(BTreeMap<&'static str, u64>, Vec<i64>), DbError> {
    if erase.is_some() {
        // Whatever the log digested of it cannot be told from the digest any more.
        log_entries::erase_nonces(tx)?;
    }
    match selection {
        Selection::Text(_) => {
            Ok((rows::text(tx, &|bytes| selection.in_words(bytes), erase.is_some())?, Vec::new()))
        }
        Selection::Uid(uid, _) => rows::uid(tx, uid, erase),
        Selection::Path(_) => Ok((BTreeMap::new(), Vec::new())),
    }
}

/// A rewritten repository that waits to take the place of the first.
const WAITING: &str = "corpus.git.rewritten";

/// Finishes what a crash interrupted: a rewritten repository takes its place when the database knows it, and goes when not.
pub fn finish(data: &Path, db: &Db) -> anyhow::Result<()> {
    let (waiting, place) = (data.join(WAITING), data.join("corpus.git"));
    if !waiting.exists() {
        return Ok(());
    }
    let (copied, _) = Repository::open_or_create(&waiting, std::iter::empty(), Moment(0))?;
    let head = copied.head()?.sha;
    drop(copied);
    if db.write_now(|tx| facts::find(tx, FACT))?.as_deref() != Some(head.as_str()) {
        std::fs::remove_dir_all(&waiting)?;
        return Ok(());
    }
    if place.exists() {
        std::fs::remove_dir_all(&place)?;
    }
    std::fs::rename(&waiting, &place)?;
    Ok(())
}

/// Every name that stands for a commit.
fn tips(git: &gix::Repository) -> anyhow::Result<BTreeMap<String, ObjectId>> {
    let wrong = |error: gix::Error| anyhow!("{error}");
    let mut found = BTreeMap::new();
    let platform = git.references().map_err(wrong)?;
    for reference in platform.all().map_err(wrong)?.peeled().map_err(wrong)? {
        let reference = reference.map_err(|error| anyhow!("{error}"))?;
        let Some(id) = reference.try_id() else { continue };
        let name = reference.name().as_bstr().to_string();
        if id.header().is_ok_and(|header| header.kind() == gix::objs::Kind::Commit) {
            found.insert(name, id.detach());
        }
    }
    ensure!(found.contains_key(refs::MAIN), "the repository has no branch main");
    Ok(found)
}

fn new_repository(dir: &Path) -> anyhow::Result<gix::Repository> {
    let wrong = |error: gix::Error| anyhow!("{error}");
    let made = gix::init_bare(dir).map_err(wrong)?;
    std::fs::write(made.git_dir().join("HEAD"), format!("ref: {MAIN}\n"))?;
    drop(made);
    gix::open_opts(dir, gix::open::Options::isolated()).map_err(wrong)
}

/// Names are written as files: nobody else looks at the copy yet, and it keeps no log of them.
fn write_ref(dir: &Path, name: &str, id: ObjectId) -> anyhow::Result<()> {
    let file = dir.join(name);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(std::fs::write(file, format!("{id}\n"))?)
}
