//! What becomes text: amendments of skills and paths, and drafts.
//!
//! 1. What it names must still exist; what needs a person's look is held.
//! 2. The change is made against the head of `main`, with the uids its new citations will get. A diff that no longer applies,
//!    or a rule that the result would break, ends the item as `rejected`. Nothing reaches a branch before the rules have passed.
//! 3. It gets its public name and a pull request.
//! 4. A draft waits for a person; an amendment waits for its turn.
//! 5. Merging: the commit is written, and while nobody can move `main` one transaction notes the commit, mints the uids and
//!    lets the item leave. When `main` or a counter moved in between, everything is made again.

use super::item::Item;
use super::leave::{self, Left};
use super::{End, Mode, Run, turns};
use crate::app::fresh;
use crate::db::catalogue::{self, Prefix};
use crate::db::merges::{self, Merge};
use crate::db::proposals::{self, NewAmendment};
use crate::db::{DbError, Tx, corpus_commits, pulls, staged, uids};
use crate::forge::{ForgeError, Proposal, Proposed, Verdict};
use crate::jobs::follow;
use crate::jobs::steps::{Step, reached};
use crate::live::Live;
use crate::moment::Moment;
use crate::secrets::Bytes32;
use becivic_core::catalogue::SeedCatalogue;
use becivic_core::corpus::KnownTargets;
use becivic_core::materialise::{self, Artefact, Citation, Ground, Made, Plan, texts_as_files};
use becivic_core::preflight::cross_reference;
use becivic_core::submission::{Draft, Submission};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often a change is made again because `main` moved.
const TRIES: usize = 5;

/// Why a proposal did not get anywhere this time.
enum Trouble {
    /// `main` or a counter moved.
    Moved,
    /// The forge.
    Forge(ForgeError),
    /// Anything else.
    Other(anyhow::Error),
}

impl From<DbError> for Trouble {
    fn from(error: DbError) -> Self {
        Self::Other(error.into())
    }
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}

impl From<ForgeError> for Trouble {
    fn from(error: ForgeError) -> Self {
        match error {
            ForgeError::Moved => Self::Moved,
            other => Self::Forge(other),
        }
    }
}

/// The uids that a change will be given.
#[derive(Clone)]
pub struct Uids {
    /// Entries of the catalogue, each with its uid.
    pub minted: Vec<(Citation, String)>,
    /// A path.
    pub path: Option<String>,
}

impl Run<'_> {
    /// Carries a proposal as far as it can go.
    pub fn proposal(&mut self, item: &Item) -> anyhow::Result<End> {
        for _ in 0..TRIES {
            match self.attempt(item) {
                Ok(end) => return Ok(end),
                Err(Trouble::Moved) => {
                    self.catalogue = None;
                    follow::catch_up(self.app)?;
                }
                Err(Trouble::Forge(error)) => {
                    tracing::warn!(error = %error, "the forge did not do what it was asked");
                    return self.fail(item, "forge");
                }
                Err(Trouble::Other(error)) => {
                    tracing::warn!(error = %error, "a proposal could not be committed");
                    self.catalogue = None;
                    return self.fail(item, "not_committed");
                }
            }
        }
        self.fail(item, "main_moved")
    }

    fn attempt(&mut self, item: &Item) -> Result<End, Trouble> {
        let live = self.app.live.load_full();
        if self.app.repository.head()?.sha != live.commit {
            // Somebody pushed what the rules refuse: nothing is put on top of it.
            return Ok(self.fail(item, "main_broken")?);
        }
        if let Some(why) = item.needs_a_look() {
            return Ok(self.hold(item, why)?);
        }
        self.catalogue()?;
        let mut catalogue = self.catalogue.take().unwrap_or_default();
        let end = self.carry(item, &live, &mut catalogue)?;
        // Only a merge leaves the catalogue with uids that exist.
        if end == End::Committed {
            self.catalogue = Some(catalogue);
        }
        Ok(end)
    }

    fn carry(&self, item: &Item, live: &Arc<Live>, catalogue: &mut SeedCatalogue) -> Result<End, Trouble> {
        let none = BTreeSet::new();
        let targets = KnownTargets { corpus: &live.corpus, catalogue: &*catalogue, concerns: &none };
        if let Some(refusal) = cross_reference::resolve(&item.submission, &targets).first() {
            return Ok(self.refuse(&item.due, refusal.category.as_str())?);
        }
        let day = self.now.date();
        // Its name is given once it is known to go on a branch; until then any will do.
        let uid = item.due.public_uid.clone().unwrap_or_else(|| "amd-00000".to_owned());
        let ground = Ground {
            corpus: &live.corpus,
            catalogue: &*catalogue,
            commit: &live.commit,
            day: &day,
            uid: &uid,
        };
        let plan = match materialise::plan(ground, &item.submission) {
            Ok(Some(plan)) => plan,
            Ok(None) => return Err(anyhow::anyhow!("this does not become text").into()),
            Err(refusal) => return Ok(self.refuse(&item.due, refusal.category.as_str())?),
        };
        if !item.was_passed() && plan.hosts.iter().any(|host| !live.is_listed(host)) {
            return Ok(self.hold(item, crate::pipeline::UNLISTED_HOST)?);
        }
        let uids = self.expected_uids(&plan.missing, plan.needs_path_uid)?;
        for (citation, uid) in &uids.minted {
            citation.add_to(catalogue, uid, &self.now.day().text());
        }
        if self.mode == Mode::Try {
            let made = finish(&plan, live, catalogue, &day, &uid, &uids);
            let broken = made.map(|made| made.broken_rule(&*catalogue, live.known_findings()));
            return Ok(match broken {
                Ok(None) => End::Committed,
                Ok(Some(_)) => End::Rejected("cross_ref_fail"),
                Err(refusal) => End::Rejected(refusal.category.as_str()),
            });
        }
        let Some((uid, number)) = self.open(item, &plan)? else { return Ok(End::Gone) };
        reached(Step::Opened);
        let mut item = item.clone();
        (item.due.public_uid, item.due.pull) = (Some(uid.clone()), Some(number));
        let made = match finish(&plan, live, catalogue, &day, &uid, &uids) {
            Ok(made) => made,
            Err(refusal) => return Ok(self.refuse(&item.due, refusal.category.as_str())?),
        };
        if let Some(finding) = made.broken_rule(&*catalogue, live.known_findings()) {
            tracing::info!(rule = finding.rule, "a proposal would break a rule");
            return Ok(self.refuse(&item.due, "cross_ref_fail")?);
        }
        self.propose_and_merge(&item, live, &plan, &made, &uids)
    }

    fn propose_and_merge(
        &self,
        item: &Item,
        live: &Arc<Live>,
        plan: &Plan,
        made: &Made,
        uids: &Uids,
    ) -> Result<End, Trouble> {
        let (uid, number) =
            (item.due.public_uid.clone().unwrap_or_default(), item.due.pull.unwrap_or_default());
        let files = texts_as_files(&made.texts);
        let title = title(item, plan, &uid);
        let message = message(item, &title, plan, made, &uid);
        let proposal = Proposal {
            number,
            base: &live.commit,
            title: &title,
            body: &body(item, plan),
            labels: &[item.kind.as_str()],
            message: &message,
            files: &files,
        };
        let proposed = self.app.forge.propose(&self.app.repository, &proposal, self.now)?;
        reached(Step::Branched);
        self.app.forge.report(&proposed.head, Verdict::Green, "Every rule passes on the merge result.")?;
        reached(Step::Reported);
        let waits = self.note_proposed(item, number, &live.commit, proposed)?;
        if let Some(end) = waits {
            return Ok(end);
        }
        let base = live.commit.as_str();
        let repository = &self.app.repository;
        let written = repository.write_commit(base, &[base], &files, &message, self.now)?;
        reached(Step::Written);
        let objects = if self.app.db.is_shared() { Some(repository.packed(&written)?) } else { None };
        let merge = Merging::new(self, item, plan, uids, base, &written.sha, objects)?;
        let moved = repository.advance(base, &written.sha, || {
            self.app.db.write_now(move |tx| merge.store(tx))?.map_err(anyhow::Error::new)?;
            reached(Step::Stored);
            Ok(())
        });
        match moved {
            Ok(Some(())) => {}
            Ok(None) => return Err(Trouble::Moved),
            Err(error) => match error.downcast::<NotStored>() {
                Ok(NotStored::Gone) => return Ok(End::Gone),
                Ok(NotStored::Moved) => return Err(Trouble::Moved),
                Err(error) if matches!(error.downcast_ref(), Some(DbError::Collision)) => {
                    return Err(Trouble::Moved);
                }
                Err(error) => return Err(error.into()),
            },
        }
        reached(Step::Moved);
        let at = self.now.day();
        self.app.live.store(Arc::new(live.committed(made.corpus.clone(), written.sha, at)));
        Ok(End::Committed)
    }

    fn hold(&self, item: &Item, why: &'static str) -> Result<End, DbError> {
        if self.mode == Mode::Carry {
            let (due, day) = (item.due.clone(), self.now);
            self.app.db.write_now(move |tx| {
                staged::take_from_public(tx, &due.id, why, day.day())?;
                staged::hold(tx, &due.id, why, day.day())
            })?;
        }
        Ok(End::Held(why))
    }

    /// The uids that come next: they are given in the transaction that merges, if nobody was faster.
    pub fn expected_uids(&self, missing: &[Citation], for_a_path: bool) -> Result<Uids, DbError> {
        let last = self
            .app
            .db
            .write_now(|tx| Ok([uids::last(tx, "val")?, uids::last(tx, "ref")?, uids::last(tx, "pth")?]))?;
        let [mut value, mut reference, path] = last;
        let mut number = |is_value: bool| {
            let counter = if is_value { &mut value } else { &mut reference };
            *counter += 1;
            uids::written(prefix(is_value).as_str(), *counter)
        };
        let minted = missing.iter().map(|it| (it.clone(), number(it.is_value))).collect();
        Ok(Uids { minted, path: for_a_path.then(|| uids::written("pth", path + 1)) })
    }

    /// Gives a proposal its public name and its pull request, unless it has them; `None` when it was taken back.
    fn open(&self, item: &Item, plan: &Plan) -> Result<Option<(String, i64)>, DbError> {
        let (item, plan, now) = (item.clone(), plan.clone(), self.now);
        self.app.db.write_now(move |tx| {
            let Some(due) = staged::load(tx, &item.due.id)? else { return Ok(None) };
            if let (Some(uid), Some(number)) = (&due.public_uid, due.pull) {
                return Ok(Some((uid.clone(), number)));
            }
            let (target_type, target_id) = item.artefact();
            let named = due.public_uid.as_deref();
            let uid = match &item.submission {
                Submission::Amendment(it) => {
                    let amendment = NewAmendment {
                        target_type: it.target_type.as_str(),
                        target_id: &it.target_id,
                        rationale: &it.rationale,
                        cohort_anchor: due.cohort_anchor.as_deref(),
                        day: now.day(),
                    };
                    proposals::open_amendment(tx, named, &amendment)?
                }
                _ => proposals::open_draft(tx, named, target_type, target_id, now.day())?,
            };
            let title = title(&item, &plan, &uid);
            let target = (target_type, target_id);
            let number = pulls::open(tx, item.kind.as_str(), Some(&uid), target, &title, now.day())?;
            staged::opened(tx, &due.id, &uid, Some(number))?;
            Ok(Some((uid, number)))
        })
    }

    /// Notes where the branch stands; says so when the proposal waits for a person or for its turn.
    fn note_proposed(
        &self,
        item: &Item,
        number: i64,
        base: &str,
        proposed: Proposed,
    ) -> Result<Option<End>, DbError> {
        let (item, base, now) = (item.clone(), base.to_owned(), self.now);
        self.app.db.write_now(move |tx| {
            pulls::proposed(tx, number, &base, &proposed.head, proposed.forge_number)?;
            if item.due.review.as_deref() == Some("approved") {
                return Ok(None);
            }
            if matches!(item.submission, Submission::Draft(_)) {
                staged::wait(tx, &item.due.id, None)?;
                return Ok(Some(End::Waits));
            }
            if item.was_passed() {
                return Ok(None);
            }
            let (target_type, target_id) = item.artefact();
            let done = merges::of(tx, target_type, target_id)?;
            let turn = turns::next(&done, &item.line(), item.due.author_hash.as_deref(), now);
            if let Some(turn) = turn {
                staged::wait(tx, &item.due.id, Some(turn))?;
            }
            Ok(turn.map(End::Queued))
        })
    }
}

/// What is stored while `main` moves.
struct Merging {
    item: Item,
    digest: Bytes32,
    keys: [Bytes32; 2],
    uids: Uids,
    is_new: bool,
    base: String,
    sha: String,
    objects: Option<Vec<u8>>,
    now: Moment,
}

/// Why nothing was stored.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum NotStored {
    /// The item was taken back.
    #[error("the item was taken back")]
    Gone,
    /// Somebody else was faster.
    #[error("the branch main or a counter has moved")]
    Moved,
}

impl Merging {
    fn new(
        run: &Run<'_>,
        item: &Item,
        plan: &Plan,
        uids: &Uids,
        base: &str,
        sha: &str,
        objects: Option<Vec<u8>>,
    ) -> Result<Self, DbError> {
        Ok(Self {
            item: item.clone(),
            digest: run.app.pepper.id(&item.due.id),
            keys: [fresh()?, fresh()?],
            uids: uids.clone(),
            is_new: plan.is_new,
            base: base.to_owned(),
            sha: sha.to_owned(),
            objects,
            now: run.now,
        })
    }

    fn store(&self, tx: &mut dyn Tx) -> Result<Result<(), NotStored>, DbError> {
        let Self { item, now, .. } = self;
        let due = &item.due;
        if !staged::lock(tx, &due.id)? {
            return Ok(Err(NotStored::Gone));
        }
        // Whatever was done in this transaction goes again when it ends as a collision.
        if !corpus_commits::append(tx, &self.base, &self.sha, self.objects.as_deref())? {
            return Ok(Err(NotStored::Moved));
        }
        mint_exactly(tx, &self.uids, now.day())?;
        let (target_type, target_id) = item.artefact();
        if let Some(number) = due.pull {
            pulls::merged(tx, number, &self.sha, now.day())?;
        }
        let uid = due.public_uid.as_deref();
        if let Some(uid) = uid {
            proposals::merged(tx, uid)?;
        }
        let [key, pair] = &self.keys;
        if !self.is_new {
            let merge = Merge { cohort: item.line(), author_hash: due.author_hash.clone(), merged_at: *now };
            merges::insert(tx, key, (target_type, target_id), &merge)?;
        }
        let wrote = Some((target_type, target_id, *pair));
        leave::committed(tx, due, &self.digest, &Left { uid, recognisable: true, wrote }, *now)?;
        Ok(Ok(()))
    }
}

/// Gives out the uids that a change was made with; a collision when somebody was faster.
pub fn mint_exactly(tx: &mut dyn Tx, uids: &Uids, day: Moment) -> Result<(), DbError> {
    for (citation, expected) in &uids.minted {
        let content = serde_json::Value::Object(citation.content.clone()).to_string();
        let (uid, _) = catalogue::mint(tx, prefix(citation.is_value), &citation.name, &content, day)?;
        if uid != *expected {
            return Err(DbError::Collision);
        }
    }
    if let Some(expected) = &uids.path
        && uids::written("pth", uids::next(tx, "pth")?) != *expected
    {
        return Err(DbError::Collision);
    }
    Ok(())
}

fn finish(
    plan: &Plan,
    live: &Live,
    catalogue: &SeedCatalogue,
    day: &str,
    uid: &str,
    uids: &Uids,
) -> Result<Made, becivic_core::preflight::Refusal> {
    let ground = Ground { corpus: &live.corpus, catalogue, commit: &live.commit, day, uid };
    plan.finish(ground, uids.path.as_deref())
}

fn prefix(is_value: bool) -> Prefix {
    if is_value { Prefix::Value } else { Prefix::Reference }
}

/// One line, made of ids.
fn title(item: &Item, plan: &Plan, uid: &str) -> String {
    let verb = if plan.is_new { "Add" } else { "Amend" };
    let kind = match (&plan.artefact, &item.submission) {
        (Artefact::Skill(_), _) => "skill",
        (Artefact::Path(_), _) => "path",
    };
    format!("{verb} {kind} {} ({uid})", plan.artefact.id())
}

/// The message of the commit: what a draft says of itself is quoted, so that it cannot look like anything else.
fn message(item: &Item, title: &str, plan: &Plan, made: &Made, uid: &str) -> String {
    let said = match &item.submission {
        Submission::Draft(it) => quoted(it),
        _ => String::new(),
    };
    let reset =
        if made.resets { format!("Cohort: reset {}\n", plan.artefact.named()) } else { String::new() };
    format!("{title}\n\n{said}Submission: {uid}\n{reset}")
}

fn quoted(draft: &Draft) -> String {
    let said = draft.commit_message.split_whitespace().collect::<Vec<_>>().join(" ");
    if said.is_empty() { String::new() } else { format!("> {said}\n\n") }
}

/// What a pull request says of itself.
fn body(item: &Item, plan: &Plan) -> String {
    let what = if plan.is_new { "A new artefact from the community" } else { "A change from the community" };
    let next = match &item.submission {
        Submission::Draft(_) => "It waits for a maintainer.",
        _ => "It is merged when every rule passes and it is its turn.",
    };
    format!("{what}, checked by every rule as the merge would leave the corpus. {next}\n")
}
